using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A cell that pieces can enter only while it is open. A door with a key opens and closes each
    /// time a piece of either side steps onto the key from another cell. A door with a schedule is open in
    /// some plies of a period.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Door
    {
        private readonly Cell _cell;
        private readonly Cell _key;
        private readonly int _open;
        private readonly uint _period;
        private readonly uint _schedule;

        /// <summary>The cell of the door.</summary>
        public Cell Cell
        {
            get { return _cell; }
        }

        /// <summary>The cell of its key, null if it has a schedule.</summary>
        public Cell? Key
        {
            get { return _period == 0 ? _key : (Cell?)null; }
        }

        /// <summary>Whether it is open at the start, with no key stepped on and in phase 0.</summary>
        public bool IsOpenAtStart
        {
            get { return _open != 0; }
        }

        /// <summary>The plies of its schedule, 1 to 16; 0 if it has a key.</summary>
        public int Period
        {
            get { return (int)_period; }
        }

        /// <summary>The plies in which its schedule opens it, one bit for each; 0 if it has a key.</summary>
        public int Schedule
        {
            get { return (int)_schedule; }
        }
    }

    /// <summary>A position on a board with doors, which has one officer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct DoorPosition
    {
        private readonly Cell _police;
        private readonly Cell _thief;
        private readonly int _turn;
        private readonly uint _keys;
        private readonly uint _phase;

        /// <summary>Creates a position.</summary>
        /// <param name="police">The cell of the officer.</param>
        /// <param name="thief">The cell of the thief.</param>
        /// <param name="turn">The side to move.</param>
        /// <param name="keys">Bit i is set if key number i has been stepped on an odd number of
        /// times.</param>
        /// <param name="phase">The plies since the schedules began, below the number of phases.</param>
        public DoorPosition(Cell police, Cell thief, Side turn, int keys = 0, int phase = 0)
        {
            _police = police;
            _thief = thief;
            _turn = (int)turn;
            _keys = unchecked((uint)keys);
            _phase = unchecked((uint)phase);
        }

        /// <summary>The cell of the officer.</summary>
        public Cell Police
        {
            get { return _police; }
        }

        /// <summary>The cell of the thief.</summary>
        public Cell Thief
        {
            get { return _thief; }
        }

        /// <summary>The side to move.</summary>
        public Side Turn
        {
            get { return (Side)_turn; }
        }

        /// <summary>The keys that have been stepped on an odd number of times: bit i for key number
        /// i.</summary>
        public int Keys
        {
            get { return unchecked((int)_keys); }
        }

        /// <summary>The plies since the schedules began.</summary>
        public int Phase
        {
            get { return unchecked((int)_phase); }
        }

        /// <summary>Returns the cells of the pieces, the side to move and the state of the doors.</summary>
        public override string ToString()
        {
            return "police " + _police + ", thief " + _thief + ", " + Turn.ToString().ToLowerInvariant()
                + " to move, keys " + _keys + ", phase " + _phase;
        }
    }

    /// <summary>A move on a board with doors, and the value of the position after it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct DoorMove
    {
        private readonly DoorPosition _after;
        private readonly Value _value;

        /// <summary>The position after the move, in which keys and phase have moved on.</summary>
        public DoorPosition After
        {
            get { return _after; }
        }

        /// <summary>The value of the position after the move.</summary>
        public Value Value
        {
            get { return _value; }
        }
    }
}
