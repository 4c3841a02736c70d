//! The engine for any game: retrograde analysis level by level, with a counter of undecided moves per position.
//! States, proof and memory ordering are in `PROTOCOL.md`.

mod frontier;
pub mod hubs;
mod sync;
pub mod word;

use crate::{
    checkpoint::{CheckpointError, Checkpoints, Frames, Keeper, Saved, Unrestored},
    game::{Game, Start},
    lock::lock,
    memory::{Array, OutOfMemory},
    observer::{Observer, Stage},
};
use dragnet_formats::value::{MAX_DTW, Plies, Value};
use frontier::{Part, Shape, Slice};
use hubs::Hubs;
use rayon::{ThreadPool, prelude::*};
use std::{
    io,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU16, Ordering::Relaxed},
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
    solve_with(game, pool, tuning, None, observer)
}

/// The same with check-points: goes on from the last good one, and writes more.
pub(crate) fn solve_with(
    game: &impl Game,
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
    game: &impl Game,
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
    let State { mut words, mut upper, hubs, mut frontier, mut level, mut decided } = state;
    let mut next = parts(game, lanes);
    let words_shared = words.get_atomic();
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        loop {
            let parts: Vec<&Part> = frontier.iter_mut().map(|part| &*exclusive(part)).collect();
            let len: u64 = parts.iter().map(|part| part.len()).sum();
            if len == 0 {
                keeper.give_up();
                return Ok(());
            }
            decided += len;
            observer.level(level, decided);
            let stop = observer.stop();
            if keeper.due(stop) {
                let word = move |word: &AtomicU16| decided_by(word.load(Relaxed), level);
                match upper.as_mut().map(Array::get_atomic) {
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
            let step = Step {
                game,
                lanes,
                words: words_shared,
                hubs: &hubs,
                upper: upper.as_mut().map(Array::get_atomic),
                level,
            };
            let slices = |lane| parts.iter().flat_map(move |part| part.slices(lane));
            if threads == 1 || len < tuning.shared_level {
                let part = exclusive(&mut next[0]);
                (0..lanes).flat_map(slices).for_each(|slice| step.tell::<Alone>(slice, part));
            } else if lanes > 1 {
                (0..lanes).into_par_iter().for_each(|lane| {
                    with_own_part(&next, |part| {
                        slices(lane).for_each(|slice| step.tell::<Alone>(slice, part));
                    });
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
    })?;
    Ok(Labels { words, upper, longest: level.saturating_sub(1) })
}

/// All that a solve knows between two levels.
struct State {
    words: Array<u16>,
    /// See [`Labels::upper`].
    upper: Option<Array<u16>>,
    hubs: Hubs,
    /// By thread, the positions of level `level`.
    frontier: Vec<Mutex<Part>>,
    level: Plies,
    /// How many positions were decided in lower levels.
    decided: u64,
}

impl State {
    /// Level 0.
    fn started(game: &impl Game, lanes: usize) -> Result<State, SolveError> {
        let frontier = parts(game, lanes);
        let mut words = Array::<u16>::new(game.positions())?;
        let hubs = start(game, lanes, words.get_mut(), &frontier);
        Ok(State { words, upper: None, hubs, frontier, level: 0, decided: 0 })
    }

    /// The state of which a check-point was taken.
    fn restored(game: &impl Game, lanes: usize, saved: &mut Saved) -> Result<State, Unrestored> {
        let level = saved.level();
        let mut words = Array::<u16>::new(game.positions())?;
        restore_words(saved, words.get_mut())?;
        let mut upper = None;
        if level >> LOW_BITS != 0 {
            let mut plane = Array::new(game.positions())?;
            restore_words(saved, plane.get_mut())?;
            upper = Some(plane);
        }
        let frontier = parts(game, lanes);
        let restart = Restart { game, lanes, upper: upper.as_ref().map(Array::get), level };
        let decided = restart.frontier(words.get_mut(), &frontier);
        let Some(decided) = decided.filter(|_| level <= MAX_DTW) else {
            return Err(CheckpointError::State { what: "a position" }.into());
        };
        let Some(hubs) = restart.counters(words.get_atomic()) else {
            return Err(CheckpointError::State { what: "a position with no moves left" }.into());
        };
        let mut state = State { words, upper, hubs, frontier, level, decided };
        state.decided -= total(&mut state.frontier);
        Ok(state)
    }
}

/// What makes the state of a solve out of what was decided up to a level.
struct Restart<'a, G> {
    game: &'a G,
    lanes: usize,
    upper: Option<&'a [u16]>,
    level: Plies,
}

impl<G: Game> Restart<'_, G> {
    fn distance(&self, position: usize, word: Word) -> Plies {
        let upper = self.upper.map_or(0, |upper| upper[position]);
        Plies::from(upper) << LOW_BITS | Plies::from(word.low_distance())
    }

    /// Gives undecided positions the number of their moves, and puts those of the last level into `frontier`. How many are decided, unless
    /// some word cannot be.
    fn frontier(&self, words: &mut [u16], frontier: &[Mutex<Part>]) -> Option<u64> {
        let piece = |(i, words): (usize, &mut [u16])| {
            let first = (i * START_GRAIN) as u64;
            let (mut decided, mut good) = (0, true);
            with_own_part(frontier, |part| {
                self.game.for_each_start(first..first + words.len() as u64, |position, start| {
                    let slot = &mut words[(position - first) as usize];
                    let word = Word::from_bits(*slot);
                    let distance = self.distance(position as usize, word);
                    if word.is_decided() {
                        good &= distance <= self.level
                            && match start {
                                Start::Moves(_) => distance > 0,
                                Start::Won | Start::Lost => word == Word::decided(start == Start::Won, 0),
                            };
                        decided += 1;
                        if distance == self.level {
                            part.push(position, lane_of(self.game, self.lanes, position), word.wins());
                        }
                    } else {
                        good &= *slot == 0 && distance == 0;
                        match start {
                            Start::Moves(moves) => *slot = Word::undecided(moves).bits(),
                            Start::Won | Start::Lost => good = false,
                        }
                    }
                });
            });
            good.then_some(decided)
        };
        words.par_chunks_mut(START_GRAIN).enumerate().map(piece).try_reduce(|| 0, |a, b| Some(a + b))
    }

    /// Takes from the counters of undecided positions the moves that have been told of: into wins of levels before the last. The
    /// hubs, if each position has a move left.
    fn counters(&self, words: &[AtomicU16]) -> Option<Hubs> {
        let good = AtomicBool::new(true);
        let hubs = Mutex::new(Vec::new());
        words.par_chunks(START_GRAIN).enumerate().for_each(|(i, piece)| {
            for (position, slot) in (i * START_GRAIN..).zip(piece) {
                // Of an undecided position whoever sees its word learns that it is undecided, before this and after.
                let bits = slot.load(Relaxed);
                if bits == 0 || Word::from_bits(bits).is_decided() {
                    continue;
                }
                let hub = Word::from_bits(bits) == Word::HUB;
                let mut left = match self.game.start(position as u64) {
                    Start::Moves(moves) if hub => moves,
                    _ => bits.into(),
                };
                self.game.for_each_successor(position as u64, |to| {
                    let word = Word::from_bits(words[to as usize].load(Relaxed));
                    let told = word.is_decided()
                        && word.wins() != self.game.keeps_turn(to)
                        && self.distance(to as usize, word) < self.level;
                    left = left.saturating_sub(u32::from(told));
                });
                if left == 0 {
                    good.store(false, Relaxed);
                }
                if hub {
                    lock(&hubs).push((position as u64, left));
                } else {
                    slot.store(Word::undecided(left).bits(), Relaxed);
                }
            }
        });
        let hubs = hubs.into_inner().unwrap_or_else(PoisonError::into_inner);
        good.into_inner().then(|| Hubs::new(hubs))
    }
}

/// Positions of which a check-point has the low bytes of their words together, then the high ones.
const PIECE: usize = 1 << 16;

/// A position's word if it was decided up to `level`, else 0. If `level` has upper bits, there must be no higher level yet.
#[inline]
fn decided_by(bits: u16, level: Plies) -> u16 {
    let word = Word::from_bits(bits);
    let decided = word.is_decided() && (level >> LOW_BITS != 0 || Plies::from(word.low_distance()) <= level);
    if decided { bits } else { 0 }
}

fn save_words<T>(frames: &mut Frames, words: &[T], bits: impl Fn(&T) -> u16) -> io::Result<()> {
    let mut bytes = [vec![0; PIECE], vec![0; PIECE]];
    for piece in words.chunks(PIECE) {
        let [low, high] = bytes.each_mut().map(|bytes| &mut bytes[..piece.len()]);
        for ((word, low), high) in piece.iter().zip(&mut *low).zip(&mut *high) {
            [*low, *high] = bits(word).to_le_bytes();
        }
        frames.put(low)?;
        frames.put(high)?;
    }
    Ok(())
}

fn restore_words(saved: &mut Saved, words: &mut [u16]) -> Result<(), CheckpointError> {
    let mut bytes = [vec![0; PIECE], vec![0; PIECE]];
    for piece in words.chunks_mut(PIECE) {
        let [low, high] = bytes.each_mut().map(|bytes| &mut bytes[..piece.len()]);
        saved.read(low)?;
        saved.read(high)?;
        for ((word, &low), &high) in piece.iter_mut().zip(&*low).zip(&*high) {
            *word = u16::from_le_bytes([low, high]);
        }
    }
    Ok(())
}

/// A frontier without positions, for the threads of the current pool.
fn parts(game: &impl Game, lanes: usize) -> Vec<Mutex<Part>> {
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

/// Lets the calling thread of the pool work on its own part of `parts`. The lock is never contended.
fn with_own_part<T>(parts: &[Mutex<Part>], work: impl FnOnce(&mut Part) -> T) -> T {
    let own = rayon::current_thread_index().unwrap_or(0);
    work(&mut lock(&parts[own]))
}

/// Sets up the words, and puts the positions of level 0 into `frontier`. The hubs.
fn start(game: &impl Game, lanes: usize, words: &mut [u16], frontier: &[Mutex<Part>]) -> Hubs {
    let hubs = Mutex::new(Vec::new());
    words.par_chunks_mut(START_GRAIN).enumerate().for_each(|(i, words)| {
        let first = (i * START_GRAIN) as u64;
        with_own_part(frontier, |part| {
            game.for_each_start(first..first + words.len() as u64, |position, start| {
                let word = match start {
                    Start::Moves(moves) => {
                        if moves > Word::MAX_MOVES {
                            lock(&hubs).push((position, moves));
                        }
                        Word::undecided(moves)
                    }
                    Start::Won | Start::Lost => {
                        let wins = start == Start::Won;
                        part.push(position, lane_of(game, lanes, position), wins);
                        Word::decided(wins, 0)
                    }
                };
                words[(position - first) as usize] = word.bits();
            });
        });
    });
    Hubs::new(hubs.into_inner().unwrap_or_else(PoisonError::into_inner))
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
    hubs: &'a Hubs,
    upper: Option<&'a [AtomicU16]>,
    level: Plies,
}

impl<G: Game> Step<'_, G> {
    /// Tells the predecessors of all positions of `slice`; those that this decides go to `part`.
    fn tell<A: Access>(&self, slice: Slice, part: &mut Part) {
        let (won, lost) = (Word::decided(true, self.level), Word::decided(false, self.level));
        for position in slice.positions() {
            if slice.wins == self.game.keeps_turn(position) {
                self.tell_all(position, part, true, |_, word| A::decide_win(word, won));
            } else if self.hubs.is_empty() {
                self.tell_all(position, part, false, |_, word| A::count_down(word, lost));
            } else {
                self.tell_all(position, part, false, |position, word| {
                    self.count_down::<A>(position, word, lost)
                });
            }
        }
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
    fn tell_all(&self, position: u64, part: &mut Part, wins: bool, decide: impl Fn(u64, &AtomicU16) -> bool) {
        self.game.for_each_predecessor(position, |predecessor| {
            if decide(predecessor, &self.words[predecessor as usize]) {
                part.push(predecessor, lane_of(self.game, self.lanes, predecessor), wins);
                if let Some(upper) = self.upper {
                    upper[predecessor as usize].store((self.level >> LOW_BITS) as u16, Relaxed);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pursuit, checkpoint::Saver};
    use dragnet_formats::{
        board::make,
        header::{Header, Summary},
        numbering::TileSize,
        rules::Rules,
    };
    use std::{sync::atomic::AtomicU32, time::Duration};

    /// A corridor with so many positions: from each a move to the one before, and from some another, three back.
    struct Corridor(u64);

    impl Game for Corridor {
        fn positions(&self) -> u64 {
            self.0
        }

        fn start(&self, position: u64) -> Start {
            match position {
                0 => Start::Lost,
                _ if position % 1000 == 999 => Start::Moves(2),
                _ => Start::Moves(1),
            }
        }

        fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
            if position > 0 {
                each(position - 1);
                if position % 1000 == 999 {
                    each(position - 3);
                }
            }
        }

        fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
            for (from, special) in [(position + 1, false), (position + 3, true)] {
                if from < self.0 && (!special || from % 1000 == 999) {
                    each(from);
                }
            }
        }
    }

    struct StopAt {
        stop: u32,
        level: AtomicU32,
        resumed: AtomicU32,
    }

    impl Observer for StopAt {
        fn level(&self, level: u32, _: u64) {
            self.level.store(level, Relaxed);
        }

        fn resumed(&self, level: u32, _: u64) {
            self.resumed.store(level, Relaxed);
        }

        fn warning(&self, warning: &crate::Warning) {
            panic!("{warning}");
        }

        fn stop(&self) -> bool {
            self.level.load(Relaxed) >= self.stop
        }
    }

    /// The key is that of a board; the game is not looked at.
    fn checkpoints(folder: &std::path::Path) -> Checkpoints {
        let tile = TileSize::new(8, 8).unwrap();
        let game = Pursuit::new(make::open(3, 3).unwrap(), Rules::classic(), tile, tile).unwrap();
        let (board, rules) = (game.board().clone(), game.rules().clone());
        let header =
            Header { board, rules, police_tile: tile, thief_tile: tile, summary: Summary::default() };
        Checkpoints::new(&folder.join("a"), Saver::Counters, header, Duration::ZERO, false).unwrap()
    }

    #[test]
    fn solves_go_on_where_words_have_too_few_bits() {
        let game = Corridor(35_000);
        let pools = [1, 2, 4].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
        let tuning = Tuning { shared_level: 0 };
        let expected = solve(&game, &pools[0], tuning, &()).unwrap();
        assert!(expected.longest() > 2 << LOW_BITS);
        let folder = tempfile::tempdir().unwrap();
        let mut resumed = 0;
        let last = expected.longest();
        let stops = [5, 16_382, 16_383, 16_384, 16_385, 16_386, 32_767, 32_768, 32_769, last, u32::MAX];
        for (i, stop) in stops.into_iter().enumerate() {
            let observer = StopAt { stop, level: AtomicU32::new(0), resumed: AtomicU32::new(0) };
            let checkpoints = checkpoints(folder.path());
            let solved = solve_with(&game, &pools[i % 3], tuning, Some(&checkpoints), &observer);
            assert_eq!(observer.resumed.into_inner(), resumed);
            resumed = stop;
            if stop < u32::MAX {
                assert!(matches!(solved, Err(SolveError::Stopped)));
                continue;
            }
            let labels = solved.unwrap();
            assert_eq!(labels.longest(), last);
            for position in 0..game.positions() {
                assert_eq!(labels.value(position), expected.value(position), "position {position}");
            }
        }
    }
}
