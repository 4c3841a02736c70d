using System;
using System.Threading;

namespace Dragnet
{
    /// <summary>An open table of any kind. All members may be used from many threads at once. Dispose it when
    /// it is no longer needed; calls that are under way then end first.</summary>
    public abstract unsafe class OpenTable : IDisposable
    {
        internal OpenTable(TableHandle handle)
        {
            Handle = handle;
        }

        internal TableHandle Handle { get; }

        /// <summary>Reads the whole table, and checks every checksum and the structure of every
        /// block.</summary>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        public void CheckSums()
        {
            Failures.Check(Native.dragnet_table_check_sums(Handle, null));
        }

        /// <summary>Checks the table like <see cref="CheckSums()"/>, until a token is cancelled.</summary>
        /// <param name="cancel">The token, which is looked at after each block.</param>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled before the table's
        /// end.</exception>
        public void CheckSums(CancellationToken cancel)
        {
            cancel.ThrowIfCancellationRequested();
            CheckSumsWhile((done, blocks) =>
            {
                cancel.ThrowIfCancellationRequested();
                return true;
            });
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
            ProgressCallback.Check(Handle, report);
        }

        /// <summary>Closes the table. Calls that follow throw an ObjectDisposedException.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }

    /// <summary>An open table of a game of police against thief, with all values or a part of what they
    /// tell.</summary>
    public abstract unsafe class BoardTable : OpenTable
    {
        private Board _board;
        private TableInfo _info;

        internal BoardTable(TableHandle handle) : base(handle)
        {
        }

        /// <summary>The properties of the table, or of the one from which a partial table was made.</summary>
        public TableInfo Info
        {
            get
            {
                NativeInfo native;
                if (_info == null)
                {
                    Failures.Check(Native.dragnet_table_info(Handle, &native));
                    _info = new TableInfo(native);
                }
                return _info;
            }
        }

        /// <summary>The board.</summary>
        public Board Board => _board ?? (_board = ReadBoard());

        /// <summary>The text from which the game was made: for a game on a board or a graph a TOML document
        /// with the board and the rules. A program that gives a game of its own may say there what it likes,
        /// or nothing.</summary>
        public string Source
        {
            get
            {
                return Utf8.Text((byte* buffer, UIntPtr capacity, UIntPtr* length) =>
                    Native.dragnet_table_source(Handle, buffer, capacity, length));
            }
        }

        private Board ReadBoard()
        {
            var info = Info;
            var squares = new Square[checked(info.Height * info.Width)];
            UIntPtr count;
            fixed (Square* found = squares)
            {
                Failures.Check(Native.dragnet_table_squares(Handle, (byte*)found, (UIntPtr)squares.Length, &count));
            }
            return new Board(info.Height, info.Width, squares);
        }
    }
}
