using System;

namespace Dragnet
{
    /// <summary>The part of a pursuit table that a partial table keeps.</summary>
    public enum Keep
    {
        /// <summary>The side that wins each position.</summary>
        Outcomes = 0,

        /// <summary>A best move of each position with the police to move.</summary>
        MovesOfPolice = 1,

        /// <summary>A best move of each position with the thief to move.</summary>
        MovesOfThief = 2,
    }

    /// <summary>An open partial table, which keeps a part of what a pursuit table knows, in less space.
    /// The program dragnet makes it with pack --keep.</summary>
    public sealed unsafe class PartialTable : BoardTable
    {
        internal PartialTable(TableHandle handle) : base(handle)
        {
        }

        /// <summary>The part that the table keeps.</summary>
        public Keep Keeps
        {
            get
            {
                int keeps;
                Failures.Check(Native.dragnet_partial_table_keeps(Handle, &keeps));
                return (Keep)keeps;
            }
        }

        /// <summary>Returns who wins a position if both sides play perfectly. A draw counts for the side that
        /// the rules name, if they name one. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="NotKeptException">The table keeps moves.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Outcome GetOutcome(in Position position)
        {
            var at = position;
            int outcome;
            Check(Native.dragnet_partial_table_outcome(Handle, &at, &outcome));
            return (Outcome)outcome;
        }

        /// <summary>Gets the position after a best move. The winner who follows these moves wins as quickly
        /// as possible, and the loser loses as slowly. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="after">The position after the move, if there is one.</param>
        /// <returns>Whether there is a move: not if the position is terminal or the side to move is
        /// stuck.</returns>
        /// <exception cref="NotKeptException">The table keeps outcomes, or the moves of the other
        /// side.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public bool TryGetBestMove(in Position position, out Position after)
        {
            var at = position;
            var next = default(Position);
            UIntPtr count;
            Check(Native.dragnet_partial_table_best_move(Handle, &at, &next, &count));
            after = next;
            return count != UIntPtr.Zero;
        }

        /// <summary>Throws the exception of a question that failed.</summary>
        private void Check(int status)
        {
            // The kind of the table is right, so that it does not keep what was asked for.
            if (status == (int)Status.Kind)
            {
                throw new NotKeptException(Failures.Message(), Keeps);
            }
            Failures.Check(status);
        }
    }
}
