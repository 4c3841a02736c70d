using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>An open pursuit table: the values of all positions.</summary>
    public sealed unsafe class Table : BoardTable
    {
        /// <summary>Room for the moves of a single piece in most games: a piece that steps to a neighbour or
        /// stays has at most 9 moves.</summary>
        public const int RoomForMoves = 256;

        internal Table(TableHandle handle) : base(handle)
        {
        }

        /// <summary>Returns the value of a position. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Value GetValue(in Position position)
        {
            var at = position;
            Value value;
            Failures.Check(Native.dragnet_table_value(Handle, &at, &value));
            return value;
        }

        /// <summary>Writes the values of many positions, in the same order. Allocates no managed memory. On
        /// failure nothing is written.</summary>
        /// <param name="positions">The positions.</param>
        /// <param name="values">The buffer for the values, at least as long.</param>
        /// <exception cref="ArgumentException">The buffer is too short.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position; see its
        /// index.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public void GetValues(ReadOnlySpan<Position> positions, Span<Value> values)
        {
            if (values.Length < positions.Length)
            {
                throw new ArgumentException(
                    "expected room for " + positions.Length + " values, found " + values.Length, "values");
            }
            fixed (Position* asked = &MemoryMarshal.GetReference(positions))
            fixed (Value* found = &MemoryMarshal.GetReference(values))
            {
                UIntPtr failed;
                var status = Native.dragnet_table_values(Handle, asked, (UIntPtr)positions.Length, found, &failed);
                Failures.Check(status, failed, positions.Length);
            }
        }

        /// <summary>Returns the values of many positions in a new array, in the same order.</summary>
        /// <param name="positions">The positions.</param>
        /// <exception cref="InvalidPositionException">The table has no such position; see its
        /// index.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Value[] GetValues(ReadOnlySpan<Position> positions)
        {
            var values = new Value[positions.Length];
            GetValues(positions, values);
            return values;
        }

        /// <summary>Writes the best moves, best first: quick wins, slow wins, draws, slow losses, quick
        /// losses; equally good moves in reading order, then by their worlds. Allocates no managed
        /// memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="moves">The buffer for the moves.</param>
        /// <returns>The number of legal moves, of which as many are written as the buffer has room
        /// for.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public int GetMoves(in Position position, Span<Move> moves)
        {
            var at = position;
            UIntPtr count;
            fixed (Move* found = &MemoryMarshal.GetReference(moves))
            {
                Failures.Check(Native.dragnet_table_moves(Handle, &at, found, (UIntPtr)moves.Length, &count));
            }
            return checked((int)count);
        }

        /// <summary>Returns every legal move in a new array, best first.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Move[] GetMoves(in Position position)
        {
            Span<Move> few = stackalloc Move[RoomForMoves];
            var count = GetMoves(position, few);
            if (count <= few.Length)
            {
                return few.Slice(0, count).ToArray();
            }
            var moves = new Move[count];
            GetMoves(position, moves);
            return moves;
        }

        /// <summary>Gets the best move. Allocates no managed memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="move">The best move, if there is one.</param>
        /// <returns>Whether there is a move: not if the position is terminal or the side to move is
        /// stuck.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public bool TryGetBestMove(in Position position, out Move move)
        {
            var at = position;
            var best = default(Move);
            UIntPtr count;
            Failures.Check(Native.dragnet_table_best_move(Handle, &at, &best, &count));
            move = best;
            return count != UIntPtr.Zero;
        }

        /// <summary>Returns optimal play from a position to the end.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Line GetLine(in Position position)
        {
            // A won position has as many moves as its distance, which a forged table may exaggerate. A draw
            // needs a guess.
            var moves = new Move[Math.Min(GetValue(position).Dtw ?? 64, 1 << 16)];
            Side? winner;
            var count = GetLine(position, moves, out winner);
            if (count > moves.Length)
            {
                moves = new Move[count];
                count = GetLine(position, moves, out winner);
            }
            Array.Resize(ref moves, count);
            return new Line(moves, winner);
        }

        /// <summary>Writes the first moves of optimal play from a position. Allocates no managed
        /// memory.</summary>
        /// <param name="position">The position.</param>
        /// <param name="moves">The buffer for the moves.</param>
        /// <param name="winner">The side that wins, null if a position occurs again.</param>
        /// <returns>The number of moves to the end, of which as many are written as the buffer has room
        /// for.</returns>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public int GetLine(in Position position, Span<Move> moves, out Side? winner)
        {
            var at = position;
            UIntPtr count;
            int side;
            fixed (Move* found = &MemoryMarshal.GetReference(moves))
            {
                Failures.Check(Native.dragnet_table_line(Handle, &at, found, (UIntPtr)moves.Length, &count, &side));
            }
            winner = Sides.Of(side);
            return checked((int)count);
        }

        /// <summary>Returns the side that has won a terminal position, null if the position is not
        /// terminal.</summary>
        /// <param name="position">The position.</param>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        public Side? GetWinner(in Position position)
        {
            var at = position;
            int winner;
            Failures.Check(Native.dragnet_table_winner(Handle, &at, &winner));
            return Sides.Of(winner);
        }

        /// <summary>Finds the level at which an opponent wins a share of the games from some starts, by
        /// playing games at some twelve levels, which takes seconds on a large table.</summary>
        /// <param name="starts">The positions from which the games begin.</param>
        /// <param name="target">The share of wins, and how it is sought.</param>
        /// <param name="against">The other side's player, which stays as it is, or null for a perfect
        /// one.</param>
        /// <exception cref="InvalidArgumentException">There is no start, a start is terminal, or a number of
        /// the target is out of its range.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Calibration Calibrate(ReadOnlySpan<Position> starts, Target target, Opponent against = null)
        {
            Calibration calibration;
            var held = false;
            try
            {
                if (against != null)
                {
                    against.Handle.DangerousAddRef(ref held);
                }
                var other = against == null ? IntPtr.Zero : against.Handle.DangerousGetHandle();
                fixed (Position* from = &MemoryMarshal.GetReference(starts))
                {
                    Failures.Check(Native.dragnet_table_calibrate(
                        Handle, from, (UIntPtr)starts.Length, &target, other, &calibration));
                }
            }
            finally
            {
                if (held)
                {
                    against.Handle.DangerousRelease();
                }
            }
            return calibration;
        }

        /// <summary>Rates the moves of one side in a game.</summary>
        /// <param name="game">The start and the position after each ply.</param>
        /// <param name="side">The side.</param>
        /// <exception cref="InvalidArgumentException">There is no position, or one does not follow from the
        /// one before by a legal move.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public Review Review(ReadOnlySpan<Position> game, Side side)
        {
            NativeReview sums;
            var moves = new ReviewedMove[game.Length];
            fixed (Position* positions = &MemoryMarshal.GetReference(game))
            fixed (ReviewedMove* found = moves)
            {
                Failures.Check(Native.dragnet_table_review(
                    Handle, positions, (UIntPtr)game.Length, (int)side, &sums, found, (UIntPtr)moves.Length));
            }
            Array.Resize(ref moves, checked((int)sums.moves));
            return new Review(sums, moves);
        }
    }
}
