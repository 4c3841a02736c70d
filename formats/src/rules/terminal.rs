//! The terminal rule: which side has won a position without a move.
//!
//! Three facts decide: whether an officer stands on the thief's cell (*captured*), whether the thief stands
//! on an exit (*escaped*), and whether an officer stands on an exit under rules by which that wins
//! (*arrived*). A capture comes first, then an escape, then an arrival. [`decide`] states this once, for a
//! single position (`bool`) as well as for the 64 thief cells of a word (`u64`, one bit per position). All
//! other functions here collect the facts for it.

use super::options::PoliceOnExit;
use crate::{
    board::{Board, Square},
    cell::Side,
};
use std::ops::{BitAnd, BitOr, Not};

/// The terminal positions among some positions, by the side that has won them. `bool` stands for one
/// position, `u64` for 64 positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wins<B> {
    /// The positions that the police has won.
    pub police: B,
    /// The positions that the thief has won.
    pub thief: B,
}

impl<B: Copy + BitOr<Output = B>> Wins<B> {
    /// Returns the positions that `side` has won.
    #[must_use]
    #[inline(always)]
    pub fn of(self, side: Side) -> B {
        match side {
            Side::Police => self.police,
            Side::Thief => self.thief,
        }
    }

    /// Returns the terminal positions, whichever side has won them.
    #[must_use]
    #[inline(always)]
    pub fn either(self) -> B {
        self.police | self.thief
    }
}

impl Wins<bool> {
    /// Returns the side that has won the position, or `None` if it is not terminal.
    #[must_use]
    #[inline(always)]
    pub fn winner(self) -> Option<Side> {
        if self.police {
            Some(Side::Police)
        } else if self.thief {
            Some(Side::Thief)
        } else {
            None
        }
    }
}

/// Returns the terminal positions among those with these three facts, given as `bool` or bit by bit.
///
/// ```
/// use dragnet_formats::{cell::Side, rules::terminal::decide};
///
/// // A thief who is captured on an exit has lost.
/// assert_eq!(decide(true, true, false).winner(), Some(Side::Police));
/// // Four positions at once, one bit each. An officer is on an exit. The thief is on another in two
/// // positions, and captured in one of these.
/// let wins = decide(0b0001, 0b0011, 0b1111_u64);
/// assert_eq!((wins.police, wins.thief), (0b1101, 0b0010));
/// ```
#[must_use]
#[inline(always)]
pub fn decide<B>(captured: B, escaped: B, arrived: B) -> Wins<B>
where
    B: Copy + BitAnd<Output = B> + BitOr<Output = B> + Not<Output = B>,
{
    Wins { police: captured | (arrived & !escaped), thief: escaped & !captured }
}

/// Returns the side that has won one position, or `None` if it is not terminal: [`decide`] for a single
/// position.
#[must_use]
#[inline(always)]
pub fn winner(captured: bool, escaped: bool, arrived: bool) -> Option<Side> {
    decide(captured, escaped, arrived).winner()
}

/// The terminal rule on one board. Cells are numbered in reading order over the open cells of the board.
#[derive(Clone, Debug)]
pub struct TerminalRule {
    /// Whether each open cell is an exit.
    exits: Vec<bool>,
    /// Whether the police wins with an officer on an exit.
    arrival_wins: bool,
}

impl TerminalRule {
    /// Creates the rule for `board`. Takes one byte of memory per open cell.
    #[must_use]
    pub fn new(board: &Board, police_on_exit: PoliceOnExit) -> TerminalRule {
        let open = board.squares().iter().filter(|&&square| square != Square::Wall);
        TerminalRule {
            exits: open.map(|&square| square == Square::Exit).collect(),
            arrival_wins: police_on_exit == PoliceOnExit::Wins,
        }
    }

    /// Returns for each open cell whether it is an exit.
    #[must_use]
    #[inline(always)]
    pub fn exits(&self) -> &[bool] {
        &self.exits
    }

    /// Returns whether the police wins with an officer on an exit.
    #[must_use]
    #[inline(always)]
    pub fn arrival_wins(&self) -> bool {
        self.arrival_wins
    }

    /// Returns whether the team with its officers on these cells has won by standing on an exit, unless the
    /// thief has escaped.
    #[must_use]
    #[inline(always)]
    pub fn arrived(&self, officers: &[u32]) -> bool {
        self.arrival_wins && officers.iter().any(|&cell| self.exits[cell as usize])
    }

    /// Returns the rule for one team, to be asked about many thief cells.
    #[must_use]
    #[inline(always)]
    pub fn of_team<'a>(&'a self, officers: &'a [u32]) -> TeamTerminals<'a> {
        TeamTerminals { officers, arrived: self.arrived(officers), exits: &self.exits }
    }

    /// Returns the side that has won with the officers and the thief on these cells, or `None` if the
    /// position is not terminal.
    #[must_use]
    #[inline(always)]
    pub fn winner(&self, officers: &[u32], thief: u32) -> Option<Side> {
        self.of_team(officers).winner(thief)
    }

    /// Returns these thief cells as the bits of a word, to be asked about many teams.
    ///
    /// # Panics
    /// If there are more than 64 cells.
    #[must_use]
    pub fn word<'a>(&self, cells: &'a [u32]) -> ThiefWord<'a> {
        assert!(cells.len() <= 64, "expected at most 64 cells for a word, found {}", cells.len());
        debug_assert!(cells.is_sorted(), "the cells of a word rise");
        let exits =
            cells.iter().rev().fold(0, |word, &cell| word << 1 | u64::from(self.exits[cell as usize]));
        ThiefWord { cells, exits, all: u64::MAX.unbounded_shr(64 - cells.len() as u32) }
    }
}

/// Up to 64 thief cells as the bits of a word, the first cell's bit lowest. The cells' numbers rise.
#[derive(Clone, Copy, Debug)]
pub struct ThiefWord<'a> {
    cells: &'a [u32],
    /// The cells that are exits.
    exits: u64,
    /// All cells of the word.
    all: u64,
}

impl<'a> ThiefWord<'a> {
    /// Returns the cells, the first one's bit lowest.
    #[must_use]
    #[inline(always)]
    pub fn cells(&self) -> &'a [u32] {
        self.cells
    }

    /// Returns the cells that are exits.
    #[must_use]
    #[inline(always)]
    pub fn exits(&self) -> u64 {
        self.exits
    }

    /// Returns the cells with an officer on them.
    #[inline]
    fn captured(&self, officers: &[u32]) -> u64 {
        let bit = |officer: &u32| self.cells.binary_search(officer).map_or(0, |bit| 1 << bit);
        officers.iter().map(bit).fold(0, BitOr::bitor)
    }
}

/// The terminal rule for one team of officers.
#[derive(Clone, Copy, Debug)]
pub struct TeamTerminals<'a> {
    /// The officers' cells.
    officers: &'a [u32],
    /// Whether the police has won by standing here, unless the thief has escaped.
    arrived: bool,
    exits: &'a [bool],
}

impl TeamTerminals<'_> {
    /// Returns the side that has won with the thief on this cell, or `None` if the position is not terminal.
    #[must_use]
    #[inline(always)]
    pub fn winner(&self, thief: u32) -> Option<Side> {
        let captured = match self.officers {
            // The most common team by far, and a comparison instead of a loop.
            [officer] => *officer == thief,
            officers => officers.contains(&thief),
        };
        winner(captured, self.exits[thief as usize], self.arrived)
    }

    /// Returns the terminal positions among those with the thief on a cell of `word`, one bit per cell.
    #[must_use]
    #[inline]
    pub fn wins(&self, word: &ThiefWord<'_>) -> Wins<u64> {
        decide(word.captured(self.officers), word.exits, if self.arrived { word.all } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Capture comes before escape and escape before arrival, in all eight cases.
    #[test]
    fn capture_precedes_escape_and_escape_precedes_arrival() {
        for bits in 0..8u8 {
            let [captured, escaped, arrived] = [0, 1, 2].map(|bit| bits >> bit & 1 == 1);
            let expected = match (captured, escaped, arrived) {
                (true, _, _) | (false, false, true) => Some(Side::Police),
                (false, true, _) => Some(Side::Thief),
                (false, false, false) => None,
            };
            assert_eq!(winner(captured, escaped, arrived), expected, "{bits:03b}");
        }
    }

    proptest! {
        /// A word of thief cells has the winners that its positions have one by one.
        #[test]
        fn words_agree_with_single_positions(
            squares in prop::collection::vec(0u8..8, 1..100), officers in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            police_on_exit in prop_oneof![Just(PoliceOnExit::Allowed), Just(PoliceOnExit::Barred), Just(PoliceOnExit::Wins)],
        ) {
            let square = |kind: &u8| match kind {
                0 => Square::Exit,
                1 | 2 => Square::Wall,
                _ => Square::Open,
            };
            let squares: Vec<Square> = squares.iter().map(square).chain([Square::Open]).collect();
            let board = Board::new(1, squares.len(), squares).unwrap();
            let rule = TerminalRule::new(&board, police_on_exit);
            let count = board.open_count();
            prop_assert_eq!(rule.exits().len(), count);
            let officers: Vec<u32> = officers.iter().map(|officer| officer.index(count) as u32).collect();
            // Every other cell, too: the cells of a word need not be neighbours.
            let cells: Vec<u32> = (0..count as u32).filter(|cell| count < 64 || cell % 2 == 0).collect();
            let (team, word) = (rule.of_team(&officers), rule.word(&cells));
            let wins = team.wins(&word);
            for bit in 0..64 {
                let thief = cells.get(bit).copied();
                let expected = thief.and_then(|thief| team.winner(thief));
                let found = Wins { police: wins.police >> bit & 1 == 1, thief: wins.thief >> bit & 1 == 1 };
                prop_assert_eq!(found.winner(), expected);
                prop_assert_eq!(wins.either() >> bit & 1 == 1, expected.is_some());
                prop_assert_eq!(thief.is_some_and(|_| word.exits() >> bit & 1 == 1), thief.is_some_and(|thief| rule.exits()[thief as usize]));
            }
        }
    }
}
