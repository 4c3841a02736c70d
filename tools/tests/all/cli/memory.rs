//! Commands know what they need before they take it, and end with a message when the system refuses.

use super::{YARD, json, support::Ran, support::run, support::run_with, yard};
use std::{fs, path::Path, process::Command};

#[test]
fn work_above_the_limit_is_refused_with_both_figures_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), YARD).unwrap();
    fs::write(folder.path().join("played.txt"), "P..\n..T\n..E\n").unwrap();
    fs::write(folder.path().join("graph.txt"), "0 1\n1 2\n2 0\n").unwrap();
    let given = "of memory, and the limit is 1.00 MiB";
    let advice = "--memory SIZE sets another limit";
    for (line, what) in [
        ("generate yard.txt --out .", "yard: needs about"),
        ("graph solve graph.txt", "a graph of 3 vertices needs about"),
        ("cops graph.txt", "graph.txt: the search with 1 officer needs about"),
        ("answer played.txt", "played.txt: the board needs about"),
    ] {
        run(folder.path(), &format!("{line} --memory 1MiB")).failed(3, &[what, given, advice]);
        let ran = run(folder.path(), &format!("{line} --memory 1GiB"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{line}");
    }
    // One thread of verify has room in 64 KiB.
    run(folder.path(), "verify yard.dtb --memory 1KiB").failed(3, &["each thread needs about", advice]);
    run(folder.path(), "verify yard.dtb --memory 64KiB --threads 8").done();
    run(folder.path(), "generate --size 160x160 --officers 2 --out .")
        .failed(3, &["three quarters of the machine's", "fewer threads (--threads N) need less"]);
    for bare in ["4", "1048575"] {
        run(folder.path(), &format!("generate yard.txt --memory {bare}")).misused(&["with its unit", bare]);
    }
    run(folder.path(), "plan yard.txt --memory lots")
        .misused(&["expected a number of bytes like \"12 GiB\""]);
}

/// Returns how many bytes the process may have taken that was to make a table in `limit` bytes. The program
/// itself takes up to 16 MiB, and more where it is not optimised.
#[cfg(target_os = "linux")]
fn most_taken(limit: u64) -> u64 {
    limit + limit / 20 + (if cfg!(debug_assertions) { 26 } else { 16 } << 20)
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_is_kept_and_the_table_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let maze = run(at, "board --make maze --size 85x85 --seed 1 --exit first --to text").done();
    fs::write(at.join("maze.txt"), maze).unwrap();
    // The tables of teams stay in memory.
    let boards = [
        ("maze.txt", "maze", 3),
        ("--size 112x112", "open-112x112", 3),
        ("--size 19x19 --officers 2", "open-19x19", 6),
    ];
    for (board, name, tenths) in boards {
        let plan = json(&run(at, &format!("plan {board} --threads 2 --json")).done());
        let [likely, least] = ["memory_bytes", "least_memory_bytes"].map(|need| plan[need].as_u64().unwrap());
        assert!(likely > 20_000_000 && least < likely / 10 * tenths, "{plan}");
        run(at, &format!("generate {board} --out calm")).done();
        for limit in [likely, likely / 10 * 6, likely / 10 * tenths, least] {
            let line = format!("generate {board} --memory {limit}B --threads 2 --out made --force --json");
            let ran = run(at, &line);
            assert_eq!(ran.status, Some(0), "{}", ran.err);
            let made = json(std::str::from_utf8(&ran.out).unwrap());
            let taken = made["process_peak_memory_bytes"].as_u64().unwrap();
            assert!(taken <= most_taken(limit), "{board}: {taken} bytes where {limit} are the limit");
            let [calm, made] =
                ["calm", "made"].map(|out| fs::read(at.join(format!("{out}/{name}.dtb"))).unwrap());
            assert!(calm == made, "{board} in {limit} bytes");
        }
        run(at, &format!("generate {board} --memory {}B --threads 2 --force", least - 1))
            .failed(3, &["of scratch, and the limit is"]);
    }
}

#[test]
fn manifests_have_the_limit_of_the_command_line_if_it_has_one() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "out = \"tables\"\n[limits]\nmemory = \"1 MiB\"\n[[boards]]\nsizes = \"3x3\"\n";
    fs::write(folder.path().join("batch.toml"), manifest).unwrap();
    let ran = run(folder.path(), "generate batch.toml");
    assert_eq!(ran.status, Some(3));
    assert!(ran.err.contains("the limit is 1.00 MiB"), "{}", ran.err);
    assert_eq!(run(folder.path(), "generate batch.toml --memory 1GiB").status, Some(0));
}

#[test]
fn a_mistyped_vertex_is_refused_with_line_and_column() {
    let here = Path::new(".");
    let far = "line 1, column 3: expected a vertex below 1048640, or the number of vertices announced before the edges, found \"4000000000\"";
    for line in ["graph solve", "graph solo --from 0", "cops"] {
        run_with(here, line, b"0 4000000000\n").failed(2, &[far]);
    }
    // Announced, the vertices are a matter of memory.
    let needs =
        "a graph of 4,000,000,000 vertices needs about 89.43 GiB of memory, and the limit is 1.00 GiB";
    let announced = run_with(here, "graph solve --memory 1GiB --vertices 4000000000", b"0 1\n");
    announced.failed(3, &["--vertices: ", needs]);
    run_with(here, "graph solve --memory 1GiB", b"4000000000\n0 1\n").failed(3, &["line 1: ", needs]);
    let said = run_with(here, "graph solve --summary --vertices 2000000", b"0 1999999\n").done();
    assert!(said.starts_with("2,000,000 vertices, 1 edge"), "{said}");
    let pairs = b"0 1\n".repeat(1 << 20);
    let many = run_with(here, "graph solve --memory 20MiB", &pairs);
    many.failed(3, &["a graph of more than ", " edges needs about", "and the limit is 20.00 MiB"]);
    run_with(here, "cops --form six", b"~~~~~~~~~~\n").failed(2, &["expected at most 65535 vertices"]);
    run_with(here, "cops", b"0 65535\n").failed(2, &["line 1: expected at most 65535 vertices, found 65536"]);
    run_with(here, "graph solve --form six --vertices 3", b"Bg\n")
        .failed(2, &["--vertices are for edge lists"]);
}

/// Runs a command under a limit of its address space in KiB.
#[cfg(target_os = "linux")]
fn within(folder: &Path, kibibytes: u64, line: &str) -> Ran {
    let shell = format!("ulimit -v {kibibytes}; exec {} {line}", env!("CARGO_BIN_EXE_dragnet"));
    let output = Command::new("sh").args(["-c", &shell]).current_dir(folder).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran { status: output.status.code(), out: output.stdout, err, what: shell }
}

/// An allocation that fails anyway is no abort: the status is that of trouble, the message says how many
/// bytes were refused, and finished tables stay as they are.
#[cfg(target_os = "linux")]
#[test]
fn commands_end_with_a_message_when_the_system_refuses_memory() {
    let folder = yard();
    let at = folder.path();
    let table = fs::read(at.join("yard.dtb")).unwrap();
    fs::write(at.join("played.txt"), "P..\n..T\n..E\n").unwrap();
    fs::write(at.join("graph.txt"), "0 1\n1 2\n2 0\n").unwrap();
    let commands = [
        "generate yard.txt --force --out .",
        "generate yard.txt --officers 3 --out teams",
        "generate --size 48x48 --out open",
        "graph make --vertices 1000000 --edges 3000000",
        "graph solve graph.txt --summary --vertices 9000000",
        "cops graph.txt --more 3 --bound 6",
        "answer played.txt",
        "verify yard.dtb",
        "stats yard.dtb",
        "info yard.dtb",
        "dump yard.dtb --binary",
        "line yard.dtb --police 2,3 --thief 2,0",
        "probe yard.dtb --police 2,3 --thief 2,0",
        "pack yard.dtb --out packed.dtb --force",
        "report yard.dtb --out report",
        "plan yard.txt",
        "board yard.txt --to text",
    ];
    // The program itself takes some megabytes before it does anything.
    let own =
        (1..100).map(|step| step << 11).find(|&own| within(at, own, "--version").status == Some(0)).unwrap();
    let mut refused = 0;
    for line in commands {
        for more in [0, 2_000, 5_000, 20_000, 60_000, 100_000, 200_000, 300_000] {
            let ran = within(at, own + more, line);
            assert!(matches!(ran.status, Some(0 | 3)), "{line}: {:?}: {}", ran.status, ran.err);
            if ran.status == Some(3) {
                refused += 1;
                assert!(!ran.err.is_empty() && !ran.err.contains("panicked"), "{line}: {}", ran.err);
            }
            assert!(fs::read(at.join("yard.dtb")).unwrap() == table, "{line} has changed the table");
        }
    }
    assert!(refused > 10, "only {refused} commands were refused memory");
}
