//! Encodes the values of any game into the blocks of a game table (`FORMAT.md` §9).

use crate::{
    game::{Game, Start, for_each_legal},
    solution::{BlockSink, BlockSource, SourceError},
    table::encode::Encoding,
};
use dragnet_formats::{
    codec::RawBlock,
    digest::splitmix64,
    header::{GameHeader, GameHeaderError, GameNumbering, GameSummary},
    value::Value,
};
use rayon::prelude::*;

/// Returns the header of a game table with this many positions and this name, whose key and summary are still
/// to be set.
///
/// # Errors
/// When a table cannot have this name or so many positions.
pub(crate) fn header(positions: u64, name: &str, encoding: Encoding) -> Result<GameHeader, GameHeaderError> {
    GameHeader::check_name(name)?;
    Ok(GameHeader {
        name: name.to_owned(),
        key: 0,
        numbering: GameNumbering::new(positions, encoding.slots())?,
        summary: GameSummary::default(),
    })
}

/// Positions in a task.
const GRAIN: u64 = 1 << 14;

/// Folds all `positions` positions with `each` on the threads of the current pool, and joins the results with
/// `add`.
pub(crate) fn sum<T: Send>(
    positions: u64,
    zero: impl Fn() -> T + Sync + Send,
    each: impl Fn(T, u64) -> T + Sync,
    add: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let chunk = |chunk: u64| (chunk * GRAIN..((chunk + 1) * GRAIN).min(positions)).fold(zero(), &each);
    (0..positions.div_ceil(GRAIN)).into_par_iter().map(chunk).reduce(&zero, add)
}

/// Returns the key of a game, a hash of its legal moves and known values (`FORMAT.md` §9).
///
/// Looks at every move once, on the threads of the current pool. Like the values, the key does not depend on
/// [`Game::canonical`].
#[must_use]
pub fn key(game: &impl Game) -> u64 {
    let term = |sum: u64, position: u64| {
        let here = splitmix64(position);
        let known = |value| match value {
            Value::Win(0) => 1,
            Value::Loss(0) => 2,
            Value::Draw => 3,
            longer => u64::from(longer.code()) + 2,
        };
        let (mut term, mut open) = (0u64, false);
        let weight = match game.start(position) {
            Start::Known(value) => known(value),
            Start::Illegal => 4,
            Start::Open => {
                for_each_legal(game, position, |to| {
                    open = true;
                    let kept = game.keeps_turn(to);
                    let argument =
                        if kept { here.wrapping_sub(2).wrapping_sub(to) } else { here.wrapping_add(to) };
                    term = term.wrapping_add(splitmix64(argument));
                });
                if open { 0 } else { known(game.stuck(position)) }
            }
        };
        sum.wrapping_add(term).wrapping_add(splitmix64(here.wrapping_sub(1)).wrapping_mul(weight))
    };
    sum(game.positions(), || 0, term, u64::wrapping_add)
}

/// Returns counts, longest distances and digest of `positions` positions with these values, on the threads of
/// the current pool.
#[must_use]
pub fn summary(positions: u64, value: impl Fn(u64) -> Value + Sync) -> GameSummary {
    let add = |mut summary: GameSummary, position| {
        summary.add(position, value(position));
        summary
    };
    sum(positions, GameSummary::default, add, GameSummary::merged)
}

/// A source of blocks whose values a function returns.
pub(crate) struct GameTableSource<V> {
    pub(crate) numbering: GameNumbering,
    pub(crate) value: V,
}

impl<V: Fn(u64) -> Value + Sync> BlockSource<GameSummary> for GameTableSource<V> {
    fn blocks(&self, sink: BlockSink) -> Result<GameSummary, SourceError> {
        let block = |(mut codes, mut summary): (Vec<u32>, GameSummary), block| {
            codes.clear();
            for position in self.numbering.positions_of(block) {
                let value = (self.value)(position);
                summary.add(position, value);
                codes.push(value.code());
            }
            sink(block, RawBlock::new(&codes))?;
            Ok((codes, summary))
        };
        (0..self.numbering.block_count())
            .into_par_iter()
            .try_fold(Default::default, block)
            .map(|part| part.map(|(_, summary)| summary))
            .try_reduce(GameSummary::default, |a, b| Ok(a.merged(b)))
    }
}
