//! The board of a pursuit game: a rectangle of squares, or the vertices of a graph.
//!
//! Boards come from text ([`text`], [`contest`], [`movingai`]; [`Scenario::parse`] tells them apart), from a
//! maker ([`make`]) or from a [`Graph`].

mod arrow;

mod error;

mod scenario;

mod thin_walls;

mod lines;

pub mod text;

pub mod contest;

pub mod movingai;

mod parse;

pub mod make;

pub use arrow::Arrow;
pub use error::{ParseBoardError, WriteBoardError};
pub use scenario::Scenario;
pub use thin_walls::ThinWalls;

use crate::{
    cell::Cell,
    graph::{Graph, GraphBuilder},
};
use std::{collections::BTreeMap, sync::Arc};

/// The square in one place of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// No piece may stand here.
    Wall,
    /// Either side may stand here.
    Open,
    /// Either side may stand here, and a thief who stands here alone has escaped.
    Exit,
}

impl Square {
    /// All squares, each in the place of its number, with their letters in the text form.
    const LETTERS: [(Square, char); 3] = [(Square::Wall, '#'), (Square::Open, '.'), (Square::Exit, 'E')];

    /// Returns the number of the square, in headers and in other languages: 0 wall, 1 open, 2 exit.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// Returns the square with this number; `None` from 3 on.
    ///
    /// ```
    /// use dragnet_formats::board::Square;
    ///
    /// assert_eq!(Square::from_byte(Square::Exit.byte()), Some(Square::Exit));
    /// assert_eq!(Square::from_byte(3), None);
    /// ```
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Square> {
        Square::LETTERS.get(usize::from(byte)).map(|&(square, _)| square)
    }

    /// Returns the letter of the square in the text form of boards.
    #[must_use]
    pub const fn letter(self) -> char {
        Square::LETTERS[self as usize].1
    }

    /// Returns the square with this letter in the text form, which has other letters for some squares too.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Square> {
        Square::LETTERS.into_iter().find(|&(_, other)| other == letter).map(|(square, _)| square)
    }
}

/// A rectangle of [`Square`]s: at least 1×1, and at most [`Board::MAX_SQUARES`] squares.
///
/// A board can also be the vertices of a graph, along whose edges the pieces step. It is then a single row
/// without walls, in which vertex v is the cell 0,v.
///
/// ```
/// use dragnet_formats::{board::{Board, Scenario, Square}, cell::Cell};
///
/// let board = Scenario::parse(b"..#\n.E.\n")?.board;
/// assert_eq!((board.height(), board.width(), board.open_count()), (2, 3, 5));
/// assert_eq!(board.square(Cell::new(0, 2)), Some(Square::Wall));
/// assert_eq!(board.exits().collect::<Vec<_>>(), [Cell::new(1, 1)]);
/// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    height: u16,
    width: u16,
    squares: Vec<Square>,
    /// The number of rows of a floor, of which the board has one or several.
    floor_height: u16,
    /// The letters of open squares that have one, those of one-way squares among them.
    letters: BTreeMap<Cell, char>,
    thin_walls: ThinWalls,
    /// For each vertex of a graph, the other vertices to which an edge leads, rising. `None` on a board of
    /// squares.
    edges: Option<Arc<Graph>>,
}

/// The reason why squares or vertices do not make a board.
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
        /// The number of squares given.
        found: usize,
    },
    /// A cell beyond the board's edge.
    #[error("cell {cell} is off the board, whose rows go from 0 to {} and columns from 0 to {}", height - 1, width - 1)]
    OffBoard {
        /// The cell that was named.
        cell: Cell,
        /// Rows of the board.
        height: u16,
        /// Columns of the board.
        width: u16,
    },
    /// A cell that must be open is a wall.
    #[error("cell {cell} is a wall; expected an open cell")]
    OnWall {
        /// The cell that was named.
        cell: Cell,
    },
    /// An exit on a square with a letter.
    #[error("cell {cell} has the letter {letter:?}; expected another cell for an exit")]
    Letter {
        /// The cell that was named.
        cell: Cell,
        /// The letter of the square.
        letter: char,
    },
    /// A character that is no letter of boards.
    #[error(
        "cell {cell}: expected a letter from a to z, from A to Z but E, P and T, or one of >, < and ^; found {found:?}"
    )]
    NotLetter {
        /// The cell that was named.
        cell: Cell,
        /// The character that was given.
        found: char,
    },
    /// Floors that have not equally many rows.
    #[error("expected a number of floors that divides the {height} rows of the board, found {found}")]
    Floors {
        /// Rows of the board.
        height: u16,
        /// The number of floors.
        found: u16,
    },
    /// No vertex, or more vertices than a board of a graph may have.
    #[error(
        "expected a graph of at least 1 and at most {} vertices to play pursuit on, found {found}",
        u16::MAX
    )]
    Vertices {
        /// The number of vertices.
        found: u64,
    },
    /// A vertex that the graph does not have.
    #[error("expected a vertex from 0 to {}, found {found}", vertices - 1)]
    NoVertex {
        /// The vertex that was named.
        found: u64,
        /// The number of vertices of the graph.
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

    /// Creates a board of `height` rows and `width` columns from its squares in reading order.
    ///
    /// # Errors
    /// When a side is zero or too long, or `squares` has not `height * width` elements.
    pub fn new(height: usize, width: usize, squares: Vec<Square>) -> Result<Board, BoardError> {
        let (h, w) = Board::check_size(height, width)?;
        if squares.len() != height * width {
            return Err(BoardError::WrongCount { expected: height * width, found: squares.len() });
        }
        Ok(Board::plain(h, w, squares, None))
    }

    /// Creates the board whose cells are the vertices of `graph`, without exits. Keeps one of parallel edges
    /// and no self-loop: the rules say whether a piece may stay.
    ///
    /// # Errors
    /// [`BoardError::Vertices`] when the graph has no vertex, or more than 65,535.
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
                // Cannot fail: these are edges of a graph, and no more of them.
                edges.add(from.into(), to.into()).expect("an edge of a graph");
            }
        }
        let edges = Some(Arc::new(edges.build_with(count)));
        let squares = vec![Square::Open; count as usize];
        Ok(Board::plain(1, width, squares, edges))
    }

    fn plain(height: u16, width: u16, squares: Vec<Square>, edges: Option<Arc<Graph>>) -> Board {
        let (letters, thin_walls) = (BTreeMap::new(), ThinWalls::default());
        Board { height, width, squares, floor_height: height, letters, thin_walls, edges }
    }

    /// Creates the board whose cells are the vertices `squares`, none of them a wall, with these edges (from,
    /// to) in any order. Keeps one of equal edges, and none from a vertex to itself.
    ///
    /// # Errors
    /// [`BoardError::Vertices`] when there is no vertex, or more than 65,535; [`BoardError::OnWall`] for a
    /// wall; [`BoardError::NoVertex`] for an edge from or to a vertex that is not there.
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
            // Cannot fail: at most 65,535 vertices have fewer different edges than a graph may have.
            builder.add(from, to).expect("vertices and edges of a small graph");
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

    /// Returns the graph along whose edges the pieces step, or `None` on a board of squares. The graph has no
    /// self-loops and no parallel edges, and each vertex' targets rise.
    #[must_use]
    #[inline]
    pub fn graph(&self) -> Option<&Graph> {
        self.edges.as_deref()
    }

    /// Returns the cell of vertex number `vertex` of a graph.
    ///
    /// # Errors
    /// [`BoardError::NoVertex`] when the graph has no such vertex.
    pub fn vertex(&self, vertex: u64) -> Result<Cell, BoardError> {
        let col = u16::try_from(vertex).ok().filter(|&col| col < self.width);
        col.map(|col| Cell::new(0, col))
            .ok_or(BoardError::NoVertex { found: vertex, vertices: self.width.into() })
    }

    /// Returns height and width as a board stores them, if a board may have that size. Allocates nothing, so
    /// that a reader can refuse a size beforehand.
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

    /// Returns the number of rows, at least 1.
    #[must_use]
    #[inline]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    #[inline]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Returns all squares in reading order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Returns the square at `cell`, or `None` off the board.
    #[must_use]
    #[inline]
    pub fn square(&self, cell: Cell) -> Option<Square> {
        self.index(cell).map(|i| self.squares[i])
    }

    /// Returns the character of a square in the text form of boards, or `None` off the board.
    #[must_use]
    pub fn character(&self, cell: Cell) -> Option<char> {
        let square = self.square(cell)?;
        // A door on a square with a letter is a wall while it is closed.
        let letter = self.letter(cell).filter(|_| square == Square::Open);
        Some(letter.unwrap_or(square.letter()))
    }

    /// Returns the letter of an open square that has one, the arrow of a one-way square too: the rules say
    /// what the other letters mean.
    ///
    /// ```
    /// use dragnet_formats::{board::{Arrow, text}, cell::Cell};
    ///
    /// let board = text::parse(b".>m\n")?.board;
    /// assert_eq!((board.letter(Cell::new(0, 0)), board.letter(Cell::new(0, 2))), (None, Some('m')));
    /// assert_eq!(board.arrow(Cell::new(0, 1)), Some(Arrow::Right));
    /// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn letter(&self, cell: Cell) -> Option<char> {
        // Most boards have none, and every step asks.
        (!self.letters.is_empty()).then(|| self.letters.get(&cell).copied()).flatten()
    }

    /// Returns the squares with a letter, in reading order.
    pub fn letters(&self) -> impl Iterator<Item = (Cell, char)> + '_ {
        self.letters.iter().map(|(&cell, &letter)| (cell, letter))
    }

    /// Returns the board with this letter on an open square that is no exit, in place of another letter.
    ///
    /// # Errors
    /// When the cell is off the board, a wall or an exit, or the character is none of
    /// [`Board::is_letter`].
    ///
    /// ```
    /// use dragnet_formats::{board::make, cell::Cell};
    ///
    /// let board = make::open(1, 2)?.with_letter(Cell::new(0, 1), 'm')?;
    /// assert_eq!(board.letter(Cell::new(0, 1)), Some('m'));
    /// # Ok::<(), dragnet_formats::board::BoardError>(())
    /// ```
    pub fn with_letter(mut self, cell: Cell, letter: char) -> Result<Board, BoardError> {
        self.require_open(cell)?;
        if !Board::is_letter(letter) {
            return Err(BoardError::NotLetter { cell, found: letter });
        }
        if self.is_exit(cell) {
            return Err(BoardError::Letter { cell, letter });
        }
        self.letters.insert(cell, letter);
        Ok(self)
    }

    /// Returns the direction in which a piece leaves `cell`, or `None` if it may leave in all.
    #[must_use]
    #[inline]
    pub fn arrow(&self, cell: Cell) -> Option<Arrow> {
        self.letter(cell).and_then(Arrow::from_letter)
    }

    /// Returns whether `letter` is one that a square may have: an arrow, or a letter of the alphabet that
    /// means nothing else in the text form.
    #[must_use]
    pub fn is_letter(letter: char) -> bool {
        Arrow::from_letter(letter).is_some() || Board::is_rules_letter(letter)
    }

    /// Returns whether `letter` is one to which rules may give a meaning.
    #[must_use]
    pub fn is_rules_letter(letter: char) -> bool {
        letter.is_ascii_alphabetic() && !matches!(letter, 'E' | 'P' | 'T' | 'v')
    }

    /// Returns the number of floors, which have equally many rows.
    #[must_use]
    pub fn floors(&self) -> u16 {
        self.height / self.floor_height
    }

    /// Returns the number of rows of a floor.
    #[must_use]
    #[inline]
    pub fn floor_height(&self) -> u16 {
        self.floor_height
    }

    /// Returns the board with its rows cut into so many floors.
    ///
    /// # Errors
    /// [`BoardError::Floors`] when the floors would not have equally many rows.
    pub fn with_floors(self, floors: u16) -> Result<Board, BoardError> {
        match floors > 0 && self.height.is_multiple_of(floors) {
            true => Ok(Board { floor_height: self.height / floors, ..self }),
            false => Err(BoardError::Floors { height: self.height, found: floors }),
        }
    }

    /// Returns the thin walls between squares of the board.
    #[must_use]
    pub fn thin_walls(&self) -> &ThinWalls {
        &self.thin_walls
    }

    /// Returns the board with these thin walls alone.
    #[must_use]
    pub fn with_thin_walls(self, thin_walls: ThinWalls) -> Board {
        Board { thin_walls, ..self }
    }

    /// Returns whether a piece may stand on `cell`: it is on the board and no wall.
    #[must_use]
    #[inline]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.square(cell).is_some_and(|s| s != Square::Wall)
    }

    /// Returns whether `cell` is an exit.
    #[must_use]
    #[inline]
    pub fn is_exit(&self, cell: Cell) -> bool {
        self.square(cell) == Some(Square::Exit)
    }

    /// Returns `cell` if a piece may stand on it.
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

    /// Returns every cell in reading order with its square.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Square)> + '_ {
        let width = usize::from(self.width);
        self.squares
            .iter()
            .enumerate()
            .map(move |(i, &square)| (Cell::new((i / width) as u16, (i % width) as u16), square))
    }

    /// Returns the open cells, exits included, in reading order.
    pub fn open_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&(_, s)| s != Square::Wall).map(|(c, _)| c)
    }

    /// Returns the number of open cells, exits included.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.squares.iter().filter(|&&s| s != Square::Wall).count()
    }

    /// Returns the number of edges of a board that is a graph, where one both ways is a single one, or `None`
    /// for a board of squares.
    #[must_use]
    pub fn streets(&self) -> Option<usize> {
        self.graph().map(|graph| {
            let edges = (0..graph.vertices())
                .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)));
            // The targets of a board's vertex rise.
            let single =
                |&(from, to): &(u32, u32)| from < to || graph.successors(to).binary_search(&from).is_err();
            edges.filter(single).count()
        })
    }

    /// Returns the exits in reading order.
    pub fn exits(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&(_, s)| s == Square::Exit).map(|(c, _)| c)
    }

    /// Returns a copy of the board whose exits are exactly `exits`; former exits become open cells.
    ///
    /// # Errors
    /// When an exit is off the board, on a wall or on a square with a letter.
    pub fn with_exits(&self, exits: &[Cell]) -> Result<Board, BoardError> {
        let mut board = self.clone();
        for square in &mut board.squares {
            if *square == Square::Exit {
                *square = Square::Open;
            }
        }
        for &exit in exits {
            board.require_open(exit)?;
            if let Some(letter) = board.letter(exit) {
                return Err(BoardError::Letter { cell: exit, letter });
            }
            let i = usize::from(exit.row) * usize::from(self.width) + usize::from(exit.col);
            board.squares[i] = Square::Exit;
        }
        Ok(board)
    }

    /// Returns a copy of the board with walls on these cells too. Who stands on one leaves it as before.
    ///
    /// # Panics
    /// If a cell is off the board.
    #[must_use]
    pub fn with_walls(&self, walls: impl IntoIterator<Item = Cell>) -> Board {
        let mut board = self.clone();
        for cell in walls {
            let index = self.index(cell).expect("a cell of the board");
            board.squares[index] = Square::Wall;
        }
        board
    }

    /// Returns the index of `cell` in [`Board::squares`], or `None` off the board.
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
    fn board_of_edges_sorts_them_and_refuses_wrong_vertices() {
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
