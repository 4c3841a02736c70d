//! Programs that are measured, or that others are measured by.

use crate::{failure::Failure, signals};
use serde::Deserialize;
use shared_child::SharedChild;
use std::{
    fs::{self, File},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

/// How a program ended.
pub(super) struct Ran {
    pub(super) success: bool,
    pub(super) status: ExitStatus,
    pub(super) seconds: f64,
    pub(super) output: Vec<u8>,
    /// What it printed on standard error.
    pub(super) said: String,
}

/// Time between two looks for a signal while a program runs. More often would take time from it.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a program to its end, or until we are to stop. What it prints goes to scratch files, which take any amount.
pub(super) fn run(command: &mut Command, program: &Path, folder: &Path) -> Result<Ran, Failure> {
    let (out, err) = (folder.join("out"), folder.join("err"));
    let create = |path: &Path| {
        File::create(path)
            .map_err(|error| Failure::from(error).about(format!("cannot write {}", path.display())))
    };
    command.stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let begin = Instant::now();
    let child = SharedChild::spawn(command)
        .map_err(|error| Failure::from(error).about(format!("cannot run {}", program.display())))?;
    let (sender, ended) = mpsc::channel();
    let (status, seconds) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let status = child.wait();
            // Whoever listens does so until this comes.
            let _ = sender.send((status, begin.elapsed().as_secs_f64()));
        });
        loop {
            match ended.recv_timeout(LOOK) {
                Ok((status, seconds)) => return Ok((status?, seconds)),
                Err(_) if signals::received() => {
                    child.kill()?;
                    return Err(Failure::Silent(signals::status()));
                }
                Err(_) => {}
            }
        }
    })?;
    if signals::received() {
        return Err(Failure::Silent(signals::status()));
    }
    let said = String::from_utf8_lossy(&fs::read(err)?).trim_end().to_owned();
    Ok(Ran { success: status.success(), status, seconds, output: fs::read(out)?, said })
}

pub(super) fn parse<T: for<'a> Deserialize<'a>>(program: &Path, output: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(output).map_err(|error| {
        let printed: String = String::from_utf8_lossy(output).chars().take(60).collect();
        Failure::input(format!(
            "{}: expected a line of JSON with its figures, found {printed:?}: {error}",
            program.display()
        ))
    })
}
