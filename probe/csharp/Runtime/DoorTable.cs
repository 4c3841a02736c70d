using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>An open game table on a board with doors, asked by positions on the board. The program
    /// dragnet makes it with generate --doors. All members may be used from many threads at once.</summary>
    public sealed unsafe class DoorTable : IDisposable
    {
        private readonly GameTable _game;
        private readonly Door[] _doors;
        private readonly Cell[] _keys;

        private DoorTable(GameTable game)
        {
            _game = game;
            try
            {
                NativeDoorBoard board;
                Failures.Check(Native.dragnet_door_board_of(game.Handle, &board));
                Phases = (int)board.phases;
                Stuck = (Stuck)board.stuck;
                Undecided = Sides.Of(board.undecided);
                _doors = new Door[board.doors];
                _keys = new Cell[board.keys];
                var squares = new Square[checked(board.height * board.width)];
                UIntPtr count;
                fixed (Door* doors = _doors)
                fixed (Cell* keys = _keys)
                fixed (Square* found = squares)
                {
                    Failures.Check(Native.dragnet_door_doors(
                        game.Handle, doors, (UIntPtr)_doors.Length, &count));
                    Failures.Check(Native.dragnet_door_keys(game.Handle, keys, (UIntPtr)_keys.Length, &count));
                    Failures.Check(Native.dragnet_door_squares(
                        game.Handle, (byte*)found, (UIntPtr)squares.Length, &count));
                }
                Board = new Board((int)board.height, (int)board.width, squares);
            }
            catch
            {
                game.Dispose();
                throw;
            }
        }

        /// <summary>Opens a file. It may be changed while it is open; calls then throw an exception, and
        /// never answer wrongly.</summary>
        /// <param name="path">The path of the file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="WrongKindException">The file is a table, but not of a board with
        /// doors.</exception>
        /// <exception cref="DragnetException">The file cannot be opened as a game table.</exception>
        public static DoorTable Open(string path, TableOptions options = null)
        {
            return new DoorTable(GameTable.Open(path, options));
        }

        /// <summary>Opens a table in a copy of bytes, for example of a Unity TextAsset.</summary>
        /// <param name="bytes">The bytes of a file.</param>
        /// <param name="options">Options, or null for the defaults.</param>
        /// <exception cref="WrongKindException">The bytes are a table, but not of a board with
        /// doors.</exception>
        /// <exception cref="DragnetException">The bytes are not a game table.</exception>
        public static DoorTable FromBytes(ReadOnlySpan<byte> bytes, TableOptions options = null)
        {
            return new DoorTable(GameTable.FromBytes(bytes, options));
        }

        /// <summary>Takes a game table, and disposes it when this table is disposed or the table is of
        /// another game.</summary>
        /// <param name="game">The game table.</param>
        /// <exception cref="ArgumentNullException">There is no table.</exception>
        /// <exception cref="WrongKindException">The table is not of a board with doors.</exception>
        public static DoorTable Of(GameTable game)
        {
            if (game == null)
            {
                throw new ArgumentNullException("game");
            }
            return new DoorTable(game);
        }

        /// <summary>The table as one that is asked by numbers. It is disposed with this one.</summary>
        public GameTable Game
        {
            get { return _game; }
        }

        /// <summary>The board with all doors open.</summary>
        public Board Board { get; }

        /// <summary>The doors.</summary>
        public ReadOnlySpan<Door> Doors
        {
            get { return _doors; }
        }

        /// <summary>The cells of the keys, in the order of the bits of a position's keys.</summary>
        public ReadOnlySpan<Cell> Keys
        {
            get { return _keys; }
        }

        /// <summary>The plies after which all schedules begin anew; 1 if no door has a schedule.</summary>
        public int Phases { get; }

        /// <summary>The result for a side to move that has no move.</summary>
        public Stuck Stuck { get; }

        /// <summary>The side that is said to win a draw, null for neither. Values do not depend on
        /// it.</summary>
        public Side? Undecided { get; }

        /// <summary>Returns whether a door is open in a position. Allocates no managed memory.</summary>
        /// <param name="door">The index of the door.</param>
        /// <param name="position">The position.</param>
        /// <exception cref="ArgumentOutOfRangeException">There is no such door.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        public bool IsOpen(int door, in DoorPosition position)
        {
            if (door < 0 || door >= _doors.Length)
            {
                throw new ArgumentOutOfRangeException(
                    "door", door, "expected a door from 0 to " + (_doors.Length - 1));
            }
            var at = position;
            int open;
            Failures.Check(Native.dragnet_door_is_open(_game.Handle, (UIntPtr)door, &at, &open));
            return open != 0;
        }

        /// <summary>Returns the number of a position, by which the game table is asked for it.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        public ulong GetNumber(in DoorPosition position)
        {
            var at = position;
            ulong number;
            Failures.Check(Native.dragnet_door_number(_game.Handle, &at, &number));
            return number;
        }

        /// <summary>Returns the value of a position. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Value GetValue(in DoorPosition position)
        {
            var at = position;
            Value value;
            Failures.Check(Native.dragnet_door_value(_game.Handle, &at, &value));
            return value;
        }

        /// <summary>Writes the best moves to a buffer, best first: quick wins, slow wins, draws, slow losses,
        /// quick losses. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="moves">The buffer. <see cref="Table.RoomForMoves"/> moves are room enough in most
        /// games.</param>
        /// <returns>The number of legal moves, of which as many are written as the buffer has room for: 0 if
        /// the position is terminal or the side to move is stuck.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public int GetMoves(in DoorPosition position, Span<DoorMove> moves)
        {
            var at = position;
            UIntPtr count;
            fixed (DoorMove* found = &MemoryMarshal.GetReference(moves))
            {
                Failures.Check(
                    Native.dragnet_door_moves(_game.Handle, &at, found, (UIntPtr)moves.Length, &count));
            }
            return checked((int)count);
        }

        /// <summary>Gets the best move. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="move">The best move, if there is one.</param>
        /// <returns>Whether there is a move: not if the position is terminal or the side to move is
        /// stuck.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public bool TryGetBestMove(in DoorPosition position, out DoorMove move)
        {
            var at = position;
            var best = default(DoorMove);
            UIntPtr count;
            Failures.Check(Native.dragnet_door_moves(_game.Handle, &at, &best, (UIntPtr)1, &count));
            move = best;
            return count != UIntPtr.Zero;
        }

        /// <summary>Returns the side that has won a terminal position, null if the position is not
        /// terminal.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        public Side? GetWinner(in DoorPosition position)
        {
            var at = position;
            int winner;
            Failures.Check(Native.dragnet_door_winner(_game.Handle, &at, &winner));
            return Sides.Of(winner);
        }

        /// <summary>Closes the table. Calls that follow throw an ObjectDisposedException.</summary>
        public void Dispose()
        {
            _game.Dispose();
        }
    }
}
