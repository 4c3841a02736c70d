//! Runs that signals of all kinds end a hundred times, with their logs beside the tables and in a scratch
//! folder. Takes some minutes; `cargo test --release -p dragnet survival -- --ignored` runs it.

use dragnet_probe::Open;
use serde_json::Value as Json;
use std::{
    collections::BTreeMap,
    fs,
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const KILLS: u32 = 100;
/// How long a run may last before it is killed.
const LATEST: Duration = Duration::from_secs(3);

/// About a minute of work on two cores: many small tables, some of a second, and one that takes several
/// checkpoints.
const MANIFEST: &str = r#"
[limits]
threads = 2
checkpoints = "250ms"

[[boards]]
sizes = "3x3..24x24"

[[boards]]
make = "maze"
size = "81x81"
seeds = "1..20"

[[boards]]
make = "random"
size = "80x80"
seeds = "1..22"

[[boards]]
make = "random"
size = "140x140"
name = "long"
"#;

fn dragnet(folder: &Path, manifest: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dragnet"));
    command.current_dir(folder).args(["generate", manifest]).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn tables(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dtb"))
        .map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap()))
        .collect()
}

/// The signals that end the runs, by turns, with the exit status of a run that heeds them.
const SIGNALS: [(&str, Option<i32>); 5] =
    [("KILL", None), ("INT", Some(130)), ("KILL", None), ("TERM", Some(143)), ("HUP", Some(129))];
/// One run in so many is ended while it writes a table.
const WRITING: u32 = 4;

/// The events of the last run in the log.
fn last_run(folder: &Path) -> Vec<Json> {
    let text = fs::read_to_string(folder.join("events")).unwrap_or_default();
    let events: Vec<Json> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let begin = events.iter().rposition(|event| event["event"] == "begin").unwrap_or(events.len());
    events[begin..].to_vec()
}

/// Returns whether the last run has begun to write a table that it has not finished.
fn is_writing(folder: &Path) -> bool {
    let events = last_run(folder);
    events.iter().any(|writing| {
        let is_done = |event: &Json| event["event"] == "made" && event["board"] == writing["board"];
        writing["event"] == "writing" && !events.iter().any(is_done)
    })
}

#[test]
#[ignore = "takes minutes"]
fn killed_a_hundred_times() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (manifest, out) in [("calm.toml", "calm"), ("wild.toml", "wild")] {
        fs::write(at.join(manifest), format!("out = \"{out}\"\n{MANIFEST}")).unwrap();
    }
    let begin = Instant::now();
    let calm = dragnet(at, "calm.toml").output().unwrap();
    assert!(calm.status.success(), "{}", String::from_utf8_lossy(&calm.stderr));
    let whole = begin.elapsed();
    let expected = tables(&at.join("calm"));
    println!("undisturbed: {} tables in {whole:.1?}", expected.len());
    let random = RandomState::new();
    let (mut most_seen, mut while_writing, mut finished) = (0, 0, 0);
    for kill in 0..KILLS {
        let (signal, heeded) = SIGNALS[kill as usize % SIGNALS.len()];
        let mut child =
            dragnet(at, "wild.toml").args(["--log", "events"]).stderr(Stdio::null()).spawn().unwrap();
        // Many soon after the start, some later: a second in the mean.
        let share = random.hash_one(kill) as f64 / u64::MAX as f64;
        thread::sleep(LATEST.mul_f64(share * share));
        if kill % WRITING == 0 {
            let begin = Instant::now();
            while !is_writing(at) && begin.elapsed() < 2 * LATEST && child.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_millis(2));
            }
        }
        Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        let ended = child.wait().unwrap();
        finished += u32::from(ended.success());
        // A signal may come before the run can heed it, or after its end.
        assert!(
            ended.code().is_none_or(|code| code == 0 || Some(code) == heeded),
            "kill {kill}, {signal}: {ended}"
        );
        while_writing += u32::from(is_writing(at));
        let found = tables(&at.join("wild"));
        for (name, bytes) in &found {
            // Whatever has its name is whole, and is what an undisturbed run makes.
            assert_eq!(Some(bytes), expected.get(name), "{} after kill {kill}", name.display());
            Open::bytes(bytes.clone()).pursuit().unwrap().check_sums(|_| ()).unwrap();
        }
        most_seen = most_seen.max(found.len());
        print!("{} ", found.len());
    }
    let events = fs::read_to_string(at.join("events")).unwrap();
    let resumed = events.matches("\"event\":\"resumed\"").count();
    println!("\n{while_writing} runs ended while they wrote a table; {finished} runs came to their end");
    println!("{resumed} times a solve went on from a checkpoint");
    assert!(resumed > 0, "no run lasted until a checkpoint");
    assert!(while_writing > 0, "no run was ended while it wrote a table");
    assert!(most_seen > 0, "the runs were too short to make anything");
    let last = dragnet(at, "wild.toml").output().unwrap();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    assert!(tables(&at.join("wild")) == expected, "the tables differ");
    let left: Vec<PathBuf> = fs::read_dir(at.join("wild"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with('.'))
        .filter(|path| !path.ends_with(".dragnet"))
        .collect();
    assert!(left.is_empty(), "{left:?} are left behind");
    // The report remembers every run that came as far as the lock of the folder.
    let report: Json = serde_json::from_slice(&fs::read(at.join("wild/report.json")).unwrap()).unwrap();
    let runs = report["runs"].as_array().unwrap();
    let killed = runs.iter().filter(|run| run["status"].is_null()).count();
    println!("{} runs are remembered, {killed} of them killed", runs.len());
    assert!(killed > 0 && runs.len() > killed && runs.len() <= 1 + KILLS as usize);
    assert_eq!(runs.last().unwrap()["status"], 0);
}

/// A table whose logs are in the scratch folder, under a limit of memory at which few of them stay outside.
const SCRATCH_MANIFEST: &str = r#"
out = "wild"
[limits]
threads = 2
checkpoints = "100ms"
scratch = "scratch"
memory = "MEMORY B"

[[boards]]
make = "maze"
size = "101x101"
name = "long"
"#;

/// Kills of [`scratch_that_is_killed_removed_damaged_and_full_costs_no_table`].
const SCRATCH_KILLS: u32 = 36;

/// The harm that is done before a run, by turns.
#[derive(Clone, Copy, Debug)]
enum Harm {
    None,
    /// The scratch folder is removed.
    Removed,
    /// A byte of a log is changed.
    Flipped,
    /// A log is cut short.
    Cut,
    /// No file can be longer than 1.5 MB: the logs stay in memory.
    Full,
}

/// Returns the logs in the scratch folder.
fn logs(at: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(at.join("scratch")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

impl Harm {
    const ALL: [Harm; 6] = [Harm::None, Harm::Flipped, Harm::None, Harm::Removed, Harm::Full, Harm::Cut];

    /// Does the harm. `random` says where.
    fn do_it(self, at: &Path, random: u64) {
        match self {
            Harm::None | Harm::Full => {}
            Harm::Removed => drop(fs::remove_dir_all(at.join("scratch"))),
            Harm::Flipped | Harm::Cut => {
                for log in logs(at) {
                    let mut bytes = fs::read(&log).unwrap();
                    let place = random as usize % bytes.len().max(1);
                    match self {
                        Harm::Cut => bytes.truncate(place),
                        _ => bytes.get_mut(place).into_iter().for_each(|byte| *byte ^= 1 << (random >> 61)),
                    }
                    fs::write(&log, bytes).unwrap();
                }
            }
        }
    }

    /// Returns the command of a run after it.
    fn run(self, at: &Path) -> Command {
        let Harm::Full = self else { return dragnet(at, "batch.toml") };
        // The shell counts in blocks of 512 bytes. Without the signal the file system refuses.
        let line = format!(
            "trap '' XFSZ; ulimit -f 3000; exec {} generate batch.toml \"$@\"",
            env!("CARGO_BIN_EXE_dragnet")
        );
        let mut command = Command::new("sh");
        command.current_dir(at).args(["-c", &line, "sh"]).stdout(Stdio::null());
        command
    }
}

#[test]
#[ignore = "takes minutes"]
fn scratch_that_is_killed_removed_damaged_and_full_costs_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = |out: &str, memory: &str| {
        let text = SCRATCH_MANIFEST.replace("MEMORY B", memory).replace("wild", out);
        fs::write(at.join("batch.toml"), text).unwrap();
    };
    manifest("calm", "64 GiB");
    let plan = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .current_dir(at)
        .args(["plan", "batch.toml", "--json"])
        .output()
        .unwrap();
    let plan: Json = serde_json::from_slice(&plan.stdout).unwrap();
    let begin = Instant::now();
    assert!(dragnet(at, "batch.toml").status().unwrap().success());
    let whole = begin.elapsed();
    let expected = tables(&at.join("calm"));
    manifest("wild", &format!("{} B", plan["least_memory_bytes"]));
    let random = RandomState::new();
    let (mut finished, mut most) = (0, 0);
    for kill in 0..SCRATCH_KILLS {
        let harm = Harm::ALL[kill as usize % Harm::ALL.len()];
        harm.do_it(at, random.hash_one(("harm", kill)));
        let mut child = harm.run(at).args(["--log", "events"]).stderr(Stdio::null()).spawn().unwrap();
        let share = random.hash_one(kill) as f64 / u64::MAX as f64;
        thread::sleep(whole.mul_f64(share * share));
        most = most
            .max(logs(at).iter().filter_map(|log| Some(fs::metadata(log).ok()?.len())).max().unwrap_or(0));
        Command::new("kill").args(["-KILL", &child.id().to_string()]).status().unwrap();
        let ended = child.wait().unwrap();
        // A run for which every file is too long fails; any other is killed or comes to its end.
        assert!(
            matches!((ended.code(), harm), (None | Some(0), _) | (Some(3), Harm::Full)),
            "{harm:?}: {ended}"
        );
        for (name, bytes) in &tables(&at.join("wild")) {
            assert_eq!(Some(bytes), expected.get(name), "{} after {harm:?}", name.display());
            finished += 1;
            fs::remove_file(at.join("wild").join(name)).unwrap();
        }
    }
    let events = fs::read_to_string(at.join("events")).unwrap();
    let count = |event: &str| events.matches(&format!("\"event\":\"{event}\"")).count();
    println!(
        "{finished} tables, {} resumed, {} warnings, {most} bytes of logs",
        count("resumed"),
        count("warning")
    );
    assert!(count("resumed") > 0 && count("warning") > 0 && most > 1 << 20);
    let last = dragnet(at, "batch.toml").output().unwrap();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    assert!(tables(&at.join("wild")) == expected, "the tables differ");
    assert_eq!(logs(at), [""; 0].map(PathBuf::from), "logs are left behind");
}
