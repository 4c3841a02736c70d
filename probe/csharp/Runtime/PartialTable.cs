using System;
using System.Runtime.InteropServices;
using System.Threading;

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
    /// The program dragnet makes it with pack --keep. All members may be used from many threads at
    /// once.</summary>
    public sealed unsafe class PartialTable : IDisposable
    {
        private readonly PartialTableHandle _table;

        private PartialTable(IntPtr table)
        {
            _table = new PartialTableHandle(table);
            int keeps;
            try
            {
                Failures.Check(Native.dragnet_partial_table_keeps(_table, &keeps));
            }
            catch
            {
                _table.Dispose();
                throw;
            }
            Keeps = (Keep)keeps;
        }

        /// <summary>Opens a file. It may be changed while it is open; calls then throw an exception, and
        /// never answer wrongly.</summary>
        /// <param name="path">The path of the file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="WrongKindException">The file is a table, but no partial table.</exception>
        /// <exception cref="DragnetException">The file cannot be opened as a partial table.</exception>
        public static PartialTable Open(string path, TableOptions options = null)
        {
            return new PartialTable(Opening.File(path, options, Native.dragnet_partial_table_open));
        }

        /// <summary>Opens a partial table in a copy of bytes, for example of a Unity TextAsset.</summary>
        /// <param name="bytes">The bytes of a file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="WrongKindException">The bytes are a table, but no partial table.</exception>
        /// <exception cref="DragnetException">The bytes are not a partial table.</exception>
        public static PartialTable FromBytes(ReadOnlySpan<byte> bytes, TableOptions options = null)
        {
            return new PartialTable(Opening.Bytes(bytes, options, Native.dragnet_partial_table_from_bytes));
        }

        /// <summary>Opens a partial table in memory that is not copied. Contract: the memory stays as it is,
        /// and the garbage collector does not move it, until the table is disposed.</summary>
        /// <param name="bytes">The address of the bytes.</param>
        /// <param name="length">The number of bytes.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="WrongKindException">The bytes are a table, but no partial table.</exception>
        /// <exception cref="DragnetException">The bytes are not a partial table.</exception>
        public static PartialTable FromKeptBytes(IntPtr bytes, long length, TableOptions options = null)
        {
            return new PartialTable(
                Opening.KeptBytes(bytes, length, options, Native.dragnet_partial_table_from_bytes));
        }

        /// <summary>The part that the table keeps.</summary>
        public Keep Keeps { get; }

        /// <summary>Reads the whole table, and checks every checksum and the structure of every
        /// block.</summary>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        public void CheckSums()
        {
            Failures.Check(Native.dragnet_partial_table_check_sums(_table, null));
        }

        /// <summary>Checks the table like <see cref="CheckSums()"/>, until a token is cancelled.</summary>
        /// <param name="cancel">The token, which is looked at after each block.</param>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled before the table's
        /// end.</exception>
        public void CheckSums(CancellationToken cancel)
        {
            ProgressCallback.Check(
                cancel, progress => Native.dragnet_partial_table_check_sums(_table, progress));
        }

        /// <summary>Checks the table like <see cref="CheckSums()"/>, as long as a function returns
        /// true.</summary>
        /// <param name="report">The function, which is called after each block, in the thread of the call,
        /// with the number of blocks done and of all blocks. An exception that it throws ends the check and
        /// reaches the caller.</param>
        /// <exception cref="ArgumentNullException">There is no function.</exception>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        /// <exception cref="StoppedException">The function returned false.</exception>
        public void CheckSumsWhile(Func<long, long, bool> report)
        {
            ProgressCallback.Check(
                report, progress => Native.dragnet_partial_table_check_sums(_table, progress));
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
            Check(Native.dragnet_partial_table_outcome(_table, &at, &outcome));
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
            Check(Native.dragnet_partial_table_best_move(_table, &at, &next, &count));
            after = next;
            return count != UIntPtr.Zero;
        }

        /// <summary>Closes the table. Calls that follow throw an ObjectDisposedException.</summary>
        public void Dispose()
        {
            _table.Dispose();
        }

        /// <summary>Throws the exception of a question that failed.</summary>
        private void Check(int status)
        {
            // The table is open, so that its kind is right and it does not keep what was asked for.
            if (status == (int)Status.Kind)
            {
                throw new NotKeptException(Failures.Message(), Keeps);
            }
            Failures.Check(status);
        }
    }
}
