//! All values of a game table.

use crate::{failure::Failure, output::progress::Progress};
use dragnet_formats::{header::GameSummary, value::Value};
use dragnet_probe::GameTable;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads all positions with their values, block by block on the threads of the current pool: each thread
/// `add`s what it reads to a sum, and the sums are `merge`d. Before each block it asks whether to `go_on`.
///
/// # Errors
/// When the table is damaged, or what `go_on` returns.
pub(crate) fn fold<T: Default + Send>(
    table: &GameTable,
    progress: &Progress,
    go_on: impl Fn() -> Result<(), Failure> + Sync,
    add: impl Fn(&mut T, u64, Value) + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> Result<T, Failure> {
    let done = AtomicU64::new(0);
    let numbering = table.numbering();
    (0..numbering.block_count())
        .into_par_iter()
        .try_fold(Default::default, |(mut values, mut sum): (Vec<Value>, T), block| {
            go_on()?;
            table.block_values(block, &mut values)?;
            for (position, &value) in numbering.positions_of(block).zip(&values) {
                add(&mut sum, position, value);
            }
            progress.set(done.fetch_add(1, Ordering::Relaxed) + 1, String::new);
            Ok((values, sum))
        })
        .map(|part| part.map(|(_, sum)| sum))
        .try_reduce(T::default, |a, b| Ok(merge(a, b)))
}

/// Returns counts, longest distances and digest of all values, on the threads of the current pool.
///
/// # Errors
/// When the table is damaged.
pub(crate) fn summary(table: &GameTable, progress: &Progress) -> Result<GameSummary, Failure> {
    fold(table, progress, || Ok(()), GameSummary::add, GameSummary::merged)
}
