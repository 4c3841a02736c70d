//! Progress of a run: on a terminal a moving line for each table that is being made and one for all.

use crate::{
    lock::lock,
    messages::Kind,
    output::{
        human,
        progress::{self, Progress},
    },
    report::entry::{Status, TableEntry},
};
use indicatif::ProgressBar;
use std::{
    io::{IsTerminal, stderr},
    sync::Mutex,
    time::{Duration, Instant},
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
    begin: Instant,
    tables: usize,
    done: Mutex<Done>,
}

/// How many tables are done, by their outcome.
#[derive(Default)]
struct Done {
    made: usize,
    kept: usize,
    skipped: usize,
    failed: usize,
    /// Positions of the tables that were made.
    positions: u64,
    /// Positions of all tables that have been checked.
    planned: u64,
}

impl RunProgress {
    /// Creates the lines of a run of so many tables.
    pub(crate) fn new(tables: usize, announce: Announce) -> RunProgress {
        let terminal = stderr().is_terminal();
        let summary = progress::add_line();
        let begin = Instant::now();
        RunProgress { summary, announce, terminal, begin, tables, done: Mutex::default() }
    }

    /// Adds the positions of tables that have been checked, from which the time that is left is estimated.
    pub(crate) fn checked(&self, positions: u64) {
        let mut done = lock(&self.done);
        done.planned = done.planned.saturating_add(positions);
        self.show(&done);
    }

    /// Creates the line of a table that is being made.
    pub(crate) fn table(&self, name: &str, positions: u64) -> Progress {
        Progress::new(name, "positions", positions).above(&self.summary)
    }

    /// Counts a table that is done, and announces it if it is to be announced.
    pub(crate) fn done(&self, entry: &TableEntry) {
        let mut done = lock(&self.done);
        match entry.status {
            Status::Made => {
                done.made += 1;
                done.positions = done.positions.saturating_add(entry.positions.unwrap_or(0));
            }
            Status::Kept => done.kept += 1,
            Status::Failed => done.failed += 1,
            Status::Skipped | Status::Interrupted => done.skipped += 1,
        }
        self.show(&done);
        let number = done.made + done.kept + done.failed + done.skipped;
        // They are counted in one line at the end.
        if entry.is_not_begun() {
            return;
        }
        match (self.announce, entry.status) {
            // The summary has what the journal knows.
            (_, Status::Kept) => progress::say(Kind::Detail, &format!("{}: kept as it was", entry.name)),
            (Announce::Failures, Status::Made) => {}
            (Announce::Failures, Status::Failed | Status::Skipped | Status::Interrupted) => {
                let message = entry.message.as_deref().unwrap_or("not made");
                let kind = if entry.status == Status::Interrupted { Kind::Note } else { Kind::Error };
                progress::say(kind, &format!("{}: {message}", entry.name));
            }
            (Announce::All, Status::Made) if self.terminal => {}
            (Announce::All, _) => progress::say(Kind::Step, &self.line(number, entry)),
        }
    }

    /// Returns the line that announces the table with this number.
    fn line(&self, number: usize, entry: &TableEntry) -> String {
        let mut line = format!("[{number}/{}] {} {}", self.tables, entry.status, entry.name);
        if let (Status::Made, Some(positions), Some(bytes)) = (entry.status, entry.positions, entry.bytes) {
            line += &format!(": {} positions, {}", human::count(positions), human::bytes(bytes));
        }
        if let Some(note) = entry.note() {
            line += &format!(": {note}");
        }
        line
    }

    fn show(&self, done: &Done) {
        // The line of a single table says everything.
        if self.tables == 1 {
            return;
        }
        let Done { made, kept, skipped, failed, positions, planned } = *done;
        let left = self.tables - made - kept - skipped - failed;
        let mut line = format!("{} done", made + kept);
        for (number, what) in [(skipped, "skipped"), (failed, "failed"), (left, "left")] {
            if number > 0 || what == "left" {
                line += &format!(", {number} {what}");
            }
        }
        if planned > 0 && left > 0 {
            line += &format!(", {} of all positions", human::percent(positions, planned));
        }
        // Before that the time left is often wrong by more than a factor of two.
        if positions >= planned / 10 && positions > 0 && left > 0 {
            let rest = planned.saturating_sub(positions) as f64 / positions as f64;
            let seconds = self.begin.elapsed().as_secs_f64() * rest;
            let finish = jiff::Zoned::now().checked_add(Duration::from_secs_f64(seconds.min(1e8)));
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
