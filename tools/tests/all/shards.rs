//! Shards: tasks that make the tables of a manifest without a coordinator, in one folder or in their own.

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
    time::Duration,
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
size = "61x61"
name = "long"
"#;

fn prepare(at: &Path, outs: &[&str]) {
    for out in outs {
        fs::write(at.join(format!("{out}.toml")), format!("out = \"{out}\"\n{BOARDS}")).unwrap();
    }
}

fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dtb"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

/// Begins a task of a shard of `wild.toml`.
fn begin(at: &Path, shard: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .current_dir(at)
        .args(["generate", "wild.toml", "--shard", shard, "--log", "events"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The names of the files in the folder of the runs.
fn own_files(out: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(out.join(".dragnet")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Checks that a run of all tables over the folder `wild` keeps everything and removes what shards have left.
fn finished(at: &Path, expected: &BTreeMap<String, Vec<u8>>) {
    let last = run(at, "generate wild.toml");
    assert_eq!(last.status, Some(0), "{}", last.err);
    assert!(tables(&at.join("wild")) == *expected, "the tables differ");
    let files = ["history.jsonl", "journal.jsonl", "lock", "status.json"].map(str::to_owned);
    assert_eq!(own_files(&at.join("wild")), BTreeSet::from(files));
    let hidden = fs::read_dir(at.join("wild")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = hidden.filter(|name| name.to_str().unwrap().starts_with('.')).collect();
    assert_eq!(left, [".dragnet"], "left behind");
    let again = run(at, "generate wild.toml");
    let summary = String::from_utf8(again.out).unwrap();
    assert!(summary.contains(&format!("{0} boards: {0} kept", expected.len())), "{summary}");
}

#[test]
fn four_shards_at_once_make_what_one_run_makes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    let expected = tables(&at.join("calm"));
    let tasks: Vec<Child> = (1..=4).map(|number| begin(at, &format!("{number}/4"))).collect();
    for mut task in tasks {
        assert!(task.wait().unwrap().success());
    }
    assert!(tables(&at.join("wild")) == expected, "the tables differ");
    assert!(!at.join("wild/report.json").exists(), "the report is of the run after all shards");
    let status = run(at, "batch status wild").done();
    assert!(status.starts_with("wild.toml: 4 shards, 4 ended\n"), "{status}");
    let all = expected.len();
    assert!(status.contains(&format!("{all} of {all} tables done, 100.0 % of all positions")), "{status}");
    // Each shard has made its own tables and no others.
    let line = |line: &str| serde_json::from_str::<Json>(line).unwrap();
    let mut made = Vec::new();
    for number in 1..=4 {
        let journal = at.join(format!("wild/.dragnet/journal-{number}-of-4.jsonl"));
        let text = fs::read_to_string(journal).unwrap();
        assert!(text.lines().count() > 0, "shard {number} has no table");
        made.extend(
            text.lines().map(line).map(|record| record["entry"]["name"].as_str().unwrap().to_owned()),
        );
    }
    made.sort();
    let names: Vec<String> = expected.keys().map(|name| name.trim_end_matches(".dtb").to_owned()).collect();
    assert_eq!(made, names, "disjoint and complete");
    // Shards of another number know the tables of these, whose statuses they replace.
    let again = run(at, "generate wild.toml --shard 1/3");
    assert!(String::from_utf8(again.out).unwrap().contains(" kept; "), "{}", again.err);
    let status = run(at, "batch status wild.toml").done();
    assert!(status.starts_with("wild.toml: 3 shards, 1 ended, 2 not begun\n"), "{status}");
    finished(at, &expected);
    let report: Json = serde_json::from_slice(&fs::read(at.join("wild/report.json")).unwrap()).unwrap();
    let runs = report["runs"].as_array().unwrap();
    let shards: BTreeSet<&str> = runs.iter().filter_map(|run| run["shard"].as_str()).collect();
    assert_eq!(shards, BTreeSet::from(["1-of-3", "1-of-4", "2-of-4", "3-of-4", "4-of-4"]));
    let entries = report["entries"].as_array().unwrap();
    assert!(entries.iter().all(|entry| entry["made_at"].is_string() && entry["portrait"].is_object()));
}

#[test]
fn shards_with_folders_of_their_own_are_merged_by_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    for number in 1..=3 {
        let ran = run(at, &format!("generate wild.toml --shard {number}/3 --out part-{number}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    assert!(!at.join("wild").exists());
    fs::create_dir(at.join("wild")).unwrap();
    for number in 1..=3 {
        let from = format!("part-{number}/.");
        let status = Command::new("cp").current_dir(at).args(["-a", &from, "wild"]).status().unwrap();
        assert!(status.success());
    }
    let merged = run(at, "generate wild.toml");
    let summary = String::from_utf8(merged.out).unwrap();
    assert!(summary.contains(" kept; ") && !summary.contains(" made"), "{summary}");
    finished(at, &tables(&at.join("calm")));
}

#[test]
fn two_tasks_that_make_the_same_tables_at_once_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    // Every table is in two of these.
    let tasks: Vec<Child> = ["1/1", "1/2", "2/2"].into_iter().map(|shard| begin(at, shard)).collect();
    // A second task of one shard waits for the first.
    let ran = run(at, "generate wild.toml --shard 1/2");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for mut task in tasks {
        assert!(task.wait().unwrap().success());
    }
    finished(at, &tables(&at.join("calm")));
}

/// Kills tasks at random moments, with another number of shards now and then.
fn kill(kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    let expected = tables(&at.join("calm"));
    let random = RandomState::new();
    let share = |what: &str, number: u32| random.hash_one((what, number)) as f64 / u64::MAX as f64;
    let (mut killed, mut ended, mut shards) = (0, 0, 4);
    let mut tasks: Vec<(u32, Child)> = Vec::new();
    let mut most = 0;
    while killed < kills {
        // A scheduler begins a task again that has been killed; one that has ended begins anew too, since it
        // has tables to find.
        for number in 1..=shards {
            if tasks.iter().all(|(running, _)| *running != number) {
                tasks.push((number, begin(at, &format!("{number}/{shards}"))));
            }
        }
        thread::sleep(Duration::from_millis(300).mul_f64(share("wait", killed).powi(2)));
        let victim = (share("which", killed) * tasks.len() as f64) as usize % tasks.len();
        let signal = ["KILL", "TERM"][usize::from(killed % 5 == 4)];
        let (_, mut task) = tasks.swap_remove(victim);
        Command::new("kill").args([format!("-{signal}"), task.id().to_string()]).status().unwrap();
        let status = task.wait().unwrap();
        assert!(matches!(status.code(), None | Some(0 | 143)), "kill {killed}, {signal}: {status}");
        killed += 1;
        tasks.retain_mut(|(_, task)| match task.try_wait().unwrap() {
            None => true,
            Some(status) => {
                assert!(status.success(), "{status}");
                ended += 1;
                false
            }
        });
        for (name, bytes) in &tables(&at.join("wild")) {
            // Whatever has its name is whole, and is what an undisturbed run makes.
            assert_eq!(Some(bytes), expected.get(name), "{name} after kill {killed}");
        }
        most = most.max(tables(&at.join("wild")).len());
        if killed % 10 == 0 {
            // Some tasks of the division before are still at work.
            shards = 1 + (share("shards", killed) * 6.0) as u32;
            println!("{killed} killed, {ended} ended, {most} tables; now {shards} shards");
            tasks.retain_mut(|(number, task)| {
                let stays = number.is_multiple_of(2) && *number > shards;
                if !stays {
                    task.kill().unwrap();
                    task.wait().unwrap();
                }
                stays
            });
            // Work is left for the next ones.
            let digit = char::from(b'1' + (killed / 10 % 6) as u8);
            for name in expected.keys().filter(|name| name.contains(digit) || name.contains("long")) {
                let _ = fs::remove_file(at.join("wild").join(name));
            }
        }
    }
    for (_, mut task) in tasks {
        assert!(task.wait().unwrap().success());
    }
    assert!(most > 0, "the tasks were too short to make anything");
    finished(at, &expected);
}

#[test]
fn tasks_that_are_killed_cost_no_table() {
    kill(12);
}

#[test]
#[ignore = "takes minutes"]
fn tasks_that_are_killed_a_hundred_times_cost_no_table() {
    kill(100);
}

#[test]
fn classes_of_memory_divide_the_tables_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    let plan = run(at, "plan wild.toml --json").done();
    let need = |line: &str| serde_json::from_str::<Json>(line).unwrap()["memory_bytes"].as_u64().unwrap();
    let mut needs: Vec<u64> = plan.lines().map(need).collect();
    needs.sort_unstable();
    let middle = needs[needs.len() / 2];
    for class in [format!("0..{middle}B"), format!("{middle}B..1TiB")] {
        for number in 1..=2 {
            let line = format!("generate wild.toml --shard {number}/2 --needing {class} --threads 1");
            let ran = run(at, &line);
            assert_eq!(ran.status, Some(0), "{}", ran.err);
        }
        let in_class = needs.iter().filter(|&&need| (need > middle) == class.ends_with("TiB")).count();
        let all = if class.ends_with("TiB") { needs.len() } else { in_class };
        assert_eq!(tables(&at.join("wild")).len(), all, "{class}");
    }
    finished(at, &tables(&at.join("calm")));
}

#[test]
fn arguments_of_shards_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["wild"]);
    run(at, "generate wild.toml --shard 5/4").misused(&["I from 1 to N", "5/4"]);
    run(at, "generate --shard 1/4").failed(2, &["expected a manifest"]);
    run(at, "generate wild.toml --needing 1GiB..2GiB").misused(&["--shard"]);
    run(at, "generate wild.toml --shard 1/4 --needing 2GiB..1GiB").misused(&["the smaller first"]);
    run(at, "generate wild.toml --shard 1/4 --size 3x3")
        .failed(2, &["--size cannot stand beside a manifest"]);
    run(at, "generate wild.toml --out elsewhere").failed(2, &["--out cannot stand", "--shard"]);
    run(at, "generate wild.toml --shard auto").failed(2, &["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"]);
    fs::write(at.join("free.toml"), "out = \"free\"\n[[boards]]\nsizes = \"3x3\"\n").unwrap();
    run(at, "generate free.toml --shard 1/2 --needing 0..8MiB").failed(2, &["--threads beside it"]);
    let open = run(at, "generate wild.toml --shard 400/400");
    assert_eq!(open.status, Some(0), "{}", open.err);
    // An empty shard has nothing to do.
    assert!(tables(&at.join("wild")).is_empty());
}

/// A manifest with tables of two classes of memory, in a file whose name needs quotes.
const TWO_CLASSES: &str = r#"out = "t"
[[boards]]
sizes = "3x3..40x40"
[[boards]]
sizes = "200x200"
engine = "counters"
"#;

#[test]
fn scripts_for_clusters_are_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("it's.toml"), TWO_CLASSES).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/golden");
    for (scheduler, name) in [
        ("slurm", "slurm.sh"),
        ("hyperqueue", "hyperqueue.sh"),
        ("parallel", "parallel.sh"),
        ("kubernetes", "kubernetes.yaml"),
    ] {
        let line = format!("batch farm it's.toml --for {scheduler} --cores 2 --task-time 10s");
        let text = run(at, &line).done();
        assert_eq!(text, fs::read_to_string(golden.join(name)).unwrap(), "{name}");
        if name.ends_with(".sh") {
            let file = at.join(name);
            fs::write(&file, &text).unwrap();
            assert!(Command::new("sh").arg("-n").arg(&file).status().unwrap().success(), "{name}");
        }
    }
    run(at, "batch farm it's.toml --for cron").misused(&["slurm", "kubernetes", "hyperqueue", "parallel"]);
    run(at, "batch farm none.toml --for slurm").failed(3, &["none.toml"]);
    run(at, "batch farm it's.toml --for slurm --tasks 0").misused(&["--tasks"]);
    fs::copy(at.join("it's.toml"), at.join("-its.toml")).unwrap();
    let script = run(at, "batch farm --for slurm -- -its.toml").done();
    assert!(script.contains("dragnet generate ./-its.toml --threads"), "{script}");
    fs::copy(at.join("it's.toml"), at.join("its")).unwrap();
    for line in ["batch farm its --for slurm", "generate its --shard 1/2"] {
        run(at, line).failed(2, &["its", "looks like a manifest", ".toml"]);
    }
}

#[test]
fn batch_status_waits_for_the_first_task() {
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
    assert_eq!(run(at, "generate wild.toml --shard 1/1").status, Some(0));
    let text: String = lines.map(|line| line.unwrap() + "\n").collect();
    assert!(watch.wait().unwrap().success() && text.contains("1 shard, 1 ended"), "{text}");
}

#[test]
fn the_printed_script_makes_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, &["calm", "wild"]);
    assert_eq!(run(at, "generate calm.toml").status, Some(0));
    // A stand-in for GNU parallel, which has the command as its last argument: trials with the schedulers
    // themselves are in `cluster`.
    let stand_in = "#!/bin/sh\nfor last; do :; done\nwhile read n; do \
        sh -c \"$(printf %s \"$last\" | sed \"s/{}/$n/g\")\" || exit 1; done\n";
    let bin = at.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("parallel"), stand_in).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dragnet"), bin.join("dragnet")).unwrap();
    Command::new("chmod").arg("+x").arg(bin.join("parallel")).status().unwrap();
    // The stand-in replaces {} as GNU parallel does.
    fs::rename(at.join("wild.toml"), at.join("w{}d.toml")).unwrap();
    let script = run(at, "batch farm w{}d.toml --for parallel --cores 1 --tasks 3").done();
    fs::write(at.join("farm.sh"), script).unwrap();
    fs::copy(at.join("w{}d.toml"), at.join("wild.toml")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let ran = Command::new("sh").arg("farm.sh").current_dir(at).env("PATH", path).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let out = String::from_utf8(ran.stdout).unwrap();
    assert!(out.trim_end().lines().last().unwrap().contains(" kept; "), "{out}");
    finished(at, &tables(&at.join("calm")));
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
    let jobs = include_str!("../cluster/golden/kubernetes.yaml");
    assert!(text.contains("WORKDIR /data\n") && jobs.contains("workingDir: /data\n"), "{jobs}");
    // Its first lines are the command that the page has.
    let page = fs::read_to_string(root.join("tools/docs/farm.md")).unwrap();
    assert!(page.contains("docker build --tag registry/dragnet:1 --file tools/Dockerfile ."), "{page}");
    assert!(text.contains("docker build --tag registry/dragnet:1 --file tools/Dockerfile ."), "{text}");
}
