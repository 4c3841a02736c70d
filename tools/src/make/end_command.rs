//! The command that a manifest runs when its tables are done.

use crate::{
    failure::Failure,
    input::table_list::TableList,
    make::run_state::RunOutcome,
    report::{self, history::RunSummary},
};
use std::{path::Path, process::Command};

/// Runs the command of the list's manifest, if it has one, in the manifest's folder, and waits for it. The
/// environment tells it how the run ended.
///
/// # Errors
/// When the command cannot be run, or fails.
pub(crate) fn run_end_command(
    list: &TableList,
    outcome: &RunOutcome,
    summary: &RunSummary,
) -> Result<(), Failure> {
    let Some(command) = &list.on_end else { return Ok(()) };
    let word = match (outcome.interrupted, outcome.status) {
        (Some(_), _) => "interrupted",
        (None, 0) => "finished",
        (None, _) => "failed",
    };
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = list.manifest.as_deref().and_then(Path::parent).filter(|path| *path != Path::new(""));
    let mut shell = shell(command);
    let status = shell
        .current_dir(folder.unwrap_or(Path::new(".")))
        .env("DRAGNET_OUTCOME", word)
        .env("DRAGNET_STATUS", outcome.status.to_string())
        .env("DRAGNET_OUT", absolute(&list.out))
        .env("DRAGNET_REPORT", absolute(&list.out.join(report::PAGE)))
        .env("DRAGNET_REPORT_JSON", absolute(&list.out.join(report::JSON)))
        .env("DRAGNET_MADE", summary.counts.made.to_string())
        .env("DRAGNET_KEPT", summary.counts.kept.to_string())
        .env("DRAGNET_FAILED", summary.counts.not_made().to_string())
        .status()
        .map_err(|error| Failure::from(error).about(format!("on-end: cannot run {command:?}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Trouble(anyhow::anyhow!("on-end: {command:?} ended with {status}")))
}

/// Returns a process of the system's shell that runs `command`.
fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.args([option, command]);
    shell
}
