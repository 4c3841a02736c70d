//! Several runs that make the tables of one manifest in one folder, and shards with folders of their own.

use crate::support::run;
use serde_json::Value as Json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    hash::{BuildHasher, RandomState},
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Boards of three kinds, of which the largest takes several checkpoints.
const BOARDS: &str = r#"
[limits]
threads = 1
checkpoints = "100ms"

[[boards]]
sizes = "3x3..6x8"

[[boards]]
make = "maze"
size = "25x25"
seeds = "1..6"

[[boards]]
make = "random"
size = "30x30"
seeds = "1..4"

[[boards]]
make = "maze"
size = "81x81"
name = "long"
"#;

/// Writes a manifest for each of these output folders.
fn prepare(at: &Path, outs: &[&str]) {
    for out in outs {
        let end = "on-end = 'echo $DRAGNET_OUTCOME >> ended'";
        fs::write(at.join(format!("{out}.toml")), format!("out = \"{out}\"\n{end}\n{BOARDS}")).unwrap();
    }
}

/// Makes the tables by one run, and returns them.
fn calm(at: &Path) -> BTreeMap<String, Vec<u8>> {
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    fs::remove_file(at.join("ended")).unwrap();
    tables(&at.join("calm"))
}

fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dtb"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

/// A run of a manifest, with a log of its own.
struct Worker {
    child: Child,
    log: String,
}

impl Worker {
    /// Begins to make the tables of `manifest`; `log` is the name of its log.
    fn begin(at: &Path, manifest: &str, log: &str, more: &[&str]) -> Worker {
        let child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .current_dir(at)
            .args(["generate", manifest, "--log", log])
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Worker { child, log: log.to_owned() }
    }

    fn succeeded(&mut self) {
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{}: {status}", self.log);
    }

    fn send(&self, signal: &str) {
        Command::new("kill").args([format!("-{signal}"), self.child.id().to_string()]).status().unwrap();
    }

    fn signal(&mut self, signal: &str) {
        self.send(signal);
        self.child.wait().unwrap();
    }
}

/// Returns the events in a log.
fn events(at: &Path, log: &str) -> Vec<Json> {
    let text = fs::read_to_string(at.join(log)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Returns the boards in the events of this kind in a log.
fn boards(at: &Path, log: &str, event: &str) -> Vec<String> {
    let of_kind = events(at, log).into_iter().filter(|found| found["event"] == event);
    of_kind.filter_map(|found| Some(found["board"].as_str()?.to_owned())).collect()
}

/// Returns whether a log has an event that is `wanted`, after some patience.
fn waits_for(at: &Path, log: &str, wanted: impl Fn(&Json) -> bool) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(120) {
        if events(at, log).iter().any(&wanted) {
            return true;
        }
        thread::sleep(Duration::from_millis(2));
    }
    false
}

/// Returns whether this is an event of this kind for the board called "long".
fn is_of_long(event: &Json, kind: &str) -> bool {
    event["event"] == kind && event["board"].as_str().is_some_and(|board| board.contains("long"))
}

fn report(folder: &Path) -> Json {
    serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap()
}

/// Checks that the folder has these tables and what one run leaves there, and that another run keeps them.
fn finished(at: &Path, out: &str, expected: &BTreeMap<String, Vec<u8>>) {
    let folder = at.join(out);
    assert!(tables(&folder) == *expected, "the tables differ");
    let hidden = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = hidden.filter(|name| name.to_str().unwrap().starts_with('.')).collect();
    assert_eq!(left, [".dragnet"], "left behind");
    let own = fs::read_dir(folder.join(".dragnet")).unwrap();
    let own: BTreeSet<String> = own.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let others = own.iter().filter(|name| !name.starts_with("worker-")).map(String::as_str);
    assert_eq!(others.collect::<Vec<_>>(), ["history.jsonl", "journal.jsonl", "lock"]);
    let entries = report(&folder)["entries"].as_array().unwrap().clone();
    assert_eq!(entries.len(), expected.len());
    assert!(entries.iter().all(|entry| entry["portrait"].is_object()));
    let again = run(at, &format!("generate {out}.toml"));
    let summary = String::from_utf8(again.out).unwrap();
    assert!(summary.contains(&format!("{0} boards: {0} kept", expected.len())), "{summary}");
}

#[test]
fn four_runs_at_once_make_what_one_makes_and_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    let logs = ["one", "two", "three", "four"];
    let has_begun =
        |log| assert!(waits_for(at, log, |event| event["event"] == "begin"), "{log} has not begun");
    let mut workers = Vec::new();
    for (number, log) in logs.into_iter().enumerate() {
        workers.push(Worker::begin(at, "wild.toml", log, &[]));
        if number == 0 {
            has_begun(log);
        }
    }
    // None of them is the last before all have begun.
    let lock = fs::File::open(at.join("wild/.dragnet/lock")).unwrap();
    lock.lock_shared().unwrap();
    logs.into_iter().for_each(has_begun);
    drop(lock);
    workers.iter_mut().for_each(Worker::succeeded);
    let mut made: Vec<String> = logs.iter().flat_map(|log| boards(at, log, "made")).collect();
    made.sort();
    let names: Vec<String> = expected.keys().map(|name| name.trim_end_matches(".dtb").to_owned()).collect();
    assert_eq!(made, names, "each of the tables is made once");
    // Each run counts all tables, and the report has what all have made.
    for log in logs {
        assert_eq!(boards(at, log, "made").len() + boards(at, log, "kept").len(), expected.len(), "{log}");
    }
    assert_eq!(fs::read_to_string(at.join("ended")).unwrap(), "finished\n", "the last run alone");
    let report = report(&at.join("wild"));
    assert!(report["entries"].as_array().unwrap().iter().all(|entry| entry["made_at"].is_string()));
    let runs = report["runs"].as_array().unwrap();
    let sum: u64 = runs.iter().map(|run| run["made"].as_u64().unwrap()).sum();
    assert_eq!((runs.len(), sum), (4, expected.len() as u64));
    let status = run(at, "batch status wild").done();
    let all = expected.len();
    assert!(status.contains(&format!("{all} of {all} tables done, 100.0 % of all positions")), "{status}");
    finished(at, "wild", &expected);
}

#[test]
fn the_table_of_a_run_that_is_killed_is_taken_over_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    let mut first = Worker::begin(at, "wild.toml", "first", &[]);
    assert!(waits_for(at, "first", |event| is_of_long(event, "start")));
    let mut second = Worker::begin(at, "wild.toml", "second", &[]);
    assert!(waits_for(at, "first", |event| is_of_long(event, "checkpoint")));
    first.signal("KILL");
    second.succeeded();
    // On a quick machine the first one may have been done.
    if boards(at, "first", "writing").is_empty() {
        assert_eq!(boards(at, "second", "made").last().map(String::as_str), Some("long"));
        assert_eq!(boards(at, "second", "resumed"), ["long"]);
        let status = run(at, "batch status wild.toml").done();
        assert!(status.starts_with("wild.toml: 2 runs, 1 ended, 1 killed\n"), "{status}");
        assert!(status.lines().any(|line| line.starts_with("  run 1 ") && line.contains(": killed after ")));
    }
    finished(at, "wild", &expected);
}

#[test]
fn a_run_that_is_not_to_wait_leaves_the_tables_of_others_and_the_last_one_writes_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    let mut first = Worker::begin(at, "wild.toml", "first", &["--no-wait"]);
    assert!(waits_for(at, "first", |event| is_of_long(event, "start")));
    // The table is claimed, however long the first run takes for it.
    first.send("STOP");
    let ran = run(at, "generate wild.toml --no-wait");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("long: another run is making it"), "{}", ran.err);
    let summary = String::from_utf8(ran.out).unwrap();
    assert!(summary.contains(" kept, 1 skipped; "), "{summary}");
    assert!(!at.join("wild/report.json").exists() && !at.join("ended").exists());
    first.send("CONT");
    first.succeeded();
    finished(at, "wild", &expected);
}

#[test]
fn ctrl_c_ends_a_run_that_waits_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    let mut first = Worker::begin(at, "wild.toml", "first", &[]);
    assert!(waits_for(at, "first", |event| is_of_long(event, "start")));
    first.send("STOP");
    let mut second = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .current_dir(at)
        .args(["generate", "wild.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(second.stderr.take().unwrap()).lines();
    let told = lines.by_ref().map_while(Result::ok).find(|line| line.contains("waiting for 1 table"));
    assert!(told.is_some());
    let begin = Instant::now();
    Command::new("kill").args(["-INT", &second.id().to_string()]).status().unwrap();
    assert_eq!(second.wait().unwrap().code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    first.signal("KILL");
}

#[test]
fn a_table_without_room_here_is_left_to_a_run_with_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    let plan = run(at, "plan wild.toml --json").done();
    let plan: Vec<Json> = plan.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let least = |row: &Json| row["least_memory_bytes"].as_u64().unwrap();
    let needed = plan.iter().map(least).max().unwrap();
    let little = format!("{}B", needed - 1);
    let mut large = Worker::begin(at, "wild.toml", "large", &[]);
    assert!(waits_for(at, "large", |event| event["event"] == "start"));
    let ran = run(at, &format!("generate wild.toml --memory {little}"));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    large.succeeded();
    finished(at, "wild", &expected);
    // Alone it leaves the table out.
    fs::remove_dir_all(at.join("wild")).unwrap();
    let ran = run(at, &format!("generate wild.toml --memory {little}"));
    assert!(ran.status == Some(3) && ran.err.contains("of memory"), "{}", ran.err);
}

#[test]
fn a_run_of_another_manifest_waits_and_each_has_its_report_and_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    let other = "out = \"wild\"\non-end = 'echo $DRAGNET_OUTCOME >> other'\n[[boards]]\nsizes = \"3x4\"\n";
    fs::write(at.join("other.toml"), other).unwrap();
    let mut first = Worker::begin(at, "wild.toml", "first", &[]);
    assert!(waits_for(at, "first", |event| is_of_long(event, "start")));
    first.send("STOP");
    run(at, "generate other.toml --no-wait")
        .failed(3, &["runs of wild.toml are at work in wild", "not to wait"]);
    run(at, "batch status other.toml").failed(2, &["no run of other.toml", "there are those of wild.toml"]);
    let mut second = Worker::begin(at, "other.toml", "second", &[]);
    thread::sleep(Duration::from_millis(300));
    first.send("CONT");
    first.succeeded();
    second.succeeded();
    for ended in ["ended", "other"] {
        assert_eq!(fs::read_to_string(at.join(ended)).unwrap(), "finished\n", "{ended}");
    }
    assert_eq!(report(&at.join("wild"))["title"], "other.toml");
    let status = run(at, "batch status other.toml").done();
    assert!(status.starts_with("other.toml: finished"), "{status}");
}

#[test]
fn the_command_at_the_end_runs_whatever_has_failed_and_may_begin_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_dragnet");
    let boards = "[[boards]]\nsizes = \"3x3\"\n";
    let command = format!(
        "on-end = \"echo $DRAGNET_OUTCOME $DRAGNET_STATUS >> ended; {program} generate next.toml 2>/dev/null || true\""
    );
    fs::write(at.join("first.toml"), format!("out = \"t\"\n{command}\n{boards}")).unwrap();
    fs::write(at.join("next.toml"), format!("out = \"t\"\n{boards}")).unwrap();
    // The report cannot be written.
    fs::create_dir_all(at.join("t/report.json")).unwrap();
    run(at, "generate first.toml --quiet").failed(3, &["report.json"]);
    assert_eq!(fs::read_to_string(at.join("ended")).unwrap(), "failed 3\n");
    fs::remove_dir(at.join("t/report.json")).unwrap();
    assert_eq!(run(at, "generate first.toml").status, Some(0));
    assert_eq!(fs::read_to_string(at.join("ended")).unwrap(), "failed 3\nfinished 0\n");
    assert_eq!(report(&at.join("t"))["title"], "next.toml");
    // The plan sees what is in the way of a run.
    fs::create_dir(at.join("u")).unwrap();
    fs::write(at.join("u/.dragnet"), "").unwrap();
    fs::write(at.join("way.toml"), format!("out = \"u\"\n{boards}")).unwrap();
    run(at, "plan way.toml").failed(3, &["expected a folder, found a file: u/.dragnet"]);
    run(at, "generate way.toml").failed(3, &["cannot make the folder u/.dragnet"]);
    // A status of something else hides no run.
    fs::write(at.join("t/.dragnet/worker-2.json"), "{").unwrap();
    let ran = run(at, "batch status t");
    assert!(ran.err.contains("worker-2.json") && ran.out.starts_with(b"next.toml: finished"), "{}", ran.err);
    let mut full = Command::new(program);
    full.args(["generate", "next.toml", "--json"]).current_dir(at);
    full.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    let full = full.output().unwrap();
    assert_eq!(full.status.code(), Some(3), "{}", String::from_utf8_lossy(&full.stderr));
}

/// Kills runs that share a folder at random moments, and begins others in their place.
fn kill(kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    let random = RandomState::new();
    let share = |what: &str, number: u32| random.hash_one((what, number)) as f64 / u64::MAX as f64;
    let (mut killed, mut rounds, mut resumed, mut begun_again) = (0, 0, 0, 0);
    while killed < kills {
        rounds += 1;
        let (out, at_once) = (format!("wild-{rounds}"), 2 + (share("runs", rounds) * 4.0) as usize);
        prepare(at, &[&out]);
        let (mut begun, mut victims, mut workers) = (0, BTreeSet::new(), Vec::new());
        let mut log = || {
            begun += 1;
            format!("{out}-{begun}")
        };
        for _ in 0..at_once {
            workers.push(Worker::begin(at, &format!("{out}.toml"), &log(), &[]));
        }
        while !workers.is_empty() {
            thread::sleep(Duration::from_millis(400).mul_f64(share("wait", killed).powi(2)));
            workers.retain_mut(|worker| match worker.child.try_wait().unwrap() {
                None => true,
                Some(status) => {
                    assert!(status.success(), "{}: {status}", worker.log);
                    false
                }
            });
            if workers.is_empty() || killed == kills {
                workers.iter_mut().for_each(Worker::succeeded);
                break;
            }
            let victim = (share("which", killed) * workers.len() as f64) as usize % workers.len();
            let mut worker = workers.swap_remove(victim);
            worker.signal(["KILL", "TERM"][usize::from(killed % 5 == 4)]);
            killed += 1;
            victims.insert(worker.log);
            for (name, bytes) in &tables(&at.join(&out)) {
                // Whatever has its name is whole, and is what an undisturbed run makes.
                assert_eq!(Some(bytes), expected.get(name), "{name} after kill {killed}");
            }
            workers.push(Worker::begin(at, &format!("{out}.toml"), &log(), &[]));
        }
        let logs: Vec<String> = (1..=begun).map(|number| format!("{out}-{number}")).collect();
        let of_all = |event: &str| {
            let mut found: BTreeMap<String, Vec<&String>> = BTreeMap::new();
            for log in &logs {
                boards(at, log, event)
                    .into_iter()
                    .for_each(|board| found.entry(board).or_default().push(log));
            }
            found
        };
        for (board, logs) in of_all("start") {
            let undisturbed = logs.iter().filter(|log| !victims.contains(**log)).count();
            assert!(undisturbed <= 1, "{board} is made twice: {logs:?}");
            begun_again += logs.len() - 1;
        }
        assert!(of_all("made").values().all(|logs| logs.len() == 1));
        resumed += of_all("resumed").values().map(Vec::len).sum::<usize>();
        finished(at, &out, &expected);
    }
    println!(
        "{killed} runs killed in {rounds} folders of {} tables: {begun_again} tables begun again by another run, \
         {resumed} of them from a checkpoint",
        expected.len()
    );
}

#[test]
fn runs_that_are_killed_cost_no_table_and_nothing_is_made_twice() {
    kill(8);
}

#[test]
#[ignore = "takes minutes"]
fn runs_that_are_killed_a_hundred_times_cost_no_table_and_nothing_is_made_twice() {
    kill(100);
}

#[test]
fn shards_with_folders_of_their_own_are_merged_by_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    for number in 1..=3 {
        let ran = run(at, &format!("generate wild.toml --shard {number}/3 --out part-{number}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(!at.join(format!("part-{number}/report.json")).exists());
    }
    assert!(!at.join("wild").exists() && !at.join("ended").exists());
    let merge = "mkdir -p wild/.dragnet && cp -a part-*/*.dtb wild && for file in journal history; do \
                 cat part-*/.dragnet/$file.jsonl > wild/.dragnet/$file.jsonl; done";
    assert!(Command::new("sh").current_dir(at).args(["-c", merge]).status().unwrap().success());
    let merged = run(at, "generate wild.toml");
    let summary = String::from_utf8(merged.out).unwrap();
    assert!(summary.contains(" kept; ") && !summary.contains(" made"), "{summary}");
    finished(at, "wild", &expected);
}

#[test]
fn arguments_of_shards_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    run(at, "generate wild.toml --shard 5/4").misused(&["I from 1 to N", "5/4"]);
    run(at, "generate --shard 1/4").failed(2, &["expected a manifest"]);
    run(at, "generate wild.toml --shard 1/4 --size 3x3")
        .failed(2, &["--size cannot stand beside a manifest"]);
    run(at, "generate wild.toml --out elsewhere").failed(2, &["--out cannot stand", "--shard"]);
    let ran = run(at, "generate wild.toml --shard 400/400");
    // The shard with the number 0 has the first table.
    assert!(ran.status == Some(0) && tables(&at.join("wild")).len() == 1, "{}", ran.err);
    let ran = run(at, "generate wild.toml --shard 399/400");
    assert!(ran.status == Some(0) && tables(&at.join("wild")).len() == 1, "{}", ran.err);
    fs::copy(at.join("wild.toml"), at.join("its")).unwrap();
    run(at, "generate its --shard 1/2").failed(2, &["its", "looks like a manifest", ".toml"]);
}

#[test]
fn batch_status_waits_for_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    run(at, "batch status wild").failed(2, &["no run has left its status"]);
    run(at, "batch status wild --watch").failed(2, &["no run has left its status"]);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .current_dir(at)
        .args(["batch", "status", "wild.toml", "--watch"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("no run has begun in"));
    assert_eq!(run(at, "generate wild.toml").status, Some(0));
    let text: String = lines.map(|line| line.unwrap() + "\n").collect();
    assert!(watch.wait().unwrap().success() && text.contains("wild.toml: finished after"), "{text}");
}

/// A folder without locks cannot be had everywhere: a library in front of that of the system refuses them.
#[cfg(target_os = "linux")]
#[test]
fn on_a_file_system_without_locks_nothing_is_made_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    let source = "#include <errno.h>\nint flock(int file, int how) { errno = ENOLCK; return -1; }\n";
    fs::write(at.join("no_locks.c"), source).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compile = ["-shared", "-fPIC", "-o", "no_locks.so", "no_locks.c"];
    match Command::new(compiler).current_dir(at).args(compile).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => return println!("skipped: no compiler of C: {error}"),
    }
    let ran = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .current_dir(at)
        .args(["generate", "wild.toml"])
        .env("LD_PRELOAD", at.join("no_locks.so"))
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(3), "{text}");
    assert!(text.contains("cannot lock wild/.dragnet/lock: No locks available"), "{text}");
    assert!(text.contains("make the tables on a disk that has them"), "{text}");
    assert!(tables(&at.join("wild")).is_empty());
}

/// Returns a file of the folder with files of jobs.
fn job(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/farm").join(name)).unwrap()
}

#[test]
fn jobs_name_options_that_the_program_has_and_that_of_gnu_parallel_makes_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expected = calm(at);
    for name in ["slurm.sh", "hyperqueue.sh", "parallel.sh"] {
        fs::write(at.join(name), job(name)).unwrap();
        assert!(Command::new("sh").arg("-n").arg(at.join(name)).status().unwrap().success(), "{name}");
    }
    let bin = at.join("bin");
    fs::create_dir(&bin).unwrap();
    // A stand-in for each scheduler, which runs the command once: trials with the schedulers themselves are
    // in `cluster`.
    for scheduler in ["parallel", "srun", "hq"] {
        let stand_in =
            "#!/bin/sh\nwhile [ \"$1\" != dragnet ]; do shift || exit 9; done\nexec \"$@\" < /dev/null\n";
        fs::write(bin.join(scheduler), stand_in).unwrap();
        Command::new("chmod").arg("+x").arg(bin.join(scheduler)).status().unwrap();
    }
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dragnet"), bin.join("dragnet")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    for name in ["parallel.sh", "slurm.sh", "hyperqueue.sh"] {
        let ran = Command::new("sh")
            .args([name, "wild.toml"])
            .current_dir(at)
            .envs([("PATH", path.as_str()), ("SLURM_CPUS_PER_TASK", "2"), ("SLURM_MEM_PER_NODE", "1000")])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        finished(at, "wild", &expected);
    }
}

/// The image is built elsewhere: what can be checked here is that all that it names is there.
#[test]
fn the_dockerfile_names_what_the_repository_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("tools/Dockerfile")).unwrap();
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let words: Vec<&str> = line("RUN cargo install ").split(' ').collect();
    let value = |option: &str| words[words.iter().position(|word| *word == option).unwrap() + 1];
    let manifest = fs::read_to_string(root.join(value("--path")).join("Cargo.toml")).unwrap();
    assert!(manifest.contains("name = \"dragnet\"\n"), "{manifest}");
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(workspace.contains(&format!("[profile.{}]", value("--profile"))), "{words:?}");
    let rust = workspace.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    let (version, system) = line("FROM rust:").split_once('-').unwrap();
    assert_eq!(rust.trim_matches('"'), version);
    // The program needs the C library of its build.
    assert_eq!(line("FROM debian:"), format!("{}-slim", system.split(' ').next().unwrap()));
    let program = format!("{}/bin/dragnet", value("--root"));
    assert!(text.contains(&format!("COPY --from=build {program} /usr/local/bin/dragnet\n")), "{text}");
    assert!(text.contains("WORKDIR /data\n") && job("kubernetes.yaml").contains("workingDir: /data\n"));
    // Its first lines are the command that the page has.
    let page = fs::read_to_string(root.join("tools/docs/farm.md")).unwrap();
    assert!(page.contains("docker build --tag registry/dragnet:1 --file tools/Dockerfile ."), "{page}");
    assert!(text.contains("docker build --tag registry/dragnet:1 --file tools/Dockerfile ."), "{text}");
}
