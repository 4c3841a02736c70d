using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>How well an opponent plays. The page OPPONENT.md says what each number does. A number out of
    /// its range is an ArgumentOutOfRangeException.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Strength
    {
        /// <summary>The horizon that sees every end of a game.</summary>
        public const int Unlimited = 1073741823;

        /// <summary>The highest level of the dial, perfect play.</summary>
        public const int MaxLevel = 1000;

        private uint _errors;
        private uint _blunders;
        private uint _plies;
        private uint _drop;
        private uint _horizon;
        private uint _reaction;

        /// <summary>The share of turns in which it errs if an error tempts it, 0 to 1000 per mille.</summary>
        public int Errors
        {
            get { return (int)_errors; }
            set { _errors = (uint)Arguments.Within(value, 0, 1000, "Errors"); }
        }

        /// <summary>The weight of an error that makes the outcome worse, 0 to 1000; an error of L plies has
        /// the weight 4000 / L.</summary>
        public int Blunders
        {
            get { return (int)_blunders; }
            set { _blunders = (uint)Arguments.Within(value, 0, 1000, "Blunders"); }
        }

        /// <summary>The most plies that an error may lose if it keeps the outcome, up to
        /// <see cref="Unlimited"/>.</summary>
        public int Plies
        {
            get { return (int)_plies; }
            set { _plies = (uint)Arguments.Within(value, 0, Unlimited, "Plies"); }
        }

        /// <summary>The most steps of the outcome, from win to draw to loss, that an error may cost, 0 to
        /// 2.</summary>
        public int Drop
        {
            get { return (int)_drop; }
            set { _drop = (uint)Arguments.Within(value, 0, 2, "Drop"); }
        }

        /// <summary>The plies ahead that it sees the end, up to <see cref="Unlimited"/>; where it sees none,
        /// it chases or flees.</summary>
        public int Horizon
        {
            get { return (int)_horizon; }
            set { _horizon = (uint)Arguments.Within(value, 0, Unlimited, "Horizon"); }
        }

        /// <summary>The rounds after which it takes notice of what the other side does, 0 to 8.</summary>
        public int Reaction
        {
            get { return (int)_reaction; }
            set { _reaction = (uint)Arguments.Within(value, 0, 8, "Reaction"); }
        }

        // presets: written by probe/tests/all/opponent_presets.rs

        /// <summary>A player for beginners: sees 12 plies, reacts a round late and often errs.</summary>
        public static Strength Easy => Preset("easy");

        /// <summary>A player who errs in a fifth of the turns and sees 40 plies.</summary>
        public static Strength Normal => Preset("normal");

        /// <summary>A player who sees everything and errs in a tenth of the turns.</summary>
        public static Strength Hard => Preset("hard");

        /// <summary>A player who never errs.</summary>
        public static Strength Perfect => Preset("perfect");

        // end of presets

        /// <summary>Returns the strength at a level of the dial, from 0, which errs in every turn, to
        /// <see cref="MaxLevel"/>. A higher level never errs more, nor at a higher cost.</summary>
        /// <param name="level">The level.</param>
        /// <exception cref="ArgumentOutOfRangeException">There is no such level.</exception>
        public static unsafe Strength AtLevel(int level)
        {
            Arguments.Within(level, 0, MaxLevel, "level");
            Strength strength;
            Failures.Check(Native.dragnet_strength_level((uint)level, &strength));
            return strength;
        }

        private static unsafe Strength Preset(string name)
        {
            Strength strength;
            fixed (byte* text = Utf8.Bytes(name, "name"))
            {
                Failures.Check(Native.dragnet_strength_preset(text, &strength));
            }
            return strength;
        }
    }

    /// <summary>What an opponent does in positions that it cannot win.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Style
    {
        private readonly int _kind;
        private readonly Strength _replier;

        private Style(int kind, Strength replier)
        {
            _kind = kind;
            _replier = replier;
        }

        /// <summary>The moves that lose in the most plies.</summary>
        public static Style Longest => new Style(0, default(Strength));

        /// <summary>The moves with the greatest share of replies that throw the win away.</summary>
        public static Style Trickiest => new Style(1, default(Strength));

        /// <summary>Returns the style of the moves after which an enemy of some strength most likely throws
        /// the win away.</summary>
        /// <param name="enemy">The strength of the enemy.</param>
        public static Style TrickiestAgainst(Strength enemy)
        {
            return new Style(2, enemy);
        }
    }
}
