using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A cell of the board by its row and column, which count from 0 with row 0 at the top. Vertex v
    /// of a graph is the cell in row 0 and column v. A pair of numbers converts to a cell.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Cell : IEquatable<Cell>
    {
        private readonly ushort _row;
        private readonly ushort _column;

        /// <summary>Creates a cell.</summary>
        /// <param name="row">The row, from 0 to 65535.</param>
        /// <param name="column">The column, from 0 to 65535.</param>
        /// <exception cref="ArgumentOutOfRangeException">A number is out of range.</exception>
        public Cell(int row, int column)
        {
            _row = (ushort)Arguments.Within(row, 0, ushort.MaxValue, "row");
            _column = (ushort)Arguments.Within(column, 0, ushort.MaxValue, "column");
        }

        /// <summary>The row, from the top.</summary>
        public int Row => _row;

        /// <summary>The column, from the left.</summary>
        public int Column => _column;

        /// <summary>Returns the row and the column.</summary>
        /// <param name="row">The row.</param>
        /// <param name="column">The column.</param>
        public void Deconstruct(out int row, out int column)
        {
            row = _row;
            column = _column;
        }

        /// <summary>Returns whether two cells are one.</summary>
        /// <param name="other">The other cell.</param>
        public bool Equals(Cell other)
        {
            return _row == other._row && _column == other._column;
        }

        /// <summary>Returns whether an object is this cell.</summary>
        /// <param name="other">The object.</param>
        public override bool Equals(object other)
        {
            return other is Cell && Equals((Cell)other);
        }

        /// <summary>Returns a number that is equal for equal cells.</summary>
        public override int GetHashCode()
        {
            return _row << 16 | _column;
        }

        /// <summary>Returns the row and the column with a comma between them.</summary>
        public override string ToString()
        {
            return _row + "," + _column;
        }

        /// <summary>Converts a row and a column to a cell.</summary>
        /// <param name="cell">The row and the column.</param>
        public static implicit operator Cell((int row, int column) cell)
        {
            return new Cell(cell.row, cell.column);
        }

        /// <summary>Returns whether two cells are one.</summary>
        /// <param name="a">A cell.</param>
        /// <param name="b">Another cell.</param>
        public static bool operator ==(Cell a, Cell b)
        {
            return a.Equals(b);
        }

        /// <summary>Returns whether two cells differ.</summary>
        /// <param name="a">A cell.</param>
        /// <param name="b">Another cell.</param>
        public static bool operator !=(Cell a, Cell b)
        {
            return !a.Equals(b);
        }
    }
}
