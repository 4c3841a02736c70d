using System;
using System.Collections.Generic;

namespace Dragnet
{
    /// <summary>The kind of a square.</summary>
    public enum Square : byte
    {
        /// <summary>A wall, on which no piece stands.</summary>
        Wall = 0,

        /// <summary>An open cell.</summary>
        Open = 1,

        /// <summary>An open cell on which the thief escapes, unless an officer stands there too.</summary>
        Exit = 2,
    }

    /// <summary>A board of squares, or a graph whose vertices are a single row of squares.</summary>
    public sealed class Board
    {
        private readonly Square[] _squares;

        internal Board(int height, int width, Square[] squares)
        {
            Height = height;
            Width = width;
            _squares = squares;
        }

        /// <summary>The number of rows.</summary>
        public int Height { get; }

        /// <summary>The number of columns.</summary>
        public int Width { get; }

        /// <summary>The squares in reading order.</summary>
        public ReadOnlySpan<Square> Squares => _squares;

        /// <summary>Returns the square of a cell.</summary>
        /// <param name="cell">The cell.</param>
        /// <exception cref="ArgumentOutOfRangeException">The cell is off the board.</exception>
        public Square this[Cell cell]
        {
            get
            {
                if (cell.Row >= Height || cell.Column >= Width)
                {
                    throw new ArgumentOutOfRangeException(
                        "cell", cell, "expected a cell of a board of " + Height + " * " + Width);
                }
                return _squares[cell.Row * Width + cell.Column];
            }
        }

        /// <summary>Returns the cells that are not walls, in reading order.</summary>
        public Cell[] OpenCells()
        {
            var cells = new List<Cell>();
            for (var i = 0; i < _squares.Length; i++)
            {
                if (_squares[i] != Square.Wall)
                {
                    cells.Add(new Cell(i / Width, i % Width));
                }
            }
            return cells.ToArray();
        }
    }
}
