//! The engine for any game: retrograde analysis level by level, with a counter of undecided moves per position.
//! States, proof and memory ordering are in `PROTOCOL.md`.

mod frontier;
mod sync;
pub mod word;

use crate::{
    game::{Game, Start},
    memory::{OutOfMemory, Words},
    observer::{Observer, Stage},
};
use dragnet_formats::value::{MAX_DTW, Plies, Value};
use frontier::{Chunk, Frontier, Part};
use rayon::{ThreadPool, prelude::*};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use word::{Access, Alone, LOW_BITS, Shared, Word};

/// Levels with fewer positions than this are left to one thread: sharing one out takes some ten microseconds, in
/// which one thread tells the predecessors of about as many positions.
const SHARED_LEVEL: u64 = 2048;

/// Positions that one task sets up at the start.
const START_GRAIN: usize = 1 << 16;

/// The value of every position of a game.
#[derive(Debug)]
pub struct Labels {
    words: Words,
    /// The upper bits of distances, if any is longer than a word can hold.
    upper: Option<Words>,
    /// The greatest distance.
    longest: Plies,
}

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The system did not give the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// More moves than a counter holds.
    #[error("expected at most {} moves in a position, found {found} in position {position}", Word::MAX_MOVES)]
    TooManyMoves {
        /// Number of the position.
        position: u64,
        /// Its moves.
        found: u32,
    },
    /// A distance beyond what a table can hold.
    #[error("the game has wins of more than {MAX_DTW} plies")]
    TooLong,
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Labels {
    /// The value of the position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    #[inline]
    pub fn value(&self, position: u64) -> Value {
        let word = Word::from_bits(self.words.get()[position as usize]);
        if !word.is_decided() {
            return Value::Draw;
        }
        let upper = self.upper.as_ref().map_or(0, |upper| upper.get()[position as usize]);
        let dtw = Plies::from(upper) << LOW_BITS | Plies::from(word.low_distance());
        if word.wins() { Value::Win(dtw) } else { Value::Loss(dtw) }
    }

    /// The greatest distance of any position.
    #[must_use]
    pub fn longest(&self) -> Plies {
        self.longest
    }
}

/// Solves `game` on the threads of `pool`. Takes 2 bytes per position and 4 per position of the two largest
/// consecutive levels; 2 more per position that is decided in more than 16,383 plies.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(game: &impl Game, pool: &ThreadPool, observer: &dyn Observer) -> Result<Labels, SolveError> {
    observer.stage(Stage::Solving { positions: game.positions() });
    let threads = pool.current_num_threads();
    let mut words = Words::new(game.positions())?;
    let mut upper: Option<Words> = None;
    let mut frontier = pool.install(|| start(game, words.get_mut()))?;
    let shared = words.get_atomic();
    let (mut level, mut decided) = (0, 0);
    while frontier.len > 0 {
        decided += frontier.len;
        observer.level(level, decided);
        if observer.stop() {
            return Err(SolveError::Stopped);
        }
        if level == MAX_DTW {
            return Err(SolveError::TooLong);
        }
        level += 1;
        if level >> LOW_BITS != 0 && upper.is_none() {
            upper = Some(Words::new(game.positions())?);
        }
        let step = Step { game, words: shared, upper: upper.as_mut().map(Words::get_atomic), level };
        frontier = if threads == 1 || frontier.len < SHARED_LEVEL {
            let mut part = Part::default();
            frontier.chunks.into_iter().for_each(|chunk| step.tell::<Alone>(&chunk, &mut part));
            part.close()
        } else {
            let tell = |mut part, chunk| {
                step.tell::<Shared>(&chunk, &mut part);
                part
            };
            let chunks = frontier.chunks.into_par_iter();
            pool.install(|| {
                chunks.fold(Part::default, tell).map(Part::close).reduce(Frontier::default, Frontier::join)
            })
        };
    }
    Ok(Labels { words, upper, longest: level.saturating_sub(1) })
}

/// Sets up the words; the frontier of level 0.
fn start(game: &impl Game, words: &mut [u16]) -> Result<Frontier, SolveError> {
    let set_up = |mut part: Part, (i, words): (usize, &mut [u16])| {
        let first = (i * START_GRAIN) as u64;
        let mut too_many = None;
        game.for_each_start(first..first + words.len() as u64, |position, start| {
            let word = match start {
                Start::Moves(found) if found > Word::MAX_MOVES => {
                    too_many.get_or_insert(SolveError::TooManyMoves { position, found });
                    return;
                }
                Start::Moves(moves) => Word::undecided(moves as u16),
                Start::Won | Start::Lost => {
                    let wins = start == Start::Won;
                    part.push(position, wins);
                    Word::decided(wins, 0)
                }
            };
            words[(position - first) as usize] = word.bits();
        });
        too_many.map_or(Ok(part), Err)
    };
    words
        .par_chunks_mut(START_GRAIN)
        .enumerate()
        .try_fold(Part::default, set_up)
        .map(|part| part.map(Part::close))
        .try_reduce(Frontier::default, |a, b| Ok(a.join(b)))
}

/// The step from one level to the next.
struct Step<'a, G> {
    game: &'a G,
    words: &'a [AtomicU16],
    upper: Option<&'a [AtomicU16]>,
    level: Plies,
}

impl<G: Game> Step<'_, G> {
    /// Tells the predecessors of all positions of `chunk`; those that this decides go to `part`.
    #[inline]
    fn tell<A: Access>(&self, chunk: &Chunk, part: &mut Part) {
        if chunk.wins {
            let lost = Word::decided(false, self.level);
            self.tell_all(chunk, part, false, |word| A::count_down(word, lost));
        } else {
            let won = Word::decided(true, self.level);
            self.tell_all(chunk, part, true, |word| A::decide_win(word, won));
        }
    }

    #[inline]
    fn tell_all(&self, chunk: &Chunk, part: &mut Part, wins: bool, decide: impl Fn(&AtomicU16) -> bool) {
        for position in chunk.positions() {
            self.game.for_each_predecessor(position, |predecessor| {
                if decide(&self.words[predecessor as usize]) {
                    part.push(predecessor, wins);
                    if let Some(upper) = self.upper {
                        upper[predecessor as usize].store((self.level >> LOW_BITS) as u16, Relaxed);
                    }
                }
            });
        }
    }
}
