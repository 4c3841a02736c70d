//! Verifies tables of games.

use crate::error::{Difference, VerifyError};
use dragnet_formats::{
    header::{GameHeader, GameSummary},
    value::Value,
};
use dragnet_generator::{Game, Observer, Stage, StopRequest, game_table, verify::first_wrong};
use dragnet_probe::{GameTable, ProbeError};
use rayon::prelude::*;
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

/// Verifies a whole table of `game` on the threads of the current pool: each checksum, each value, and the
/// header. Takes 4 bytes of memory for each position, of at most `memory` bytes.
///
/// # Errors
/// When the table is damaged or cannot be read, is of another game, or something in it is wrong; and when the
/// values have no room, or the observer stops the work.
pub fn verify_game(
    table: &GameTable,
    game: &impl Game,
    memory: u64,
    observer: &dyn Observer,
) -> Result<(), VerifyError> {
    let needed = table.positions().saturating_mul(size_of::<u32>() as u64);
    if needed > memory {
        return Err(VerifyError::Memory { needed, limit: memory });
    }
    let received = AtomicBool::new(false);
    let stop = StopRequest::new(observer, &received);
    let go_on = |_, _| if stop.ask() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    match table.check_sums_while(go_on) {
        Err(ProbeError::Stopped { .. }) => return Err(VerifyError::Stopped),
        whole => whole?,
    };
    check_game(table.header(), game)?;
    observer.stage(Stage::Verifying { positions: table.positions() });
    let values = AllValues::read(table)?;
    let value = |position: u64| {
        let is_time = position.is_multiple_of(QUESTION) && stop.ask();
        if is_time { Err(VerifyError::Stopped) } else { Ok(values.of(position)) }
    };
    if let Some(wrong) = first_wrong(game, value, observer)? {
        return Err(VerifyError::Value(wrong));
    }
    table.check_unchanged()?;
    let derived = game_table::summary(table.positions(), |position| values.of(position));
    match summary_difference(table.summary(), &derived) {
        Some(difference) => Err(VerifyError::Header(difference)),
        None => Ok(()),
    }
}

/// Checks that a header belongs to a table of `game`: it has its number of positions and its key. Works on
/// the threads of the current pool.
///
/// # Errors
/// [`VerifyError::OtherGame`] if not.
pub fn check_game(header: &GameHeader, game: &impl Game) -> Result<(), VerifyError> {
    let (found, expected) = (header.positions(), game.positions());
    let positions = Difference::first([("positions", found, expected)]);
    // The key of another number of positions would tell no more.
    match positions.or_else(|| Difference::first([("key", header.key, game_table::key(game))])) {
        Some(difference) => Err(VerifyError::OtherGame(difference)),
        None => Ok(()),
    }
}

/// Positions from one question to the observer to the next.
const QUESTION: u64 = 1 << 10;

/// The values of all positions of a game table in memory: 4 bytes for each.
#[derive(Debug)]
pub struct AllValues(Vec<u32>);

impl AllValues {
    /// Reads all values of a table, on the threads of the current pool.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read.
    pub fn read(table: &GameTable) -> Result<AllValues, ProbeError> {
        let mut all = vec![0; table.positions() as usize];
        let slots = table.numbering().slots_per_block() as usize;
        all.par_chunks_mut(slots).enumerate().try_for_each_init(Vec::new, |codes, (block, part)| {
            table.block_codes(block as u64, codes)?;
            part.copy_from_slice(codes);
            Ok::<_, ProbeError>(())
        })?;
        Ok(AllValues(all))
    }

    /// Returns the value of a position.
    ///
    /// # Panics
    /// If the table has no such position.
    #[must_use]
    pub fn of(&self, position: u64) -> Value {
        Value::from_code(self.0[position as usize]).expect("the codes of a block have been checked")
    }
}

/// Returns the first number in the header of a game table that is not the derived one.
#[must_use]
pub fn summary_difference(found: &GameSummary, derived: &GameSummary) -> Option<Difference> {
    let number = |what, number: fn(&GameSummary) -> u64| (what, number(found), number(derived));
    Difference::first([
        number("won positions", |summary| summary.won),
        number("lost positions", |summary| summary.lost),
        number("drawn positions", |summary| summary.drawn),
        number("plies as the longest of a won position", |summary| summary.longest_win.into()),
        number("plies as the longest of a lost position", |summary| summary.longest_loss.into()),
        number("digest", |summary| summary.digest),
    ])
}
