using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A share of wins that an opponent is to reach.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Target
    {
        private ulong _seed;
        private int _side;
        private uint _share;
        private uint _games;
        private Style _style;

        /// <summary>Creates the target of a share of wins, with 200 games at each level that is tried, lots
        /// from the seed 0, and the style <see cref="Dragnet.Style.Longest"/>.</summary>
        /// <param name="side">The side of the opponent.</param>
        /// <param name="share">The share of games that it is to win, 0 to 1000 per mille.</param>
        /// <exception cref="ArgumentOutOfRangeException">The share is out of its range.</exception>
        public Target(Side side, int share)
        {
            _seed = 0;
            _side = (int)side;
            _share = (uint)Arguments.Within(share, 0, 1000, "share");
            _games = 200;
            _style = Style.Longest;
        }

        /// <summary>The seed of all lots.</summary>
        public ulong Seed
        {
            get { return _seed; }
            set { _seed = value; }
        }

        /// <summary>The number of games at each level that is tried, 1 to 100,000.</summary>
        public int Games
        {
            get { return (int)_games; }
            set { _games = (uint)Arguments.Within(value, 1, 100000, "Games"); }
        }

        /// <summary>The style of the opponent.</summary>
        public Style Style
        {
            get { return _style; }
            set { _style = value; }
        }
    }

    /// <summary>A strength with the share of games that it wins.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Calibration
    {
        private readonly uint _level;
        private readonly Strength _strength;
        private readonly uint _games;
        private readonly uint _wins;
        private readonly uint _lowest;
        private readonly uint _highest;
        private readonly int _reached;
        private readonly double _from;
        private readonly double _to;

        /// <summary>The level of the dial.</summary>
        public int Level => (int)_level;

        /// <summary>The strength at that level.</summary>
        public Strength Strength => _strength;

        /// <summary>The games that were played at that level after it was chosen.</summary>
        public int Games => (int)_games;

        /// <summary>The games of these that were won.</summary>
        public int Wins => (int)_wins;

        /// <summary>The least number of wins at any level that was tried, the weakest among them.</summary>
        public int Lowest => (int)_lowest;

        /// <summary>The greatest number of wins at any level that was tried, the strongest among
        /// them.</summary>
        public int Highest => (int)_highest;

        /// <summary>Whether the share of wins is within 100 per mille of the target.</summary>
        public bool Reached => _reached != 0;

        /// <summary>The lower end of the 95 % confidence interval of the share of wins, 0 to 1.</summary>
        public double From => _from;

        /// <summary>The upper end of the 95 % confidence interval of the share of wins, 0 to 1.</summary>
        public double To => _to;
    }
}
