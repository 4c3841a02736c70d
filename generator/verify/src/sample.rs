//! Verifies some positions of a pursuit table, however large it is.

use super::{
    error::{VerifyError, WrongPosition},
    score::{WordScore, terminal_score},
};
use dragnet_formats::{
    cell::{Cell, Side},
    digest::splitmix64,
    pieces::Pieces,
};
use dragnet_generator::{Observer, Stage};
use dragnet_probe::{Position, ProbeError, Table};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most values that a thread asks for at a time.
const BATCH: usize = 1 << 12;

/// A score of any table's values.
type Score = i32;

/// The positions of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// The positions that were checked.
    pub checked: u64,
    /// The positions of the table with the police to move.
    pub of: u64,
}

/// Verifies `count` positions with the police to move, or all of them if there are fewer, on the threads of
/// the current pool. Reads only the blocks that hold these positions and those after two moves, and checks
/// their checksums.
///
/// The positions are drawn from the whole table by `seed`, one from each of `count` stretches of equal
/// length. Of several wrong values the first in this order is reported.
///
/// # Errors
/// When the table is damaged or cannot be read, one of these values is wrong, or the observer stops the work.
pub fn verify_sample(
    table: &Table,
    count: u64,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Sampled, VerifyError> {
    let sample = Sample::new(table);
    let of = table.header().positions() / 2;
    let checked = count.min(of);
    observer.stage(Stage::Verifying { positions: checked });
    let done = AtomicU64::new(0);
    let failed = (0..checked).into_par_iter().find_map_first(|draw| {
        if observer.stop() {
            return Some(VerifyError::Stopped);
        }
        let position = sample.position(drawn(draw, checked, of, seed));
        let failed = sample.check(position).err();
        observer.verified(done.fetch_add(1, Ordering::Relaxed) + 1);
        failed
    });
    match failed {
        Some(error) => Err(error),
        None => {
            table.check_unchanged()?;
            Ok(Sampled { checked, of })
        }
    }
}

/// Returns a number of stretch `draw` when the numbers below `of` are divided into `count` stretches of equal
/// length, give or take one.
fn drawn(draw: u64, count: u64, of: u64, seed: u64) -> u64 {
    let begin = |stretch: u64| (u128::from(stretch) * u128::from(of) / u128::from(count)) as u64;
    let (first, end) = (begin(draw), begin(draw + 1));
    let lot = splitmix64(splitmix64(seed).wrapping_add(draw));
    first + ((u128::from(lot) * u128::from(end - first)) >> 64) as u64
}

/// A table with the moves of its game, found one position at a time.
struct Sample<'a> {
    table: &'a Table,
    /// The cells of officers, and those of the thief.
    cells: [Vec<Cell>; 2],
}

impl<'a> Sample<'a> {
    fn new(table: &'a Table) -> Sample<'a> {
        let cells = |side| table.header().places(side).cells().collect();
        Sample { table, cells: Side::BOTH.map(cells) }
    }

    /// Returns the position with the police to move that has this number in the content digest.
    fn position(&self, number: u64) -> Position {
        let [police, thief] = &self.cells;
        let cells = thief.len() as u64;
        let teams = self.table.numbering().police().count();
        let world = (number / cells / teams) as u32;
        let officers = self.table.numbering().police().numbers().team(number / cells % teams);
        let officers: Vec<Cell> = officers.into_iter().map(|cell| police[cell as usize]).collect();
        let team = Pieces::new(&officers).expect("a table has a number of officers that a team can have");
        Position::new(team, thief[(number % cells) as usize], Side::Police).in_world(world)
    }

    /// Checks that the stored value of a position follows from its successors.
    fn check(&self, position: Position) -> Result<(), VerifyError> {
        if self.table.winner(position)?.is_some() {
            return Ok(());
        }
        let (found, derived) = (self.table.value(position)?, self.derived(position)?);
        if derived == Score::of_code(found.code()) {
            return Ok(());
        }
        Err(VerifyError::Position(WrongPosition { position, found, expected: derived.value() }))
    }

    /// Derives the score of a position with the police to move from the stored values two moves later.
    fn derived(&self, position: Position) -> Result<Score, ProbeError> {
        let (header, thief) = (self.table.header(), position.thief);
        let stuck = Score::of_code(header.stuck.value().code());
        let mut best = Score::NO_MOVE;
        let mut batch = Vec::new();
        let (mut replies, mut world_of_replies) = (Vec::new(), None);
        for (world, team) in self.table.team_moves(position.world, position.police)? {
            if world_of_replies != Some(world) {
                best = best.max(self.best_of_replies(&batch, replies.len())?);
                batch.clear();
                replies = self.table.piece_moves(Side::Thief, world, thief)?;
                world_of_replies = Some(world);
            }
            let after = Position::new(team, thief, Side::Thief).in_world(world);
            match self.table.winner(after)? {
                Some(winner) => best = best.max(terminal_score(winner, Side::Thief)),
                None if replies.is_empty() => best = best.max(stuck),
                None => batch.extend(
                    replies.iter().map(|to| Position::new(team, to.cell, Side::Police).in_world(to.world)),
                ),
            }
            if batch.len() >= BATCH {
                best = best.max(self.best_of_replies(&batch, replies.len())?);
                batch.clear();
            }
        }
        best = best.max(self.best_of_replies(&batch, replies.len())?);
        Ok(if best == Score::NO_MOVE { stuck } else { best.before() })
    }

    /// Returns the best score for the police that has moved, given for each team that it can make the
    /// positions after the thief's `replies` moves.
    fn best_of_replies(&self, batch: &[Position], replies: usize) -> Result<Score, ProbeError> {
        let values = self.table.values(batch).map_err(|error| match error {
            ProbeError::InBatch { source, .. } => *source,
            other => other,
        })?;
        let scores: Vec<Score> = values.into_iter().map(|value| Score::of_code(value.code())).collect();
        let of_team = scores.chunks(replies.max(1)).map(|scores| scores.iter().max());
        Ok(of_team.flatten().map(|best| best.before()).max().unwrap_or(Score::NO_MOVE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_different_and_cover_the_table_if_there_are_as_many() {
        for (count, of) in [(1, 1), (7, 7), (3, 100), (99, 100), (1000, 1 << 60)] {
            for seed in 0..20 {
                let numbers: Vec<u64> = (0..count).map(|draw| drawn(draw, count, of, seed)).collect();
                assert!(numbers.is_sorted_by(|a, b| a < b) && numbers[numbers.len() - 1] < of);
                assert!(count < of || numbers.iter().copied().eq(0..of));
            }
        }
        let first = |seed| drawn(0, 1, 1000, seed);
        assert!((1..20).any(|seed| first(seed) != first(0)), "the seed has no influence");
    }

    #[test]
    fn every_position_is_drawn_by_some_seed() {
        let mut seen = [false; 10];
        for seed in 0..200 {
            (0..4).for_each(|draw| seen[drawn(draw, 4, 10, seed) as usize] = true);
        }
        assert_eq!(seen, [true; 10]);
    }
}
