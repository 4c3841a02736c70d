//! Solves whose logs and sets go to scratch files: under any limit of memory the table has the same bytes.

use dragnet_formats::{
    board::{Board, make},
    rules::Rules,
};
use dragnet_generator::{
    GenerateError, Generator, Needs, Observer, Plan, Warning,
    encode::Encoding,
    remove_scratch_leftovers,
    schedule::{self, Order, Task},
    scratch_logs,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
    time::Duration,
};

/// An observer that looks into a scratch folder after each level, and may stop a solve there.
struct Watch<'a> {
    scratch: &'a Path,
    stop_at: Option<u32>,
    /// Whether to stop when some blocks are encoded.
    stops_encoding: bool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    level: u32,
    encoded: u64,
    /// The most bytes of logs.
    bytes: u64,
    resumed: Option<u32>,
    warnings: Vec<String>,
}

impl Watch<'_> {
    fn new(scratch: &Path) -> Watch<'_> {
        Watch { scratch, stop_at: None, stops_encoding: false, seen: Mutex::default() }
    }
}

impl Observer for Watch<'_> {
    fn level(&self, level: u32, _: u64) {
        let mut seen = self.seen.lock().unwrap();
        seen.level = level;
        let bytes =
            files(self.scratch).iter().map(|file| fs::metadata(file).map_or(0, |file| file.len())).sum();
        seen.bytes = seen.bytes.max(bytes);
    }

    fn written(&self, blocks: u64) {
        self.seen.lock().unwrap().encoded = blocks;
    }

    fn resumed(&self, level: u32, _: u64) {
        self.seen.lock().unwrap().resumed = Some(level);
    }

    fn warning(&self, warning: &Warning) {
        self.seen.lock().unwrap().warnings.push(warning.to_string());
    }

    fn stop(&self) -> bool {
        let seen = self.seen.lock().unwrap();
        self.stop_at.is_some_and(|level| seen.level >= level) || self.stops_encoding && seen.encoded > 0
    }
}

/// Returns the files in a folder, in order; none if there is no folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn plan(board: Board, officers: u8) -> Plan {
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    Plan::new(board, Rules { officers, ..Rules::classic() }, Encoding::default()).unwrap()
}

/// A maze whose logs have several frames each at the level [`Maze::middle`].
struct Maze {
    plan: Plan,
    expected: Vec<u8>,
    middle: u32,
}

static MAZE: LazyLock<Maze> = LazyLock::new(|| {
    let plan = plan(make::maze(45, 45, 1, 1).unwrap(), 1);
    let folder = tempfile::tempdir().unwrap();
    let watch = Watch::new(folder.path());
    let path = folder.path().join("a.dtb");
    generator(2).generate(&plan, &path, &watch).unwrap();
    let middle = watch.seen.lock().unwrap().level / 2;
    Maze { plan, expected: fs::read(&path).unwrap(), middle }
});

fn generator(threads: usize) -> Generator {
    Generator::new(threads).unwrap().without_sync()
}

/// Returns the table of a plan as an undisturbed run makes it.
fn expected(plan: &Plan) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    generator(2).generate(plan, &path, &()).unwrap();
    fs::read(&path).unwrap()
}

/// Returns limits of memory under which a table with these needs is to be made, but for the last.
fn limits(Needs { least, likely, .. }: Needs) -> [u64; 6] {
    [likely, likely / 10 * 6, likely / 10 * 3, least.midpoint(likely), least, least - 1]
}

#[test]
fn tables_have_the_same_bytes_under_any_limit_of_memory_that_does_not_refuse_them() {
    let boards = [
        ("open", plan(make::open(64, 64).unwrap(), 1)),
        ("maze", plan(make::maze(81, 81, 0, 1).unwrap(), 1)),
        ("random", plan(make::random(56, 56, 0.2, 1).unwrap(), 1)),
        ("officers", plan(make::open(11, 11).unwrap(), 2)),
    ];
    for (name, plan) in &boards {
        let expected = expected(plan);
        let task = Task::new(plan, 2);
        for limit in limits(task.needs) {
            let folder = tempfile::tempdir().unwrap();
            let (path, scratch) = (folder.path().join("a.dtb"), folder.path().join("scratch"));
            let create = |threads| Ok(Generator::new(threads)?.without_sync().with_scratch(&scratch));
            let work = |_, generator: &Generator| {
                let watch = Watch::new(&scratch);
                generator.generate(plan, &path, &watch).unwrap();
                let seen = watch.seen.into_inner().unwrap();
                assert!(seen.warnings.is_empty(), "{:?}", seen.warnings);
            };
            schedule::run(&[task], 2, limit, Order::Auto, create, work).unwrap();
            assert_eq!(path.exists(), limit >= task.needs.least, "{name}: {:?}", task.needs);
            if path.exists() {
                assert!(fs::read(&path).unwrap() == expected, "{name} within {limit} bytes");
                assert!(files(&scratch).is_empty());
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let (path, scratch) = (folder.path().join("a.dtb"), folder.path().join("scratch"));
        let watch = Watch::new(&scratch);
        generator(2).with_scratch(&scratch).with_memory(0).generate(plan, &path, &watch).unwrap();
        let spilled = watch.seen.into_inner().unwrap().bytes;
        assert!(spilled > 100 << 10, "{name}: {spilled} bytes of logs where there is no memory");
        assert!(fs::read(&path).unwrap() == expected, "{name} without memory");
    }
}

#[test]
fn a_solve_resumes_with_the_logs_in_its_scratch_folder() {
    let (Maze { plan, expected, middle }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let scratch = root.path().join("deep/scratch");
    let [one, other] = ["one/a.dtb", "other/a.dtb"].map(|name| root.path().join(name));
    let generator = generator(2).with_checkpoints(Duration::ZERO).with_scratch(&scratch).with_memory(0);
    for table in [&one, &other] {
        let watch = Watch { stop_at: Some(*middle), ..Watch::new(&scratch) };
        let made = generator.generate(plan, table, &watch);
        assert!(matches!(made, Err(GenerateError::Stopped)), "{made:?}");
    }
    // Two tables of one name have a log each, and no log is beside a table.
    assert_eq!(files(&scratch).len(), 2);
    for table in [&one, &other] {
        let folder = table.parent().unwrap();
        let logs = scratch_logs(folder, &scratch).unwrap();
        assert_eq!(logs.len(), 1);
        assert!(logs[0].is_log && logs[0].table == *table && files(&scratch).contains(&logs[0].path));
        assert!(dragnet_generator::checkpoints_of(table).iter().all(|file| !file.is_log));
        assert!(remove_scratch_leftovers(folder, &scratch, |_| true).unwrap().is_empty());
    }
    for (table, left) in [(&one, 1), (&other, 0)] {
        let watch = Watch::new(&scratch);
        generator.generate(plan, table, &watch).unwrap();
        let seen = watch.seen.into_inner().unwrap();
        assert!(
            seen.resumed >= Some(*middle) && seen.warnings.is_empty(),
            "{:?} {:?}",
            seen.resumed,
            seen.warnings
        );
        assert!(fs::read(table).unwrap() == *expected);
        assert_eq!(files(table.parent().unwrap()), std::slice::from_ref(table));
        assert_eq!(files(&scratch).len(), left);
    }
}

#[test]
fn another_scratch_folder_costs_the_checkpoints_and_no_table() {
    let (Maze { plan, expected, middle }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let [scratch, other] = ["scratch", "other"].map(|name| root.path().join(name));
    let table = root.path().join("tables/a.dtb");
    let folder = table.parent().unwrap();
    let generator = generator(2).with_checkpoints(Duration::ZERO).with_memory(0);
    let folders = [(Some(&scratch), None), (None, Some(&scratch)), (Some(&scratch), Some(&other))];
    for ((first, second), encodes) in
        folders.into_iter().flat_map(|folders| [(folders, false), (folders, true)])
    {
        let with = |scratch: Option<&PathBuf>| match scratch {
            Some(scratch) => generator.clone().with_scratch(scratch),
            None => generator.clone(),
        };
        let stop_at = (!encodes).then_some(*middle);
        let watch = Watch { stop_at, stops_encoding: encodes, ..Watch::new(&scratch) };
        assert!(with(first).generate(plan, &table, &watch).is_err());
        let watch = Watch::new(&scratch);
        with(second).generate(plan, &table, &watch).unwrap();
        let seen = watch.seen.into_inner().unwrap();
        assert!(seen.resumed.is_none() && seen.warnings.iter().any(|warning| warning.contains("is missing")));
        assert!(fs::read(&table).unwrap() == *expected);
        assert_eq!(files(folder), std::slice::from_ref(&table));
        fs::remove_file(&table).unwrap();
        // The log that the second run did not know is left over, and only in the folder of its table; and so
        // are encoded blocks.
        let left = files(&scratch);
        assert_eq!(left.len(), if first.is_some() { 1 + usize::from(encodes) } else { 0 });
        assert!(remove_scratch_leftovers(root.path(), &scratch, |_| true).unwrap().is_empty());
        let removed = remove_scratch_leftovers(folder, &scratch, |_| true).unwrap();
        let mut removed: Vec<PathBuf> = removed.into_iter().map(|leftover| leftover.path).collect();
        removed.sort();
        assert_eq!(removed, left);
        assert!(files(&other).is_empty());
    }
}

#[test]
fn the_folder_of_the_table_is_no_scratch_folder_of_its_own() {
    let (Maze { plan, middle, .. }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let table = root.path().join("tables/a.dtb");
    let here = root.path().join("tables/../tables");
    let generator = generator(1).with_checkpoints(Duration::ZERO);
    let watch = Watch { stop_at: Some(*middle), ..Watch::new(&here) };
    assert!(generator.clone().with_scratch(&here).generate(plan, &table, &watch).is_err());
    assert!(dragnet_generator::checkpoints_of(&table).iter().any(|file| file.is_log));
    let watch = Watch::new(&here);
    generator.generate(plan, &table, &watch).unwrap();
    assert!(watch.seen.into_inner().unwrap().resumed >= Some(*middle));
    assert_eq!(files(table.parent().unwrap()), std::slice::from_ref(&table));
}

#[test]
fn a_scratch_folder_that_cannot_serve_is_refused_before_the_solve() {
    let (Maze { plan, .. }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let (file, table) = (root.path().join("file"), root.path().join("tables/a.dtb"));
    fs::write(&file, "a letter").unwrap();
    let watch = Watch { stop_at: Some(0), ..Watch::new(&file) };
    let generator = generator(1).with_checkpoints(Duration::ZERO);
    for scratch in [file.clone(), file.join("below")] {
        let made = generator.clone().with_scratch(&scratch).generate(plan, &table, &watch);
        let Err(error @ GenerateError::Scratch { .. }) = made else { panic!("{made:?}") };
        let start = format!("cannot write to the scratch folder {}: ", scratch.display());
        assert!(error.to_string().starts_with(&start), "{error}");
        assert!(!table.exists());
    }
    assert_eq!(fs::read(&file).unwrap(), b"a letter");
}

#[test]
fn a_limit_of_memory_brings_checkpoints_with_it() {
    let (Maze { plan, expected, .. }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let (scratch, table) = (root.path().join("scratch"), root.path().join("a.dtb"));
    let watch = Watch::new(&scratch);
    generator(1).with_memory(0).with_scratch(&scratch).generate(plan, &table, &watch).unwrap();
    assert!(watch.seen.into_inner().unwrap().bytes > 20_000);
    assert!(fs::read(&table).unwrap() == *expected && files(&scratch).is_empty());
}

#[test]
fn a_solve_whose_sets_leave_memory_stops_and_resumes() {
    let (Maze { plan, expected, middle }, root) = (&*MAZE, tempfile::tempdir().unwrap());
    let (scratch, table) = (root.path().join("deep/scratch"), root.path().join("a.dtb"));
    let generator = generator(2).with_memory(0).with_scratch(&scratch);
    let generator = generator.with_checkpoints(Duration::ZERO);
    for stop_at in [0, *middle, *middle + 1] {
        let watch = Watch { stop_at: Some(stop_at), ..Watch::new(&scratch) };
        let made = generator.generate(plan, &table, &watch);
        assert!(matches!(made, Err(GenerateError::Stopped)), "{made:?}");
        // Nothing but the log is left behind.
        assert!(files(&scratch).len() <= 1);
    }
    let watch = Watch::new(&scratch);
    generator.generate(plan, &table, &watch).unwrap();
    let seen = watch.seen.into_inner().unwrap();
    assert!(seen.resumed > Some(*middle) && seen.warnings.is_empty(), "{:?}", seen.warnings);
    assert!(fs::read(&table).unwrap() == *expected && files(&scratch).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn sets_that_the_disk_refuses_stay_in_memory() {
    let Maze { plan, expected, .. } = &*MAZE;
    let root = tempfile::tempdir().unwrap();
    // The scratch folder goes as soon as the solve has begun, and a file takes its place.
    struct Refuse<'a>(Watch<'a>);
    impl Observer for Refuse<'_> {
        fn level(&self, level: u32, decided: u64) {
            if level == 0 {
                fs::remove_dir_all(self.0.scratch).unwrap();
                fs::write(self.0.scratch, "a letter").unwrap();
            }
            self.0.level(level, decided);
        }
        fn warning(&self, warning: &Warning) {
            self.0.warning(warning);
        }
    }
    let (scratch, table) = (root.path().join("scratch"), root.path().join("a.dtb"));
    let refuse = Refuse(Watch { stop_at: None, ..Watch::new(&scratch) });
    // With so much memory no word leaves it before level 0.
    let generator = generator(2).with_memory(2_800_000).with_scratch(&scratch);
    generator.with_checkpoints(Duration::from_secs(3600)).generate(plan, &table, &refuse).unwrap();
    let warnings = refuse.0.seen.into_inner().unwrap().warnings;
    let stay = warnings.iter().filter(|warning| warning.starts_with("decided positions cannot")).count();
    assert_eq!(stay, 1, "{warnings:?}");
    assert!(fs::read(&table).unwrap() == *expected);
}
