using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A move of a game with its cost. At most one of <see cref="Drop"/> and <see cref="Plies"/> is
    /// not 0.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct ReviewedMove
    {
        private readonly ulong _ply;
        private readonly Move _played;
        private readonly Move _best;
        private readonly uint _drop;
        private readonly uint _plies;

        /// <summary>The index of the position before the move, from 0.</summary>
        public int Ply => checked((int)_ply);

        /// <summary>The move that was made.</summary>
        public Move Played => _played;

        /// <summary>The first of the best moves.</summary>
        public Move Best => _best;

        /// <summary>The steps of the outcome, from win to draw to loss, that the move lost.</summary>
        public int Drop => (int)_drop;

        /// <summary>The plies by which the move made a win longer or a loss shorter.</summary>
        public int Plies => (int)_plies;
    }

    /// <summary>The rating of one side's moves in a game.</summary>
    public sealed unsafe class Review
    {
        internal Review(NativeReview sums, ReviewedMove[] moves)
        {
            Moves = moves;
            Errors = checked((int)sums.errors);
            Blunders = checked((int)sums.blunders);
            Drops = checked((int)sums.drops);
            PliesLost = checked((long)sums.plies_lost);
        }

        /// <summary>The moves of the side, in their order.</summary>
        public ReviewedMove[] Moves { get; }

        /// <summary>The number of moves that were not the best.</summary>
        public int Errors { get; }

        /// <summary>The number of moves that made the outcome worse.</summary>
        public int Blunders { get; }

        /// <summary>The steps of the outcome, from win to draw to loss, that all moves together
        /// lost.</summary>
        public int Drops { get; }

        /// <summary>The plies that all moves together lost without making the outcome worse.</summary>
        public long PliesLost { get; }

        /// <summary>Returns the worst moves, the worst first: those that lost the most of the outcome, then
        /// the most plies, then the earliest. Moves that cost nothing are not among them.</summary>
        /// <param name="count">The most moves to return, at least 0.</param>
        /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
        public ReviewedMove[] Worst(int count)
        {
            Arguments.AtLeast(count, 0, "count");
            // There are no more errors than moves.
            var worst = new ReviewedMove[Math.Min(count, Moves.Length)];
            UIntPtr errors;
            fixed (ReviewedMove* moves = Moves)
            fixed (ReviewedMove* found = worst)
            {
                Failures.Check(Native.dragnet_review_worst(
                    moves, (UIntPtr)Moves.Length, found, (UIntPtr)worst.Length, &errors));
            }
            Array.Resize(ref worst, (int)Math.Min((ulong)worst.Length, (ulong)errors));
            return worst;
        }
    }
}
