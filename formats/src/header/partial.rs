//! The header of a partial table (`FORMAT.md` §11).

use super::{
    error::HeaderError,
    pursuit::{AllFields, Header, PARTIAL, options, unreadable},
};
use crate::{
    board::Board,
    cell::{Cell, Side},
    game::MoveTable,
    moves::Steps,
    pieces::Pieces,
    rules::Rules,
};
use bincode::Options;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::{collections::BTreeSet, fmt};

/// The part of a pursuit table's knowledge that a partial table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The side that wins each position.
    Outcomes,
    /// A best move of each position with this side to move.
    MovesOf(Side),
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Outcomes => f.write_str("who wins"),
            Keep::MovesOf(side) => write!(f, "the moves of the {side}"),
        }
    }
}

/// Everything about a partial table but what it keeps of each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialHeader {
    /// Board, rules, tile sizes, and the summary of the pursuit table from which this one was made.
    pub game: Header,
    /// The part of the pursuit table that the table keeps.
    pub keep: Keep,
    /// The differences between the numbers of the squares where a move of one piece ends and begins, of all
    /// squares in reading order. They rise; there are none if the table keeps no moves.
    pub differences: Vec<i32>,
}

/// The fields behind those of game 2.
#[derive(Serialize, Deserialize)]
struct PartialFields {
    keeps: u32,
    differences: Vec<i32>,
}

/// The greatest number of different codes of a table that keeps moves, but for that of no move.
const MAX_MOVE_CODES: u64 = 1 << 30;

/// Returns how many pieces a side moves.
fn pieces(rules: &Rules, side: Side) -> u32 {
    match side {
        Side::Police => rules.officers.into(),
        Side::Thief => 1,
    }
}

impl PartialHeader {
    /// Creates the header of a table that keeps this part of the pursuit table with the header `game`, whose
    /// tile sizes it has.
    ///
    /// # Errors
    /// [`HeaderError::MoveCodes`] when a team of so many officers has more moves than codes can tell apart.
    pub fn new(game: Header, keep: Keep) -> Result<PartialHeader, HeaderError> {
        let differences = match keep {
            Keep::Outcomes => Vec::new(),
            Keep::MovesOf(side) => differences(&game.board, &game.rules, side),
        };
        let header = PartialHeader { game, keep, differences };
        header.check()?;
        Ok(header)
    }

    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.check()?;
        let fields = self.game.fields(PARTIAL)?;
        let keeps = match self.keep {
            Keep::Outcomes => 0,
            Keep::MovesOf(Side::Police) => 1,
            Keep::MovesOf(Side::Thief) => 2,
        };
        let partial = PartialFields { keeps, differences: self.differences.clone() };
        options().serialize(&(fields, partial)).map_err(|error| unreadable(&error))
    }

    /// Reads the header in `bytes`. Allocates no more than a small multiple of their number.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<PartialHeader, HeaderError> {
        let (fields, partial): (AllFields, PartialFields) =
            options().deserialize(bytes).map_err(|error| unreadable(&error))?;
        let keep = match partial.keeps {
            0 => Keep::Outcomes,
            1 => Keep::MovesOf(Side::Police),
            2 => Keep::MovesOf(Side::Thief),
            found => return Err(HeaderError::Keep { found }),
        };
        let header =
            PartialHeader { game: Header::of_fields(fields)?, keep, differences: partial.differences };
        header.check()?;
        Ok(header)
    }

    /// Returns the code of the move that leads each piece of the side, which stand on `from` in reading
    /// order, to the cell at its place in `to`. Returns `None` if a table of this header keeps no such move.
    #[must_use]
    pub fn move_code(&self, from: &[Cell], to: &[Cell]) -> Option<u32> {
        let index = |cell| Some(self.game.board.index(cell)? as i32);
        let mut code = 0;
        for (&from, &to) in from.iter().zip(to).rev() {
            let difference = index(to)? - index(from)?;
            code = code * self.differences.len() as u32
                + self.differences.binary_search(&difference).ok()? as u32;
        }
        Some(code + 1)
    }

    /// Returns the cells to which the move with this code leads the pieces of the side, which stand on `from`
    /// in reading order, piece by piece. Returns `None` if `code` is 0 or above those of moves, or leads off
    /// the board; whether the move is legal has not been checked.
    #[must_use]
    pub fn cells_of_move(&self, from: &[Cell], code: u32) -> Option<SmallVec<[Cell; Pieces::MAX]>> {
        let (board, count) = (&self.game.board, self.differences.len());
        let mut left = code.checked_sub(1)? as usize;
        let mut cells = SmallVec::new();
        for &from in from {
            let difference = *self.differences.get(left.checked_rem(count)?)?;
            left /= count;
            let square = board.index(from)?.checked_add_signed(difference as isize)?;
            let width = usize::from(board.width());
            let row = u16::try_from(square / width).ok().filter(|&row| row < board.height())?;
            cells.push(Cell::new(row, (square % width) as u16));
        }
        (left == 0).then_some(cells)
    }

    fn check(&self) -> Result<(), HeaderError> {
        let Keep::MovesOf(side) = self.keep else {
            return if self.differences.is_empty() { Ok(()) } else { Err(HeaderError::Differences) };
        };
        let squares = self.game.board.squares().len() as i32;
        let differences = &self.differences;
        let rise = differences.is_sorted_by(|a, b| a < b);
        let fit = differences.iter().all(|&difference| (1 - squares..squares).contains(&difference));
        if differences.is_empty() || !rise || !fit {
            return Err(HeaderError::Differences);
        }
        let pieces = pieces(&self.game.rules, side);
        match (differences.len() as u64).checked_pow(pieces) {
            Some(codes) if codes <= MAX_MOVE_CODES => Ok(()),
            _ => Err(HeaderError::MoveCodes { differences: differences.len(), pieces }),
        }
    }
}

/// Returns the sorted set of the differences target − origin between square numbers over all moves of one
/// piece of this side, with 0 if a piece may stay where it is.
fn differences(board: &Board, rules: &Rules, side: Side) -> Vec<i32> {
    let squares: Vec<i32> = board
        .open_cells()
        .map(|cell| board.index(cell).expect("an open cell is on the board") as i32)
        .collect();
    let moves = MoveTable::new(board, &Steps::new(rules, side));
    let mut differences: BTreeSet<i32> = (squares.iter().enumerate())
        .flat_map(|(from, &square)| moves.of(from).iter().map(move |&to| (to, square)))
        .map(|(to, square)| squares[to as usize] - square)
        .collect();
    // An officer stands while another moves; and there must be a difference, even if nobody can move.
    differences.insert(0);
    differences.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{super::summary::Summary, *};
    use crate::{board::make, numbering::EIGHT};

    fn header(rules: Rules) -> Header {
        let board = make::open(4, 5).unwrap();
        let summary = Summary::of_draws(Header::positions_of(&board, &rules).unwrap());
        Header { board, rules, police_tile: EIGHT, thief_tile: EIGHT, summary }
    }

    fn partial(keep: Keep) -> PartialHeader {
        PartialHeader::new(header(Rules::chase()), keep).unwrap()
    }

    #[test]
    fn headers_of_each_kind_round_trip_and_every_check_fires() {
        for keep in [Keep::Outcomes, Keep::MovesOf(Side::Police), Keep::MovesOf(Side::Thief)] {
            let header = partial(keep);
            let bytes = header.to_bytes().unwrap();
            assert_eq!(PartialHeader::from_bytes(&bytes), Ok(header));
            assert_eq!(Header::from_bytes(&bytes), Err(HeaderError::Game { found: 3 }));
            assert!(matches!(
                PartialHeader::from_bytes(&bytes[..bytes.len() - 1]),
                Err(HeaderError::Fields { .. })
            ));
        }
        let bytes = partial(Keep::Outcomes).to_bytes().unwrap();
        let mut unknown = bytes.clone();
        unknown[bytes.len() - 12] = 3;
        assert_eq!(PartialHeader::from_bytes(&unknown), Err(HeaderError::Keep { found: 3 }));
        let mut without_differences = bytes.clone();
        without_differences[bytes.len() - 12] = 1;
        assert_eq!(PartialHeader::from_bytes(&without_differences), Err(HeaderError::Differences));
        let thief = partial(Keep::MovesOf(Side::Thief));
        let refused = |differences: &[i32]| {
            PartialHeader { differences: differences.to_vec(), ..thief.clone() }.to_bytes().unwrap_err()
        };
        for differences in [&[1, 0][..], &[1, 1], &[0, 20], &[-20, 0]] {
            assert_eq!(refused(differences), HeaderError::Differences, "{differences:?}");
        }
        let outcomes = PartialHeader { keep: Keep::Outcomes, ..thief };
        assert_eq!(outcomes.to_bytes(), Err(HeaderError::Differences));
    }

    #[test]
    fn a_king_has_nine_differences_and_a_team_a_code_for_each_combination() {
        let rules = Rules { officers: 2, ..Rules::chase() };
        let header = PartialHeader::new(header(rules), Keep::MovesOf(Side::Police)).unwrap();
        assert_eq!(header.differences, [-6, -5, -4, -1, 0, 1, 4, 5, 6]);
        let (from, to) = ([Cell::new(1, 1), Cell::new(3, 4)], [Cell::new(0, 0), Cell::new(3, 3)]);
        assert_eq!(header.move_code(&from, &to), Some(1 + 3 * 9));
        assert_eq!(header.cells_of_move(&from, 28).as_deref(), Some(&to[..]));
        assert_eq!(header.move_code(&from, &[Cell::new(3, 3), Cell::new(3, 4)]), None);
        assert_eq!(header.cells_of_move(&from, 0), None);
        assert_eq!(header.cells_of_move(&from, 82), None, "more than 81 moves");
        assert_eq!(header.cells_of_move(&from, 1 + 8 * 9), None, "the second officer would leave the board");
    }

    #[test]
    fn moves_of_too_many_officers_with_too_many_moves_are_refused() {
        let mut rules = Rules { officers: 6, ..Rules::chase() };
        rules.police.steps = 4;
        let board = make::open(9, 9).unwrap();
        let summary = Summary::of_draws(Header::positions_of(&board, &rules).unwrap());
        let tile = crate::numbering::TileSize::ONE;
        let header = Header { board, rules, police_tile: tile, thief_tile: tile, summary };
        let refused = PartialHeader::new(header.clone(), Keep::MovesOf(Side::Police));
        assert_eq!(refused, Err(HeaderError::MoveCodes { differences: 81, pieces: 6 }));
        assert!(PartialHeader::new(header, Keep::MovesOf(Side::Thief)).is_ok());
    }
}
