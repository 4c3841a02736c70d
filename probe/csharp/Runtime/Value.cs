using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>The value of a position: who wins, and in how many plies, if the winner wins as quickly and
    /// the loser loses as slowly as possible. A ply is one turn of one side.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Value : IEquatable<Value>
    {
        private readonly int _outcome;
        private readonly uint _distance;

        /// <summary>The result.</summary>
        public Outcome Outcome => (Outcome)_outcome;

        /// <summary>The side that wins, null for a draw.</summary>
        public Side? Winner => Sides.Of(_outcome);

        /// <summary>The distance to win in plies, null for a draw.</summary>
        public int? Dtw => Sides.Plies(_distance);

        /// <summary>Returns whether a side wins within a number of plies.</summary>
        /// <param name="side">The side.</param>
        /// <param name="plies">The number of plies.</param>
        public bool WinsWithin(Side side, int plies)
        {
            return _outcome == (int)side && plies >= 0 && _distance <= (uint)plies;
        }

        /// <summary>Returns whether two values are equal.</summary>
        /// <param name="other">The other value.</param>
        public bool Equals(Value other)
        {
            return _outcome == other._outcome && _distance == other._distance;
        }

        /// <summary>Returns whether an object is an equal value.</summary>
        /// <param name="other">The object.</param>
        public override bool Equals(object other)
        {
            return other is Value && Equals((Value)other);
        }

        /// <summary>Returns a number that is equal for equal values.</summary>
        public override int GetHashCode()
        {
            return (int)_distance ^ _outcome << 30;
        }

        /// <summary>Returns the outcome and the distance.</summary>
        public override string ToString()
        {
            return _outcome == 0 ? "draw" : Outcome.ToString().ToLowerInvariant() + " in " + _distance;
        }
    }
}
