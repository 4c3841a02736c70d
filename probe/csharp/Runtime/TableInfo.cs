namespace Dragnet
{
    /// <summary>The number of positions with each outcome.</summary>
    public readonly struct Counts
    {
        private readonly NativeCounts _native;

        internal Counts(NativeCounts native)
        {
            _native = native;
        }

        /// <summary>The positions that the police wins.</summary>
        public long Police => (long)_native.police;

        /// <summary>The positions that the thief wins.</summary>
        public long Thief => (long)_native.thief;

        /// <summary>The positions that nobody wins.</summary>
        public long Draw => (long)_native.draw;
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
        private readonly NativeInfo _native;

        internal TableInfo(NativeInfo native)
        {
            _native = native;
        }

        /// <summary>The rows of the board, which are those of one layer.</summary>
        public int Height => (int)_native.height;

        /// <summary>The columns of the board.</summary>
        public int Width => (int)_native.width;

        /// <summary>The layers of the officers' cells, 1 in most games. Row r of layer l is row l * Height +
        /// r of a cell.</summary>
        public int OfficerLayers => (int)_native.officer_layers;

        /// <summary>The layers of the thief's cells, 1 in most games.</summary>
        public int ThiefLayers => (int)_native.thief_layers;

        /// <summary>The number of officers, 1 to 6.</summary>
        public int Officers => _native.officers;

        /// <summary>The officers that move in one turn of the police.</summary>
        public Team Team => (Team)_native.team;

        /// <summary>The result for a side to move that has no move.</summary>
        public Stuck Stuck => (Stuck)_native.stuck;

        /// <summary>The side that is said to win a draw, null for neither. Values do not depend on it: a draw
        /// is always a draw.</summary>
        public Side? Undecided => Sides.Of(_native.undecided);

        /// <summary>The number of worlds, 1 in most games. There is one for each state of what a move changes
        /// beside the cells of pieces, such as keys that open doors, and clocks.</summary>
        public int Worlds => (int)_native.worlds;

        /// <summary>The squares of the board that are not walls.</summary>
        public long OpenCells => (long)_native.open_cells;

        /// <summary>The positions with either side to move.</summary>
        public long Positions => (long)_native.positions;

        /// <summary>The outcomes of the positions with the police to move.</summary>
        public Counts PoliceToMove => new Counts(_native.police_to_move);

        /// <summary>The outcomes of the positions with the thief to move.</summary>
        public Counts ThiefToMove => new Counts(_native.thief_to_move);

        /// <summary>The greatest distance of a win of the police in plies, 0 if there is none.</summary>
        public int LongestPolice => (int)_native.longest_police;

        /// <summary>The greatest distance of a win of the thief in plies, 0 if there is none.</summary>
        public int LongestThief => (int)_native.longest_thief;

        /// <summary>The content digest, which is equal for tables with the same values.</summary>
        public ulong Digest => _native.digest;

        /// <summary>The length of the file in bytes.</summary>
        public long FileLength => (long)_native.file_length;

        /// <summary>The bytes of memory of the open table, without its file and its cache.</summary>
        public long Memory => (long)_native.memory;
    }
}
