//! The header of a pursuit table (`FORMAT.md` §3).

use super::{
    error::{HeaderError, MAX_HEADER_LEN},
    setting::{self, MoreFields, SettingFields},
    summary::Summary,
};
use crate::{
    board::Board,
    numbering::{Numbering, TileSize, Tiling},
    pieces::multisets,
    rules::Rules,
};
use bincode::Options;
use serde::{Deserialize, Serialize};

/// Everything about a pursuit table but its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The board with its exits.
    pub board: Board,
    /// The rules of the game.
    pub rules: Rules,
    /// The size of the tiles in which the police officers are numbered.
    pub police_tile: TileSize,
    /// The size of the tiles in which the thief is numbered.
    pub thief_tile: TileSize,
    /// The counts, longest wins and digest.
    pub summary: Summary,
}

/// The header's fields in the order and types of the file.
#[derive(Serialize, Deserialize)]
pub(super) struct PlainFields {
    game: u32,
    setting: SettingFields,
    police_tile: (u8, u8),
    thief_tile: (u8, u8),
    summary: Summary,
}

/// All fields of game 2, with which a partial table begins, too.
pub(super) type AllFields = (PlainFields, MoreFields);

const PURSUIT: u32 = 0;
const PURSUIT_BY_ALL_RULES: u32 = 2;
/// The game of partial tables.
pub(crate) const PARTIAL: u32 = 3;

pub(super) fn options() -> impl Options + Copy {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_HEADER_LEN.into())
}

pub(super) fn unreadable(error: &bincode::ErrorKind) -> HeaderError {
    match error {
        bincode::ErrorKind::SizeLimit => HeaderError::TooLong,
        error => HeaderError::Fields { message: error.to_string() },
    }
}

impl Header {
    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        let (mut plain, more) = self.fields(PURSUIT_BY_ALL_RULES)?;
        if more == MoreFields::of_plain() {
            plain.game = PURSUIT;
            options().serialize(&plain)
        } else {
            options().serialize(&(plain, more))
        }
        .map_err(|error| unreadable(&error))
    }

    /// Returns the fields of a table with this header whose field `game` has this number.
    pub(super) fn fields(&self, game: u32) -> Result<AllFields, HeaderError> {
        self.check()?;
        let (setting, more) = setting::pack(&self.board, &self.rules);
        let plain = PlainFields {
            game,
            setting,
            police_tile: (self.police_tile.rows(), self.police_tile.cols()),
            thief_tile: (self.thief_tile.rows(), self.thief_tile.cols()),
            summary: self.summary,
        };
        Ok((plain, more))
    }

    /// Reads the header in `bytes`. Allocates no more than a small multiple of their number.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        let game = bytes.first_chunk().map_or(PURSUIT, |bytes| u32::from_le_bytes(*bytes));
        Header::of_fields(match game {
            PURSUIT => {
                (options().deserialize(bytes).map_err(|error| unreadable(&error))?, MoreFields::of_plain())
            }
            PURSUIT_BY_ALL_RULES => options().deserialize(bytes).map_err(|error| unreadable(&error))?,
            found => return Err(HeaderError::Game { found }),
        })
    }

    /// Returns the header that these fields say.
    pub(super) fn of_fields((fields, more): AllFields) -> Result<Header, HeaderError> {
        let (board, rules) = setting::unpack(fields.setting, more)?;
        let header = Header {
            board,
            rules,
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
        check_counts(&self.summary, Header::positions_of(&self.board, &self.rules)?)
    }

    /// Creates the numbering of the table's positions.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        let places = self.board.places();
        Numbering::new(&places, &places, [self.police_tile, self.thief_tile], self.rules.officers)
    }

    /// Returns the number of blocks; cheaper than creating the numbering.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        let places = self.board.places();
        let tiles = |size| u64::from(Tiling::count(&places, size));
        let police = multisets(tiles(self.police_tile), self.rules.officers.into());
        police * tiles(self.thief_tile)
    }

    /// Returns the number of positions of the game, with both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        2 * self.summary.police_to_move.total()
    }

    /// Returns the number of positions of a game with one side to move.
    ///
    /// # Errors
    /// [`HeaderError::TooManyPositions`] when there are more than 2⁶⁰.
    pub fn positions_of(board: &Board, rules: &Rules) -> Result<u64, HeaderError> {
        let cells = board.open_count() as u64;
        side_positions([cells, cells], rules.officers)
    }
}

/// Returns the number of positions with one side to move, of an officer and a thief with so many places.
pub(super) fn side_positions([police, cells]: [u64; 2], officers: u8) -> Result<u64, HeaderError> {
    let teams = multisets(police, officers.into());
    let positions = teams.checked_mul(cells).filter(|&positions| positions <= 1 << 60);
    positions.ok_or(HeaderError::TooManyPositions { teams, cells })
}

/// Checks that the counts of each side are of so many positions.
pub(super) fn check_counts(summary: &Summary, expected: u64) -> Result<(), HeaderError> {
    for counts in [summary.police_to_move, summary.thief_to_move] {
        if counts.total() != expected {
            return Err(HeaderError::Counts { expected, found: counts.total() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::summary::Counts, *};
    use crate::rules::{Movement, PoliceOnExit, Undecided};
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
    fn every_check_of_a_plain_header_fires() {
        assert_eq!(altered(0, &[0]), Ok(header(1, 5, vec![Square::Open; 5])));
        assert_eq!(altered(0, &[4]), Err(HeaderError::Game { found: 4 }));
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
    fn every_check_of_a_header_with_rules_and_edges_fires() {
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
        // The sides' steps and reaches, the meaning of exits, the side that a draw counts for, and whether
        // there are edges.
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
    fn plain_rules_are_written_as_game_0_and_too_long_headers_refused() {
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
