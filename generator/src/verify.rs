//! Derives the values of any game again, without the engines.

use crate::{
    game::{Game, Start, for_each_legal, for_opponent},
    observer::Observer,
};
use dragnet_formats::value::{MAX_DTW, Value};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A value that does not follow from the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position {position}: {}, found {found:?}", expectation(.expected))]
pub struct WrongValue {
    /// The number of the position.
    pub position: u64,
    /// The value that was claimed.
    pub found: Value,
    /// The value that follows from the claimed values of the successors, or `None` for a distance of more
    /// than [`MAX_DTW`].
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

/// Positions in a task.
const GRAIN: u64 = 1 << 14;

/// Returns the first position of `game` whose `value` does not follow from the values of its successors, or
/// from its start.
///
/// The value of an illegal position must be a draw. Exactly one assignment of values passes: if the result is
/// `None`, every value is right. Works on the threads of the current pool, and asks for the value of each
/// position, also of those that are equal by symmetry. `observer` learns how many positions are done.
///
/// ```
/// use dragnet_formats::{graph::GraphBuilder, rules::Stuck, value::Value};
/// use dragnet_generator::{GraphGame, verify::first_wrong};
/// use std::convert::Infallible;
///
/// let mut edges = GraphBuilder::new();
/// edges.add(0, 1)?;
/// let game = GraphGame::new(edges.build(), Stuck::Loses, []);
/// let claim = |_| Ok::<_, Infallible>(Value::Loss(0));
/// let wrong = first_wrong(&game, claim, &())?.expect("vertex 0 is won");
/// assert_eq!((wrong.position, wrong.expected), (0, Some(Value::Win(1))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When `value` fails for the first position that needs it, unless a wrong value comes before.
pub fn first_wrong<E: Send>(
    game: &impl Game,
    value: impl Fn(u64) -> Result<Value, E> + Sync,
    observer: &dyn Observer,
) -> Result<Option<WrongValue>, E> {
    let (positions, done) = (game.positions(), AtomicU64::new(0));
    let check = |position| -> Result<Option<WrongValue>, E> {
        let (found, expected) = (value(position)?, derived(game, position, &value)?);
        Ok((Some(found) != expected).then_some(WrongValue { position, found, expected }))
    };
    (0..positions.div_ceil(GRAIN) as usize)
        .into_par_iter()
        .find_map_first(|chunk| {
            let first = chunk as u64 * GRAIN;
            let chunk = first..(first + GRAIN).min(positions);
            let len = chunk.end - chunk.start;
            let found = chunk.into_iter().find_map(|position| check(position).transpose());
            observer.verified(done.fetch_add(len, Relaxed) + len);
            found
        })
        .transpose()
}

/// Returns the value that follows from the start of a position or from its successors, or `None` for a
/// distance beyond [`MAX_DTW`]. Such distances must not be cut off: the positions of a cycle, all at the
/// limit, would confirm each other.
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
