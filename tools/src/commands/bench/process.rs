//! Runs programs that are measured, and yardsticks.

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
    /// Standard error, without the space at its end.
    pub(super) said: String,
}

/// Time between two checks for a signal while a program runs. Checking more often would take time from the
/// program.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a program until it ends or a signal arrives. Its output goes to scratch files, which hold any amount.
pub(super) fn run(command: &mut Command, program: &Path, folder: &Path) -> Result<Ran, Failure> {
    let (out, err) = (folder.join("out"), folder.join("err"));
    let create = |path: &Path| File::create(path).map_err(|error| Failure::cannot("write", path, error));
    command.stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let begin = Instant::now();
    let child = SharedChild::spawn(command).map_err(|error| Failure::cannot("run", program, error))?;
    let (sender, ended) = mpsc::channel();
    let (status, seconds) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let status = child.wait();
            // The receiver waits until this arrives.
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
