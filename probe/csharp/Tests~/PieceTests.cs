using System;
using System.Collections.Generic;
using System.Linq;

namespace Dragnet.Tests
{
    /// <summary>Tests of cells, pieces and positions.</summary>
    internal static class PieceTests
    {
        public static void Cells_are_equal_if_row_and_column_are()
        {
            Cell a = (7, 1), b = new Cell(7, 1), c = (1, 7);
            Check.That(a == b && a.Equals((object)b) && a.GetHashCode() == b.GetHashCode(), "equal cells");
            Check.That(a != c && !a.Equals((object)c) && !a.Equals("7,1"), "different cells");
            Check.Equal(2, new HashSet<Cell> { a, b, c }.Count);
            int row, column;
            a.Deconstruct(out row, out column);
            Check.Equal(71, 10 * row + column);
            Check.Equal("7,1", a.ToString());
            Check.Equal(65535, new Cell(65535, 0).Row);
        }

        public static void Six_pieces_keep_their_cells_and_their_order()
        {
            var cells = Enumerable.Range(0, 6).Select(i => new Cell(i, 10 + i)).ToArray();
            for (var count = 1; count <= Pieces.Max; count++)
            {
                Pieces pieces = cells.Take(count).ToArray();
                Check.Equal(count, pieces.Count);
                Check.That(pieces.ToArray().SequenceEqual(cells.Take(count)), "the cells");
                var position = new Position(pieces, (9, 9), Side.Thief);
                var visited = 0;
                foreach (var cell in position.Police)
                {
                    Check.Equal(cells[visited], cell);
                    Check.Equal(cells[visited], pieces[visited]);
                    visited++;
                }
                Check.Equal(count, visited);
                Check.Equal(new Cell(9, 9), position.Thief);
                Check.Equal(Side.Thief, position.Turn);
            }
            Check.Throws<ArgumentException>("room for 2", () => new Pieces(cells.AsSpan(0, 2)).CopyTo(new Cell[1]));
            Check.Equal(0, default(Pieces).Count);
            Check.Equal(0, default(Position).Police.Count);
        }

        public static void A_position_tells_its_pieces_and_its_turn()
        {
            var at = new Position(new Cell[] { (0, 1), (2, 3) }, (4, 5), Side.Police);
            Check.Equal("police 0,1+2,3, thief 4,5, police to move", at.ToString());
            Check.Equal(0, at.World);
            var later = new Position((0, 1), (4, 5), Side.Thief, 3);
            Check.Equal(3, later.World);
            Check.Equal("world 3, police 0,1, thief 4,5, thief to move", later.ToString());
            Check.Throws<ArgumentOutOfRangeException>(
                "at least 0", () => new Position((0, 1), (4, 5), Side.Thief, -1).ToString());
        }
    }
}
