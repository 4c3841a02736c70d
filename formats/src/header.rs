//! The header: everything about a table but its values (`FORMAT.md` §3).

use crate::{
    board::{Board, Square},
    numbering::{Numbering, TileSize, Tiling},
    rules::{Movement, Rules, Stuck, Team, Wrap},
    value::{Outcome, Plies},
};
use bincode::Options;
use serde::{Deserialize, Serialize};

/// How many positions each outcome has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counts {
    /// Positions that the police wins.
    pub police: u64,
    /// Positions that the thief wins.
    pub thief: u64,
    /// Positions that nobody wins.
    pub draw: u64,
}

impl Counts {
    /// Counts `n` more positions with this outcome.
    pub fn add(&mut self, outcome: Outcome, n: u64) {
        match outcome {
            Outcome::Police => self.police += n,
            Outcome::Thief => self.thief += n,
            Outcome::Draw => self.draw += n,
        }
    }

    /// All positions; saturates on absurd counts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.police.saturating_add(self.thief).saturating_add(self.draw)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.police += other.police;
        self.thief += other.thief;
        self.draw += other.draw;
    }
}

/// The longest win of each side, in plies; 0 if it wins no position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Longest {
    /// Greatest DTW of a position that the police wins.
    pub police: Plies,
    /// Greatest DTW of a position that the thief wins.
    pub thief: Plies,
}

impl Longest {
    /// Takes a position won by `outcome` in `dtw` plies into account.
    pub fn add(&mut self, outcome: Outcome, dtw: Plies) {
        match outcome {
            Outcome::Police => self.police = self.police.max(dtw),
            Outcome::Thief => self.thief = self.thief.max(dtw),
            Outcome::Draw => {}
        }
    }
}

/// What a table says as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Summary {
    /// Outcomes of the positions with the police to move.
    pub police_to_move: Counts,
    /// Outcomes of the positions with the thief to move.
    pub thief_to_move: Counts,
    /// The longest wins, whoever is to move.
    pub longest: Longest,
    /// The content digest: the wrapping sum of [`digest_term`](crate::digest::digest_term).
    pub digest: u64,
}

impl Summary {
    /// That of a table with this many open cells of which every position is a draw; the digest is left out. For headers of which
    /// only board, rules and numbering matter.
    #[must_use]
    pub fn of_draws(cells: u64) -> Summary {
        let draws = Counts { draw: cells * cells, ..Counts::default() };
        Summary { police_to_move: draws, thief_to_move: draws, ..Summary::default() }
    }

    /// Takes the summary of other positions of the same table into account.
    pub fn merge(&mut self, other: &Summary) {
        self.police_to_move += other.police_to_move;
        self.thief_to_move += other.thief_to_move;
        self.longest.police = self.longest.police.max(other.longest.police);
        self.longest.thief = self.longest.thief.max(other.longest.thief);
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

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
    /// A game that this version does not know.
    #[error("expected game 0 (pursuit on a board), found game {found}")]
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
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] crate::rules::RulesError),
    /// A tile size is impossible.
    #[error(transparent)]
    TileSize(#[from] crate::numbering::TileSizeError),
    /// The board has no open cell, so there is no position.
    #[error("the board has no open cell")]
    NoOpenCell,
    /// The outcomes do not add up to the number of positions.
    #[error("expected outcomes of {expected} positions for each side to move, found {found}")]
    Counts {
        /// Open cells squared.
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
    police: Movement,
    thief: Movement,
    corner_cutting: bool,
    wrap: Wrap,
    stuck: Stuck,
    team: Team,
    police_tile: (u8, u8),
    thief_tile: (u8, u8),
    summary: Summary,
}

const PURSUIT: u32 = 0;

fn options() -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_HEADER_LEN.into())
}

impl Header {
    /// The header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        let fields = Fields {
            game: PURSUIT,
            height: self.board.height(),
            width: self.board.width(),
            squares: pack_squares(self.board.squares()),
            officers: self.rules.officers,
            police: self.rules.police.clone(),
            thief: self.rules.thief.clone(),
            corner_cutting: self.rules.corner_cutting,
            wrap: self.rules.wrap,
            stuck: self.rules.stuck,
            team: self.rules.team,
            police_tile: (self.police_tile.rows(), self.police_tile.cols()),
            thief_tile: (self.thief_tile.rows(), self.thief_tile.cols()),
            summary: self.summary,
        };
        self.check()?;
        options().serialize(&fields).map_err(|e| HeaderError::Fields { message: e.to_string() })
    }

    /// The header in `bytes`. Allocates no more than a small multiple of their number.
    ///
    /// # Errors
    /// When they are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        let fields: Fields =
            options().deserialize(bytes).map_err(|e| HeaderError::Fields { message: e.to_string() })?;
        if fields.game != PURSUIT {
            return Err(HeaderError::Game { found: fields.game });
        }
        let (height, width) = (usize::from(fields.height), usize::from(fields.width));
        Board::check_size(height, width)?;
        let header = Header {
            board: Board::new(height, width, unpack_squares(&fields.squares, height * width)?)?,
            rules: Rules {
                officers: fields.officers,
                police: fields.police,
                thief: fields.thief,
                corner_cutting: fields.corner_cutting,
                wrap: fields.wrap,
                stuck: fields.stuck,
                team: fields.team,
            },
            police_tile: TileSize::new(fields.police_tile.0, fields.police_tile.1)?,
            thief_tile: TileSize::new(fields.thief_tile.0, fields.thief_tile.1)?,
            summary: fields.summary,
        };
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<(), HeaderError> {
        self.rules.check()?;
        let cells = self.board.open_count() as u64;
        if cells == 0 {
            return Err(HeaderError::NoOpenCell);
        }
        for counts in [self.summary.police_to_move, self.summary.thief_to_move] {
            if counts.total() != cells * cells {
                return Err(HeaderError::Counts { expected: cells * cells, found: counts.total() });
            }
        }
        Ok(())
    }

    /// The numbering of the table's positions.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        Numbering::new(&self.board, self.police_tile, self.thief_tile)
    }

    /// How many blocks the numbering has; cheaper than making it.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        let tiles = |size| u64::from(Tiling::count(&self.board, size));
        tiles(self.police_tile) * tiles(self.thief_tile)
    }

    /// All positions of the game, both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let cells = self.board.open_count() as u64;
        2 * cells * cells
    }
}

fn pack_squares(squares: &[Square]) -> Vec<u8> {
    let bits = |square: &Square| match square {
        Square::Wall => 0,
        Square::Open => 1,
        Square::Exit => 2,
    };
    squares.chunks(4).map(|four| four.iter().rev().fold(0, |byte, s| byte << 2 | bits(s))).collect()
}

fn unpack_squares(bytes: &[u8], count: usize) -> Result<Vec<Square>, HeaderError> {
    let expected = count.div_ceil(4);
    if bytes.len() != expected {
        return Err(HeaderError::SquareBytes { expected, found: bytes.len() });
    }
    let mut squares = Vec::with_capacity(count);
    for (i, &four) in bytes.iter().enumerate() {
        for shift in [0, 2, 4, 6] {
            let square = match four >> shift & 3 {
                0 => Square::Wall,
                1 => Square::Open,
                2 => Square::Exit,
                _ => return Err(HeaderError::UnknownSquare { byte: i }),
            };
            if squares.len() < count {
                squares.push(square);
            } else if square != Square::Wall {
                return Err(HeaderError::UnknownSquare { byte: i });
            }
        }
    }
    Ok(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(altered(0, &[1]), Err(HeaderError::Game { found: 1 }));
        assert!(matches!(altered(4, &[0, 0]), Err(HeaderError::Board(_))));
        assert!(matches!(altered(4, &[255, 255, 255, 255]), Err(HeaderError::Board(_))));
        assert_eq!(altered(4, &[2]), Err(HeaderError::SquareBytes { expected: 3, found: 2 }));
        assert!(matches!(altered(8, &[255; 8]), Err(HeaderError::Fields { .. })), "hostile length");
        assert_eq!(altered(16, &[0xFF]), Err(HeaderError::UnknownSquare { byte: 0 }));
        assert_eq!(altered(17, &[0b0101]), Err(HeaderError::UnknownSquare { byte: 1 }));
        assert!(matches!(altered(18, &[0]), Err(HeaderError::Rules(_))));
        assert!(matches!(altered(18, &[3]), Err(HeaderError::Rules(_))));
        assert!(matches!(altered(19, &[9]), Err(HeaderError::Fields { .. })), "unknown move set");
        assert!(matches!(altered(23, &[2]), Err(HeaderError::Fields { .. })), "a bool of 2");
        assert!(matches!(altered(42, &[0]), Err(HeaderError::TileSize(_))));
        assert!(matches!(altered(46, &[1]), Err(HeaderError::Counts { expected: 25, .. })));
        assert_eq!(altered(16, &[0, 0]), Err(HeaderError::NoOpenCell));
        let mut long = header(1, 1, vec![Square::Open]).to_bytes().unwrap();
        long.push(0);
        assert!(matches!(Header::from_bytes(&long), Err(HeaderError::Fields { .. })));
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
