//! Progress of a run: on a terminal a moving line for each table that is being made and one for all.

use crate::{
    make::status::RunStatus,
    messages::Kind,
    output::{
        human,
        progress::{self, Progress},
    },
    report::{entry::TableEntry, history::StatusCounts, status::Status},
};
use indicatif::ProgressBar;
use std::{
    io::{IsTerminal, stderr},
    time::Duration,
};

/// Which tables a run reports on standard error when they are done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Announce {
    /// Tables that were made or could not be made, numbered: for a manifest, of which standard output has
    /// only the summary.
    All,
    /// Tables that could not be made, as errors: the others are on standard output.
    Failures,
}

/// The lines that show a run.
pub(crate) struct RunProgress {
    /// The line for all tables, below the others.
    summary: ProgressBar,
    announce: Announce,
    terminal: bool,
}

impl RunProgress {
    /// Creates the lines of a run.
    pub(crate) fn new(announce: Announce) -> RunProgress {
        RunProgress { summary: progress::add_line(), announce, terminal: stderr().is_terminal() }
    }

    /// Creates the line of a table that is being made.
    pub(crate) fn table(&self, name: &str, positions: u64) -> Progress {
        Progress::new(name, "positions", positions).above(&self.summary)
    }

    /// Announces a table that is done, if it is to be announced. `status` is that of the run.
    pub(crate) fn done(&self, entry: &TableEntry, status: &RunStatus) {
        self.show(status);
        // They are counted in one line at the end.
        if entry.is_not_begun() {
            return;
        }
        match (self.announce, entry.status) {
            // The summary has what the journal knows.
            (_, Status::Kept) => {
                let kept = match &entry.replaced {
                    Some(what) => format!("values kept, replaced {what}"),
                    None => "kept as it was".to_owned(),
                };
                progress::say(Kind::Detail, &format!("{}: {kept}", entry.name));
            }
            (Announce::Failures, Status::Made) => {}
            (Announce::Failures, Status::Interrupted) => {
                let message = entry.message.as_ref().map(|message| format!("; {message}"));
                let text = format!("{}: {}{}", entry.name, entry.status, message.unwrap_or_default());
                progress::say(Kind::Note, &text);
            }
            (Announce::Failures, Status::Failed | Status::Skipped) => {
                let message = entry.message.as_deref().unwrap_or("not made");
                progress::say(Kind::Error, &format!("{}: {message}", entry.name));
            }
            (Announce::All, Status::Made) if self.terminal => {}
            (Announce::All, _) => progress::say(Kind::Step, &line(entry, status)),
        }
    }

    /// Shows how far the run has come.
    pub(crate) fn show(&self, status: &RunStatus) {
        // The line of a single table says everything.
        if status.tables == 1 {
            return;
        }
        let StatusCounts { made, kept, skipped, interrupted, failed } = status.counts;
        let left = status.tables.saturating_sub(status.counts.sum());
        let mut line = format!("{} done", made + kept);
        for (number, what) in [(skipped + interrupted, "skipped"), (failed, "failed"), (left, "left")] {
            if number > 0 || what == "left" {
                line += &format!(", {number} {what}");
            }
        }
        if left > 0 && status.positions > 0 {
            line +=
                &format!(", {} of all positions", human::percent(status.positions_done, status.positions));
        }
        if let Some(seconds) = status.seconds_left.filter(|_| left > 0) {
            let finish = jiff::Zoned::now().checked_add(Duration::from_secs_f64(seconds));
            if let Ok(finish) = finish {
                let form = if seconds < 12.0 * 3600.0 { "%H:%M:%S" } else { "%a %H:%M" };
                line += &format!(", finishes about {}", finish.strftime(form));
            }
        }
        self.summary.set_message(line);
        self.summary.tick();
    }

    /// Removes the lines.
    pub(crate) fn finish(&self) {
        self.summary.finish_and_clear();
    }
}

/// Returns the line that announces a table.
fn line(entry: &TableEntry, status: &RunStatus) -> String {
    let number = status.counts.sum();
    let mut line = format!("[{number}/{}] {} {}", status.tables, entry.status, entry.name);
    if let (Status::Made, Some(positions), Some(bytes)) = (entry.status, entry.positions, entry.bytes) {
        line += &format!(": {} positions, {}", human::count(positions), human::bytes(bytes));
    }
    if let Some(note) = entry.note() {
        line += &format!(": {note}");
    }
    line
}
