using System;
using System.Runtime.InteropServices;

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
        public Result Result => (Result)_result;

        /// <summary>The distance to the end in plies, null if the position is drawn.</summary>
        public int? Dtw => Sides.Plies(_distance);

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
        private readonly NativeGameInfo _native;

        internal GameTableInfo(NativeGameInfo native)
        {
            _native = native;
        }

        /// <summary>The number of positions.</summary>
        public long Positions => (long)_native.positions;

        /// <summary>The positions that are won for the player to move.</summary>
        public long Won => (long)_native.won;

        /// <summary>The positions that are lost for the player to move.</summary>
        public long Lost => (long)_native.lost;

        /// <summary>The positions that are drawn.</summary>
        public long Drawn => (long)_native.drawn;

        /// <summary>The greatest distance of a won position in plies, 0 if there is none.</summary>
        public int LongestWin => (int)_native.longest_win;

        /// <summary>The greatest distance of a lost position in plies, 0 if there is none.</summary>
        public int LongestLoss => (int)_native.longest_loss;

        /// <summary>The key, which tells games apart.</summary>
        public ulong Key => _native.key;

        /// <summary>The content digest, which is equal for tables with the same values.</summary>
        public ulong Digest => _native.digest;

        /// <summary>The length of the file in bytes.</summary>
        public long FileLength => (long)_native.file_length;

        /// <summary>The bytes of memory of the open table, without its file and its cache.</summary>
        public long Memory => (long)_native.memory;
    }

    /// <summary>An open game table: the values of any game whose positions are numbered from 0. It stores no
    /// moves.</summary>
    public sealed unsafe class GameTable : OpenTable
    {
        internal GameTable(TableHandle handle) : base(handle)
        {
        }

        /// <summary>The name of the game, for people.</summary>
        public string Name
        {
            get
            {
                return Utf8.Text((byte* buffer, UIntPtr capacity, UIntPtr* length) =>
                    Native.dragnet_game_table_name(Handle, buffer, capacity, length));
            }
        }

        /// <summary>Returns the properties of the table.</summary>
        public GameTableInfo GetInfo()
        {
            NativeGameInfo native;
            Failures.Check(Native.dragnet_game_table_info(Handle, &native));
            return new GameTableInfo(native);
        }

        /// <summary>Returns the value of a position. Allocates no managed memory.</summary>
        /// <param name="position">The number of the position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public GameValue GetValue(ulong position)
        {
            GameValue value;
            Failures.Check(Native.dragnet_game_table_value(Handle, position, &value));
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
                    Handle, asked, (UIntPtr)positions.Length, found, &failed);
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
                    Native.dragnet_game_table_best(Handle, asked, (UIntPtr)successors.Length, &best));
            }
            index = (int)best;
            return index < successors.Length;
        }
    }
}
