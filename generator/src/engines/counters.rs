//! The engine for any game: retrograde analysis level by level, with a counter of undecided moves per position.
//! States, proof and memory ordering are in `PROTOCOL.md`.

mod frontier;
pub mod hubs;
mod known;
mod restart;
mod sync;
pub mod word;

use crate::{
    checkpoint::{Checkpoints, Frames, Keeper},
    game::{Reversible, Start},
    games::team::TeamSpace,
    lock::lock,
    memory::{Array, OutOfMemory},
    observer::{Observer, Stage},
};
use dragnet_formats::{
    header::Header,
    value::{MAX_DTW, Plies, Value},
};
use frontier::{Part, Shape, Slice};
use hubs::Hubs;
use known::Known;
use rayon::{ThreadPool, prelude::*};
use restart::{decided_by, save_words};
use std::{
    io,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU16, Ordering::Relaxed},
    },
    thread,
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

/// Predecessors whose words are fetched at once, where they lie far apart.
const AT_ONCE: usize = 128;

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
    /// A distance beyond what a table can hold.
    #[error("the game has wins of more than {MAX_DTW} plies")]
    TooLong,
    /// More positions or moves than can be turned round: the game must tell its predecessors itself.
    #[error(
        "expected at most {} positions and moves of a game that does not tell its predecessors",
        u32::MAX
    )]
    TooLarge,
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Labels {
    /// The value of the position; a draw if it is not legal or not canonical.
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

    /// Puts all that is decided into a check-point of level [`Labels::longest`].
    ///
    /// # Errors
    /// Those of `frames`.
    pub(crate) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        let upper = self.upper.as_ref().filter(|_| self.longest >> LOW_BITS != 0);
        save_words(frames, self.words.get(), |&bits| decided_by(bits, self.longest))?;
        upper.map_or(Ok(()), |upper| save_words(frames, upper.get(), |&bits| bits))
    }
}

/// Bytes of memory that a thread takes for its frontier.
const THREAD: u64 = 8 << 20;

/// Returns the bytes of memory that solving the game of `header` takes: two per position, and the frontier.
pub(crate) fn memory_needed(header: &Header, threads: usize) -> u64 {
    let cells = header.board.open_count() as u64;
    let partial = TeamSpace::partial_turn_states(&header.rules, cells);
    let all = header.positions().saturating_add(partial.saturating_mul(cells));
    THREAD.saturating_mul(threads as u64).saturating_add(all / 5 * 13)
}

/// Solves `game` on the threads of `pool`. Takes 2 bytes per position, 4 for each position of the two largest consecutive
/// levels, and up to 8 MiB per thread; if some distance is over 16,383 plies, up to 2 bytes more per position.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: &impl Reversible,
    pool: &ThreadPool,
    tuning: Tuning,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    solve_with(game, pool, tuning, None, observer)
}

/// The same with check-points: goes on from the last good one, and writes more.
pub(crate) fn solve_with(
    game: &impl Reversible,
    pool: &ThreadPool,
    tuning: Tuning,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    // One visit to the pool for the whole solve: entering it for every level would put its threads to sleep and
    // wake them up again each time.
    pool.install(|| solve_here(game, tuning, checkpoints, observer))
}

/// Solves `game` on the threads of the current pool.
fn solve_here(
    game: &impl Reversible,
    tuning: Tuning,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    observer.stage(Stage::Solving { positions: game.positions() });
    let threads = rayon::current_num_threads();
    // One thread needs no lanes.
    let lanes = if threads == 1 { 1 } else { game.lanes().max(1) };
    let restored = match checkpoints {
        Some(checkpoints) => checkpoints.resume(observer, |saved| State::restored(game, lanes, saved))?,
        None => None,
    };
    let state = match restored {
        Some(mut state) => {
            observer.resumed(state.level, state.decided + total(&mut state.frontier));
            state
        }
        None => State::started(game, lanes)?,
    };
    let State { mut words, mut upper, hubs, mut frontier, mut known, mut level, mut decided } = state;
    if known.last_level() > Some(MAX_DTW) {
        return Err(SolveError::TooLong);
    }
    let mut next = parts(game, lanes);
    // Whether the frontier is sorted by lanes: only then it can be shared out.
    let mut sorted = true;
    let words_shared = words.get_atomic();
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        loop {
            frontier.extend(known.take(level).into_iter().map(Mutex::new));
            let parts: Vec<&Part> = frontier.iter_mut().map(|part| &*exclusive(part)).collect();
            let len: u64 = parts.iter().map(|part| part.len()).sum();
            if len == 0 {
                let Some(next) = known.first_level() else {
                    keeper.give_up();
                    return Ok(());
                };
                level = next;
                continue;
            }
            decided += len;
            observer.level(level, decided);
            let stop = observer.stop();
            if keeper.due(stop) {
                let word = move |word: &AtomicU16| decided_by(word.load(Relaxed), level);
                match upper.as_mut().map(Array::get_atomic).filter(|_| level >> LOW_BITS != 0) {
                    // The words of positions that are being decided would look like others.
                    Some(upper) => keeper.save_here(level, |frames| {
                        save_words(frames, words_shared, word)?;
                        save_words(frames, upper, |upper| upper.load(Relaxed))
                    }),
                    None => keeper.save(level, move |frames| save_words(frames, words_shared, word)),
                }
            }
            if stop {
                return Err(SolveError::Stopped);
            }
            if level == MAX_DTW {
                return Err(SolveError::TooLong);
            }
            level += 1;
            if level >> LOW_BITS != 0 && upper.is_none() {
                keeper.wait();
                upper = Some(Array::new(game.positions())?);
            }
            // A level is about as large as the one before.
            let large = lanes == 1 || len >= tuning.shared_level;
            let step = Step {
                game,
                lanes: if large { lanes } else { 1 },
                words: words_shared,
                hubs: &hubs,
                upper: upper.as_mut().map(Array::get_atomic),
                level,
            };
            let slices = |lane| parts.iter().flat_map(move |part| part.slices(lane));
            if threads == 1 || !sorted || len < tuning.shared_level {
                let part = exclusive(&mut next[0]);
                (0..lanes).flat_map(slices).for_each(|slice| step.tell::<Alone>(slice, part));
            } else if lanes > 1 {
                // One by one: in most games each level has half of them, which must not fall to one thread.
                let busy: Vec<usize> = (0..lanes).filter(|&lane| slices(lane).next().is_some()).collect();
                busy.into_par_iter().with_max_len(1).for_each(|lane| {
                    with_own(&next, |part| {
                        slices(lane).for_each(|slice| step.tell::<Alone>(slice, part));
                    });
                });
            } else {
                let slices: Vec<Slice> = slices(0).collect();
                slices.into_par_iter().for_each(|slice| {
                    with_own(&next, |part| step.tell::<Shared>(slice, part));
                });
            }
            sorted = large;
            // What was known has parts of its own.
            frontier.truncate(threads);
            frontier.iter_mut().for_each(|part| exclusive(part).clear());
            std::mem::swap(&mut frontier, &mut next);
        }
    })?;
    Ok(Labels { words, upper, longest: level.saturating_sub(1) })
}

/// All that a solve knows between two levels.
struct State {
    words: Array<u16>,
    /// See [`Labels::upper`].
    upper: Option<Array<u16>>,
    hubs: Hubs,
    /// By thread, the positions of level `level`, but for those in `known`.
    frontier: Vec<Mutex<Part>>,
    /// The positions that are known and of which no level has come yet.
    known: Known,
    level: Plies,
    /// How many positions were decided in lower levels.
    decided: u64,
}

impl State {
    /// Level 0.
    fn started(game: &impl Reversible, lanes: usize) -> Result<State, SolveError> {
        let mut words = Array::<u16>::new(game.positions())?;
        let (hubs, known) = start(game, lanes, words.get_mut());
        let upper = upper_of(&known, game.positions())?;
        Ok(State { words, upper, hubs, frontier: parts(game, lanes), known, level: 0, decided: 0 })
    }
}

/// A frontier without positions, for the threads of the current pool.
fn parts(game: &impl Reversible, lanes: usize) -> Vec<Mutex<Part>> {
    let shape = Shape::new(lanes, game.positions());
    (0..rayon::current_num_threads()).map(|_| Mutex::new(Part::new(shape))).collect()
}

/// How many positions a frontier has.
fn total(frontier: &mut [Mutex<Part>]) -> u64 {
    frontier.iter_mut().map(|part| exclusive(part).len()).sum()
}

/// A thread's part, when no thread works. A panic that has poisoned it is on its way up anyhow.
fn exclusive(part: &mut Mutex<Part>) -> &mut Part {
    part.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the calling thread of the pool work on its own one of `parts`. The lock is never contended.
fn with_own<P, T>(parts: &[Mutex<P>], work: impl FnOnce(&mut P) -> T) -> T {
    let own = rayon::current_thread_index().unwrap_or(0);
    work(&mut lock(&parts[own]))
}

/// For each thread of the current pool, no known position yet.
fn known_parts(shape: Shape) -> Vec<Mutex<Known>> {
    (0..rayon::current_num_threads()).map(|_| Mutex::new(Known::new(shape))).collect()
}

/// The upper bits of known distances, if some are longer than a word can hold.
fn upper_of(known: &Known, positions: u64) -> Result<Option<Array<u16>>, OutOfMemory> {
    if known.last_level().is_none_or(|last| last >> LOW_BITS == 0) {
        return Ok(None);
    }
    let mut upper = Array::new(positions)?;
    put_upper(known, upper.get_mut());
    Ok(Some(upper))
}

fn put_upper(known: &Known, upper: &mut [u16]) {
    for (level, position) in known.at_least(1 << LOW_BITS) {
        upper[position as usize] = (level >> LOW_BITS) as u16;
    }
}

/// Sets up the words. The hubs, and the positions that are known.
fn start(game: &impl Reversible, lanes: usize, words: &mut [u16]) -> (Hubs, Known) {
    let hubs = Mutex::new(Vec::new());
    let shape = Shape::new(lanes, game.positions());
    let known = known_parts(shape);
    words.par_chunks_mut(START_GRAIN).enumerate().for_each(|(i, words)| {
        let first = (i * START_GRAIN) as u64;
        with_own(&known, |known| {
            game.for_each_start(first..first + words.len() as u64, |position, start, moves| {
                let word = match start {
                    Start::Open => {
                        if moves > Word::MAX_MOVES {
                            lock(&hubs).push((position, moves));
                        }
                        Word::undecided(moves)
                    }
                    Start::Known(Value::Draw) | Start::Illegal => Word::CLOSED,
                    Start::Known(Value::Win(distance) | Value::Loss(distance)) => {
                        let wins = matches!(start, Start::Known(Value::Win(_)));
                        known.push(distance, position, lane_of(game, lanes, position), wins);
                        Word::decided(wins, distance)
                    }
                };
                words[(position - first) as usize] = word.bits();
            });
        });
    });
    let hubs = hubs.into_inner().unwrap_or_else(PoisonError::into_inner);
    (Hubs::new(hubs), Known::gathered(shape, known))
}

#[inline]
fn lane_of(game: &impl Reversible, lanes: usize, position: u64) -> usize {
    if lanes == 1 { 0 } else { game.lane(position) }
}

/// The step from one level to the next.
struct Step<'a, G> {
    game: &'a G,
    /// 1 if what is decided need not be sorted by lanes.
    lanes: usize,
    words: &'a [AtomicU16],
    hubs: &'a Hubs,
    upper: Option<&'a [AtomicU16]>,
    level: Plies,
}

impl<G: Reversible> Step<'_, G> {
    /// Tells the predecessors of all positions of `slice`; those that this decides go to `part`.
    fn tell<A: Access>(&self, slice: Slice, part: &mut Part) {
        if !self.game.has_kept_turns() {
            if slice.wins {
                self.tell_won::<A>(slice.positions(), part);
            } else {
                self.tell_lost::<A>(slice.positions(), part);
            }
            return;
        }
        // After a move that keeps the turn the winner is who has made it.
        let keeps = |&position: &u64| self.game.keeps_turn(position);
        self.tell_won::<A>(slice.positions().filter(|position| slice.wins != keeps(position)), part);
        self.tell_lost::<A>(slice.positions().filter(|position| slice.wins == keeps(position)), part);
    }

    /// Tells of moves after which the opponent of who made them wins.
    fn tell_won<A: Access>(&self, positions: impl Iterator<Item = u64>, part: &mut Part) {
        let lost = Word::decided(false, self.level);
        if self.hubs.is_empty() {
            self.tell_all(positions, part, false, |_, word| A::count_down(word, lost));
        } else {
            self.tell_all(positions, part, false, |position, word| {
                self.count_down::<A>(position, word, lost)
            });
        }
    }

    /// Tells of moves after which who made them wins.
    fn tell_lost<A: Access>(&self, positions: impl Iterator<Item = u64>, part: &mut Part) {
        let won = Word::decided(true, self.level);
        self.tell_all(positions, part, true, |_, word| A::decide_win(word, won));
    }

    /// Counts a move down of a position that may be a hub.
    fn count_down<A: Access>(&self, position: u64, word: &AtomicU16, lost: Word) -> bool {
        if Word::from_bits(word.load(Relaxed)) != Word::HUB {
            return A::count_down(word, lost);
        }
        let last = self.hubs.count_down(position);
        if last {
            // All its moves lead to wins, so that nobody decides it won, and nobody else was told of the last.
            word.store(lost.bits(), Relaxed);
        }
        last
    }

    #[inline]
    fn tell_all(
        &self,
        positions: impl Iterator<Item = u64>,
        part: &mut Part,
        wins: bool,
        decide: impl Fn(u64, &AtomicU16) -> bool,
    ) {
        let mut tell = |predecessor: u64| {
            if decide(predecessor, &self.words[predecessor as usize]) {
                part.push(predecessor, lane_of(self.game, self.lanes, predecessor), wins);
                if let Some(upper) = self.upper {
                    upper[predecessor as usize].store((self.level >> LOW_BITS) as u16, Relaxed);
                }
            }
        };
        if !G::SCATTERED {
            self.game.for_each_predecessor_of(positions, tell);
            return;
        }
        let (mut batch, mut len) = ([0; AT_ONCE], 0);
        let mut flush = |batch: &[u64]| {
            // Nothing waits for these reads, so that they are under way all at once.
            let words = batch.iter().map(|&predecessor| self.words[predecessor as usize].load(Relaxed));
            std::hint::black_box(words.fold(0, u16::wrapping_add));
            batch.iter().for_each(|&predecessor| tell(predecessor));
        };
        self.game.for_each_predecessor_of(positions, |predecessor| {
            batch[len] = predecessor;
            len += 1;
            if len == AT_ONCE {
                flush(&batch);
                len = 0;
            }
        });
        flush(&batch[..len]);
    }
}
