//! The levels of a solve: the frontier of each, and how threads share it.

use super::{
    frontier::{FrontierShape, Part, Slice},
    hubs::Hubs,
    known_positions::KnownPositions,
    labels::Labels,
    step::{Step, lane_of},
    word::{Alone, LOW_BITS, Shared, Word},
};
use crate::{
    game::{Reversible, Start},
    lock::{exclusive, into_inner, lock, with_own},
    memory::{Array, OutOfMemory},
    observer::{Observer, Stage},
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::{MAX_DTW, Plies, Value};
use rayon::prelude::*;
use std::sync::{Mutex, atomic::AtomicBool};

/// Settings for tests and measurements of the engine. No setting changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Levels with fewer positions than this are left to one thread.
    pub shared_level: u64,
}

impl Default for Tuning {
    /// Sharing a level out takes some ten microseconds, in which one thread visits the predecessors of a
    /// thousand positions.
    fn default() -> Tuning {
        Tuning { shared_level: 2048 }
    }
}

/// Positions that one task sets up at the start.
const START_GRAIN: usize = 1 << 16;

/// All that a solve knows between two levels.
pub(super) struct Solver<'a, G> {
    game: &'a G,
    tuning: Tuning,
    lanes: usize,
    words: Array<u16>,
    /// The upper bits of distances, from the first level on that a word cannot hold, or if such a distance is
    /// known.
    upper: Option<Array<u16>>,
    hubs: Hubs,
    /// Per thread, positions of level `level`.
    frontier: Vec<Mutex<Part>>,
    /// Per thread an empty part, for the positions of the next level.
    next: Vec<Mutex<Part>>,
    /// Whether the frontier is sorted by lanes: only then it can be shared out by lanes.
    sorted: bool,
    /// Known positions whose level has not come yet.
    known: KnownPositions,
    level: Plies,
    /// Positions decided so far.
    decided: u64,
}

impl<'a, G: Reversible> Solver<'a, G> {
    /// Sets up the words of all positions on the threads of the current pool.
    pub(super) fn new(
        game: &'a G,
        tuning: Tuning,
        observer: &dyn Observer,
    ) -> Result<Solver<'a, G>, SolveError> {
        observer.stage(Stage::Solving { positions: game.positions() });
        // One thread needs no lanes.
        let lanes = if rayon::current_num_threads() == 1 { 1 } else { game.lanes().max(1) };
        let mut words = Array::<u16>::new(game.positions())?;
        let received = AtomicBool::new(false);
        let (hubs, known) = start(game, lanes, words.get_mut(), StopRequest::new(observer, &received));
        if received.into_inner() {
            return Err(SolveError::Stopped);
        }
        if known.last_level() > Some(MAX_DTW) {
            return Err(SolveError::TooLong);
        }
        Ok(Solver {
            game,
            tuning,
            lanes,
            words,
            upper: upper_of(&known, game.positions())?,
            hubs,
            frontier: parts(game, lanes),
            next: parts(game, lanes),
            sorted: true,
            known,
            level: 0,
            decided: 0,
        })
    }

    /// Decides level after level until nothing more follows.
    pub(super) fn solve(mut self, observer: &dyn Observer) -> Result<Labels, SolveError> {
        let received = AtomicBool::new(false);
        let request = StopRequest::new(observer, &received);
        loop {
            self.frontier.extend(self.known.take(self.level).into_iter().map(Mutex::new));
            let len: u64 = self.frontier.iter_mut().map(|part| exclusive(part).len()).sum();
            if len == 0 {
                // Levels without a position propagate nothing and are passed over.
                let Some(level) = self.known.first_level() else { break };
                self.level = level;
                continue;
            }
            self.decided += len;
            observer.level(self.level, self.decided);
            if request.ask() {
                return Err(SolveError::Stopped);
            }
            if self.level == MAX_DTW {
                return Err(SolveError::TooLong);
            }
            self.level += 1;
            if self.level >> LOW_BITS != 0 && self.upper.is_none() {
                self.upper = Some(Array::new(self.game.positions())?);
            }
            self.propagate(len, request);
            if request.is_received() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(Labels::new(self.words, self.upper, self.level.saturating_sub(1)))
    }

    /// Replaces the frontier, which has `len` positions, by that of level `level`, unless it is stopped.
    fn propagate(&mut self, len: u64, stop: StopRequest) {
        let (lanes, threads) = (self.lanes, rayon::current_num_threads());
        // The next level is about as large as this one. If one thread will go through it, it need not be
        // sorted.
        let sort = lanes == 1 || len >= self.tuning.shared_level;
        let step = Step {
            game: self.game,
            lanes: if sort { lanes } else { 1 },
            words: self.words.get_atomic(),
            hubs: &self.hubs,
            upper: self.upper.as_mut().map(Array::get_atomic),
            level: self.level,
        };
        let parts: Vec<&Part> = self.frontier.iter_mut().map(|part| &*exclusive(part)).collect();
        let slices = |lane| parts.iter().flat_map(move |part| part.slices(lane));
        if threads == 1 || !self.sorted || len < self.tuning.shared_level {
            let part = exclusive(&mut self.next[0]);
            // A slice has some thousand positions.
            (0..lanes)
                .flat_map(slices)
                .take_while(|_| !stop.ask())
                .for_each(|slice| step.propagate::<Alone>(slice, part));
        } else if lanes > 1 {
            let next = &self.next;
            let busy: Vec<usize> = (0..lanes).filter(|&lane| slices(lane).next().is_some()).collect();
            // One lane per task: in most games a level uses half of the lanes, which must not fall to one
            // thread.
            busy.into_par_iter().with_max_len(1).for_each(|lane| {
                with_own(next, |part| {
                    slices(lane)
                        .take_while(|_| !stop.ask())
                        .for_each(|slice| step.propagate::<Alone>(slice, part));
                });
            });
        } else {
            let next = &self.next;
            let slices: Vec<Slice> = slices(0).collect();
            slices.into_par_iter().for_each(|slice| {
                if !stop.ask() {
                    with_own(next, |part| step.propagate::<Shared>(slice, part));
                }
            });
        }
        self.sorted = sort;
        // Known positions came in parts of their own behind those of the threads.
        self.frontier.truncate(threads);
        self.frontier.iter_mut().for_each(|part| exclusive(part).clear());
        std::mem::swap(&mut self.frontier, &mut self.next);
    }
}

/// Returns an empty part of a frontier for each thread of the current pool.
fn parts(game: &impl Reversible, lanes: usize) -> Vec<Mutex<Part>> {
    let shape = FrontierShape::new(lanes, game.positions());
    (0..rayon::current_num_threads()).map(|_| Mutex::new(Part::new(shape))).collect()
}

/// Returns the upper bits of known distances, or `None` if no known distance is longer than a word can hold.
fn upper_of(known: &KnownPositions, positions: u64) -> Result<Option<Array<u16>>, OutOfMemory> {
    if known.last_level().is_none_or(|last| last >> LOW_BITS == 0) {
        return Ok(None);
    }
    let mut array = Array::new(positions)?;
    let upper = array.get_mut();
    for (level, position) in known.at_least(1 << LOW_BITS) {
        upper[position as usize] = (level >> LOW_BITS) as u16;
    }
    Ok(Some(array))
}

/// Sets up `words`, one per position, and returns the hubs and the known positions, unless it is stopped.
fn start(
    game: &impl Reversible,
    lanes: usize,
    words: &mut [u16],
    stop: StopRequest,
) -> (Hubs, KnownPositions) {
    let hubs = Mutex::new(Vec::new());
    let shape = FrontierShape::new(lanes, game.positions());
    let known: Vec<Mutex<KnownPositions>> =
        (0..rayon::current_num_threads()).map(|_| Mutex::new(KnownPositions::new(shape))).collect();
    words.par_chunks_mut(START_GRAIN).enumerate().for_each(|(chunk, words)| {
        if stop.ask() {
            return;
        }
        let first = (chunk * START_GRAIN) as u64;
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
    let known = known.into_iter().map(into_inner);
    (Hubs::new(into_inner(hubs)), KnownPositions::gathered(shape, known))
}
