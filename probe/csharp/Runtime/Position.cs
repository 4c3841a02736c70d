using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A position: the cells of all pieces, the side to move, and the world. Several officers may
    /// stand on one cell.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Position
    {
        private readonly Cell _first;
        private readonly Cell _second;
        private readonly Cell _third;
        private readonly Cell _fourth;
        private readonly Cell _fifth;
        private readonly Cell _sixth;
        private readonly Cell _thief;
        private readonly int _turn;
        private readonly int _officers;
        private readonly uint _world;

        /// <summary>Creates a position.</summary>
        /// <param name="police">The cells of the officers.</param>
        /// <param name="thief">The cell of the thief.</param>
        /// <param name="turn">The side to move.</param>
        /// <param name="world">The number of the world, 0 if there is only one.</param>
        /// <exception cref="ArgumentOutOfRangeException">The number of the world is negative.</exception>
        public Position(Pieces police, Cell thief, Side turn, int world = 0)
        {
            _first = police.Unchecked(0);
            _second = police.Unchecked(1);
            _third = police.Unchecked(2);
            _fourth = police.Unchecked(3);
            _fifth = police.Unchecked(4);
            _sixth = police.Unchecked(5);
            _thief = thief;
            _turn = (int)turn;
            // No officers are an error, but the library takes 0 for 1.
            _officers = police.Count == 0 ? -1 : police.Count;
            _world = (uint)Arguments.AtLeast(world, 0, "world");
        }

        /// <summary>The cells of the officers.</summary>
        public Pieces Police => new Pieces(Officers, _first, _second, _third, _fourth, _fifth, _sixth);

        /// <summary>The cell of the thief.</summary>
        public Cell Thief => _thief;

        /// <summary>The side to move.</summary>
        public Side Turn => (Side)_turn;

        /// <summary>The number of the world, below <see cref="TableInfo.Worlds"/>.</summary>
        public int World => (int)_world;

        private int Officers => _officers < 0 ? 0 : _officers;

        /// <summary>Returns the position after a move.</summary>
        /// <param name="move">A move of the side to move.</param>
        public Position After(in Move move)
        {
            return move.Side == Side.Police
                ? new Position(move.To, _thief, Side.Thief, move.World)
                : new Position(Police, move.To[0], Side.Police, move.World);
        }

        /// <summary>Returns the world unless it is 0, the cells of all pieces and the side to move.</summary>
        public override string ToString()
        {
            return (_world == 0 ? "" : "world " + _world + ", ") + "police " + Police + ", thief " + _thief + ", "
                + Turn.ToString().ToLowerInvariant() + " to move";
        }
    }
}
