//! The header: everything about a table but its values (`FORMAT.md` §3).

mod pack;
mod summary;

use crate::{
    board::Board,
    numbering::{Numbering, TileSize, Tiling},
    pieces::multisets,
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
};
use bincode::Options;
use pack::{EdgeFields, board_of_graph, pack_edges, pack_squares, unpack_edges, unpack_squares};
use serde::{Deserialize, Serialize};
pub use summary::{Counts, Longest, Summary};

/// Everything about a table but its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The board with its exits.
    pub board: Board,
    /// The rules of the game.
    pub rules: Rules,
    /// Size of the tiles in which the police officer is numbered.
    pub police_tile: TileSize,
    /// Size of the tiles in which the thief is numbered.
    pub thief_tile: TileSize,
    /// Counts, longest wins and digest.
    pub summary: Summary,
}

/// Why header bytes are not a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The bytes do not hold the fields.
    #[error("its fields cannot be read: {message}")]
    Fields {
        /// What bincode says.
        message: String,
    },
    /// More than [`MAX_HEADER_LEN`] bytes: a board with too many squares or edges.
    #[error("board and rules take more than the {MAX_HEADER_LEN} bytes that a header may have")]
    TooLong,
    /// A game that this version does not know.
    #[error("expected game 0 or 2 (pursuit), found game {found}")]
    Game {
        /// The number in the file.
        found: u32,
    },
    /// The board's size is impossible.
    #[error(transparent)]
    Board(#[from] crate::board::BoardError),
    /// The bytes of squares are too few or too many.
    #[error("expected {expected} bytes of squares, found {found}")]
    SquareBytes {
        /// For this height and width.
        expected: usize,
        /// In the file.
        found: usize,
    },
    /// A square's two bits are 3, or bits after the last square are set.
    #[error("byte {byte} of the squares has a square that is not defined")]
    UnknownSquare {
        /// Number of the byte.
        byte: usize,
    },
    /// The edges are not those of a graph on the board's squares, or not as they should stand.
    #[error(
        "expected for each vertex its degree, and rising targets below {vertices}, itself left out: {what}"
    )]
    Edges {
        /// Squares of the board.
        vertices: u32,
        /// What was found.
        what: &'static str,
    },
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] crate::rules::RulesError),
    /// A tile size is impossible.
    #[error(transparent)]
    TileSize(#[from] crate::numbering::TileSizeError),
    /// The tiles are too large for so many officers.
    #[error(transparent)]
    Slots(#[from] crate::numbering::SlotsError),
    /// More positions than can be counted.
    #[error(
        "{teams} teams of officers and {cells} cells for the thief make more positions than a table can have"
    )]
    TooManyPositions {
        /// Places of the police.
        teams: u64,
        /// Places of the thief.
        cells: u64,
    },
    /// The board has no open cell, so there is no position.
    #[error("the board has no open cell")]
    NoOpenCell,
    /// The outcomes do not add up to the number of positions.
    #[error("expected outcomes of {expected} positions for each side to move, found {found}")]
    Counts {
        /// Teams of officers times open cells.
        expected: u64,
        /// The sum in the file.
        found: u64,
    },
}

/// The most bytes that a header may have.
pub const MAX_HEADER_LEN: u32 = 1 << 20;

/// The header's fields in the order and types of the file.
#[derive(Serialize, Deserialize)]
struct Fields {
    game: u32,
    height: u16,
    width: u16,
    squares: Vec<u8>,
    officers: u8,
    police: SideFields,
    thief: SideFields,
    corner_cutting: bool,
    wrap: Wrap,
    stuck: Stuck,
    team: Team,
    police_tile: (u8, u8),
    thief_tile: (u8, u8),
    summary: Summary,
}

/// How a side moves in both games.
#[derive(Serialize, Deserialize)]
struct SideFields {
    moves: MoveSet,
    may_pass: bool,
}

/// What follows in game 2.
#[derive(PartialEq, Serialize, Deserialize)]
struct MoreFields {
    police_steps: u8,
    police_reach: u8,
    thief_steps: u8,
    thief_reach: u8,
    police_on_exit: PoliceOnExit,
    undecided: Undecided,
    edges: Option<EdgeFields>,
}

impl MoreFields {
    /// What they are in game 0.
    fn of_plain() -> MoreFields {
        MoreFields {
            police_steps: 1,
            police_reach: 1,
            thief_steps: 1,
            thief_reach: 1,
            police_on_exit: PoliceOnExit::Allowed,
            undecided: Undecided::Draw,
            edges: None,
        }
    }
}

const PURSUIT: u32 = 0;
const PURSUIT_BY_ALL_RULES: u32 = 2;

fn options() -> impl Options + Copy {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_HEADER_LEN.into())
}

fn unreadable(error: &bincode::ErrorKind) -> HeaderError {
    match error {
        bincode::ErrorKind::SizeLimit => HeaderError::TooLong,
        error => HeaderError::Fields { message: error.to_string() },
    }
}

impl Header {
    /// The header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.check()?;
        let side =
            |movement: &Movement| SideFields { moves: movement.moves.clone(), may_pass: movement.may_pass };
        let more = MoreFields {
            police_steps: self.rules.police.steps,
            police_reach: self.rules.police.reach,
            thief_steps: self.rules.thief.steps,
            thief_reach: self.rules.thief.reach,
            police_on_exit: self.rules.police_on_exit,
            undecided: self.rules.undecided,
            edges: self.board.graph().map(pack_edges),
        };
        let plain = more == MoreFields::of_plain();
        let fields = Fields {
            game: if plain { PURSUIT } else { PURSUIT_BY_ALL_RULES },
            height: self.board.height(),
            width: self.board.width(),
            squares: pack_squares(self.board.squares()),
            officers: self.rules.officers,
            police: side(&self.rules.police),
            thief: side(&self.rules.thief),
            corner_cutting: self.rules.corner_cutting,
            wrap: self.rules.wrap,
            stuck: self.rules.stuck,
            team: self.rules.team,
            police_tile: (self.police_tile.rows(), self.police_tile.cols()),
            thief_tile: (self.thief_tile.rows(), self.thief_tile.cols()),
            summary: self.summary,
        };
        if plain { options().serialize(&fields) } else { options().serialize(&(fields, more)) }
            .map_err(|error| unreadable(&error))
    }

    /// The header in `bytes`. Allocates no more than a small multiple of their number.
    ///
    /// # Errors
    /// When they are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        let game = bytes.first_chunk().map_or(PURSUIT, |bytes| u32::from_le_bytes(*bytes));
        let (fields, more): (Fields, MoreFields) = match game {
            PURSUIT => {
                (options().deserialize(bytes).map_err(|error| unreadable(&error))?, MoreFields::of_plain())
            }
            PURSUIT_BY_ALL_RULES => options().deserialize(bytes).map_err(|error| unreadable(&error))?,
            found => return Err(HeaderError::Game { found }),
        };
        let (height, width) = (usize::from(fields.height), usize::from(fields.width));
        Board::check_size(height, width)?;
        let squares = unpack_squares(&fields.squares, height * width)?;
        let board = match &more.edges {
            Some(edges) => board_of_graph(squares, &unpack_edges(edges, height, width)?)?,
            None => Board::new(height, width, squares)?,
        };
        let side = |fields: SideFields, steps, reach| Movement {
            moves: fields.moves,
            may_pass: fields.may_pass,
            steps,
            reach,
        };
        let header = Header {
            board,
            rules: Rules {
                officers: fields.officers,
                police: side(fields.police, more.police_steps, more.police_reach),
                thief: side(fields.thief, more.thief_steps, more.thief_reach),
                corner_cutting: fields.corner_cutting,
                wrap: fields.wrap,
                stuck: fields.stuck,
                team: fields.team,
                police_on_exit: more.police_on_exit,
                undecided: more.undecided,
            },
            police_tile: TileSize::new(fields.police_tile.0, fields.police_tile.1)?,
            thief_tile: TileSize::new(fields.thief_tile.0, fields.thief_tile.1)?,
            summary: fields.summary,
        };
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<(), HeaderError> {
        self.rules.check_on(&self.board)?;
        Numbering::check(self.police_tile, self.thief_tile, self.rules.officers)?;
        if self.board.open_count() == 0 {
            return Err(HeaderError::NoOpenCell);
        }
        let expected = Header::positions_of(&self.board, &self.rules)?;
        for counts in [self.summary.police_to_move, self.summary.thief_to_move] {
            if counts.total() != expected {
                return Err(HeaderError::Counts { expected, found: counts.total() });
            }
        }
        Ok(())
    }

    /// The numbering of the table's positions.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        Numbering::new(&self.board, self.police_tile, self.thief_tile, self.rules.officers)
    }

    /// How many blocks the numbering has; cheaper than making it.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        let tiles = |size| u64::from(Tiling::count(&self.board, size));
        let police = multisets(tiles(self.police_tile), self.rules.officers.into());
        police * tiles(self.thief_tile)
    }

    /// All positions of the game, both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        2 * self.summary.police_to_move.total()
    }

    /// The positions of a game with one side to move.
    ///
    /// # Errors
    /// [`HeaderError::TooManyPositions`] when there are more than 2⁶⁰.
    pub fn positions_of(board: &Board, rules: &Rules) -> Result<u64, HeaderError> {
        let cells = board.open_count() as u64;
        let teams = multisets(cells, rules.officers.into());
        let positions = teams.checked_mul(cells).filter(|&positions| positions <= 1 << 60);
        positions.ok_or(HeaderError::TooManyPositions { teams, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Square, cell::Cell, graph::GraphBuilder};
    use proptest::prelude::*;

    fn header(height: usize, width: usize, squares: Vec<Square>) -> Header {
        let board = Board::new(height, width, squares).unwrap();
        let cells = board.open_count() as u64;
        let counts = Counts { police: cells * cells, ..Counts::default() };
        let summary = Summary { police_to_move: counts, thief_to_move: counts, ..Summary::default() };
        let tile = TileSize::new(8, 8).unwrap();
        Header { board, rules: Rules::chase(), police_tile: tile, thief_tile: tile, summary }
    }

    /// The header's bytes with those from `at` on replaced.
    fn altered(at: usize, by: &[u8]) -> Result<Header, HeaderError> {
        let mut bytes = header(1, 5, vec![Square::Open; 5]).to_bytes().unwrap();
        bytes[at..at + by.len()].copy_from_slice(by);
        Header::from_bytes(&bytes)
    }

    #[test]
    fn every_check_fires() {
        assert_eq!(altered(0, &[0]), Ok(header(1, 5, vec![Square::Open; 5])));
        assert_eq!(altered(0, &[3]), Err(HeaderError::Game { found: 3 }));
        assert!(matches!(altered(4, &[0, 0]), Err(HeaderError::Board(_))));
        assert!(matches!(altered(4, &[255, 255, 255, 255]), Err(HeaderError::Board(_))));
        assert_eq!(altered(4, &[2]), Err(HeaderError::SquareBytes { expected: 3, found: 2 }));
        assert!(matches!(altered(8, &[255; 8]), Err(HeaderError::Fields { .. })), "hostile length");
        assert_eq!(altered(16, &[0xFF]), Err(HeaderError::UnknownSquare { byte: 0 }));
        assert_eq!(altered(17, &[0b0101]), Err(HeaderError::UnknownSquare { byte: 1 }));
        assert!(matches!(altered(18, &[0]), Err(HeaderError::Rules(_))));
        assert!(matches!(altered(18, &[7]), Err(HeaderError::Rules(_))));
        assert!(matches!(altered(18, &[3]), Err(HeaderError::Slots(_))));
        assert!(matches!(altered(19, &[9]), Err(HeaderError::Fields { .. })), "unknown move set");
        assert!(matches!(altered(23, &[2]), Err(HeaderError::Fields { .. })), "a bool of 2");
        assert!(matches!(altered(42, &[0]), Err(HeaderError::TileSize(_))));
        assert!(matches!(altered(46, &[1]), Err(HeaderError::Counts { expected: 25, .. })));
        assert_eq!(altered(16, &[0, 0]), Err(HeaderError::NoOpenCell));
        let mut long = header(1, 1, vec![Square::Open]).to_bytes().unwrap();
        long.push(0);
        assert!(matches!(Header::from_bytes(&long), Err(HeaderError::Fields { .. })));
    }

    /// A header of game 2: two officers on a triangle with a tail, whose end is an exit.
    fn on_graph() -> Header {
        let mut edges = GraphBuilder::new();
        for (from, to) in [(0, 1), (1, 2), (2, 0), (2, 3)] {
            edges.add(from, to).unwrap();
        }
        let board = Board::of_graph(&edges.build()).unwrap().with_exits(&[Cell::new(0, 3)]).unwrap();
        let thief = Movement { steps: 3, ..Rules::cops().thief };
        let ends = (PoliceOnExit::Wins, Undecided::Thief);
        let rules = Rules { officers: 2, thief, police_on_exit: ends.0, undecided: ends.1, ..Rules::cops() };
        let summary = Summary::of_draws(Header::positions_of(&board, &rules).unwrap());
        let tile = TileSize::new(1, 4).unwrap();
        Header { board, rules, police_tile: tile, thief_tile: tile, summary }
    }

    #[test]
    fn every_check_of_rules_and_edges_fires() {
        let whole = on_graph();
        let bytes = whole.to_bytes().unwrap();
        assert_eq!(Header::from_bytes(&bytes), Ok(whole));
        let edges = bytes.len() - (8 + 4 * 2) - (8 + 4 * 2);
        let altered = |at: usize, by: &[u8]| {
            let mut bytes = bytes.clone();
            bytes[at..at + by.len()].copy_from_slice(by);
            Header::from_bytes(&bytes).unwrap_err()
        };
        // Degrees 1 1 2 0, targets 1, 2, 0 3.
        let (degrees, targets) = (edges + 8, edges + 24);
        for (at, by) in [(degrees, [2u8, 0]), (targets, [0, 0]), (targets, [4, 0]), (targets + 4, [3, 0])] {
            assert!(matches!(altered(at, &by), HeaderError::Edges { vertices: 4, .. }), "{by:?} at {at}");
        }
        assert!(matches!(altered(edges, &[3]), HeaderError::Edges { .. } | HeaderError::Fields { .. }));
        // The sides' steps and reaches, what exits are, for whom a draw counts, and whether there are edges.
        let more = edges - 13;
        for at in more..more + 4 {
            assert!(matches!(altered(at, &[0]), HeaderError::Rules(_)));
        }
        assert!(matches!(altered(more + 1, &[2]), HeaderError::Rules(_)), "a graph has no directions");
        for at in [more + 4, more + 8, more + 12] {
            assert!(matches!(altered(at, &[3]), HeaderError::Fields { .. }));
        }
        assert!(matches!(altered(0, &[0]), HeaderError::Fields { .. }), "game 0 has none of that");
        let wall = altered(16, &[0]);
        assert_eq!(wall, HeaderError::UnknownSquare { byte: 0 });
    }

    #[test]
    fn plain_rules_are_written_as_game_0() {
        assert_eq!(header(1, 5, vec![Square::Open; 5]).to_bytes().unwrap()[0], 0);
        assert_eq!(on_graph().to_bytes().unwrap()[0], 2);
        let many = (0..1100u64).flat_map(|from| (0..1100).map(move |to| (from, to)));
        let mut edges = GraphBuilder::new();
        many.for_each(|(from, to)| edges.add(from, to).unwrap());
        let board = Board::of_graph(&edges.build()).unwrap();
        let summary = Summary::of_draws(1100 * 1100);
        let tile = TileSize::ONE;
        let header = Header { board, rules: Rules::cops(), police_tile: tile, thief_tile: tile, summary };
        assert_eq!(header.to_bytes(), Err(HeaderError::TooLong));
    }

    proptest! {
        #[test]
        fn headers_round_trip(squares in prop::collection::vec(
            prop::sample::select(vec![Square::Wall, Square::Open, Square::Exit]), 1..40,
        )) {
            let mut squares = squares;
            squares[0] = Square::Open;
            let header = header(1, squares.len(), squares);
            prop_assert_eq!(Header::from_bytes(&header.to_bytes().unwrap()), Ok(header));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Header::from_bytes(&bytes);
        }
    }
}
