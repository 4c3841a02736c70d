using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Dragnet
{
    /// <summary>The result of a position for the player to move.</summary>
    public enum Result
    {
        /// <summary>Nobody wins.</summary>
        Drawn = 0,

        /// <summary>The player to move wins.</summary>
        Won = 1,

        /// <summary>The player to move loses.</summary>
        Lost = 2,
    }

    /// <summary>The value of a position of a game table, for the player to move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct GameValue : IEquatable<GameValue>
    {
        private readonly int _result;
        private readonly uint _distance;

        /// <summary>The result.</summary>
        public Result Result
        {
            get { return (Result)_result; }
        }

        /// <summary>The distance to the end in plies, null if the position is drawn.</summary>
        public int? Dtw
        {
            get { return Sides.Plies(_distance); }
        }

        /// <summary>Returns whether two values are equal.</summary>
        /// <param name="other">The other value.</param>
        public bool Equals(GameValue other)
        {
            return _result == other._result && _distance == other._distance;
        }

        /// <summary>Returns whether an object is an equal value.</summary>
        /// <param name="other">The object.</param>
        public override bool Equals(object other)
        {
            return other is GameValue && Equals((GameValue)other);
        }

        /// <summary>Returns a number that is equal for equal values.</summary>
        public override int GetHashCode()
        {
            return (int)_distance ^ _result << 30;
        }

        /// <summary>Returns the result and the distance.</summary>
        public override string ToString()
        {
            return _result == 0 ? "drawn" : Result.ToString().ToLowerInvariant() + " in " + _distance;
        }
    }

    /// <summary>The properties of a game table.</summary>
    public sealed class GameTableInfo
    {
        internal GameTableInfo(ref NativeGameInfo native)
        {
            Positions = (long)native.positions;
            Won = (long)native.won;
            Lost = (long)native.lost;
            Drawn = (long)native.drawn;
            LongestWin = (int)native.longest_win;
            LongestLoss = (int)native.longest_loss;
            Key = native.key;
            Digest = native.digest;
            FileLength = (long)native.file_length;
            Memory = (long)native.memory;
        }

        /// <summary>The number of positions.</summary>
        public long Positions { get; }

        /// <summary>The positions that are won for the player to move.</summary>
        public long Won { get; }

        /// <summary>The positions that are lost for the player to move.</summary>
        public long Lost { get; }

        /// <summary>The positions that are drawn.</summary>
        public long Drawn { get; }

        /// <summary>The greatest distance of a won position in plies, 0 if there is none.</summary>
        public int LongestWin { get; }

        /// <summary>The greatest distance of a lost position in plies, 0 if there is none.</summary>
        public int LongestLoss { get; }

        /// <summary>The key, which tells games apart.</summary>
        public ulong Key { get; }

        /// <summary>The content digest, which is equal for tables with the same values.</summary>
        public ulong Digest { get; }

        /// <summary>The length of the file in bytes.</summary>
        public long FileLength { get; }

        /// <summary>The bytes of memory of the open table, without its file and its cache.</summary>
        public long Memory { get; }
    }

    /// <summary>An open game table: the values of any game whose positions are numbered from 0. It stores no
    /// moves. All members may be used from many threads at once.</summary>
    public sealed unsafe class GameTable : IDisposable
    {
        private readonly GameTableHandle _table;

        private GameTable(IntPtr table)
        {
            _table = new GameTableHandle(table);
        }

        /// <summary>Opens a file. It may be changed while it is open; calls then throw an exception, and
        /// never answer wrongly.</summary>
        /// <param name="path">The path of the file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="DragnetException">The file cannot be opened as a game table.</exception>
        public static GameTable Open(string path, TableOptions options = null)
        {
            return new GameTable(Opening.File(path, options, Native.dragnet_game_table_open));
        }

        /// <summary>Opens a file as a memory map. Contract: nobody writes to the file or truncates it until
        /// the table is disposed; otherwise answers may be wrong, and the system may kill the
        /// process.</summary>
        /// <param name="path">The path of the file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="DragnetException">The file cannot be opened as a game table.</exception>
        public static GameTable OpenMapped(string path, TableOptions options = null)
        {
            return new GameTable(Opening.File(path, options, Native.dragnet_game_table_open, Memory.Shared));
        }

        /// <summary>Reads a whole file into memory and opens it. The file is not needed afterwards.</summary>
        /// <param name="path">The path of the file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="DragnetException">The file cannot be opened as a game table.</exception>
        public static GameTable Read(string path, TableOptions options = null)
        {
            return new GameTable(Opening.File(path, options, Native.dragnet_game_table_open, Memory.Whole));
        }

        /// <summary>Opens a game table in a copy of bytes.</summary>
        /// <param name="bytes">The bytes of a file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="DragnetException">The bytes are not a game table.</exception>
        public static GameTable FromBytes(ReadOnlySpan<byte> bytes, TableOptions options = null)
        {
            return new GameTable(Opening.Bytes(bytes, options, Native.dragnet_game_table_from_bytes));
        }

        /// <summary>Opens a game table in memory that is not copied. Contract: the memory stays as it is, and
        /// the garbage collector does not move it, until the table is disposed.</summary>
        /// <param name="bytes">The address of the bytes.</param>
        /// <param name="length">The number of bytes.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="DragnetException">The bytes are not a game table.</exception>
        public static GameTable FromKeptBytes(IntPtr bytes, long length, TableOptions options = null)
        {
            return new GameTable(
                Opening.KeptBytes(bytes, length, options, Native.dragnet_game_table_from_bytes));
        }

        /// <summary>The name of the game, for people.</summary>
        public string Name
        {
            get
            {
                return Utf8.Text((byte* buffer, UIntPtr capacity, UIntPtr* length) =>
                    Native.dragnet_game_table_name(_table, buffer, capacity, length));
            }
        }

        /// <summary>Returns the properties of the table.</summary>
        public GameTableInfo GetInfo()
        {
            NativeGameInfo native;
            Failures.Check(Native.dragnet_game_table_info(_table, &native));
            return new GameTableInfo(ref native);
        }

        /// <summary>Reads the whole table, and checks every checksum and the structure of every
        /// block.</summary>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        public void CheckSums()
        {
            Failures.Check(Native.dragnet_game_table_check_sums(_table, null));
        }

        /// <summary>Checks the table like <see cref="CheckSums()"/>, until a token is cancelled.</summary>
        /// <param name="cancel">The token, which is looked at after each block.</param>
        /// <exception cref="DamagedTableException">The first damage found.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled before the table's
        /// end.</exception>
        public void CheckSums(CancellationToken cancel)
        {
            ProgressCallback.Check(cancel, progress => Native.dragnet_game_table_check_sums(_table, progress));
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
            ProgressCallback.Check(report, progress => Native.dragnet_game_table_check_sums(_table, progress));
        }

        /// <summary>Returns the value of a position. Allocates no managed memory.</summary>
        /// <param name="position">The number of the position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public GameValue GetValue(ulong position)
        {
            GameValue value;
            Failures.Check(Native.dragnet_game_table_value(_table, position, &value));
            return value;
        }

        /// <summary>Writes the values of many positions, in the same order. Allocates no managed memory. On
        /// failure nothing is written.</summary>
        /// <param name="positions">The numbers of the positions.</param>
        /// <param name="values">The buffer for the values, at least as long.</param>
        /// <exception cref="ArgumentException">The buffer is too short.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position; see its
        /// index.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public void GetValues(ReadOnlySpan<ulong> positions, Span<GameValue> values)
        {
            if (values.Length < positions.Length)
            {
                throw new ArgumentException(
                    "expected room for " + positions.Length + " values, found " + values.Length, "values");
            }
            fixed (ulong* asked = &MemoryMarshal.GetReference(positions))
            fixed (GameValue* found = &MemoryMarshal.GetReference(values))
            {
                UIntPtr failed;
                var status = Native.dragnet_game_table_values(
                    _table, asked, (UIntPtr)positions.Length, found, &failed);
                Failures.Check(status, failed, positions.Length);
            }
        }

        /// <summary>Gets the successor that is best for the player who moves. In each successor the opponent
        /// must be to move. Allocates no managed memory.</summary>
        /// <param name="successors">The numbers of the successors.</param>
        /// <param name="index">The index of the best one, the first of equally good ones.</param>
        /// <returns>Whether there is a successor.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public bool TryGetBest(ReadOnlySpan<ulong> successors, out int index)
        {
            UIntPtr best;
            fixed (ulong* asked = &MemoryMarshal.GetReference(successors))
            {
                Failures.Check(
                    Native.dragnet_game_table_best(_table, asked, (UIntPtr)successors.Length, &best));
            }
            index = (int)best;
            return index < successors.Length;
        }

        /// <summary>Closes the table. Calls that follow throw an ObjectDisposedException.</summary>
        public void Dispose()
        {
            _table.Dispose();
        }
    }
}
