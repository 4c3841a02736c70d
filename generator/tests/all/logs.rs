//! Logs that checkpoints share as a file: solves resume with it, and whatever becomes of it the table has the
//! same bytes.

use dragnet_formats::{board::make, rules::Rules};
use dragnet_generator::{GenerateError, Generator, Observer, Plan, Stage, Warning, encode::Encoding};
use proptest::prelude::*;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};
use tempfile::TempDir;

/// Bytes of memory in which the sets of [`plan`] stay and its logs have no room.
const WITHOUT_LOGS: u64 = 4_500_000;

/// Returns a generator for which a checkpoint is due whenever none is being written. If it spills, logs leave
/// memory at once.
fn generator(threads: usize, spills: bool) -> Generator {
    let generator = Generator::new(threads).unwrap().without_sync().with_checkpoints(Duration::ZERO);
    if spills { generator.with_memory(WITHOUT_LOGS) } else { generator }
}

/// Returns the plan of a maze whose logs have several frames each.
fn plan(seed: u64) -> Plan {
    let board = make::maze(45, 45, 1, seed).unwrap();
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    Plan::new(board, Rules::classic(), Encoding::default()).unwrap()
}

/// The table of [`plan`] as an undisturbed run makes it, and the last level.
static EXPECTED: LazyLock<(Vec<u8>, u32)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let watch = Watch::default();
    Generator::new(1).unwrap().without_sync().generate(&plan(1), &path, &watch).unwrap();
    (fs::read(&path).unwrap(), watch.level.into_inner())
});

#[derive(Default)]
struct Watch {
    stop_at: Option<u32>,
    /// Something that is done once, at a level.
    act: Option<(u32, Box<dyn Fn() + Sync>)>,
    /// The process aborts when it has been asked so often whether to stop.
    abort_after: Option<AtomicU32>,
    level: AtomicU32,
    writing: Mutex<bool>,
    resumed: Mutex<Option<u32>>,
    warnings: Mutex<Vec<String>>,
}

impl Observer for Watch {
    fn stage(&self, stage: Stage) {
        *self.writing.lock().unwrap() = matches!(stage, Stage::Writing { .. });
    }

    fn level(&self, level: u32, _: u64) {
        self.level.store(level, Relaxed);
        if let Some((at, act)) = &self.act
            && *at == level
        {
            act();
        }
    }

    fn resumed(&self, level: u32, _: u64) {
        *self.resumed.lock().unwrap() = Some(level);
    }

    fn warning(&self, warning: &Warning) {
        self.warnings.lock().unwrap().push(warning.to_string());
    }

    fn stop(&self) -> bool {
        if let Some(left) = &self.abort_after
            && left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        {
            std::process::abort();
        }
        !*self.writing.lock().unwrap() && self.stop_at.is_some_and(|level| self.level.load(Relaxed) >= level)
    }
}

/// Returns the file of the logs for a table.
fn log_of(table: &Path) -> PathBuf {
    table.with_file_name(format!(".{}.log", table.file_name().unwrap().to_str().unwrap()))
}

/// Returns the names of the files in `folder`, in order.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Stops the solve of the plan at these levels. Returns the folder and the table's path.
fn stopped(plan: &Plan, levels: &[u32], spills: bool) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    for &level in levels {
        let watch = Watch { stop_at: Some(level), ..Watch::default() };
        let made = generator(2, spills).generate(plan, &path, &watch);
        assert!(matches!(made, Err(GenerateError::Stopped)), "{made:?}");
        assert_eq!(*watch.warnings.lock().unwrap(), [""; 0]);
    }
    (folder, path)
}

#[test]
fn solves_resume_with_the_logs_that_are_in_a_file() {
    let (expected, last) = &*EXPECTED;
    for spills in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        let (mut level, mut bytes) = (0, 0);
        for threads in (1..=8).cycle() {
            let watch = Watch { stop_at: Some(level + last / 9), ..Watch::default() };
            let made = generator(threads, spills && threads % 3 != 0).generate(&plan(1), &path, &watch);
            assert_eq!(*watch.warnings.lock().unwrap(), [""; 0]);
            assert_eq!(watch.resumed.into_inner().unwrap(), (level > 0).then_some(level));
            if made.is_ok() {
                break;
            }
            level = watch.level.into_inner();
            bytes = bytes.max(fs::metadata(log_of(&path)).map_or(0, |log| log.len()));
        }
        assert!(bytes > 20_000, "{bytes} bytes of logs");
        assert!(fs::read(&path).unwrap() == *expected);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn damaged_logs_cost_checkpoints_and_no_table(
        at in any::<prop::sample::Index>(), bit in 0u32..8, how in 0u32..4, spills in any::<bool>(),
    ) {
        let (expected, last) = &*EXPECTED;
        let (folder, path) = stopped(&plan(1), &[last / 2, last * 3 / 4], spills);
        let log = log_of(&path);
        let mut bytes = fs::read(&log).unwrap();
        let at = at.index(bytes.len());
        match how {
            0 => bytes.truncate(at),
            1 => {
                let (_other, other) = stopped(&plan(2), &[last / 2], spills);
                bytes = fs::read(log_of(&other)).unwrap();
            }
            2 => {
                // Of the same solve, and yet not the frames that the checkpoints name.
                let (_other, other) = stopped(&plan(1), &[last / 3, last / 2], !spills);
                let own = std::mem::replace(&mut bytes, fs::read(log_of(&other)).unwrap());
                prop_assume!(own != bytes);
            }
            _ => bytes[at] ^= 1 << bit,
        }
        fs::write(&log, bytes).unwrap();
        let watch = Watch::default();
        generator(3, spills).generate(&plan(1), &path, &watch).unwrap();
        // Behind the part that the older checkpoint names, damage costs the newer one alone; what no
        // checkpoint names may be damaged.
        let resumed = watch.resumed.into_inner().unwrap();
        prop_assert!(resumed.is_some() || !watch.warnings.into_inner().unwrap().is_empty());
        prop_assert!(how != 1 || resumed.is_none());
        prop_assert!(fs::read(&path).unwrap() == *expected);
        prop_assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn the_older_checkpoint_serves_if_the_newer_is_damaged_or_the_log_is_cut_behind_it() {
    let (expected, last) = &*EXPECTED;
    for cut_log in [false, true] {
        let (folder, path) = stopped(&plan(1), &[last / 2], false);
        let log = log_of(&path);
        let first = dragnet_generator::checkpoints_of(&path).swap_remove(0);
        let (first_bytes, first_len) = (fs::read(&first.path).unwrap(), fs::metadata(&log).unwrap().len());
        let watch = Watch { stop_at: Some(last * 3 / 4), ..Watch::default() };
        assert!(generator(2, false).generate(&plan(1), &path, &watch).is_err());
        let len = fs::metadata(&log).unwrap().len();
        assert!(len > first_len);
        let found = dragnet_generator::checkpoints_of(&path);
        let [newer, older, log] = &found[..] else { panic!("{found:?}") };
        assert!(log.is_log && log.path == log_of(&path) && newer.level > older.level);
        // What the checkpoint of the first run names has not changed.
        fs::write(&older.path, first_bytes).unwrap();
        if cut_log {
            fs::File::options().write(true).open(&log.path).unwrap().set_len(first_len).unwrap();
        } else {
            let mut bytes = fs::read(&newer.path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(&newer.path, bytes).unwrap();
        }
        let watch = Watch::default();
        generator(4, false).generate(&plan(1), &path, &watch).unwrap();
        assert_eq!(watch.resumed.into_inner().unwrap(), first.level, "{:?}", watch.warnings);
        assert_eq!(watch.warnings.into_inner().unwrap().len(), 1);
        assert!(fs::read(&path).unwrap() == *expected);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn a_log_that_is_removed_while_it_is_written_costs_checkpoints_and_no_table() {
    let (expected, last) = &*EXPECTED;
    for spills in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        let log = log_of(&path);
        let watch = Watch {
            act: Some((last / 2, Box::new(move || fs::remove_file(&log).unwrap()))),
            ..Watch::default()
        };
        generator(2, spills).generate(&plan(1), &path, &watch).unwrap();
        let warnings = watch.warnings.into_inner().unwrap();
        assert!(warnings.len() <= 1, "{warnings:?}");
        assert!(warnings.iter().all(|warning| warning.contains("of the logs is gone")), "{warnings:?}");
        assert!(fs::read(&path).unwrap() == *expected);
        assert_eq!(names(&folder), ["a.dtb"]);
    }
}

#[test]
fn a_second_run_for_the_same_table_leaves_the_files_of_the_first() {
    let (expected, last) = &*EXPECTED;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let second = {
        let path = path.clone();
        move || {
            let before = fs::read(log_of(&path)).unwrap();
            let watch = Watch::default();
            generator(2, true).generate(&plan(1), &path, &watch).unwrap();
            let warnings = watch.warnings.into_inner().unwrap();
            assert!(warnings.iter().any(|warning| warning.contains("another process")), "{warnings:?}");
            assert!(fs::read(log_of(&path)).unwrap().starts_with(&before));
            assert!(
                dragnet_generator::remove_leftovers(path.parent().unwrap(), |_| true).unwrap().is_empty()
            );
            assert!(fs::read(&path).unwrap() == EXPECTED.0);
            fs::remove_file(&path).unwrap();
        }
    };
    let watch = Watch { act: Some((last / 2, Box::new(second))), ..Watch::default() };
    generator(2, true).generate(&plan(1), &path, &watch).unwrap();
    assert!(fs::read(&path).unwrap() == *expected);
    assert_eq!(names(&folder), ["a.dtb"]);
}

#[test]
fn a_log_without_a_checkpoint_is_a_leftover_and_one_with_a_checkpoint_is_not() {
    let (_, last) = &*EXPECTED;
    let (folder, path) = stopped(&plan(1), &[last / 2], true);
    assert!(dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap().is_empty());
    for file in dragnet_generator::checkpoints_in(folder.path()).unwrap() {
        if !file.is_log {
            fs::remove_file(file.path).unwrap();
        }
    }
    let found = dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap();
    assert!(found.len() == 1 && found[0].path == log_of(&path) && !log_of(&path).exists(), "{found:?}");
    let notes = folder.path().join(".notes.dtb.log");
    fs::write(&notes, "a diary").unwrap();
    assert!(dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap().is_empty());
    assert_eq!(names(&folder), [".notes.dtb.log"]);
}

/// Makes the table in the folder that the environment names, and dies at some time. For the test below, which
/// starts this program once more.
#[test]
#[ignore = "a part of the test below"]
fn abort_while_solving() {
    let (Some(path), Ok(after)) = (env::var_os("DRAGNET_ABORT"), env::var("DRAGNET_AFTER")) else { return };
    let after: u32 = after.parse().unwrap();
    let watch = Watch { abort_after: Some(after.into()), ..Watch::default() };
    let made = generator(1 + after as usize % 3, after.is_multiple_of(2)).generate(
        &plan(1),
        Path::new(&path),
        &watch,
    );
    panic!("expected an end in the middle, found {made:?}");
}

#[test]
fn a_process_that_dies_again_and_again_makes_the_table_in_the_end() {
    let (expected, _) = &*EXPECTED;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let mut levels = Vec::new();
    for after in [150, 211, 97, 260, 310, 33] {
        let died = Command::new(env::current_exe().unwrap())
            .args(["--exact", "logs::abort_while_solving", "--ignored"])
            .env("DRAGNET_ABORT", &path)
            .env("DRAGNET_AFTER", after.to_string())
            .output()
            .unwrap();
        assert!(!died.status.success());
        dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap();
        levels.push(dragnet_generator::checkpoints_of(&path).first().and_then(|file| file.level));
    }
    assert!(levels.windows(2).all(|pair| pair[0] <= pair[1]), "{levels:?}");
    let watch = Watch::default();
    generator(2, true).generate(&plan(1), &path, &watch).unwrap();
    assert_eq!(watch.resumed.into_inner().unwrap(), *levels.last().unwrap());
    assert_eq!(watch.warnings.into_inner().unwrap(), [""; 0]);
    assert!(fs::read(&path).unwrap() == *expected);
    assert_eq!(names(&folder), ["a.dtb"]);
}
