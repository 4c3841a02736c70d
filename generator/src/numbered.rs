//! Tables of any game: from the values of numbered positions to blocks (`FORMAT.md` §9).

use crate::{
    encode::Encoding,
    game::{Game, Start},
    solution::{BlockSink, BlockSource, SourceError},
};
use dragnet_formats::{
    codec::RawBlock,
    digest::splitmix64,
    game_header::{GameHeader, GameHeaderError, GameNumbering, GameSummary},
    value::Value,
};
use rayon::prelude::*;

/// What a table says of its game beside the values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameIdentity {
    /// What game it is, for people: at most [`GameHeader::MAX_NAME`] bytes without control characters.
    pub name: String,
    /// Tells games apart; see [`key`].
    pub key: u64,
    /// The number of positions.
    pub positions: u64,
}

impl GameIdentity {
    /// The identity of `game` under this name, with the [`key`] that is made of its moves.
    #[must_use]
    pub fn new(game: &impl Game, name: impl Into<String>) -> GameIdentity {
        GameIdentity { name: name.into(), key: key(game), positions: game.positions() }
    }

    /// The header of a table of this game whose blocks suit `encoding`; its summary is still to come.
    pub(crate) fn header(&self, encoding: Encoding) -> Result<GameHeader, GameHeaderError> {
        GameHeader::check_name(&self.name)?;
        Ok(GameHeader {
            name: self.name.clone(),
            key: self.key,
            numbering: GameNumbering::new(self.positions, encoding.slots())?,
            summary: GameSummary::default(),
        })
    }
}

/// Positions that one task takes.
const GRAIN: u64 = 1 << 14;

/// Adds up what `each` makes of all `positions` positions, on the threads of the current pool.
fn sum<T: Send>(
    positions: u64,
    zero: impl Fn() -> T + Sync + Send,
    each: impl Fn(T, u64) -> T + Sync,
    add: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let chunk = |chunk: u64| (chunk * GRAIN..((chunk + 1) * GRAIN).min(positions)).fold(zero(), &each);
    (0..positions.div_ceil(GRAIN)).into_par_iter().map(chunk).reduce(&zero, add)
}

/// A number that tells a game by its moves and by what is decided without one, as `FORMAT.md` §9 describes it for graphs. Looks
/// at every move once, on the threads of the current pool.
#[must_use]
pub fn key(game: &impl Game) -> u64 {
    let term = |sum: u64, position: u64| {
        let here = splitmix64(position);
        let decided = |weight: u64| splitmix64(here.wrapping_sub(1)).wrapping_mul(weight);
        let mut term = 0u64;
        match game.start(position) {
            Start::Won => term = decided(1),
            Start::Lost => term = decided(2),
            Start::Moves(0) => term = decided(3),
            Start::Moves(_) => game.for_each_successor(position, |to| {
                term = term.wrapping_add(splitmix64(here.wrapping_add(to)));
            }),
        }
        sum.wrapping_add(term)
    };
    sum(game.positions(), || 0, term, u64::wrapping_add)
}

/// Counts, longest distances and digest of the positions whose values `value` tells, on the threads of the current pool.
#[must_use]
pub fn summary(positions: u64, value: impl Fn(u64) -> Value + Sync) -> GameSummary {
    let add = |mut summary: GameSummary, position| {
        summary.add(position, value(position));
        summary
    };
    sum(positions, GameSummary::default, add, GameSummary::merged)
}

/// The blocks of a table whose values a function tells.
pub(crate) struct Numbered<V> {
    pub(crate) numbering: GameNumbering,
    pub(crate) value: V,
}

impl<V: Fn(u64) -> Value + Sync> BlockSource<GameSummary> for Numbered<V> {
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
