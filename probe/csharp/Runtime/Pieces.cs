using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Dragnet
{
    /// <summary>The cells of one side's pieces, 1 to <see cref="Max"/> of them. A cell, a pair of numbers and
    /// an array of cells convert to it. The order of the cells does not matter; the library returns them in
    /// reading order. No memory is allocated.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Pieces
    {
        /// <summary>The most pieces of a side.</summary>
        public const int Max = 6;

        private readonly int _count;
        private readonly Cell _first;
        private readonly Cell _second;
        private readonly Cell _third;
        private readonly Cell _fourth;
        private readonly Cell _fifth;
        private readonly Cell _sixth;

        /// <summary>Creates the cells of a single piece.</summary>
        /// <param name="cell">The cell.</param>
        public Pieces(Cell cell)
        {
            this = default(Pieces);
            _count = 1;
            _first = cell;
        }

        /// <summary>Creates the cells of several pieces.</summary>
        /// <param name="cells">The cells, 1 to <see cref="Max"/> of them.</param>
        /// <exception cref="ArgumentException">There are none or too many.</exception>
        public Pieces(ReadOnlySpan<Cell> cells)
        {
            if (cells.Length < 1 || cells.Length > Max)
            {
                throw new ArgumentException("expected 1 to 6 cells, found " + cells.Length, "cells");
            }
            _count = cells.Length;
            _first = cells[0];
            _second = cells.Length > 1 ? cells[1] : default(Cell);
            _third = cells.Length > 2 ? cells[2] : default(Cell);
            _fourth = cells.Length > 3 ? cells[3] : default(Cell);
            _fifth = cells.Length > 4 ? cells[4] : default(Cell);
            _sixth = cells.Length > 5 ? cells[5] : default(Cell);
        }

        internal Pieces(int count, Cell first, Cell second, Cell third, Cell fourth, Cell fifth, Cell sixth)
        {
            _count = count;
            _first = first;
            _second = second;
            _third = third;
            _fourth = fourth;
            _fifth = fifth;
            _sixth = sixth;
        }

        /// <summary>The number of pieces.</summary>
        public int Count => _count;

        /// <summary>Returns the cell of a piece.</summary>
        /// <param name="index">The index of the piece, from 0.</param>
        /// <exception cref="ArgumentOutOfRangeException">There are not so many pieces.</exception>
        public Cell this[int index]
        {
            get
            {
                if ((uint)index >= (uint)_count)
                {
                    throw new ArgumentOutOfRangeException("index", index, "expected a number below " + _count);
                }
                return Unchecked(index);
            }
        }

        /// <summary>Copies the cells to a buffer.</summary>
        /// <param name="cells">The buffer, with room for all of them.</param>
        /// <exception cref="ArgumentException">The buffer is too short.</exception>
        public void CopyTo(Span<Cell> cells)
        {
            if (cells.Length < _count)
            {
                throw new ArgumentException("expected room for " + _count + " cells, found " + cells.Length, "cells");
            }
            for (var i = 0; i < _count; i++)
            {
                cells[i] = Unchecked(i);
            }
        }

        /// <summary>Returns the cells in a new array.</summary>
        public Cell[] ToArray()
        {
            var cells = new Cell[_count];
            CopyTo(cells);
            return cells;
        }

        /// <summary>Returns what foreach needs, without an allocation.</summary>
        public Enumerator GetEnumerator()
        {
            return new Enumerator(this);
        }

        /// <summary>Returns the cells with a plus between them.</summary>
        public override string ToString()
        {
            if (_count == 1)
            {
                return _first.ToString();
            }
            var text = new StringBuilder();
            for (var i = 0; i < _count; i++)
            {
                text.Append(i == 0 ? "" : "+").Append(Unchecked(i));
            }
            return text.ToString();
        }

        /// <summary>Converts a cell to the cells of a single piece.</summary>
        /// <param name="cell">The cell.</param>
        public static implicit operator Pieces(Cell cell)
        {
            return new Pieces(cell);
        }

        /// <summary>Converts a row and a column to the cells of a single piece.</summary>
        /// <param name="cell">The row and the column.</param>
        public static implicit operator Pieces((int row, int column) cell)
        {
            return new Pieces(cell);
        }

        /// <summary>Converts an array to the cells of several pieces.</summary>
        /// <param name="cells">The cells, 1 to <see cref="Max"/> of them.</param>
        public static implicit operator Pieces(Cell[] cells)
        {
            return new Pieces(new ReadOnlySpan<Cell>(cells));
        }

        internal Cell Unchecked(int index)
        {
            switch (index)
            {
                case 0:
                    return _first;
                case 1:
                    return _second;
                case 2:
                    return _third;
                case 3:
                    return _fourth;
                case 4:
                    return _fifth;
                default:
                    return _sixth;
            }
        }

        /// <summary>What foreach needs to visit the cells.</summary>
        public struct Enumerator
        {
            private readonly Pieces _pieces;
            private int _index;

            internal Enumerator(Pieces pieces)
            {
                _pieces = pieces;
                _index = -1;
            }

            /// <summary>The cell that is visited.</summary>
            public Cell Current
            {
                get { return _pieces.Unchecked(_index); }
            }

            /// <summary>Goes to the next cell, and returns whether there is one.</summary>
            public bool MoveNext()
            {
                _index++;
                return _index < _pieces._count;
            }
        }
    }
}
