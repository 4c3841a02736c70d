//! Tables whose logs and sets do not fit into the memory: refusals, the scratch folder, and what a plan says.

use super::{files, json, support::run};
use serde_json::Value as Json;
use std::{fs, path::Path};

/// A folder with a maze whose logs are longer than what stays of them in memory.
fn maze() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), "board --make maze --size 71x71 --seed 1 --exit first --to text").done();
    fs::write(folder.path().join("maze.txt"), text).unwrap();
    folder
}

/// Returns the plan of the one table that a command line is about.
fn planned(at: &Path, line: &str) -> Json {
    json(&run(at, &format!("plan {line} --json")).done())
}

fn bytes(plan: &Json, field: &str) -> u64 {
    plan[field].as_u64().unwrap()
}

#[test]
fn a_refusal_has_the_memory_that_is_likely_and_the_least_and_the_scratch() {
    let folder = maze();
    let at = folder.path();
    let plan = planned(at, "maze.txt");
    let least = bytes(&plan, "least_memory_bytes");
    assert!(least < bytes(&plan, "memory_bytes") && bytes(&plan, "scratch_bytes") > 0, "{plan}");
    assert_eq!((&plan["fits"], &plan["within"]), (&true.into(), &"memory".into()));
    let limit = format!("--memory {}B", least - 1);
    let refused = run(at, &format!("generate maze.txt --out t {limit}"));
    let parts = ["maze: needs about", "of memory, or ", "of scratch, and the limit is", "--memory SIZE"];
    refused.failed(3, &parts);
    assert!(files(&at.join("t")).is_empty());
    let plan = run(at, &format!("plan maze.txt --out t {limit} --json"));
    plan.failed(
        3,
        &["1 table has no room and will be left out: maze needs about", "of scratch, and the limit"],
    );
    let plan = json(std::str::from_utf8(&plan.out).unwrap());
    assert_eq!((&plan["fits"], &plan["within"]), (&false.into(), &Json::Null));
    // An engine that writes nothing has one figure.
    let plan = planned(at, "maze.txt --engine counters");
    assert_eq!(
        (bytes(&plan, "least_memory_bytes"), bytes(&plan, "scratch_bytes")),
        (bytes(&plan, "memory_bytes"), 0)
    );
    let refused = run(at, "generate maze.txt --engine counters --memory 1MiB --out t");
    refused.failed(3, &["of memory, and the limit is 1.00 MiB"]);
}

#[test]
fn a_table_that_fits_only_without_its_logs_or_sets_has_the_same_bytes() {
    let folder = maze();
    let at = folder.path();
    run(at, "generate maze.txt --out calm").done();
    for scratch in ["", " --scratch deep/scratch"] {
        let limit = bytes(&planned(at, "maze.txt"), "least_memory_bytes");
        let line = format!("maze.txt --memory {limit}B --out t{scratch}");
        let _ = fs::remove_dir_all(at.join("deep"));
        assert_eq!(planned(at, &line)["within"], "scratch");
        let text = run(at, &format!("plan {line}")).done();
        assert!(text.contains("least") && text.contains("threads, a part in scratch: slower"), "{text}");
        assert!(!at.join("deep").exists(), "a plan makes nothing");
        let made = run(at, &format!("generate {line} --force"));
        let is_slow = made.err.contains("note: maze: may take longer, since a part waits in scratch files");
        assert!(made.status == Some(0) && is_slow, "{}", made.err);
        assert!(fs::read(at.join("t/maze.dtb")).unwrap() == fs::read(at.join("calm/maze.dtb")).unwrap());
        assert_eq!(files(&at.join("t")), ["maze.dtb"]);
        assert!(scratch.is_empty() || files(&at.join("deep/scratch")).is_empty());
    }
}

/// Begins to make the maze in a folder of tables, and stops the run once its log is in the scratch folder.
#[cfg(unix)]
fn stopped(at: &Path, out: &str, logs: usize) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(["generate", "maze.txt", "--checkpoints", "0.00001", "--scratch", "scratch", "--out", out])
        .current_dir(at)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = std::time::Instant::now();
    let has_log = || at.join("scratch").exists() && files(&at.join("scratch")).len() == logs;
    let has_checkpoint =
        || at.join(out).exists() && files(&at.join(out)).iter().any(|name| name.contains("check-"));
    while !(has_log() && has_checkpoint()) && begin.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::process::Command::new("kill").args(["-KILL", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn tables_of_one_name_share_a_scratch_folder_and_go_on_from_it() {
    let folder = maze();
    let at = folder.path();
    run(at, "generate maze.txt --out calm").done();
    // Not every maze is slow enough to be stopped, so the folders are looked at and not the exit status.
    stopped(at, "one", 1);
    stopped(at, "other", 2);
    assert_eq!(files(&at.join("scratch")).len(), 2);
    for out in ["one", "other"] {
        assert!(
            files(&at.join(out)).iter().all(|name| name.contains(".dtb.check-")),
            "no log beside the table"
        );
        let text = run(at, &format!("checkpoints {out} --scratch scratch")).done();
        assert!(text.contains("log") && text.contains("scratch/.maze.dtb-"), "{text}");
        assert!(!run(at, &format!("checkpoints {out}")).done().contains("log"));
    }
    // Logs of other folders are left alone.
    assert!(!run(at, "checkpoints calm --scratch scratch").done().contains("maze"));
    for (out, left) in [("one", 1), ("other", 0)] {
        let ran = run(at, &format!("generate maze.txt --scratch scratch --out {out}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.err.contains("going on from the checkpoint"), "{}", ran.err);
        assert!(
            fs::read(at.join(out).join("maze.dtb")).unwrap() == fs::read(at.join("calm/maze.dtb")).unwrap()
        );
        assert_eq!(files(&at.join(out)), ["maze.dtb"]);
        assert_eq!(files(&at.join("scratch")).len(), left);
    }
    // A log without its checkpoints is left over from a run that was killed.
    stopped(at, "third", 1);
    assert_eq!(run(at, "checkpoints third --scratch scratch --clear --yes").status, Some(0));
    assert!(
        files(&at.join("third")).iter().all(|name| name.ends_with(".tmp")),
        "{:?}",
        files(&at.join("third"))
    );
    assert!(files(&at.join("scratch")).is_empty());
    stopped(at, "third", 1);
    assert_eq!(run(at, "checkpoints third --clear --yes").status, Some(0));
    run(at, "generate --size 3x3 --scratch scratch --out third").done();
    assert!(files(&at.join("scratch")).is_empty());
}

#[test]
fn a_scratch_folder_that_cannot_serve_is_one_message_before_the_work() {
    let folder = maze();
    let at = folder.path();
    fs::write(at.join("file"), "a letter").unwrap();
    let mut cases = vec!["file", "file/below"];
    if cfg!(target_os = "linux") {
        // Nobody can create a file there, not even root.
        cases.push("/proc");
    }
    for scratch in cases {
        let message = format!("cannot write to the scratch folder {scratch}: ");
        run(at, &format!("generate maze.txt --scratch {scratch} --out t")).failed(3, &[&message]);
        assert!(!at.join("t").exists());
        run(at, &format!("plan maze.txt --scratch {scratch} --out t")).failed(
            3,
            &[if scratch == "/proc" { "cannot write to the folder" } else { "expected a scratch folder" }],
        );
    }
    assert_eq!(fs::read(at.join("file")).unwrap(), b"a letter");
}

#[test]
fn a_manifest_names_the_scratch_folder_and_what_stays_free_on_its_disk() {
    let folder = maze();
    let at = folder.path();
    fs::create_dir(at.join("night")).unwrap();
    let least = bytes(&planned(at, "maze.txt"), "least_memory_bytes");
    let manifest = |limits: &str| {
        let text = format!("out = \"t\"\n[limits]\n{limits}\n[[boards]]\nfiles = \"../maze.txt\"\n");
        fs::write(at.join("night/batch.toml"), text).unwrap();
    };
    // The path begins at the manifest's folder; the command line has the last word.
    manifest("scratch = \"scratch\"\nscratch-free = \"1 B\"");
    assert_eq!(run(at, "generate night/batch.toml").status, Some(0));
    assert!(at.join("night/scratch").is_dir() && !at.join("scratch").exists());
    assert_eq!(run(at, "generate night/batch.toml --scratch mine").status, Some(0));
    assert!(at.join("mine").is_dir());
    manifest(&format!("scratch = \"scratch\"\nscratch-free = \"1000 PiB\"\nmemory = \"{least} B\""));
    let parts =
        ["of scratch, and the limit is", "are free for scratch in", "of which 1000.00 PiB are to be left"];
    let hint = "--scratch DIR another folder";
    run(at, "plan night/batch.toml").failed(3, &["are free on the disk of the scratch folder"]);
    let ran = run(at, "generate night/batch.toml --force");
    assert_eq!(ran.status, Some(3));
    assert!(parts.iter().chain([&hint]).all(|part| ran.err.contains(part)), "{}", ran.err);
    manifest("scratch-free = \"1000 PiB\"");
    run(at, "plan night/batch.toml")
        .failed(3, &["free on the disk, where the scratch files are, and 1000.00 PiB"]);
    manifest("scratch = 3");
    run(at, "plan night/batch.toml").failed(2, &["line 3", "limits.scratch: ", "expected path string"]);
    manifest("scratch-free = \"some\"");
    run(at, "plan night/batch.toml").failed(2, &["line 3", "expected a number of bytes like \"12 GiB\""]);
}
