//! The board: a rectangle of squares, each a wall, open, or an exit; or the vertices of a graph.
//!
//! Boards come from text ([`text`], [`contest`], [`movingai`]), from a maker ([`make`]) or from a [`Graph`].

pub mod contest;
mod lines;
pub mod make;
pub mod movingai;
pub mod scenario;
pub mod text;

use crate::{
    cell::Cell,
    graph::{Graph, GraphBuilder},
};
use std::sync::Arc;

/// What stands in one place of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// Nobody may stand here.
    Wall,
    /// Either side may stand here.
    Open,
    /// Open, and the thief who stands here alone has escaped.
    Exit,
}

/// A rectangle of [`Square`]s. At least 1×1; at most [`Board::MAX_SQUARES`] squares.
///
/// Or the vertices of a graph, along whose edges the pieces step: a single row without walls, in which vertex v is the
/// cell 0,v.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    height: u16,
    width: u16,
    squares: Vec<Square>,
    /// Of a graph: for each vertex the others to which an edge leads, rising.
    edges: Option<Arc<Graph>>,
}

/// Why squares do not make a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Height or width is zero.
    #[error("expected a board of at least 1x1 squares, found {height}x{width}")]
    Empty {
        /// Rows asked for.
        height: usize,
        /// Columns asked for.
        width: usize,
    },
    /// More squares than a board may have, or a side that is too long.
    #[error(
        "expected a board of at most {} squares with no side over {}, found {height}x{width}",
        Board::MAX_SQUARES,
        u16::MAX
    )]
    TooLarge {
        /// Rows asked for.
        height: usize,
        /// Columns asked for.
        width: usize,
    },
    /// The number of squares is not height times width.
    #[error("expected {expected} squares for the board's height and width, found {found}")]
    WrongCount {
        /// Height times width.
        expected: usize,
        /// Squares given.
        found: usize,
    },
    /// A cell beyond the board's edge.
    #[error("cell {cell} is off the board, whose rows go from 0 to {} and columns from 0 to {}", height - 1, width - 1)]
    OffBoard {
        /// The cell named.
        cell: Cell,
        /// Rows of the board.
        height: u16,
        /// Columns of the board.
        width: u16,
    },
    /// A cell that must be open is a wall.
    #[error("cell {cell} is a wall; expected an open cell")]
    OnWall {
        /// The cell named.
        cell: Cell,
    },
    /// More vertices than a board of a graph may have.
    #[error(
        "expected a graph of at least 1 and at most {} vertices to play pursuit on, found {found}",
        u16::MAX
    )]
    Vertices {
        /// The graph's vertices.
        found: u64,
    },
    /// An exit that is no vertex of the graph.
    #[error("expected a vertex from 0 to {}, found {found}", vertices - 1)]
    NoVertex {
        /// The vertex named.
        found: u64,
        /// The graph's vertices.
        vertices: u32,
    },
    /// A share of walls that is no number from 0 to 1.
    #[error("expected a share of walls from 0 to 1, found {found}")]
    Density {
        /// The number given, as text: a float has no total equality, and errors are compared.
        found: String,
    },
}

impl Board {
    /// The most squares a board may have: 1024×1024.
    pub const MAX_SQUARES: usize = 1 << 20;

    /// A board of `height` rows and `width` columns from its squares in reading order.
    ///
    /// # Errors
    /// When a side is zero or too long, or `squares` has not `height * width` elements.
    pub fn new(height: usize, width: usize, squares: Vec<Square>) -> Result<Board, BoardError> {
        let (h, w) = Board::check_size(height, width)?;
        if squares.len() != height * width {
            return Err(BoardError::WrongCount { expected: height * width, found: squares.len() });
        }
        Ok(Board { height: h, width: w, squares, edges: None })
    }

    /// The board whose cells are the vertices of `graph`, without exits. Of parallel edges one is kept, and of self-loops none:
    /// whether a piece may stay is said by the rules.
    ///
    /// # Errors
    /// [`BoardError::Vertices`] when it has none, or more than 65,535.
    pub fn of_graph(graph: &Graph) -> Result<Board, BoardError> {
        let count = graph.vertices();
        let width = u16::try_from(count).ok().filter(|&width| width > 0);
        let width = width.ok_or(BoardError::Vertices { found: count.into() })?;
        let mut edges = GraphBuilder::new();
        let mut targets: Vec<u32> = Vec::new();
        for from in 0..count {
            targets.clear();
            targets.extend(graph.successors(from).iter().filter(|&&to| to != from));
            targets.sort_unstable();
            targets.dedup();
            for &to in &targets {
                // The edges of a graph, some left out, are a graph's again.
                let _ = edges.add(from.into(), to.into());
            }
        }
        let edges = Some(Arc::new(edges.build_with(count)));
        Ok(Board { height: 1, width, squares: vec![Square::Open; count as usize], edges })
    }

    /// The board whose cells are the vertices `squares`, none of them a wall, with these edges (from, to) in any order. Of
    /// equal edges one is kept, and none from a vertex to itself.
    ///
    /// # Errors
    /// [`BoardError::Vertices`] when there is no vertex, or more than 65,535; [`BoardError::OnWall`] for a wall;
    /// [`BoardError::NoVertex`] for an edge from or to a vertex that is not there.
    pub fn of_edges(
        squares: &[Square],
        edges: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Board, BoardError> {
        let vertices = squares.len() as u64;
        if vertices == 0 || vertices > u16::MAX.into() {
            return Err(BoardError::Vertices { found: vertices });
        }
        let mut kept = Vec::new();
        for (from, to) in edges {
            let found = from.max(to);
            if found >= vertices {
                return Err(BoardError::NoVertex { found, vertices: vertices as u32 });
            }
            kept.push((from, to));
        }
        kept.sort_unstable();
        kept.dedup();
        let mut builder = GraphBuilder::new();
        for (from, to) in kept {
            // A graph may have as many vertices, and as many different edges between them.
            let _ = builder.add(from, to);
        }
        let mut exits = Vec::new();
        for (vertex, &square) in (0..).zip(squares) {
            let cell = Cell::new(0, vertex);
            match square {
                Square::Wall => return Err(BoardError::OnWall { cell }),
                Square::Open => {}
                Square::Exit => exits.push(cell),
            }
        }
        Board::of_graph(&builder.build_with(vertices as u32))?.with_exits(&exits)
    }

    /// The graph along whose edges the pieces step, if this is no board of squares: without self-loops and parallel edges,
    /// each vertex' targets rising.
    #[must_use]
    #[inline]
    pub fn graph(&self) -> Option<&Graph> {
        self.edges.as_deref()
    }

    /// The cell of a vertex of a graph.
    ///
    /// # Errors
    /// [`BoardError::NoVertex`] when there is none of that number.
    pub fn vertex(&self, vertex: u64) -> Result<Cell, BoardError> {
        let col = u16::try_from(vertex).ok().filter(|&col| col < self.width);
        col.map(|col| Cell::new(0, col))
            .ok_or(BoardError::NoVertex { found: vertex, vertices: self.width.into() })
    }

    /// Height and width as a board stores them, if a board may have that size. Costs nothing, so that a
    /// reader can refuse a size before it allocates.
    ///
    /// # Errors
    /// [`BoardError::Empty`] or [`BoardError::TooLarge`].
    pub fn check_size(height: usize, width: usize) -> Result<(u16, u16), BoardError> {
        if height == 0 || width == 0 {
            return Err(BoardError::Empty { height, width });
        }
        match (u16::try_from(height), u16::try_from(width)) {
            (Ok(h), Ok(w)) if height * width <= Board::MAX_SQUARES => Ok((h, w)),
            _ => Err(BoardError::TooLarge { height, width }),
        }
    }

    /// Rows, at least 1.
    #[must_use]
    #[inline]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Columns, at least 1.
    #[must_use]
    #[inline]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// All squares in reading order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The square at `cell`, or `None` off the board.
    #[must_use]
    #[inline]
    pub fn square(&self, cell: Cell) -> Option<Square> {
        self.index(cell).map(|i| self.squares[i])
    }

    /// Whether somebody may stand on `cell`: it is on the board and no wall.
    #[must_use]
    #[inline]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.square(cell).is_some_and(|s| s != Square::Wall)
    }

    /// `cell` itself, if somebody may stand on it.
    ///
    /// # Errors
    /// [`BoardError::OffBoard`] or [`BoardError::OnWall`].
    pub fn require_open(&self, cell: Cell) -> Result<Cell, BoardError> {
        match self.square(cell) {
            None => Err(BoardError::OffBoard { cell, height: self.height, width: self.width }),
            Some(Square::Wall) => Err(BoardError::OnWall { cell }),
            Some(_) => Ok(cell),
        }
    }

    /// Every cell in reading order with its square.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Square)> + '_ {
        let width = usize::from(self.width);
        self.squares
            .iter()
            .enumerate()
            .map(move |(i, &square)| (Cell::new((i / width) as u16, (i % width) as u16), square))
    }

    /// The open cells, exits included, in reading order.
    pub fn open_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&(_, s)| s != Square::Wall).map(|(c, _)| c)
    }

    /// The number of open cells, exits included.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.squares.iter().filter(|&&s| s != Square::Wall).count()
    }

    /// The exits in reading order.
    pub fn exits(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&(_, s)| s == Square::Exit).map(|(c, _)| c)
    }

    /// The same board with exactly the exits named; its own become open cells.
    ///
    /// # Errors
    /// When an exit is off the board or on a wall.
    pub fn with_exits(&self, exits: &[Cell]) -> Result<Board, BoardError> {
        let mut board = self.clone();
        for square in &mut board.squares {
            if *square == Square::Exit {
                *square = Square::Open;
            }
        }
        for &exit in exits {
            board.require_open(exit)?;
            let i = usize::from(exit.row) * usize::from(self.width) + usize::from(exit.col);
            board.squares[i] = Square::Exit;
        }
        Ok(board)
    }

    /// The place of `cell` in [`Board::squares`], or `None` off the board.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: Cell) -> Option<usize> {
        (cell.row < self.height && cell.col < self.width)
            .then(|| usize::from(cell.row) * usize::from(self.width) + usize::from(cell.col))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_made_of_edges_in_any_order() {
        let squares = [Square::Open, Square::Exit, Square::Open];
        let board = Board::of_edges(&squares, [(2, 0), (0, 1), (1, 1), (0, 2), (0, 1)]).unwrap();
        let graph = board.graph().unwrap();
        let targets: Vec<_> = (0..3).map(|vertex| graph.successors(vertex)).collect();
        assert_eq!(targets, [&[1, 2][..], &[], &[0]]);
        assert_eq!((board.squares(), board.height()), (&squares[..], 1));
        assert_eq!(Board::of_edges(&[], []), Err(BoardError::Vertices { found: 0 }));
        assert_eq!(
            Board::of_edges(&squares, [(0, 1), (7, 0)]),
            Err(BoardError::NoVertex { found: 7, vertices: 3 })
        );
        let cell = Cell::new(0, 1);
        assert_eq!(Board::of_edges(&[Square::Open, Square::Wall], []), Err(BoardError::OnWall { cell }));
        let many = vec![Square::Open; 65_536];
        assert_eq!(Board::of_edges(&many, []), Err(BoardError::Vertices { found: 65_536 }));
    }
}
