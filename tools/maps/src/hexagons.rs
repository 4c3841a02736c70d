//! Boards of hexagons: graphs in which each cell has up to six neighbours.

use super::grid::{Grid, Lattice};
use crate::error::MapError;
use dragnet_formats::board::{Board, Square};
use std::fmt::Write;

/// A map of hexagons.
pub(super) struct Hexagons<'a> {
    grid: Grid,
    /// Whether columns are moved by half a cell, not rows.
    columns: bool,
    /// Whether the rows or columns with odd indices are moved.
    odd: bool,
    squares: &'a [Square],
}

impl<'a> Hexagons<'a> {
    /// Returns the hexagons of a map with these squares, if its cells are hexagons.
    pub(super) fn new(grid: Grid, squares: &'a [Square]) -> Option<Hexagons<'a>> {
        let Lattice::Hexagons { columns, odd, .. } = grid.lattice else { return None };
        Some(Hexagons { grid, columns, odd, squares })
    }

    /// Returns for each cell that is no wall its vertex: its place among them in reading order.
    pub(super) fn vertices(&self) -> Vec<Option<u16>> {
        let mut next = 0;
        let vertex = |square: &Square| {
            let is_open = *square != Square::Wall;
            let vertex = is_open.then(|| u16::try_from(next).ok()).flatten();
            next += usize::from(is_open);
            vertex
        };
        self.squares.iter().map(vertex).collect()
    }

    /// Returns the board: the graph whose vertices are the cells that are no walls.
    ///
    /// # Errors
    /// When there is no such cell, or more than a graph may have vertices.
    pub(super) fn board(&self) -> Result<Board, MapError> {
        let vertices = self.vertices();
        let open: Vec<Square> =
            self.squares.iter().copied().filter(|&square| square != Square::Wall).collect();
        let edges = (0..self.squares.len()).flat_map(|index| {
            let from = vertices[index];
            let to = self.neighbours(index).into_iter().flatten().filter_map(|other| vertices[other]);
            let to: Vec<u16> = to.collect();
            from.into_iter()
                .flat_map(move |from| to.clone().into_iter().map(move |to| (from.into(), to.into())))
        });
        Board::of_edges(&open, edges).map_err(MapError::unusable)
    }

    /// Returns the neighbours of a cell.
    fn neighbours(&self, index: usize) -> [Option<usize>; 6] {
        let [row, column] = [index / self.grid.width, index % self.grid.width].map(|place| place as i64);
        let (line, place) = if self.columns { (column, row) } else { (row, column) };
        // A line that is moved lies between places `place` and `place + 1` of its neighbours.
        let first = if self.is_moved(line) { place } else { place - 1 };
        let neighbours = [
            (line, place - 1),
            (line, place + 1),
            (line - 1, first),
            (line - 1, first + 1),
            (line + 1, first),
            (line + 1, first + 1),
        ];
        neighbours.map(|(line, place)| {
            let (row, column) = if self.columns { (place, line) } else { (line, place) };
            let row = usize::try_from(row).ok().filter(|&row| row < self.grid.height)?;
            let column = usize::try_from(column).ok().filter(|&column| column < self.grid.width)?;
            Some(row * self.grid.width + column)
        })
    }

    fn is_moved(&self, line: i64) -> bool {
        (line.rem_euclid(2) == 1) == self.odd
    }

    /// Returns a drawing of the hexagons, with the vertex at the start of each row. Rows that are moved are
    /// drawn so; columns are not.
    pub(super) fn drawing(&self, police: &[usize], thief: Option<usize>) -> String {
        let vertices = self.vertices();
        let margin = self.squares.len().to_string().len();
        let mut text = String::new();
        for (row, squares) in self.squares.chunks(self.grid.width).enumerate() {
            let start = row * self.grid.width;
            let first = vertices[start..start + squares.len()].iter().flatten().next();
            let first = first.map_or_else(String::new, u16::to_string);
            let shift = if !self.columns && self.is_moved(row as i64) { " " } else { "" };
            let _ = write!(text, "{first:>margin$} {shift}");
            let letters = (start..).zip(squares).map(|(index, square)| match square {
                _ if thief == Some(index) => "T",
                _ if police.contains(&index) => "P",
                Square::Wall => "█",
                Square::Open => "·",
                Square::Exit => "E",
            });
            text += &letters.collect::<Vec<_>>().join(" ");
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexagons(columns: bool, odd: bool, squares: &[Square]) -> Hexagons<'_> {
        let lattice = Lattice::Hexagons { columns, odd, side: 4 };
        Hexagons::new(Grid { height: 3, width: 3, cell: [8, 8], lattice }, squares).unwrap()
    }

    #[test]
    fn neighbours_lie_on_both_sides_of_an_edge() {
        let squares = [Square::Open; 9];
        for (columns, odd) in [(false, false), (false, true), (true, false), (true, true)] {
            let map = hexagons(columns, odd, &squares);
            for index in 0..9 {
                for other in map.neighbours(index).into_iter().flatten() {
                    assert!(map.neighbours(other).contains(&Some(index)), "{columns} {odd} {index} {other}");
                }
            }
            assert_eq!(map.neighbours(4).into_iter().flatten().count(), 6);
        }
        // Row 1 is moved to the right: its middle has neighbours above at columns 1 and 2.
        let mut above: Vec<_> = hexagons(false, true, &squares).neighbours(4).into_iter().flatten().collect();
        above.sort_unstable();
        assert_eq!(above, [1, 2, 3, 5, 7, 8]);
    }

    #[test]
    fn walls_are_no_vertices() {
        let mut squares = [Square::Open; 9];
        squares[0] = Square::Wall;
        squares[8] = Square::Exit;
        let map = hexagons(false, true, &squares);
        let board = map.board().unwrap();
        assert_eq!((board.open_count(), board.exits().count()), (8, 1));
        assert_eq!(map.vertices()[..3], [None, Some(0), Some(1)]);
        assert_eq!(map.drawing(&[1], Some(2)), "0 █ P T\n2  · · ·\n5 · · E\n");
    }
}
