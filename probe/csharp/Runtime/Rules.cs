using System;

namespace Dragnet
{
    /// <summary>The steps of a piece.</summary>
    public enum MoveSet
    {
        /// <summary>To the 8 neighbours.</summary>
        King = 0,

        /// <summary>To the 4 neighbours in row and column.</summary>
        Orthogonal = 1,

        /// <summary>To the 4 diagonal neighbours.</summary>
        Diagonal = 2,

        /// <summary>The 8 leaps of a chess knight.</summary>
        Knight = 3,

        /// <summary>The listed offsets.</summary>
        Offsets = 4,

        /// <summary>Along edges; required on a graph, invalid on squares.</summary>
        Edges = 5,
    }

    /// <summary>The pairs of opposite edges of the board that are joined.</summary>
    public enum Wrap
    {
        /// <summary>No edges.</summary>
        None = 0,

        /// <summary>Left and right.</summary>
        Horizontal = 1,

        /// <summary>Top and bottom.</summary>
        Vertical = 2,

        /// <summary>Left and right, and top and bottom.</summary>
        Both = 3,
    }

    /// <summary>The result for a side to move that has no move.</summary>
    public enum Stuck
    {
        /// <summary>It loses.</summary>
        Loses = 0,

        /// <summary>It wins.</summary>
        Wins = 1,
    }

    /// <summary>The officers that move in one turn of the police.</summary>
    public enum Team
    {
        /// <summary>All of them.</summary>
        All = 0,

        /// <summary>Any one of them.</summary>
        One = 1,
    }

    /// <summary>The meaning of exits for the police.</summary>
    public enum PoliceOnExit
    {
        /// <summary>An exit is an open cell.</summary>
        Allowed = 0,

        /// <summary>Officers must not step on exits.</summary>
        Barred = 1,

        /// <summary>An officer on an exit wins, unless the thief is on an exit.</summary>
        Wins = 2,
    }

    /// <summary>A step by rows and columns.</summary>
    public readonly struct Offset
    {
        /// <summary>Creates a step.</summary>
        /// <param name="rows">The rows, down.</param>
        /// <param name="columns">The columns, to the right.</param>
        public Offset(short rows, short columns)
        {
            Rows = rows;
            Columns = columns;
        }

        /// <summary>The rows, down.</summary>
        public short Rows { get; }

        /// <summary>The columns, to the right.</summary>
        public short Columns { get; }
    }

    /// <summary>The movement of one side.</summary>
    public sealed class Movement
    {
        /// <summary>The steps of a piece.</summary>
        public MoveSet Moves { get; set; }

        /// <summary>Whether a piece may stay on its cell.</summary>
        public bool MayPass { get; set; } = true;

        /// <summary>The most steps of a turn, 1 to 255.</summary>
        public int Steps { get; set; } = 1;

        /// <summary>The most times that a step may be repeated in its direction, 1 to 255; 1 on a
        /// graph.</summary>
        public int Reach { get; set; } = 1;

        /// <summary>The offsets of the moves, at most 255. Their order is part of the rules. Those of rules
        /// that the library returns are filled in; they are used only if <see cref="Moves"/> is <see
        /// cref="MoveSet.Offsets"/>.</summary>
        public Offset[] Offsets { get; set; } = new Offset[0];

        internal static unsafe Movement Of(ref NativeMovement native)
        {
            var offsets = new Offset[native.offset_count];
            fixed (short* numbers = native.offsets)
            {
                for (var i = 0; i < offsets.Length; i++)
                {
                    offsets[i] = new Offset(numbers[2 * i], numbers[2 * i + 1]);
                }
            }
            return new Movement
            {
                Moves = (MoveSet)native.moves,
                MayPass = native.may_pass != 0,
                Steps = native.steps,
                Reach = native.reach,
                Offsets = offsets,
            };
        }

        internal unsafe void CopyTo(ref NativeMovement native)
        {
            var offsets = Offsets ?? new Offset[0];
            if (offsets.Length > NativeMovement.MaxOffsets)
            {
                throw new ArgumentException("expected at most 255 offsets, found " + offsets.Length, "Offsets");
            }
            native.moves = (int)Moves;
            native.may_pass = MayPass ? 1 : 0;
            native.steps = Steps;
            native.reach = Reach;
            native.offset_count = (uint)offsets.Length;
            fixed (short* numbers = native.offsets)
            {
                for (var i = 0; i < offsets.Length; i++)
                {
                    numbers[2 * i] = offsets[i].Rows;
                    numbers[2 * i + 1] = offsets[i].Columns;
                }
            }
        }
    }

    /// <summary>The rules of a pursuit game. To define your own, change the properties of a preset.</summary>
    public sealed class Rules
    {
        /// <summary>The movement of the officers.</summary>
        public Movement Police { get; set; } = new Movement();

        /// <summary>The movement of the thief.</summary>
        public Movement Thief { get; set; } = new Movement();

        /// <summary>The number of officers, 1 to 6.</summary>
        public int Officers { get; set; } = 1;

        /// <summary>Whether a diagonal step may pass the corner of a wall.</summary>
        public bool CornerCutting { get; set; } = true;

        /// <summary>The pairs of opposite edges that are joined; none on a graph.</summary>
        public Wrap Wrap { get; set; }

        /// <summary>The result for a side to move that has no move.</summary>
        public Stuck Stuck { get; set; }

        /// <summary>The officers that move in one turn.</summary>
        public Team Team { get; set; }

        /// <summary>The meaning of exits for the police.</summary>
        public PoliceOnExit PoliceOnExit { get; set; }

        /// <summary>The side that is said to win a draw, or null. Values do not depend on it.</summary>
        public Side? Undecided { get; set; }

        /// <summary>Returns the rules of a preset: "classic" (king moves for officers, orthogonal moves for
        /// the thief), "chase" (king moves for both, no corner cutting) or "cops" (moves along edges for
        /// both).</summary>
        /// <param name="name">The name of the preset.</param>
        /// <exception cref="InvalidArgumentException">No preset has this name.</exception>
        public static unsafe Rules Preset(string name)
        {
            NativeRules rules;
            fixed (byte* text = Utf8.Bytes(name, "name"))
            {
                Failures.Check(Native.dragnet_rules_preset(text, &rules));
            }
            return Of(ref rules);
        }

        internal static Rules Of(ref NativeRules native)
        {
            return new Rules
            {
                Police = Movement.Of(ref native.police),
                Thief = Movement.Of(ref native.thief),
                Officers = native.officers,
                CornerCutting = native.corner_cutting != 0,
                Wrap = (Wrap)native.wrap,
                Stuck = (Stuck)native.stuck,
                Team = (Team)native.team,
                PoliceOnExit = (PoliceOnExit)native.police_on_exit,
                Undecided = Sides.Of(native.undecided),
            };
        }

        internal void CopyTo(out NativeRules native)
        {
            native = default(NativeRules);
            if (Police == null || Thief == null)
            {
                throw new ArgumentException("expected the movement of both sides, found null", "rules");
            }
            Police.CopyTo(ref native.police);
            Thief.CopyTo(ref native.thief);
            native.officers = Officers;
            native.corner_cutting = CornerCutting ? 1 : 0;
            native.wrap = (int)Wrap;
            native.stuck = (int)Stuck;
            native.team = (int)Team;
            native.police_on_exit = (int)PoliceOnExit;
            native.undecided = Undecided == null ? 0 : (int)Undecided.Value;
        }
    }
}
