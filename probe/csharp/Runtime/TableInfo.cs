namespace Dragnet
{
    /// <summary>The number of positions with each outcome.</summary>
    public readonly struct Counts
    {
        internal Counts(NativeCounts native)
        {
            Police = (long)native.police;
            Thief = (long)native.thief;
            Draw = (long)native.draw;
        }

        /// <summary>The positions that the police wins.</summary>
        public long Police { get; }

        /// <summary>The positions that the thief wins.</summary>
        public long Thief { get; }

        /// <summary>The positions that nobody wins.</summary>
        public long Draw { get; }
    }

    /// <summary>The officers that move in one turn of the police.</summary>
    public enum Team
    {
        /// <summary>All of them.</summary>
        All = 0,

        /// <summary>Any one of them.</summary>
        One = 1,
    }

    /// <summary>The result for a side to move that has no move.</summary>
    public enum Stuck
    {
        /// <summary>It loses.</summary>
        Loses = 0,

        /// <summary>It wins.</summary>
        Wins = 1,
    }

    /// <summary>The properties of a pursuit table.</summary>
    public sealed class TableInfo
    {
        internal TableInfo(ref NativeInfo native)
        {
            Height = (int)native.height;
            Width = (int)native.width;
            OfficerLayers = (int)native.officer_layers;
            ThiefLayers = (int)native.thief_layers;
            Officers = native.officers;
            Team = (Team)native.team;
            Stuck = (Stuck)native.stuck;
            Undecided = Sides.Of(native.undecided);
            Worlds = (int)native.worlds;
            OpenCells = (long)native.open_cells;
            Positions = (long)native.positions;
            PoliceToMove = new Counts(native.police_to_move);
            ThiefToMove = new Counts(native.thief_to_move);
            LongestPolice = (int)native.longest_police;
            LongestThief = (int)native.longest_thief;
            Digest = native.digest;
            FileLength = (long)native.file_length;
            Memory = (long)native.memory;
        }

        /// <summary>The rows of the board, which are those of one layer.</summary>
        public int Height { get; }

        /// <summary>The columns of the board.</summary>
        public int Width { get; }

        /// <summary>The layers of the officers' cells, 1 in most games. Row r of layer l is row l * Height +
        /// r of a cell.</summary>
        public int OfficerLayers { get; }

        /// <summary>The layers of the thief's cells, 1 in most games.</summary>
        public int ThiefLayers { get; }

        /// <summary>The number of officers, 1 to 6.</summary>
        public int Officers { get; }

        /// <summary>The officers that move in one turn of the police.</summary>
        public Team Team { get; }

        /// <summary>The result for a side to move that has no move.</summary>
        public Stuck Stuck { get; }

        /// <summary>The side that is said to win a draw, null for neither. Values do not depend on it: a draw
        /// is always a draw.</summary>
        public Side? Undecided { get; }

        /// <summary>The number of worlds, 1 in most games. There is one for each state of what a move changes
        /// beside the cells of pieces, such as keys that open doors, and clocks.</summary>
        public int Worlds { get; }

        /// <summary>The squares of the board that are not walls.</summary>
        public long OpenCells { get; }

        /// <summary>The positions with either side to move.</summary>
        public long Positions { get; }

        /// <summary>The outcomes of the positions with the police to move.</summary>
        public Counts PoliceToMove { get; }

        /// <summary>The outcomes of the positions with the thief to move.</summary>
        public Counts ThiefToMove { get; }

        /// <summary>The greatest distance of a win of the police in plies, 0 if there is none.</summary>
        public int LongestPolice { get; }

        /// <summary>The greatest distance of a win of the thief in plies, 0 if there is none.</summary>
        public int LongestThief { get; }

        /// <summary>The content digest, which is equal for tables with the same values.</summary>
        public ulong Digest { get; }

        /// <summary>The length of the file in bytes.</summary>
        public long FileLength { get; }

        /// <summary>The bytes of memory of the open table, without its file and its cache.</summary>
        public long Memory { get; }
    }
}
