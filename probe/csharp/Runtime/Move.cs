using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A move, and the value of the position after it. A move to a win in n plies is a win in n + 1
    /// plies before the move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Move
    {
        private readonly int _side;
        private readonly Pieces _to;
        private readonly uint _world;
        private readonly Value _value;

        /// <summary>The side that moves.</summary>
        public Side Side => (Side)_side;

        /// <summary>The cells of the side's pieces after the move, in reading order, with officers that have
        /// not moved.</summary>
        public Pieces To => _to;

        /// <summary>The world of the position after the move.</summary>
        public int World => (int)_world;

        /// <summary>The value of the position after the move.</summary>
        public Value Value => _value;

        /// <summary>Returns the cells after the move and the value.</summary>
        public override string ToString()
        {
            return "to " + _to + ": " + _value;
        }
    }

    /// <summary>Optimal play from a position to the end.</summary>
    public sealed class Line
    {
        internal Line(Move[] moves, Side? winner)
        {
            Moves = moves;
            Winner = winner;
        }

        /// <summary>The moves of both sides in turn.</summary>
        public Move[] Moves { get; }

        /// <summary>The side that wins, null if a position occurs again.</summary>
        public Side? Winner { get; }
    }
}
