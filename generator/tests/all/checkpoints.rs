//! Solves that are stopped and resume from a checkpoint make the bytes of one that is not; damaged
//! checkpoints are passed over.

use crate::support::{board, on_schedule, rules};
use dragnet_formats::{
    board::{Board, make},
    rules::{Rules, Wrap},
};
use dragnet_generator::{
    CHECKPOINT_VERSION, CheckpointError, Engine, GenerateError, Generator, Observer, Plan, Stage, Warning,
    encode::Encoding,
};
use proptest::prelude::*;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};
use tempfile::TempDir;

/// Generators with 1, 2, 4 and 8 threads; a checkpoint is due whenever none is being written. The encoded
/// blocks of half of them wait in a file.
static GENERATORS: LazyLock<Vec<Generator>> = LazyLock::new(|| {
    let generator = |threads| Generator::new(threads).unwrap().without_sync();
    let with_memory = [(1, 0), (2, 1 << 30), (4, 0), (8, 1 << 30)];
    with_memory
        .map(|(threads, memory)| generator(threads).with_memory(memory).with_checkpoints(Duration::ZERO))
        .into()
});

/// An observer that stops at a level, or while blocks are encoded, and remembers all calls.
#[derive(Default)]
struct Watch {
    stop_at: Option<u32>,
    stop_writing: bool,
    level: AtomicU32,
    writing: AtomicBool,
    resumed: Mutex<Option<(u32, u64)>>,
    /// Levels with the positions decided by then.
    decided: Mutex<Vec<(u32, u64)>>,
    saved: Mutex<Vec<u32>>,
    unused: Mutex<Vec<(PathBuf, String)>>,
    others: AtomicU32,
    unwritten: AtomicU32,
    unremoved: Mutex<Vec<PathBuf>>,
}

impl Watch {
    fn stopping_at(level: u32) -> Watch {
        Watch { stop_at: Some(level), ..Watch::default() }
    }

    fn resumed_level(&self) -> Option<u32> {
        self.resumed.lock().unwrap().map(|(level, _)| level)
    }

    fn warnings(&self) -> usize {
        self.unused.lock().unwrap().len()
    }
}

impl Observer for Watch {
    fn stage(&self, stage: Stage) {
        self.writing.store(matches!(stage, Stage::Writing { .. }), Relaxed);
    }

    fn level(&self, level: u32, decided: u64) {
        self.level.store(level, Relaxed);
        self.decided.lock().unwrap().push((level, decided));
    }

    fn resumed(&self, level: u32, decided: u64) {
        assert_eq!(self.resumed.lock().unwrap().replace((level, decided)), None);
    }

    fn checkpoint(&self, level: u32, bytes: u64) {
        assert!(bytes > 0);
        self.saved.lock().unwrap().push(level);
    }

    fn warning(&self, warning: &Warning) {
        match warning {
            Warning::Unused { path, source } => {
                if matches!(source, CheckpointError::Other) {
                    self.others.fetch_add(1, Relaxed);
                }
                self.unused.lock().unwrap().push((path.clone(), source.to_string()));
            }
            Warning::NotRemoved { path, .. } => self.unremoved.lock().unwrap().push(path.clone()),
            _ => drop(self.unwritten.fetch_add(1, Relaxed)),
        }
    }

    fn stop(&self) -> bool {
        match self.writing.load(Relaxed) {
            true => self.stop_writing,
            // Before the first level there is nothing to keep.
            false if self.decided.lock().unwrap().is_empty() => false,
            false => self.stop_at.is_some_and(|level| self.level.load(Relaxed) >= level),
        }
    }
}

fn plan(board: &Board, rules: &Rules) -> Plan {
    Plan::new(board.clone(), rules.clone(), Encoding::default()).unwrap()
}

/// Returns the plan of a board that has doors on a schedule in every other lot.
fn on_schedule_or_not(board: Board, rules: Rules, lot: u64) -> Plan {
    Plan::of_setting(on_schedule(board, rules, lot), Encoding::default()).unwrap()
}

/// Returns the table of `plan` as an undisturbed solve makes it, and the last level.
fn undisturbed(plan: &Plan) -> (Vec<u8>, u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let watch = Watch::default();
    Generator::new(1).unwrap().without_sync().generate(plan, &path, &watch).unwrap();
    assert!(watch.saved.lock().unwrap().is_empty());
    (fs::read(&path).unwrap(), watch.level.into_inner())
}

/// Returns the files of the two generations.
fn generations(table: &Path) -> [PathBuf; 2] {
    let name = table.file_name().unwrap().to_str().unwrap();
    [1, 2].map(|generation| table.with_file_name(format!(".{name}.check-{generation}")))
}

/// Returns the level in the preamble of a checkpoint.
fn level_of(path: &Path) -> u32 {
    u32::from_le_bytes(fs::read(path).unwrap()[12..16].try_into().unwrap())
}

/// Returns the names of the files in `folder`.
fn names(folder: &TempDir) -> Vec<String> {
    fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Stops the solve of `plan` level after level, `steps` further each time and on changing numbers of threads,
/// then lets it finish.
fn check_stopped(plan: &Plan, steps: &[u32]) -> Result<(), TestCaseError> {
    let (expected, last) = undisturbed(plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let mut level = 0;
    let mut stopped_at = None;
    for (run, &step) in steps.iter().enumerate() {
        let watch = Watch::stopping_at(level + step);
        let result = GENERATORS[(run + step as usize) % 4].generate(plan, &path, &watch);
        prop_assert_eq!(watch.resumed_level(), stopped_at);
        let told = watch.decided.lock().unwrap()[0];
        prop_assert!(watch.resumed.lock().unwrap().is_none_or(|resumed| resumed == told));
        prop_assert_eq!(watch.warnings(), 0);
        if let Err(error) = result {
            prop_assert!(matches!(error, GenerateError::Stopped), "{}", error);
            level = watch.level.into_inner();
            stopped_at = Some(level);
            prop_assert_eq!(watch.saved.lock().unwrap().last().copied(), Some(level));
            prop_assert!(!path.exists());
        } else {
            prop_assert!(level + step > last);
            prop_assert_eq!(&fs::read(&path).unwrap(), &expected);
            prop_assert_eq!(names(&folder), ["a.dtb"]);
            (level, stopped_at) = (0, None);
            fs::remove_file(&path).unwrap();
        }
    }
    let watch = Watch { stop_writing: true, ..Watch::default() };
    let result = GENERATORS[steps.len() % 4].generate(plan, &path, &watch);
    prop_assert!(matches!(result, Err(GenerateError::Stopped)));
    prop_assert_eq!(watch.resumed_level(), stopped_at);
    let watch = Watch::default();
    GENERATORS[(steps.len() + 1) % 4].generate(plan, &path, &watch).unwrap();
    prop_assert!(watch.resumed_level().is_some_and(|level| level <= last && level + 1 >= last));
    prop_assert_eq!(watch.warnings(), 0);
    prop_assert_eq!(fs::read(&path).unwrap(), expected);
    prop_assert_eq!(names(&folder), ["a.dtb"]);
    Ok(())
}

/// Returns a random board of several tiles with some exits.
fn large_board() -> impl Strategy<Value = Board> {
    let walls = prop::sample::select(vec![0.0, 0.02, 0.2, 0.5]);
    let board = (1usize..28, 1usize..28, walls, any::<u64>(), 0usize..4);
    board.prop_filter_map("a board with an open cell", |(rows, cols, walls, seed, exits)| {
        let board = make::random(rows, cols, walls, seed).unwrap();
        let step = board.open_count().div_ceil(exits + 1).max(1);
        let exits: Vec<_> = board.open_cells().step_by(step).take(exits).collect();
        (board.open_count() > 0).then(|| board.with_exits(&exits).unwrap())
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop_oneof![Just(Rules::classic()), Just(Rules::chase()), rules()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn small_boards_resume(
        board in board(), rules in any_rules(), steps in prop::collection::vec(0u32..6, 0..6), lot in any::<u64>(),
    ) {
        check_stopped(&on_schedule_or_not(board, rules, lot), &steps)?;
    }

    #[test]
    fn boards_of_several_tiles_resume(
        board in large_board(), rules in any_rules(), steps in prop::collection::vec(0u32..20, 0..5),
        lot in any::<u64>(),
    ) {
        check_stopped(&on_schedule_or_not(board, rules, lot), &steps)?;
    }
}

#[test]
fn every_level_can_be_the_last_before_a_stop() {
    for rules in [Rules::classic(), Rules { wrap: Wrap::Both, ..Rules::chase() }] {
        let board = make::random(12, 11, 0.2, 5).unwrap();
        let board = board.with_exits(&[board.open_cells().nth(3).unwrap()]).unwrap();
        check_stopped(&plan(&board, &rules), &[1; 40]).unwrap();
    }
}

#[test]
fn deep_mazes_resume() {
    let board = make::maze(41, 41, 3, 1).unwrap();
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    let plan = plan(&board, &Rules::classic());
    let (_, last) = undisturbed(&plan);
    assert!(last > 300, "{last}");
    check_stopped(&plan, &[126, 1, 1, 1, 128, last / 3]).unwrap();
}

/// An observer that stops when it has been asked so many times.
struct StopAfter {
    questions: AtomicU32,
    /// The number of questions since the last level was reported.
    in_level: AtomicU32,
    watch: Watch,
}

impl StopAfter {
    fn new(questions: u32) -> StopAfter {
        let (questions, in_level) = (AtomicU32::new(questions), AtomicU32::new(0));
        StopAfter { questions, in_level, watch: Watch::default() }
    }
}

impl Observer for StopAfter {
    fn stage(&self, stage: Stage) {
        self.watch.stage(stage);
    }

    fn level(&self, level: u32, decided: u64) {
        self.in_level.store(0, Relaxed);
        self.watch.level(level, decided);
    }

    fn resumed(&self, level: u32, decided: u64) {
        self.watch.resumed(level, decided);
    }

    fn checkpoint(&self, level: u32, bytes: u64) {
        self.watch.checkpoint(level, bytes);
    }

    fn warning(&self, warning: &Warning) {
        self.watch.warning(warning);
    }

    fn stop(&self) -> bool {
        self.in_level.fetch_add(1, Relaxed);
        self.questions.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn a_solve_that_is_stopped_in_the_middle_of_a_level_resumes_from_the_level_before() {
    let one = make::random(64, 64, 0.2, 1).unwrap();
    let one = one.with_exits(&[one.open_cells().next().unwrap()]).unwrap();
    let several = make::random(9, 9, 0.1, 2).unwrap();
    let classic = Rules::classic();
    for (board, officers) in [(&one, 1), (&several, 2), (&several, 3)] {
        let plan = plan(board, &Rules { officers, ..classic.clone() });
        let (expected, _) = undisturbed(&plan);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        let (mut in_the_middle, mut level) = (0, None);
        for run in 0.. {
            let stop = StopAfter::new(3 << (run / 3));
            let made = GENERATORS[run as usize % 4].generate(&plan, &path, &stop);
            assert_eq!(stop.watch.warnings(), 0);
            // A run that is stopped while it resumes leaves the checkpoints as they are.
            if let Some(resumed) = stop.watch.resumed_level() {
                // The last level decides nothing, and what is saved behind it has the level before.
                assert!(level.is_some_and(|level: u32| level.abs_diff(resumed) <= 1), "{resumed}, {level:?}");
            }
            if made.is_ok() {
                break;
            }
            assert!(matches!(made, Err(GenerateError::Stopped)));
            if let Some(&saved) = stop.watch.saved.lock().unwrap().last() {
                in_the_middle += u32::from(stop.in_level.into_inner() > 1);
                level = Some(saved);
            }
        }
        assert!(in_the_middle > 0, "{in_the_middle} times with {officers} officers");
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

/// Stops the solve of `plan` twice, so that there are two generations. Returns the files' folder, the table's
/// path, and the older and the newer generation.
fn two_generations(plan: &Plan) -> (TempDir, PathBuf, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    for level in [3, 6] {
        let watch = Watch::stopping_at(level);
        assert!(matches!(GENERATORS[1].generate(plan, &path, &watch), Err(GenerateError::Stopped)));
    }
    let mut generations = generations(&path);
    generations.sort_by_key(|path| level_of(path));
    assert_eq!(level_of(&generations[1]), 6);
    assert!(level_of(&generations[0]) < 6);
    (folder, path, generations)
}

fn an_open_board() -> Board {
    let board = make::random(14, 15, 0.1, 3).unwrap();
    board.with_exits(&[board.open_cells().next().unwrap()]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_damaged_checkpoint_falls_back_to_the_other(
        at in any::<prop::sample::Index>(), bit in 0u32..8, cut in any::<bool>(), both in any::<bool>(),
    ) {
        let plan = plan(&an_open_board(), &Rules::classic());
        let (expected, _) = undisturbed(&plan);
        let (folder, path, generations) = two_generations(&plan);
        let older = level_of(&generations[0]);
        for damaged in &generations[usize::from(!both)..] {
            let mut bytes = fs::read(damaged).unwrap();
            let at = at.index(bytes.len());
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] ^= 1 << bit;
            }
            fs::write(damaged, bytes).unwrap();
        }
        let watch = Watch::default();
        GENERATORS[1].generate(&plan, &path, &watch).unwrap();
        prop_assert_eq!(watch.warnings(), 1 + usize::from(both));
        prop_assert!(both || watch.unused.lock().unwrap()[0].0 == generations[1]);
        prop_assert_eq!(watch.resumed_level(), (!both).then_some(older));
        prop_assert_eq!(fs::read(&path).unwrap(), expected);
        prop_assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn a_damaged_checkpoint_is_replaced_and_not_the_good_one() {
    let plan = plan(&an_open_board(), &Rules::classic());
    let (_folder, path, [older, newer]) = two_generations(&plan);
    let good = fs::read(&older).unwrap();
    let mut bytes = fs::read(&newer).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&newer, &bytes).unwrap();
    // It stops before a second checkpoint could be written.
    let stop = level_of(&older);
    let watch = Watch::stopping_at(stop);
    assert!(matches!(GENERATORS[0].generate(&plan, &path, &watch), Err(GenerateError::Stopped)));
    assert_eq!(watch.resumed_level(), Some(stop));
    assert_eq!(fs::read(&older).unwrap(), good);
    assert_eq!(level_of(&newer), stop);
}

#[test]
fn a_checkpoint_of_another_game_or_for_another_engine_is_not_used() {
    let first = plan(&an_open_board(), &Rules::classic());
    let setting = first.setting().unwrap();
    let mut squares = setting.board.squares().to_vec();
    squares.reverse();
    let reversed = Board::new(14, 15, squares).unwrap();
    let no_corners = Rules { corner_cutting: !setting.rules.corner_cutting, ..Rules::classic() };
    for other in [
        plan(&reversed, &setting.rules),
        plan(&setting.board, &no_corners),
        plan(&setting.board, &setting.rules).with_engine(Engine::Counters),
    ] {
        let (expected, _) = undisturbed(&other);
        let (folder, path, _) = two_generations(&first);
        let watch = Watch::default();
        let report = GENERATORS[1].generate(&other, &path, &watch).unwrap();
        assert_eq!(report.engine, other.engine());
        assert_eq!((watch.others.load(Relaxed), watch.warnings()), (2, 2));
        assert_eq!(watch.resumed_level(), None);
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn a_checkpoint_of_an_older_version_is_reported_and_not_used() {
    for engine in [Engine::Bitboard, Engine::Counters] {
        let plan = plan(&an_open_board(), &Rules::classic()).with_engine(engine);
        let (folder, path, [older, newer]) = two_generations(&plan.clone().with_engine(Engine::Auto));
        for file in [&older, &newer] {
            let mut bytes = fs::read(file).unwrap();
            bytes[8] = 9;
            fs::write(file, bytes).unwrap();
        }
        let watch = Watch::default();
        GENERATORS[1].generate(&plan, &path, &watch).unwrap();
        let messages = watch.unused.lock().unwrap();
        assert_eq!(messages.len(), 2);
        let expected = format!("expected version {CHECKPOINT_VERSION}, found 9");
        assert!(messages.iter().all(|(_, message)| *message == expected), "{messages:?}");
        assert_eq!(watch.resumed_level(), None);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn the_counters_engine_writes_no_checkpoint() {
    let plan = plan(&an_open_board(), &Rules::classic()).with_engine(Engine::Counters);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    for watch in [Watch::stopping_at(4), Watch { stop_writing: true, ..Watch::default() }] {
        let stopped = GENERATORS[1].generate(&plan, &path, &watch);
        assert!(matches!(stopped, Err(GenerateError::Stopped)));
        assert!(watch.saved.lock().unwrap().is_empty());
        assert_eq!(names(&folder), [""; 0]);
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_work() {
    let plan = plan(&an_open_board(), &Rules::classic());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    // A folder cannot be replaced by a file.
    for generation in generations(&path) {
        fs::create_dir(&generation).unwrap();
    }
    let watch = Watch::stopping_at(4);
    assert!(matches!(GENERATORS[1].generate(&plan, &path, &watch), Err(GenerateError::Stopped)));
    // One warning, however many could not be written.
    assert_eq!(watch.unwritten.load(Relaxed), 1);
    assert!(watch.saved.lock().unwrap().is_empty());
    let watch = Watch::default();
    GENERATORS[1].generate(&plan, &path, &watch).unwrap();
    assert_eq!(watch.warnings(), 2);
    assert_eq!(fs::read(&path).unwrap(), undisturbed(&plan).0);
}

#[test]
fn a_checkpoint_of_a_finished_table_that_cannot_be_removed_is_told() {
    let plan = plan(&an_open_board(), &Rules::classic()).with_engine(Engine::Counters);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    // A folder is not removed like a file.
    fs::create_dir(&generations(&path)[0]).unwrap();
    let watch = Watch::default();
    GENERATORS[1].generate(&plan, &path, &watch).unwrap();
    assert_eq!(*watch.unremoved.lock().unwrap(), generations(&path)[..1]);
}

#[test]
fn checkpoints_that_are_left_beside_a_finished_table_are_removed_and_those_of_another_game_are_not() {
    let ours = plan(&an_open_board(), &Rules::classic());
    let other = plan(&an_open_board(), &Rules::chase());
    let (folder, path, _) = two_generations(&ours);
    fs::write(&path, undisturbed(&ours).0).unwrap();
    let left = names(&folder).len();
    assert!(left >= 3, "the table and two generations");
    for (plan, expected) in [(&other, left), (&ours, 1), (&ours, 1)] {
        GENERATORS[1].remove_checkpoints(plan, &path, &Watch::default());
        assert_eq!(names(&folder).len(), expected);
    }
}

#[test]
fn a_short_solve_leaves_nothing() {
    let plan = plan(&an_open_board(), &Rules::classic());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let generator = Generator::new(1).unwrap().without_sync().with_checkpoints(Duration::from_secs(60));
    let watch = Watch::stopping_at(5);
    assert!(matches!(generator.generate(&plan, &path, &watch), Err(GenerateError::Stopped)));
    assert!(names(&folder).is_empty());
    generator.generate(&plan, &path, &Watch::default()).unwrap();
    assert_eq!(names(&folder), ["a.dtb"]);
}
