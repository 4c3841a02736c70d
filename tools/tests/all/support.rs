//! Runs the real binary.

use assert_cmd::Command;
use std::{path::Path, time::Duration};

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// The result of a run.
pub(crate) struct Ran {
    /// The command line, for messages.
    pub(crate) what: String,
    pub(crate) status: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

/// Runs `dragnet` in `folder` with the words of `line` as its arguments.
#[track_caller]
pub(crate) fn run(folder: &Path, line: &str) -> Ran {
    run_with(folder, line, b"")
}

/// As [`run`], with this standard input.
#[track_caller]
pub(crate) fn run_with(folder: &Path, line: &str, input: &[u8]) -> Ran {
    run_arguments(folder, &line.split_whitespace().collect::<Vec<_>>(), input)
}

/// Runs `dragnet` in `folder` with these arguments, which may hold spaces, and this standard input.
#[track_caller]
pub(crate) fn run_arguments(folder: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(arguments)
        .current_dir(folder)
        .write_stdin(input)
        .timeout(PATIENCE)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran::new(&arguments.join(" "), output.status.code(), output.stdout, err)
}

impl Ran {
    /// Checks what holds of every run: no panic, and no cause said twice. Drops the progress lines that slow
    /// work prints on standard error, so that no test depends on the speed of the machine.
    #[track_caller]
    pub(crate) fn new(what: &str, status: Option<i32>, out: Vec<u8>, err: String) -> Ran {
        let is_progress =
            |line: &str| line.contains("/s") && (line.contains(" %, ") || line.contains("graphs, "));
        let err: String = err.split_inclusive('\n').filter(|line| !is_progress(line)).collect();
        assert!(!err.contains("panicked") && status != Some(101), "{what}: {err}");
        for line in err.lines() {
            let parts: Vec<&str> = line.split(": ").collect();
            assert!(parts.windows(2).all(|two| two[0] != two[1]), "{what}: said twice: {line}");
            assert!(line.matches("(os error").count() <= 1, "{what}: said twice: {line}");
        }
        Ran { what: what.to_owned(), status, out, err }
    }

    /// Standard output of a run that did what it was asked and complained of nothing.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (Some(0), ""), "{}", self.what);
        String::from_utf8(self.out).unwrap()
    }

    /// Checks that the run failed with this status, and that its one message, advice included, has all these
    /// parts.
    #[track_caller]
    pub(crate) fn failed(&self, status: i32, parts: &[&str]) {
        let Ran { what, err, .. } = self;
        assert_eq!(self.status, Some(status), "{what}: {err}");
        let hints = err.lines().filter(|line| line.starts_with("hint: ")).count();
        assert_eq!(err.lines().count(), 1 + hints, "{what}: expected one message, found {err:?}");
        assert!(err.starts_with("error: ") && err.ends_with('\n') && hints <= 1, "{what}: {err:?}");
        for part in parts {
            assert!(err.contains(part), "{what}: expected {part:?} in {err:?}");
        }
    }

    /// Checks that the arguments were refused with one message that has all these parts.
    #[track_caller]
    pub(crate) fn misused(&self, parts: &[&str]) {
        self.failed(2, parts);
        assert!(self.out.is_empty(), "{}: {:?}", self.what, self.out);
    }
}
