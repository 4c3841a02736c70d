//! `dragnet batch status`: how far a run has come.

use crate::{
    failure::Failure,
    input::manifest::{self, is_manifest},
    make::{
        shards::ShardsStatus,
        status::{self, RunStatus, TableStatus, TaskState},
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
use serde::Serialize;
use std::{
    io::{IsTerminal, Write, stdout},
    path::PathBuf,
    thread,
    time::Duration,
};

/// Show how far the run in a folder has come
///
/// A run writes DIR/.dragnet/status.json each second, and each shard a file of its own beside it. This
/// command shows it, from another terminal or another machine that sees the folder. Of shards it shows the
/// sums, and those that are at work or in trouble.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StatusCommand {
    /// The output folder, or the manifest that names it
    #[arg(value_name = "DIR|MANIFEST", default_value = "tables")]
    folder: PathBuf,
    /// Show it again each second until the run ends; wait for the run if none has begun
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

/// The status of a run that makes all tables, as `--json` prints it.
#[derive(Serialize)]
struct Seen {
    #[serde(flatten)]
    status: RunStatus,
    /// Whether the run is at work.
    state: TaskState,
}

impl StatusCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let out = match is_manifest(&self.folder) {
            true => manifest::read(&self.folder)?.out,
            false => self.folder.clone(),
        };
        let mut lines = 0;
        loop {
            let over = match ShardsStatus::read(&out, PATIENCE)? {
                Some(shards) => {
                    let text = super::shards::text(&shards);
                    self.print(&shards, &text, &mut lines)?;
                    shards.is_over()
                }
                None => match status::look(&out, [None], PATIENCE)?.pop() {
                    Some((status, state)) => {
                        let seen = Seen { status, state };
                        self.print(&seen, &text(&seen), &mut lines)?;
                        state != TaskState::Running
                    }
                    // A scheduler begins the tasks later.
                    None if self.watch && (out.is_dir() || is_manifest(&self.folder)) => {
                        if !self.json {
                            show(&[format!("no run has begun in {}", out.display())], lines)?;
                            lines = 1;
                        }
                        false
                    }
                    None => {
                        let message = format!("no run has left its status in {}", out.display());
                        return Err(Failure::input(message));
                    }
                },
            };
            if !self.watch || over {
                return Ok(());
            }
            thread::sleep(LOOK);
        }
    }

    /// Prints the status as JSON or in these lines; with `--watch`, on a terminal, over the `lines` lines of
    /// the one before.
    fn print(&self, status: &impl Serialize, text: &[String], lines: &mut usize) -> Result<(), Failure> {
        if self.json {
            return print_json(status);
        }
        show(text, if self.watch { *lines } else { 0 })?;
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

/// Returns the status in lines.
fn text(Seen { status, state }: &Seen) -> Vec<String> {
    let name = printable(status.manifest.as_deref().unwrap_or("generate"));
    let time = human::duration(Duration::from_secs_f64(status.seconds));
    let how = match status.status {
        Some(0) => format!("finished after {time}"),
        Some(code) => format!("ended with status {code} after {time}"),
        None if *state == TaskState::Killed => format!("killed after {time}"),
        None => format!("running for {time}, process {}", status.process),
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
    if let Some(seconds) = status.seconds_left.filter(|_| *state == TaskState::Running) {
        let left = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
        counts += &format!(", {} left", human::duration(left));
        if let Ok(end) = Zoned::now().checked_add(left) {
            counts += &format!(", finishes about {}", end.strftime("%a %H:%M"));
        }
    }
    let mut lines = vec![format!("{name}: {how}"), counts];
    if *state == TaskState::Running {
        lines.extend(status.working.iter().map(working));
    }
    lines.extend(status.troubles.iter().map(|trouble| {
        format!("  {} {}: {}", trouble.status, printable(&trouble.name), printable(&trouble.message))
    }));
    lines
}

/// Returns the line of a table that is being made.
fn working(table: &TableStatus) -> String {
    let TableStatus { name, stage, level, done, total, seconds } = table;
    let level = level.map(|level| format!("  level {level}")).unwrap_or_default();
    let share = human::percent(*done, *total);
    let time = human::duration(Duration::from_secs_f64(*seconds));
    format!("  {stage} {}  {share}{level}  {time}", printable(name))
}
