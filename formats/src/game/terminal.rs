//! The terminal rule: which side has won a position without a move.
//!
//! Three facts decide: whether an officer captures the thief's cell (*captured*), whether the thief stands
//! where he has *escaped*, and whether an officer stands where the police has *arrived*. A capture comes
//! first, then an escape, then an arrival. [`decide`] states this once, for a single position (`bool`) as
//! well as for the 64 thief cells of a word (`u64`, one bit per position). All other functions here collect
//! the facts for it.

use super::move_table::MoveTable;
use crate::cell::Side;
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
/// use dragnet_formats::{cell::Side, game::terminal::decide};
///
/// // A thief who is captured where he would have escaped has lost.
/// assert_eq!(decide(true, true, false).winner(), Some(Side::Police));
/// // Four positions at once, one bit each. An officer has arrived. The thief has escaped in two
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

/// The terminal rule of one game. The cells of each side are numbered in reading order over its places. What
/// is said of each cell is said of it in each world, world after world.
#[derive(Clone, Debug)]
pub struct TerminalRule {
    /// For each cell of an officer the thief's cells that an officer there captures; `None` if that is the
    /// officer's own cell alone.
    captures: Option<MoveTable>,
    /// Whether a thief on each cell has escaped.
    escapes: Vec<bool>,
    /// Whether an officer on each cell has arrived; empty if none of them does.
    arrivals: Vec<bool>,
    worlds: u32,
}

impl TerminalRule {
    /// Creates the rule of a game with one world, by which an officer captures a thief on the officer's own
    /// cell, from whether a thief on each cell has escaped, and an officer has arrived. `arrivals` is empty
    /// if there is no such cell.
    #[must_use]
    pub fn new(escapes: Vec<bool>, arrivals: Vec<bool>) -> TerminalRule {
        TerminalRule { captures: None, escapes, arrivals, worlds: 1 }
    }

    /// Returns the rule of a game with so many worlds, for each of which it speaks in turn.
    ///
    /// # Panics
    /// If there is no world.
    #[must_use]
    pub fn with_worlds(self, worlds: u32) -> TerminalRule {
        assert!(worlds > 0, "a game has a world");
        TerminalRule { worlds, ..self }
    }

    /// Returns the rule by which an officer on each cell captures the thief's cells of its row, and no other.
    ///
    /// ```
    /// use dragnet_formats::{cell::Side, game::{MoveRows, terminal::TerminalRule}};
    ///
    /// // An officer on cell 0 sees the thief on cell 1; one on cell 1 looks away from cell 0.
    /// let mut sees = MoveRows::new(2, 100);
    /// sees.push([0, 1])?;
    /// sees.push([1])?;
    /// let rule = TerminalRule::new(vec![false; 2], Vec::new()).with_captures(sees.finish());
    /// assert_eq!(rule.winner(0, &[0], 1), Some(Side::Police));
    /// assert_eq!(rule.winner(0, &[1], 0), None);
    /// # Ok::<(), dragnet_formats::game::TooManyMoves>(())
    /// ```
    #[must_use]
    pub fn with_captures(self, captures: MoveTable) -> TerminalRule {
        TerminalRule { captures: Some(captures), ..self }
    }

    /// Returns the number of worlds.
    #[must_use]
    pub fn worlds(&self) -> u32 {
        self.worlds
    }

    /// Returns the thief's cells that an officer on each cell captures, or `None` if that is the officer's
    /// own cell alone.
    #[must_use]
    pub fn captures(&self) -> Option<&MoveTable> {
        self.captures.as_ref()
    }

    /// Returns the part of `of_cells`, of which each world has one as long.
    #[inline(always)]
    fn part<'a, T>(&self, world: u32, of_cells: &'a [T]) -> &'a [T] {
        if self.worlds == 1 {
            return of_cells;
        }
        let cells = of_cells.len() / self.worlds as usize;
        &of_cells[world as usize * cells..][..cells]
    }

    /// Returns the thief's cells that an officer on the cell `officer` captures in a world, rising.
    ///
    /// # Panics
    /// If there is no such cell or world.
    #[must_use]
    #[inline(always)]
    pub fn captured_from<'a>(&'a self, world: u32, officer: &'a u32) -> &'a [u32] {
        match &self.captures {
            Some(captures) => captures.of_part(world, self.worlds, *officer),
            None => std::slice::from_ref(officer),
        }
    }

    /// Returns for each cell of an officer, world after world, whether an officer there has arrived; empty if
    /// none has.
    #[must_use]
    pub fn arrivals(&self) -> &[bool] {
        &self.arrivals
    }

    /// Returns for each cell, world after world, whether a thief there has escaped.
    #[must_use]
    #[inline(always)]
    pub fn escapes(&self) -> &[bool] {
        &self.escapes
    }

    /// Returns for each cell whether a thief there has escaped in a world.
    ///
    /// # Panics
    /// If there is no such world.
    #[must_use]
    #[inline(always)]
    pub fn escapes_in(&self, world: u32) -> &[bool] {
        self.part(world, &self.escapes)
    }

    /// Returns whether one of the officers on these cells has arrived in a world: the police has won, unless
    /// the thief has escaped.
    #[must_use]
    #[inline(always)]
    pub fn arrived(&self, world: u32, officers: &[u32]) -> bool {
        let arrivals = self.part(world, &self.arrivals);
        !arrivals.is_empty() && officers.iter().any(|&cell| arrivals[cell as usize])
    }

    /// Returns the rule for one team in a world, to be asked about many thief cells.
    #[must_use]
    #[inline(always)]
    pub fn of_team<'a>(&'a self, world: u32, officers: &'a [u32]) -> TeamTerminals<'a> {
        let escapes = self.escapes_in(world);
        TeamTerminals { officers, rule: self, world, escapes, arrived: self.arrived(world, officers) }
    }

    /// Returns the side that has won in a world with the officers and the thief on these cells, or `None` if
    /// the position is not terminal.
    #[must_use]
    #[inline(always)]
    pub fn winner(&self, world: u32, officers: &[u32], thief: u32) -> Option<Side> {
        self.of_team(world, officers).winner(thief)
    }

    /// Returns these thief cells of a world as the bits of a word, to be asked about many teams.
    ///
    /// # Panics
    /// If there are more than 64 cells.
    #[must_use]
    pub fn word<'a>(&self, world: u32, cells: &'a [u32]) -> ThiefWord<'a> {
        assert!(cells.len() <= 64, "expected at most 64 cells for a word, found {}", cells.len());
        debug_assert!(cells.is_sorted(), "the cells of a word rise");
        let escapes = self.escapes_in(world);
        let escape = |word, &cell: &u32| word << 1 | u64::from(escapes[cell as usize]);
        ThiefWord {
            cells,
            escapes: cells.iter().rev().fold(0, escape),
            all: u64::MAX.unbounded_shr(64 - cells.len() as u32),
        }
    }
}

/// Up to 64 thief cells as the bits of a word, the first cell's bit lowest. The cells' numbers rise.
#[derive(Clone, Copy, Debug)]
pub struct ThiefWord<'a> {
    cells: &'a [u32],
    /// The cells where the thief has escaped.
    escapes: u64,
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

    /// Returns the cells where the thief has escaped.
    #[must_use]
    #[inline(always)]
    pub fn escapes(&self) -> u64 {
        self.escapes
    }

    /// Returns the cells that officers on these cells capture in a world.
    #[inline]
    fn captured(&self, rule: &TerminalRule, world: u32, officers: &[u32]) -> u64 {
        let (Some(first), Some(last)) = (self.cells.first(), self.cells.last()) else { return 0 };
        let mut word = 0;
        for officer in officers {
            // Most officers are far from the cells of the word, however much they see.
            let captured = rule.captured_from(world, officer);
            let start = captured.partition_point(|cell| cell < first);
            let mut bit = 0;
            for cell in captured[start..].iter().take_while(|&cell| cell <= last) {
                while self.cells[bit] < *cell {
                    bit += 1;
                }
                word |= u64::from(self.cells[bit] == *cell) << bit;
            }
        }
        word
    }
}

/// The terminal rule for one team of officers in a world.
#[derive(Clone, Copy, Debug)]
pub struct TeamTerminals<'a> {
    /// The officers' cells.
    officers: &'a [u32],
    rule: &'a TerminalRule,
    world: u32,
    /// For each cell whether a thief there has escaped.
    escapes: &'a [bool],
    /// Whether an officer has arrived.
    arrived: bool,
}

impl TeamTerminals<'_> {
    /// Returns the side that has won with the thief on this cell, or `None` if the position is not terminal.
    #[must_use]
    #[inline(always)]
    pub fn winner(&self, thief: u32) -> Option<Side> {
        let captured = match (self.officers, &self.rule.captures) {
            // The most common team by far, and a comparison instead of a loop.
            ([officer], None) => *officer == thief,
            (officers, None) => officers.contains(&thief),
            (officers, Some(_)) => officers
                .iter()
                .any(|officer| self.rule.captured_from(self.world, officer).binary_search(&thief).is_ok()),
        };
        winner(captured, self.escapes[thief as usize], self.arrived)
    }

    /// Returns the terminal positions among those with the thief on a cell of `word`, one bit per cell.
    #[must_use]
    #[inline]
    pub fn wins(&self, word: &ThiefWord<'_>) -> Wins<u64> {
        let captured = word.captured(self.rule, self.world, self.officers);
        decide(captured, word.escapes, if self.arrived { word.all } else { 0 })
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
            facts in prop::collection::vec((0u8..8, 0u8..8), 1..100), officers in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            none_arrives in any::<bool>(),
        ) {
            let escapes: Vec<bool> = facts.iter().map(|fact| fact.0 == 0).collect();
            let arrivals = facts.iter().map(|fact| fact.1 == 0).filter(|_| !none_arrives).collect();
            let count = escapes.len();
            let rule = TerminalRule::new(escapes, arrivals);
            let officers: Vec<u32> = officers.iter().map(|officer| officer.index(count) as u32).collect();
            // Every other cell, too: the cells of a word need not be neighbours.
            let cells: Vec<u32> = (0..count as u32).filter(|cell| count < 64 || cell % 2 == 0).collect();
            let (team, word) = (rule.of_team(0, &officers), rule.word(0, &cells));
            let wins = team.wins(&word);
            for bit in 0..64 {
                let thief = cells.get(bit).copied();
                let expected = thief.and_then(|thief| team.winner(thief));
                let found = Wins { police: wins.police >> bit & 1 == 1, thief: wins.thief >> bit & 1 == 1 };
                prop_assert_eq!(found.winner(), expected);
                prop_assert_eq!(wins.either() >> bit & 1 == 1, expected.is_some());
                prop_assert_eq!(thief.is_some_and(|_| word.escapes() >> bit & 1 == 1), thief.is_some_and(|thief| rule.escapes()[thief as usize]));
            }
        }
    }
}
