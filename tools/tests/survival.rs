//! A run that is killed a hundred times. Takes a few minutes; `cargo test --release --test survival --
//! --ignored` runs it.
#![allow(clippy::unwrap_used)]

use dragnet_probe::Table;
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
    let (mut most_seen, mut resumed) = (0, 0);
    for kill in 0..KILLS {
        let mut child =
            dragnet(at, "wild.toml").args(["--log", "events"]).stderr(Stdio::null()).spawn().unwrap();
        // Many soon after the start, some later: a second in the mean.
        let share = random.hash_one(kill) as f64 / u64::MAX as f64;
        thread::sleep(LATEST.mul_f64(share * share));
        child.kill().unwrap();
        child.wait().unwrap();
        let events = fs::read_to_string(at.join("events")).unwrap_or_default();
        resumed = events.matches("\"event\":\"resumed\"").count();
        let found = tables(&at.join("wild"));
        for (name, bytes) in &found {
            // Whatever has its name is whole, and is what an undisturbed run makes.
            assert_eq!(Some(bytes), expected.get(name), "{} after kill {kill}", name.display());
            Table::from_bytes(bytes.clone()).unwrap().verify_checksums(|_| ()).unwrap();
        }
        most_seen = most_seen.max(found.len());
        print!("{} ", found.len());
    }
    println!("\n{resumed} times a solve went on from a checkpoint");
    assert!(resumed > 0, "no run lasted until a checkpoint");
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
}
