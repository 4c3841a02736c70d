//! From a solved game to its table: a kill while blocks are encoded costs no solving, and a full disk costs
//! the checkpoints before it costs the table.

use crate::support::{PAGE, SmallDisk, starting};
use dragnet_formats::{board::make, codec::Favour, rules::Rules};
use dragnet_generator::{GenerateError, Generator, Observer, Plan, Stage, Warning, encode::Encoding};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// A checkpoint is never due, and none is worth its time.
const NEVER: Duration = Duration::from_secs(3600);

fn generator(interval: Duration) -> Generator {
    Generator::new(2).unwrap().without_sync().with_checkpoints(interval)
}

/// Returns a plan whose table is several times as large as its checkpoints.
fn plan() -> Plan {
    let board = make::random(35, 35, 0.05, 1).unwrap();
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    let encoding = Encoding { favour: Favour::Speed, level: 1 };
    Plan::new(board, Rules::classic(), encoding).unwrap()
}

/// Returns the table of `plan` as an undisturbed run makes it, and the last level.
fn undisturbed(plan: &Plan) -> (Vec<u8>, u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let watch = Watch::default();
    generator(NEVER).generate(plan, &path, &watch).unwrap();
    (fs::read(&path).unwrap(), watch.level.into_inner())
}

/// Returns the names in `folder`, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The action of an observer in the middle of the encoding, once the finished solve has been saved.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Then {
    #[default]
    Nothing,
    Stop,
    Abort,
}

#[derive(Default)]
struct Watch {
    stop_at: Option<u32>,
    then: Then,
    level: AtomicU32,
    encoding: AtomicBool,
    resumed: Mutex<Option<u32>>,
    /// Levels of the checkpoints that were written while blocks were encoded, or later.
    saved: Mutex<Vec<u32>>,
    /// The level of the newest checkpoint.
    newest: Mutex<Option<u32>>,
    gone: Mutex<Vec<PathBuf>>,
    unwritten: AtomicU32,
}

impl Watch {
    fn resumed_level(&self) -> Option<u32> {
        *self.resumed.lock().unwrap()
    }

    /// Returns whether there is a checkpoint of the finished solve: of the last level, which decides nothing,
    /// or of the one before. It may have been written before the encoding began.
    fn has_finished_checkpoint(&self) -> bool {
        self.newest.lock().unwrap().is_some_and(|newest| newest + 1 >= self.level.load(Relaxed))
    }
}

impl Observer for Watch {
    fn stage(&self, stage: Stage) {
        self.encoding.store(matches!(stage, Stage::Writing { .. }), Relaxed);
    }

    fn level(&self, level: u32, _: u64) {
        self.level.store(level, Relaxed);
    }

    fn resumed(&self, level: u32, _: u64) {
        *self.resumed.lock().unwrap() = Some(level);
    }

    fn checkpoint(&self, level: u32, _: u64) {
        *self.newest.lock().unwrap() = Some(level);
        if self.encoding.load(Relaxed) {
            self.saved.lock().unwrap().push(level);
        }
    }

    fn warning(&self, warning: &Warning) {
        match warning {
            Warning::MadeRoom { path, bytes } => {
                assert!(*bytes > 0 && !path.exists());
                self.gone.lock().unwrap().push(path.clone());
            }
            _ => drop(self.unwritten.fetch_add(1, Relaxed)),
        }
    }

    fn stop(&self) -> bool {
        if !self.encoding.load(Relaxed) {
            return self.stop_at.is_some_and(|level| self.level.load(Relaxed) >= level);
        }
        if self.then == Then::Nothing {
            return false;
        }
        while !self.has_finished_checkpoint() {
            thread::yield_now();
        }
        if self.then == Then::Abort {
            std::process::abort();
        }
        true
    }
}

/// Makes the table in the folder that the environment names, and dies in the middle of the
/// encoding. For the test below, which starts this program once more.
#[test]
#[ignore = "a part of the test below"]
fn abort_while_encoding() {
    let Some(path) = env::var_os("DRAGNET_ABORT") else { return };
    let watch = Watch { then: Then::Abort, ..Watch::default() };
    let made = generator(Duration::ZERO).generate(&plan(), Path::new(&path), &watch);
    panic!("expected an end in the middle, found {made:?}");
}

#[test]
fn a_process_that_dies_while_it_encodes_has_saved_the_finished_solve() {
    let _alone = starting();
    let plan = plan();
    let (expected, last) = undisturbed(&plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let died = Command::new(env::current_exe().unwrap())
        .args(["--exact", "finishing::abort_while_encoding", "--ignored"])
        .env("DRAGNET_ABORT", &path)
        .output()
        .unwrap();
    assert!(!died.status.success());
    assert!(!path.exists() && names(folder.path()).iter().any(|name| name.contains(".check-")));
    dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap();
    let watch = Watch::default();
    generator(NEVER).generate(&plan, &path, &watch).unwrap();
    // The last level decides nothing, and a finished solve may be saved with the level before.
    assert!(watch.resumed_level().is_some_and(|level| level + 1 >= last), "{:?}", watch.resumed_level());
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(names(folder.path()), ["a.dtb"]);
}

#[test]
fn a_finished_solve_is_saved_once_however_often_its_encoding_is_stopped() {
    let plan = plan();
    let (expected, last) = undisturbed(&plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let watch = Watch { then: Then::Stop, ..Watch::default() };
    let stopped = generator(Duration::ZERO).generate(&plan, &path, &watch);
    assert!(matches!(stopped, Err(GenerateError::Stopped)));
    assert!(watch.has_finished_checkpoint() && watch.saved.lock().unwrap().len() <= 1);
    let found = names(folder.path());
    for _ in 0..2 {
        // There is nothing to save that is not saved, so the observer waits for no checkpoint.
        let watch = Watch { then: Then::Stop, newest: Mutex::new(Some(last)), ..Watch::default() };
        let stopped = generator(Duration::ZERO).generate(&plan, &path, &watch);
        assert!(matches!(stopped, Err(GenerateError::Stopped)));
        assert!(watch.resumed_level().is_some_and(|level| level + 1 >= last));
        assert!(watch.saved.lock().unwrap().is_empty());
        assert_eq!(names(folder.path()), found);
    }
    generator(Duration::ZERO).generate(&plan, &path, &Watch::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(names(folder.path()), ["a.dtb"]);
}

#[test]
fn a_finished_solve_is_saved_if_its_table_cannot_have_its_name() {
    let plan = plan();
    let (expected, last) = undisturbed(&plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    // A folder cannot be replaced by a file.
    fs::create_dir(&path).unwrap();
    let watch = Watch::default();
    let refused = generator(Duration::ZERO).generate(&plan, &path, &watch);
    assert!(matches!(refused, Err(GenerateError::Io(_))), "{refused:?}");
    assert!(watch.has_finished_checkpoint() && watch.saved.lock().unwrap().len() <= 1);
    fs::remove_dir(&path).unwrap();
    let watch = Watch::default();
    generator(NEVER).generate(&plan, &path, &watch).unwrap();
    assert!(watch.resumed_level().is_some_and(|level| level + 1 >= last));
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(names(folder.path()), ["a.dtb"]);
}

/// Stops the solve of `plan` for the table `path` twice, so that there are two checkpoints. Returns the bytes
/// of the older one and of the newer one.
fn leave_two_checkpoints(plan: &Plan, path: &Path, last: u32) -> [u64; 2] {
    for level in [last / 3, last / 2] {
        let watch = Watch { stop_at: Some(level), ..Watch::default() };
        let stopped = generator(Duration::ZERO).generate(plan, path, &watch);
        assert!(matches!(stopped, Err(GenerateError::Stopped)));
    }
    let found = dragnet_generator::checkpoints_of(path);
    let [newer, older] = [0, 1].map(|file| found[file].bytes);
    assert!(newer.min(older) > 8 * PAGE, "{found:?}");
    [older, newer]
}

#[test]
fn a_table_takes_the_room_of_its_checkpoints_on_a_full_disk() {
    let Some(disk) = SmallDisk::mount() else { return };
    let plan = plan();
    let (expected, last) = undisturbed(&plan);
    let table = expected.len() as u64;
    // Room for the table without one checkpoint, and without both.
    for lacking in [1, 2] {
        let path = disk.path().join("a.dtb");
        let [older, newer] = leave_two_checkpoints(&plan, &path, last);
        disk.leave(table - if lacking == 1 { older / 2 } else { older + newer / 2 });
        let watch = Watch::default();
        generator(NEVER).generate(&plan, &path, &watch).unwrap();
        assert_eq!(watch.gone.lock().unwrap().len(), lacking);
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names(disk.path()), ["a.dtb"]);
        fs::remove_file(&path).unwrap();
        disk.leave(64 << 20);
    }
}

#[test]
fn checkpoints_are_kept_and_named_if_the_table_does_not_fit_without_them() {
    let Some(disk) = SmallDisk::mount() else { return };
    let plan = plan();
    let (expected, last) = undisturbed(&plan);
    let path = disk.path().join("a.dtb");
    let [older, newer] = leave_two_checkpoints(&plan, &path, last);
    let files = dragnet_generator::checkpoints_of(&path);
    let logs: u64 = files.iter().filter(|file| file.is_log).map(|file| file.bytes).sum();
    let newest = dragnet_generator::checkpoints_of(&path)[0].level;
    let table = expected.len() as u64;
    disk.leave(table - older - newer - logs - 4 * PAGE);
    let watch = Watch::default();
    let refused = generator(NEVER).generate(&plan, &path, &watch);
    let Err(GenerateError::Full { bytes, checkpoints, .. }) = refused else {
        panic!("expected a full disk, found {refused:?}")
    };
    assert_eq!(bytes, Some(table));
    assert_eq!(checkpoints, dragnet_generator::checkpoints_of(&path));
    assert!(watch.gone.lock().unwrap().is_empty());
    assert!(checkpoints[0].level >= newest);
    // The finished solve takes the place of the older generation.
    let refused = generator(Duration::ZERO).generate(&plan, &path, &Watch::default());
    let Err(GenerateError::Full { checkpoints, .. }) = refused else {
        panic!("expected a full disk, found {refused:?}")
    };
    assert!(checkpoints[0].level.is_some_and(|level| level + 1 >= last), "{checkpoints:?}");
    assert!(!path.exists());
    disk.leave(64 << 20);
    let watch = Watch::default();
    generator(NEVER).generate(&plan, &path, &watch).unwrap();
    assert!(watch.resumed_level().is_some_and(|level| level + 1 >= last));
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(names(disk.path()), ["a.dtb"]);
}
