//! `dragnet batch status`: how far a run has come.

use crate::{
    failure::Failure,
    input::manifest::{self, is_manifest},
    make::{
        status::{RunPhase, RunStatus, TableStatus},
        workers::{FolderStatus, WorkerStatus},
    },
    messages::{columns, printable},
    output::{
        console::{output, print_json},
        human,
    },
    report::history::StatusCounts,
};
use clap::Args;
use jiff::Zoned;
use std::{
    ffi::OsStr,
    io::{IsTerminal, Write, stdout},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// Show how far the runs in a folder have come
///
/// A run writes DIR/.dragnet/worker-N.json each second, where N is its number among those that work in the
/// folder. This command shows these files, from another terminal or another machine that sees the folder.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StatusCommand {
    /// The output folder, or the manifest that names it
    #[arg(value_name = "DIR|MANIFEST", default_value = "tables")]
    folder: PathBuf,
    /// Show it again each second until the runs end; wait for one if none has begun
    #[arg(long)]
    watch: bool,
    /// A JSON object instead of text; with --watch one each second
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet batch status tables
  dragnet batch status night.toml --watch";

/// Time between two looks at the file.
const LOOK: Duration = Duration::from_secs(1);
/// A run writes its status each second. One whose lock is free and that has not written for so long has been
/// killed.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most runs that are listed.
const LISTED: usize = 20;

impl StatusCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let manifest = is_manifest(&self.folder).then_some(self.folder.as_path());
        let out = match manifest {
            Some(manifest) => manifest::read(manifest)?.out,
            None => self.folder.clone(),
        };
        // The runs may have been begun in another folder.
        let file_name = |path: &str| Path::new(path).file_name().map(OsStr::to_owned);
        let is_asked_for = |status: &FolderStatus| {
            manifest.is_none_or(|asked| {
                status.manifest.as_deref().and_then(file_name).as_deref() == asked.file_name()
            })
        };
        let mut lines = 0;
        loop {
            let over = match FolderStatus::read(&out, PATIENCE)? {
                Some(status) if is_asked_for(&status) => {
                    self.print(&status, &mut lines)?;
                    status.count(RunPhase::Running) == 0
                }
                // A scheduler begins the runs later.
                _ if self.watch && (out.is_dir() || manifest.is_some()) => {
                    if !self.json {
                        show(&[format!("no run has begun in {}", out.display())], lines)?;
                        lines = 1;
                    }
                    false
                }
                found => {
                    let of =
                        manifest.map(|manifest| format!(" of {}", manifest.display())).unwrap_or_default();
                    let others = found.map(|found| found.manifest.unwrap_or_else(|| "boards".to_owned()));
                    let others =
                        others.map(|others| format!("; there are those of {others}")).unwrap_or_default();
                    let message = format!("no run{of} has left its status in {}{others}", out.display());
                    return Err(Failure::input(message));
                }
            };
            if !self.watch || over {
                return Ok(());
            }
            thread::sleep(LOOK);
        }
    }

    /// Prints the status as JSON or in lines; with `--watch`, on a terminal, over the `lines` lines of the
    /// one before.
    fn print(&self, status: &FolderStatus, lines: &mut usize) -> Result<(), Failure> {
        if self.json {
            return print_json(status);
        }
        let text = text(status);
        show(&text, if self.watch { *lines } else { 0 })?;
        *lines = text.len();
        Ok(())
    }
}

/// Prints the lines of a status, on a terminal over the `lines` lines of the one before.
fn show(text: &[String], lines: usize) -> Result<(), Failure> {
    let terminal = stdout().is_terminal();
    let columns = columns(&stdout());
    let mut output = output();
    if terminal && lines > 0 {
        // Up to the first line, and everything below it is cleared.
        write!(output, "\x1b[{lines}A\x1b[J")?;
    }
    for line in text {
        writeln!(output, "{}", human::shortened(line, columns))?;
    }
    Ok(output.flush()?)
}

/// Returns the status in lines: sums, the runs and the tables at which they work, and what could not be made.
fn text(status: &FolderStatus) -> Vec<String> {
    let name = printable(status.manifest.as_deref().unwrap_or("generate"));
    let all = match &status.workers[..] {
        [WorkerStatus { status, state: RunPhase::Running }] => {
            format!("{}, process {}", how(status, RunPhase::Running), status.process)
        }
        [WorkerStatus { status, state }] => how(status, *state),
        _ => {
            let phases = [RunPhase::Running, RunPhase::Ended, RunPhase::Killed].into_iter();
            let counted =
                phases.zip(["at work", "ended", "killed"]).map(|(phase, what)| (status.count(phase), what));
            let words =
                counted.filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
            format!("{} runs, {}", status.workers.len(), words.collect::<Vec<_>>().join(", "))
        }
    };
    let StatusCounts { made, kept, skipped, interrupted, failed } = status.counts;
    let left = status.tables.saturating_sub(status.counts.sum());
    let mut counts = format!("{} of {} tables done", human::count(made + kept), human::count(status.tables));
    for (number, what) in [
        (kept, "of them kept"),
        (skipped, "skipped"),
        (interrupted, "interrupted"),
        (failed, "failed"),
        (left, "left"),
    ] {
        if number > 0 {
            counts += &format!(", {} {what}", human::count(number));
        }
    }
    if status.positions > 0 {
        counts += &format!(", {} of all positions", human::percent(status.positions_done, status.positions));
    }
    if let Some(seconds) = status.seconds_left {
        let left = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
        counts += &format!(", {} left", human::duration(left));
        if let Ok(end) = Zoned::now().checked_add(left) {
            counts += &format!(", finishes about {}", end.strftime("%a %H:%M"));
        }
    }
    let mut lines = vec![format!("{name}: {all}"), counts];
    // One that has ended well is no news.
    let listed = status.workers.iter().filter(|worker| worker.status.status != Some(0));
    for WorkerStatus { status: run, state } in listed.take(LISTED) {
        if status.workers.len() > 1 {
            let host = run.host.as_ref().map(|host| format!(" on {}", printable(host))).unwrap_or_default();
            lines.push(format!("  run {}{host}, process {}: {}", run.worker, run.process, how(run, *state)));
        }
        if *state == RunPhase::Running {
            lines.extend(run.working.iter().map(working));
        }
    }
    lines.extend(status.troubles.iter().map(|trouble| {
        format!("  {} {}: {}", trouble.status, printable(&trouble.name), printable(&trouble.message))
    }));
    lines
}

/// Returns how a run stands.
fn how(run: &RunStatus, state: RunPhase) -> String {
    let time = human::duration(Duration::from_secs_f64(run.seconds));
    match run.status {
        Some(0) => format!("finished after {time}"),
        Some(code) => format!("ended with status {code} after {time}"),
        None if state == RunPhase::Killed => format!("killed after {time}"),
        None if run.waiting => format!("waiting for others after {time}"),
        None => format!("running for {time}"),
    }
}

/// Returns the line of a table that is being made.
fn working(table: &TableStatus) -> String {
    let TableStatus { name, stage, level, done, total, seconds } = table;
    let level = level.map(|level| format!("  level {level}")).unwrap_or_default();
    let share = human::percent(*done, *total);
    let time = human::duration(Duration::from_secs_f64(*seconds));
    format!("  {stage} {}  {share}{level}  {time}", printable(name))
}
