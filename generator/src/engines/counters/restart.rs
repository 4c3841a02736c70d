//! Check-points of a solve: what of the words they hold, and the state that is made of them.

use super::{
    START_GRAIN, State,
    frontier::{Part, Shape},
    hubs::Hubs,
    known::Known,
    known_parts, lane_of, parts, put_upper, total, upper_of, with_own,
    word::{LOW_BITS, Word},
};
use crate::{
    checkpoint::{CheckpointError, Frames, Saved, Unrestored},
    game::{Reversible, Start},
    lock::lock,
    memory::Array,
};
use dragnet_formats::value::{MAX_DTW, Plies, Value};
use rayon::prelude::*;
use std::{
    io,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU16, Ordering::Relaxed},
    },
};

impl State {
    /// The state of which a check-point was taken.
    pub(super) fn restored(
        game: &impl Reversible,
        lanes: usize,
        saved: &mut Saved,
    ) -> Result<State, Unrestored> {
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
        let shape = Shape::new(lanes, game.positions());
        let known = known_parts(shape);
        let restart = Restart { game, lanes, upper: upper.as_ref().map(Array::get), level };
        let decided = restart.frontier(words.get_mut(), &frontier, &known);
        let Some(decided) = decided.filter(|_| level <= MAX_DTW) else {
            return Err(CheckpointError::State { what: "a position" }.into());
        };
        let known = Known::gathered(shape, known);
        match &mut upper {
            Some(upper) => put_upper(&known, upper.get_mut()),
            None => upper = upper_of(&known, game.positions())?,
        }
        let restart = Restart { game, lanes, upper: upper.as_ref().map(Array::get), level };
        let Some(hubs) = restart.counters(words.get_atomic()) else {
            return Err(CheckpointError::State { what: "a position with no moves left" }.into());
        };
        let mut state = State { words, upper, hubs, frontier, known, level, decided };
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

impl<G: Reversible> Restart<'_, G> {
    fn distance(&self, position: usize, word: Word) -> Plies {
        let upper = self.upper.map_or(0, |upper| upper[position]);
        Plies::from(upper) << LOW_BITS | Plies::from(word.low_distance())
    }

    /// Gives undecided positions the number of their moves, and puts those of the last level into `frontier` and those that are
    /// known and of a later level into `known`. How many are decided up to the last level, unless some word cannot be.
    fn frontier(&self, words: &mut [u16], frontier: &[Mutex<Part>], known: &[Mutex<Known>]) -> Option<u64> {
        let piece = |(i, words): (usize, &mut [u16])| {
            let first = (i * START_GRAIN) as u64;
            let (mut decided, mut good) = (0, true);
            with_own(frontier, |part| {
                self.game.for_each_start(first..first + words.len() as u64, |position, start, moves| {
                    let slot = &mut words[(position - first) as usize];
                    let word = Word::from_bits(*slot);
                    let distance = self.distance(position as usize, word);
                    let lane = || lane_of(self.game, self.lanes, position);
                    match (start, word.is_decided()) {
                        (Start::Known(Value::Win(later) | Value::Loss(later)), _) if later > self.level => {
                            // The check-point may have anything here: it tells distances apart only up to its level.
                            let wins = start == Start::Known(Value::Win(later));
                            *slot = Word::decided(wins, later).bits();
                            with_own(known, |known| known.push(later, position, lane(), wins));
                            return;
                        }
                        (Start::Open, true) => good &= (1..=self.level).contains(&distance),
                        (Start::Open, false) => {
                            good &= *slot == 0 && distance == 0;
                            *slot = Word::undecided(moves).bits();
                        }
                        (Start::Known(Value::Draw) | Start::Illegal, _) => {
                            good &= *slot == 0 && distance == 0;
                        }
                        (Start::Known(Value::Win(_) | Value::Loss(_)), decided) => {
                            let known =
                                if word.wins() { Value::Win(distance) } else { Value::Loss(distance) };
                            good &= decided && start == Start::Known(known);
                        }
                    }
                    if word.is_decided() {
                        decided += 1;
                        if distance == self.level {
                            part.push(position, lane(), word.wins());
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
                let mut left = bits.into();
                if hub {
                    let position = position as u64;
                    self.game.for_each_start(position..position + 1, |_, _, moves| left = moves);
                }
                self.game.for_each_successor(position as u64, |to| {
                    let to = self.game.canonical(to);
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
pub(super) fn decided_by(bits: u16, level: Plies) -> u16 {
    let word = Word::from_bits(bits);
    let decided = word.is_decided() && (level >> LOW_BITS != 0 || Plies::from(word.low_distance()) <= level);
    if decided { bits } else { 0 }
}

pub(super) fn save_words<T>(frames: &mut Frames, words: &[T], bits: impl Fn(&T) -> u16) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::{
        super::{SolveError, Tuning, solve, solve_with},
        *,
    };
    use crate::{
        Game, Observer, Pursuit, WithPredecessors,
        checkpoint::{Checkpoints, Saver},
    };
    use dragnet_formats::{
        board::make,
        digest::splitmix64,
        header::{Header, Summary},
        numbering::TileSize,
        rules::Rules,
    };
    use std::{sync::atomic::AtomicU32, time::Duration};

    /// A corridor with so many positions: from each a move to the one before, and from some another, three back. Some are known, one
    /// of them with a distance that a word cannot hold.
    struct Corridor(u64);

    impl Game for Corridor {
        fn positions(&self) -> u64 {
            self.0
        }

        fn start(&self, position: u64) -> Start {
            match position {
                33_800 => Start::Known(Value::Loss(20_000)),
                36_000 => Start::Known(Value::Win(3)),
                37_000 => Start::Known(Value::Draw),
                37_500 => Start::Illegal,
                _ => Start::Open,
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
    }

    impl Reversible for Corridor {
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
            Header { board, rules, police_tile: tile, thief_tile: tile, summary: Summary::of_draws(81) };
        Checkpoints::new(&folder.join("a"), Saver::Counters, &header, Duration::ZERO, false).unwrap()
    }

    #[test]
    fn solves_go_on_where_words_have_too_few_bits() {
        let game = Corridor(38_000);
        let pools = [1, 2, 4].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
        let tuning = Tuning { shared_level: 0 };
        let expected = solve(&game, &pools[0], tuning, &()).unwrap();
        assert!(expected.longest() > 2 << LOW_BITS);
        for (position, value) in [
            (33_799, Value::Win(33_733)),
            (35_999, Value::Win(22_193)),
            (36_001, Value::Loss(4)),
            (37_001, Value::Draw),
            (37_501, Value::Loss(0)),
        ] {
            assert_eq!(expected.value(position), value, "position {position}");
        }
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

    /// Two or three moves from each of so many positions, all over; into half of them without the turn being passed.
    struct Net(u64);

    impl Net {
        fn draw(&self, position: u64, salt: u64) -> u64 {
            splitmix64(position * 8 + salt)
        }
    }

    impl Game for Net {
        fn positions(&self) -> u64 {
            self.0
        }

        fn start(&self, position: u64) -> Start {
            match self.draw(position, 0) % 64 {
                0 => Start::Illegal,
                1 => Start::Known(Value::Loss(0)),
                2 => Start::Known(Value::Win(6)),
                3 => Start::Known(Value::Loss(9)),
                _ => Start::Open,
            }
        }

        fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
            let moves = 2 + self.draw(position, 1) % 2;
            (0..moves).map(|i| self.draw(position, 2 + i) % self.0).for_each(each);
        }

        fn keeps_turn(&self, position: u64) -> bool {
            self.draw(position, 7).is_multiple_of(2)
        }
    }

    #[test]
    fn solves_go_on_where_moves_keep_the_turn() {
        let game = WithPredecessors::new(Net(200_000)).unwrap();
        let pools = [1, 2, 4].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
        let expected = solve(&game, &pools[0], Tuning::default(), &()).unwrap();
        assert!(expected.longest() > 10);
        for stop in 0..expected.longest() {
            let folder = tempfile::tempdir().unwrap();
            let watch = |stop| StopAt { stop, level: AtomicU32::new(0), resumed: AtomicU32::new(0) };
            let tuning = Tuning { shared_level: 0 };
            let checkpoints = || checkpoints(folder.path());
            let stopped = solve_with(&game, &pools[1], tuning, Some(&checkpoints()), &watch(stop));
            assert!(matches!(stopped, Err(SolveError::Stopped)));
            let observer = watch(u32::MAX);
            let labels = solve_with(&game, &pools[2], tuning, Some(&checkpoints()), &observer).unwrap();
            assert_eq!(observer.resumed.into_inner(), stop);
            for position in 0..game.positions() {
                assert_eq!(labels.value(position), expected.value(position), "position {position}");
            }
        }
    }
}
