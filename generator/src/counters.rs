//! The engine for any game: retrograde analysis level by level, with a counter of undecided moves per position.
//! States, proof and memory ordering are in `PROTOCOL.md`.

mod frontier;
mod sync;
pub mod word;

use crate::{
    game::{Game, Start},
    lock::lock,
    memory::{Array, OutOfMemory},
    observer::{Observer, Stage},
};
use dragnet_formats::value::{MAX_DTW, Plies, Value};
use frontier::{Part, Shape, Slice};
use rayon::{ThreadPool, prelude::*};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU16, Ordering::Relaxed},
};
use word::{Access, Alone, LOW_BITS, Shared, Word};

/// What may be set to test the engine; no setting changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Levels with fewer positions than this are left to one thread.
    pub shared_level: u64,
}

impl Default for Tuning {
    /// Sharing a level out takes some ten microseconds, in which one thread tells the predecessors of a thousand
    /// positions.
    fn default() -> Tuning {
        Tuning { shared_level: 2048 }
    }
}

/// Positions that one task sets up at the start.
const START_GRAIN: usize = 1 << 16;

/// The value of every position of a game.
#[derive(Debug)]
pub struct Labels {
    words: Array<u16>,
    /// The upper bits of distances, if any is longer than a word can hold.
    upper: Option<Array<u16>>,
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

/// Solves `game` on the threads of `pool`. Takes 2 bytes per position, 4 for each position of the two largest consecutive
/// levels, and up to 8 MiB per thread; if some distance is over 16,383 plies, up to 2 bytes more per position.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: &impl Game,
    pool: &ThreadPool,
    tuning: Tuning,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    // One visit to the pool for the whole solve: entering it for every level would put its threads to sleep and
    // wake them up again each time.
    pool.install(|| solve_here(game, tuning, observer))
}

/// Solves `game` on the threads of the current pool.
fn solve_here(game: &impl Game, tuning: Tuning, observer: &dyn Observer) -> Result<Labels, SolveError> {
    observer.stage(Stage::Solving { positions: game.positions() });
    let threads = rayon::current_num_threads();
    // One thread needs no lanes.
    let lanes = if threads == 1 { 1 } else { game.lanes().max(1) };
    let shape = Shape::new(lanes, game.positions());
    let parts = || -> Vec<Mutex<Part>> { (0..threads).map(|_| Mutex::new(Part::new(shape))).collect() };
    let (mut frontier, mut next) = (parts(), parts());
    let mut words = Array::<u16>::new(game.positions())?;
    let mut upper: Option<Array<u16>> = None;
    start(game, lanes, words.get_mut(), &frontier)?;
    let words_shared = words.get_atomic();
    let (mut level, mut decided) = (0, 0);
    loop {
        let parts: Vec<&Part> = frontier.iter_mut().map(|part| &*exclusive(part)).collect();
        let len: u64 = parts.iter().map(|part| part.len()).sum();
        if len == 0 {
            break;
        }
        decided += len;
        observer.level(level, decided);
        if observer.stop() {
            return Err(SolveError::Stopped);
        }
        if level == MAX_DTW {
            return Err(SolveError::TooLong);
        }
        level += 1;
        if level >> LOW_BITS != 0 && upper.is_none() {
            upper = Some(Array::new(game.positions())?);
        }
        let step =
            Step { game, lanes, words: words_shared, upper: upper.as_mut().map(Array::get_atomic), level };
        let slices = |lane| parts.iter().flat_map(move |part| part.slices(lane));
        if threads == 1 || len < tuning.shared_level {
            let part = exclusive(&mut next[0]);
            (0..lanes).flat_map(slices).for_each(|slice| step.tell::<Alone>(slice, part));
        } else if lanes > 1 {
            (0..lanes).into_par_iter().for_each(|lane| {
                with_own_part(&next, |part| slices(lane).for_each(|slice| step.tell::<Alone>(slice, part)));
            });
        } else {
            let slices: Vec<Slice> = slices(0).collect();
            slices.into_par_iter().for_each(|slice| {
                with_own_part(&next, |part| step.tell::<Shared>(slice, part));
            });
        }
        frontier.iter_mut().for_each(|part| exclusive(part).clear());
        std::mem::swap(&mut frontier, &mut next);
    }
    Ok(Labels { words, upper, longest: level.saturating_sub(1) })
}

/// A thread's part, when no thread works. A panic that has poisoned it is on its way up anyhow.
fn exclusive(part: &mut Mutex<Part>) -> &mut Part {
    part.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the calling thread of the pool work on its own part of `parts`. The lock is never contended.
fn with_own_part<T>(parts: &[Mutex<Part>], work: impl FnOnce(&mut Part) -> T) -> T {
    let own = rayon::current_thread_index().unwrap_or(0);
    work(&mut lock(&parts[own]))
}

/// Sets up the words, and puts the positions of level 0 into `frontier`.
fn start(
    game: &impl Game,
    lanes: usize,
    words: &mut [u16],
    frontier: &[Mutex<Part>],
) -> Result<(), SolveError> {
    words.par_chunks_mut(START_GRAIN).enumerate().try_for_each(|(i, words)| {
        let first = (i * START_GRAIN) as u64;
        let mut too_many = None;
        with_own_part(frontier, |part| {
            game.for_each_start(first..first + words.len() as u64, |position, start| {
                let word = match start {
                    Start::Moves(found) if found > Word::MAX_MOVES => {
                        too_many.get_or_insert(SolveError::TooManyMoves { position, found });
                        return;
                    }
                    Start::Moves(moves) => Word::undecided(moves as u16),
                    Start::Won | Start::Lost => {
                        let wins = start == Start::Won;
                        part.push(position, lane_of(game, lanes, position), wins);
                        Word::decided(wins, 0)
                    }
                };
                words[(position - first) as usize] = word.bits();
            });
        });
        too_many.map_or(Ok(()), Err)
    })
}

#[inline]
fn lane_of(game: &impl Game, lanes: usize, position: u64) -> usize {
    if lanes == 1 { 0 } else { game.lane(position) }
}

/// The step from one level to the next.
struct Step<'a, G> {
    game: &'a G,
    lanes: usize,
    words: &'a [AtomicU16],
    upper: Option<&'a [AtomicU16]>,
    level: Plies,
}

impl<G: Game> Step<'_, G> {
    /// Tells the predecessors of all positions of `slice`; those that this decides go to `part`.
    fn tell<A: Access>(&self, slice: Slice, part: &mut Part) {
        if slice.wins {
            let lost = Word::decided(false, self.level);
            self.tell_all(slice, part, false, |word| A::count_down(word, lost));
        } else {
            let won = Word::decided(true, self.level);
            self.tell_all(slice, part, true, |word| A::decide_win(word, won));
        }
    }

    #[inline]
    fn tell_all(&self, slice: Slice, part: &mut Part, wins: bool, decide: impl Fn(&AtomicU16) -> bool) {
        for position in slice.positions() {
            self.game.for_each_predecessor(position, |predecessor| {
                if decide(&self.words[predecessor as usize]) {
                    part.push(predecessor, lane_of(self.game, self.lanes, predecessor), wins);
                    if let Some(upper) = self.upper {
                        upper[predecessor as usize].store((self.level >> LOW_BITS) as u16, Relaxed);
                    }
                }
            });
        }
    }
}
