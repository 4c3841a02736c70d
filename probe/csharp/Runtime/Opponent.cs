using System;

namespace Dragnet
{
    /// <summary>A player that chooses moves from the exact values of a table, at a strength and in a style of
    /// your choice, with errors by lot. The same seed and the same positions give the same moves in every
    /// language. It plays either side or both. Calls from several threads wait for each other.</summary>
    public sealed unsafe class Opponent : IDisposable
    {
        private readonly OpponentHandle _opponent;

        /// <summary>Creates an opponent that draws all lots from a seed, in the style
        /// <see cref="Style.Longest"/>.</summary>
        /// <param name="strength">The strength.</param>
        /// <param name="seed">The seed of the lots.</param>
        public Opponent(Strength strength, ulong seed) : this(strength, Style.Longest, seed)
        {
        }

        /// <summary>Creates an opponent that draws all lots from a seed.</summary>
        /// <param name="strength">The strength.</param>
        /// <param name="style">The style in positions that it cannot win.</param>
        /// <param name="seed">The seed of the lots.</param>
        public Opponent(Strength strength, Style style, ulong seed)
        {
            IntPtr opponent;
            Failures.Check(Native.dragnet_opponent_create(&strength, &style, seed, &opponent));
            _opponent = new OpponentHandle(opponent);
        }

        private Opponent(IntPtr opponent)
        {
            _opponent = new OpponentHandle(opponent);
        }

        internal OpponentHandle Handle => _opponent;

        /// <summary>Chooses a move for the side to move. To be called once for each turn, as every call draws
        /// lots and remembers the position. Allocates no managed memory.</summary>
        /// <param name="table">The table of the game.</param>
        /// <param name="position">The position.</param>
        /// <param name="move">The move, if there is one.</param>
        /// <returns>Whether there is a move: not if the position is terminal or the side to move is
        /// stuck.</returns>
        /// <exception cref="ArgumentNullException">There is no table.</exception>
        /// <exception cref="InvalidPositionException">The table has no such position.</exception>
        /// <exception cref="DamagedTableException">The table is damaged.</exception>
        public bool TryChoose(Table table, in Position position, out Move move)
        {
            Arguments.NotNull(table, "table");
            var at = position;
            var chosen = default(Move);
            UIntPtr count;
            Failures.Check(Native.dragnet_opponent_choose(_opponent, table.Handle, &at, &chosen, &count));
            move = chosen;
            return count != UIntPtr.Zero;
        }

        /// <summary>The number that continues the lots as a seed, for a saved game.</summary>
        public ulong State
        {
            get
            {
                ulong state;
                Failures.Check(Native.dragnet_opponent_state(_opponent, &state));
                return state;
            }
        }

        /// <summary>Begins a new game.</summary>
        /// <param name="seed">The seed of the lots.</param>
        public void Restart(ulong seed)
        {
            Failures.Check(Native.dragnet_opponent_restart(_opponent, seed));
        }

        /// <summary>Forgets where the enemy stood, as after moves were taken back.</summary>
        public void Forget()
        {
            Restart(State);
        }

        /// <summary>Returns another opponent, which goes on as this one would.</summary>
        public Opponent Copy()
        {
            IntPtr copy;
            Failures.Check(Native.dragnet_opponent_copy(_opponent, &copy));
            return new Opponent(copy);
        }

        /// <summary>Closes the opponent. Calls that follow throw an ObjectDisposedException.</summary>
        public void Dispose()
        {
            _opponent.Dispose();
        }
    }
}
