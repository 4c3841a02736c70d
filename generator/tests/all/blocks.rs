//! Encoded blocks that wait in a file: a run goes on where another one ended, and whatever becomes of the
//! file the table has the same bytes.

use crate::support::{SmallDisk, pursuit, starting};
use dragnet_formats::{
    board::make,
    codec::Favour,
    rules::{Rules, Team},
};
use dragnet_generator::{GenerateError, Generator, Observer, Plan, Stage, Warning, encode::Encoding};
use proptest::prelude::*;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// A checkpoint is never due, and none is worth its time.
const NEVER: Duration = Duration::from_secs(3600);

/// Returns a generator whose encoded blocks all wait in a file.
fn generator(threads: usize, interval: Duration) -> Generator {
    let generator = Generator::new(threads).unwrap().without_sync().with_memory(0);
    generator.with_checkpoints(interval)
}

/// Returns the plan of a board with many bundles of blocks.
fn plan(seed: u64) -> Plan {
    let board = make::random(44, 41, 0.15, seed).unwrap();
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    Plan::new(board, Rules::classic(), Encoding { favour: Favour::Size, level: 1 }).unwrap()
}

/// The tables of [`plan`] 1 and 2, made in memory.
static EXPECTED: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [1, 2].map(|seed| in_memory(&plan(seed))));

/// Returns the table of `plan` as one thread makes it in memory.
fn in_memory(plan: &Plan) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    Generator::new(1).unwrap().without_sync().generate(plan, &path, &()).unwrap();
    fs::read(&path).unwrap()
}

/// An observer of the encoding, which may stop it.
#[derive(Default)]
struct Watch {
    /// Stops when it has been asked so often since the first blocks were encoded.
    stop_after: Option<u64>,
    /// Aborts the process then.
    aborts: bool,
    /// Something that is done once, then.
    act: Option<Box<dyn Fn() + Sync>>,
    blocks: AtomicU64,
    writing: AtomicBool,
    asked: AtomicU64,
    /// The first number of blocks that are reported as encoded, and how often it had been asked then.
    first: Mutex<Option<(u64, u64)>>,
    warnings: Mutex<Vec<String>>,
}

impl Watch {
    fn stopping_after(blocks: u64) -> Watch {
        Watch { stop_after: Some(blocks), ..Watch::default() }
    }

    /// Returns the number of blocks that were there already. All others have been encoded, once.
    fn restored(&self) -> u64 {
        let (restored, asked) = self.first.lock().unwrap().unwrap();
        assert_eq!(restored + self.asked.load(Relaxed) - asked, self.blocks.load(Relaxed));
        restored
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap().clone()
    }
}

impl Observer for Watch {
    fn stage(&self, stage: Stage) {
        if let Stage::Writing { blocks } = stage {
            self.blocks.store(blocks, Relaxed);
            self.writing.store(true, Relaxed);
        }
    }

    fn written(&self, blocks: u64) {
        self.first.lock().unwrap().get_or_insert((blocks, self.asked.load(Relaxed)));
    }

    fn warning(&self, warning: &Warning) {
        self.warnings.lock().unwrap().push(warning.to_string());
    }

    fn stop(&self) -> bool {
        if !self.writing.load(Relaxed) {
            return false;
        }
        let asked = self.asked.fetch_add(1, Relaxed);
        if asked != self.stop_after.unwrap_or(u64::MAX) {
            return self.stop_after.is_some_and(|after| asked > after && self.act.is_none());
        }
        if self.aborts {
            std::process::abort();
        }
        self.act.as_ref().is_none_or(|act| {
            act();
            false
        })
    }
}

/// Returns the file of the encoded blocks for a table.
fn blocks_of(table: &Path) -> PathBuf {
    table.with_file_name(format!(".{}.blocks", table.file_name().unwrap().to_str().unwrap()))
}

/// Returns the names of the files in `folder`, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Stops the encoding of the table when it has been asked so often. Returns the bytes of the file of blocks.
fn stop(plan: &Plan, path: &Path, after: u64) -> u64 {
    let watch = Watch::stopping_after(after);
    let stopped = generator(2, Duration::ZERO).generate(plan, path, &watch);
    assert!(matches!(stopped, Err(GenerateError::Stopped)), "{stopped:?}");
    assert_eq!(watch.warnings(), [""; 0]);
    fs::metadata(blocks_of(path)).map_or(0, |file| file.len())
}

#[test]
fn encoding_goes_on_where_it_was_stopped() {
    let (plan, expected) = (plan(1), &EXPECTED[0]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let (mut bytes, mut restored) = (0, 0);
    for (run, threads) in [1, 2, 8, 1, 3, 2].into_iter().enumerate() {
        let watch = Watch::stopping_after(20);
        let made = generator(threads, Duration::ZERO).generate(&plan, &path, &watch);
        assert_eq!(watch.warnings(), [""; 0]);
        if made.is_ok() {
            break;
        }
        let first = watch.first.lock().unwrap().map_or(0, |(blocks, _)| blocks);
        assert!(run == 0 || first >= restored, "{first} blocks of {restored}");
        restored = first;
        let file = dragnet_generator::checkpoints_of(&path).pop().unwrap();
        assert!(file.is_blocks && file.path == blocks_of(&path) && file.bytes >= bytes, "{file:?}");
        bytes = file.bytes;
    }
    assert!(bytes > 0);
    assert!(dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap().is_empty());
    let watch = Watch::default();
    generator(2, NEVER).generate(&plan, &path, &watch).unwrap();
    assert!(watch.restored() > 0, "{:?}", watch.first);
    assert!(fs::read(&path).unwrap() == *expected);
    assert_eq!(names(folder.path()), ["a.dtb"]);
}

/// Makes the table in the folder that the environment names, and dies while it encodes. For the test below,
/// which starts this program once more.
#[test]
#[ignore = "a part of the test below"]
fn abort_while_encoding() {
    let Some(path) = env::var_os("DRAGNET_ABORT") else { return };
    let watch = Watch { aborts: true, ..Watch::stopping_after(60) };
    let made = generator(2, Duration::ZERO).generate(&plan(1), Path::new(&path), &watch);
    panic!("expected an end in the middle, found {made:?}");
}

#[test]
fn a_process_that_dies_while_it_encodes_leaves_blocks_for_the_next_one() {
    let _alone = starting();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    // Without a checkpoint the blocks would be left over.
    stop(&plan(1), &path, 0);
    let died = Command::new(env::current_exe().unwrap())
        .args(["--exact", "blocks::abort_while_encoding", "--ignored"])
        .env("DRAGNET_ABORT", &path)
        .output()
        .unwrap();
    assert!(!died.status.success());
    dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap();
    let watch = Watch::default();
    generator(2, NEVER).generate(&plan(1), &path, &watch).unwrap();
    assert!(watch.restored() > 0, "{:?}", watch.first);
    assert!(fs::read(&path).unwrap() == EXPECTED[0]);
    assert_eq!(names(folder.path()), ["a.dtb"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn damaged_blocks_are_encoded_again(at in any::<prop::sample::Index>(), bit in 0u32..8, how in 0u32..4) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        prop_assert!(stop(&plan(1), &path, 60) > 0);
        let mut bytes = fs::read(blocks_of(&path)).unwrap();
        let at = at.index(bytes.len());
        match how {
            0 => bytes.truncate(at),
            1 => {
                let other = folder.path().join("b.dtb");
                prop_assert!(stop(&plan(2), &other, 60) > 0);
                bytes = fs::read(blocks_of(&other)).unwrap();
                for file in dragnet_generator::checkpoints_of(&other) {
                    fs::remove_file(file.path).unwrap();
                }
            }
            _ => bytes[at] ^= 1 << bit,
        }
        fs::write(blocks_of(&path), bytes).unwrap();
        let watch = Watch::default();
        generator(3, NEVER).generate(&plan(1), &path, &watch).unwrap();
        prop_assert_eq!(watch.warnings(), [""; 0]);
        prop_assert!(how != 1 || watch.restored() == 0);
        prop_assert!(fs::read(&path).unwrap() == EXPECTED[0]);
        prop_assert_eq!(names(folder.path()), ["a.dtb"]);
    }

    /// Tables of any board and rules, from blocks that wait in a file.
    #[test]
    fn blocks_that_wait_make_the_same_table((board, rules) in pursuit(), speed in any::<bool>(), threads in 1usize..9) {
        let favour = if speed { Favour::Speed } else { Favour::Size };
        let plan = Plan::new(board, rules, Encoding { favour, level: 1 }).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        let expected = in_memory(&plan);
        generator(threads, NEVER).generate(&plan, &path, &()).unwrap();
        prop_assert!(fs::read(&path).unwrap() == expected);
        prop_assert_eq!(names(folder.path()), ["a.dtb"]);
    }
}

#[test]
fn boards_and_teams_of_many_blocks_make_the_same_table() {
    let maze = make::maze(41, 41, 3, 1).unwrap();
    let several = make::random(9, 9, 0.1, 2).unwrap();
    let open = make::open(40, 24).unwrap();
    for (board, officers, team) in
        [(maze, 1, Team::All), (several.clone(), 2, Team::All), (several, 2, Team::One), (open, 1, Team::All)]
    {
        let rules = Rules { officers, team, ..Rules::classic() };
        for favour in [Favour::Speed, Favour::Size] {
            let encoding = Encoding { favour, level: 1 };
            let plan = Plan::new(board.clone(), rules.clone(), encoding).unwrap();
            let expected = in_memory(&plan);
            for threads in [1, 2, 8] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("a.dtb");
                generator(threads, NEVER).generate(&plan, &path, &()).unwrap();
                assert!(fs::read(&path).unwrap() == expected);
            }
        }
    }
}

#[test]
fn a_file_that_is_removed_or_cannot_be_written_costs_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let blocks = blocks_of(&path);
    let remove = {
        let blocks = blocks.clone();
        Box::new(move || drop(fs::remove_file(&blocks)))
    };
    let watch = Watch { act: Some(remove), ..Watch::stopping_after(60) };
    generator(2, NEVER).generate(&plan(1), &path, &watch).unwrap();
    assert_eq!(watch.warnings(), [""; 0]);
    assert!(fs::read(&path).unwrap() == EXPECTED[0]);
    fs::remove_file(&path).unwrap();
    // A folder is in its place.
    fs::create_dir(&blocks).unwrap();
    let watch = Watch::default();
    generator(2, NEVER).generate(&plan(1), &path, &watch).unwrap();
    let warnings = watch.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("stay in memory"), "{warnings:?}");
    assert!(fs::read(&path).unwrap() == EXPECTED[0]);
}

#[test]
fn blocks_without_a_checkpoint_are_left_over_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    // A solve that leaves no checkpoint leaves no blocks.
    let stopped = generator(2, NEVER).generate(&plan(1), &path, &Watch::stopping_after(60));
    assert!(matches!(stopped, Err(GenerateError::Stopped)));
    assert_eq!(names(folder.path()), [""; 0]);
    assert!(stop(&plan(1), &path, 60) > 0);
    for file in dragnet_generator::checkpoints_in(folder.path()).unwrap() {
        if !file.is_log && !file.is_blocks {
            fs::remove_file(file.path).unwrap();
        }
    }
    let found = dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap();
    assert!(found.iter().any(|leftover| leftover.path == blocks_of(&path)), "{found:?}");
    fs::write(blocks_of(&path), "a diary").unwrap();
    assert!(dragnet_generator::remove_leftovers(folder.path(), |_| true).unwrap().is_empty());
}

#[test]
fn blocks_on_a_full_disk_leave_their_room_to_the_table() {
    let Some(disk) = SmallDisk::mount() else { return };
    let (plan, expected) = (plan(1), &EXPECTED[0]);
    let path = disk.path().join("a.dtb");
    let table = expected.len() as u64;
    // Room for the table and a part of the blocks, or hardly for the table.
    for spare in [table / 2, 16 << 10] {
        disk.leave(table + spare);
        let watch = Watch::default();
        // Blocks wait in the file, and there is memory for them and for the logs.
        let generator = generator(2, NEVER).with_memory(plan.needs(2).least + (4 << 20));
        generator.generate(&plan, &path, &watch).unwrap();
        assert!(watch.warnings().iter().all(|warning| warning.contains("stay in memory")));
        assert!(fs::read(&path).unwrap() == *expected);
        assert_eq!(names(disk.path()), ["a.dtb"]);
        fs::remove_file(&path).unwrap();
    }
    disk.leave(table / 2);
    let refused = generator(2, NEVER).generate(&plan, &path, &Watch::default());
    let Err(GenerateError::Full { bytes, .. }) = refused else {
        panic!("expected a full disk, found {refused:?}")
    };
    assert_eq!(bytes, Some(table));
    assert_eq!(names(disk.path()), [""; 0]);
}
