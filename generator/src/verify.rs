//! Deriving the values of any game again, without the engines.

use crate::game::{Game, Start, for_each_legal, for_opponent};
use dragnet_formats::value::{MAX_DTW, Value};
use rayon::prelude::*;

/// A value that is not what the rules make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position {position}: {}, found {found:?}", expectation(.expected))]
pub struct WrongValue {
    /// The number of the position.
    pub position: u64,
    /// Its value as it was told.
    pub found: Value,
    /// What the values of its successors, as they were told, make of it; `None` for a distance of more than [`MAX_DTW`].
    pub expected: Option<Value>,
}

fn expectation(expected: &Option<Value>) -> String {
    match expected {
        Some(value) => format!("expected {value:?}, which follows from its moves"),
        None => {
            format!("expected what follows from its moves, which is more than {MAX_DTW} plies from the end")
        }
    }
}

/// Positions that one task derives.
const GRAIN: u64 = 1 << 14;

/// The first position of `game` for which `value` tells something else than its start or the values of its successors say, on
/// the threads of the current pool; of a position that is not legal, something else than a draw. There is only one assignment of
/// values with which that is so nowhere: if there is no such position, every value is right. Knows nothing of symmetry: what is alike
/// is asked for each.
///
/// # Errors
/// That of `value` at the first position that needs it, if no wrong value comes before.
pub fn first_wrong<E: Send>(
    game: &impl Game,
    value: impl Fn(u64) -> Result<Value, E> + Sync,
) -> Result<Option<WrongValue>, E> {
    let positions = game.positions();
    let check = |position| -> Result<Option<WrongValue>, E> {
        let (found, expected) = (value(position)?, derived(game, position, &value)?);
        Ok((Some(found) != expected).then_some(WrongValue { position, found, expected }))
    };
    (0..positions.div_ceil(GRAIN) as usize)
        .into_par_iter()
        .find_map_first(|chunk| {
            let first = chunk as u64 * GRAIN;
            (first..(first + GRAIN).min(positions)).find_map(|position| check(position).transpose())
        })
        .transpose()
}

/// What the start of a position or its successors make of it; `None` for a distance that cannot be. (Such distances must not be cut
/// off: a cycle of them would agree with itself.)
fn derived<E>(
    game: &impl Game,
    position: u64,
    value: &impl Fn(u64) -> Result<Value, E>,
) -> Result<Option<Value>, E> {
    match game.start(position) {
        Start::Known(value) => return Ok(Some(value)),
        Start::Illegal => return Ok(Some(Value::Draw)),
        Start::Open => {}
    }
    let mut best: Option<Value> = None;
    let mut error = None;
    for_each_legal(game, position, |to| match value(to) {
        Ok(value) => {
            let value = for_opponent(game, to, value);
            if best.is_none_or(|best| value.compare_for_mover(best).is_lt()) {
                best = Some(value);
            }
        }
        Err(refused) => error = Some(refused),
    });
    match (error, best) {
        (Some(error), _) => Err(error),
        (None, Some(Value::Win(MAX_DTW) | Value::Loss(MAX_DTW))) => Ok(None),
        (None, Some(best)) => Ok(Some(best.one_ply_before())),
        (None, None) => Ok(Some(game.stuck(position))),
    }
}
