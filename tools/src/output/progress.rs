//! How far the work is: a line that moves on a terminal, a plain line now and then elsewhere.

use crate::{
    failure::say,
    lock::lock,
    output::human,
    report::{Entry, Status},
    signals,
};
use dragnet_generator::{Observer, Stage, Warning};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Work that is done sooner is not worth a progress line.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows one piece of work at a time on standard error.
pub(crate) struct Progress {
    name: String,
    unit: Mutex<&'static str>,
    bar: ProgressBar,
    terminal: bool,
    last: Mutex<Instant>,
    begin: Mutex<Instant>,
    total: AtomicU64,
    /// The lines among which this one is shown, and the one below it.
    among: Option<(MultiProgress, ProgressBar)>,
}

impl Progress {
    /// Progress of the work called `name`, counted in `unit`s, of which there are `total`.
    pub(crate) fn new(name: &str, unit: &'static str, total: u64) -> Progress {
        let now = Instant::now();
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let progress = Progress {
            name: name.to_owned(),
            unit: Mutex::new(unit),
            bar,
            terminal: stderr().is_terminal(),
            last: Mutex::new(now),
            begin: Mutex::new(now),
            total: AtomicU64::new(total),
            among: None,
        };
        progress.restart(unit, total);
        progress
    }

    fn restart(&self, unit: &'static str, total: u64) {
        *lock(&self.unit) = unit;
        let template = format!(
            "{{prefix}} {{bar:24}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left {{msg}}"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_length(total);
        self.bar.set_prefix(self.name.clone());
        self.total.store(total, Ordering::Relaxed);
        *lock(&self.begin) = Instant::now();
    }

    /// `done` units are done, of which there is no telling how many more come.
    pub(crate) fn lengthen(&self, done: u64) {
        self.total.store(done, Ordering::Relaxed);
        self.bar.set_length(done);
        self.set(done, String::new);
    }

    /// `done` units are done; `message` goes to the end of the line.
    pub(crate) fn set(&self, done: u64, message: impl FnOnce() -> String) {
        let begin = *lock(&self.begin);
        if begin.elapsed() < PATIENCE {
            return;
        }
        if self.terminal {
            if self.bar.is_hidden() {
                match &self.among {
                    Some((lines, below)) => {
                        lines.insert_before(below, self.bar.clone());
                    }
                    None => self.bar.set_draw_target(ProgressDrawTarget::stderr()),
                }
            }
            self.bar.set_message(message());
            self.bar.set_position(done);
            return;
        }
        let mut last = lock(&self.last);
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            let seconds = begin.elapsed().as_secs_f64();
            let total = self.total.load(Ordering::Relaxed);
            let rate = done as f64 / seconds;
            let left = total.saturating_sub(done) as f64 / rate.max(1.0);
            self.say(&format!(
                "{}: {} of {} {}, {} per second, {left:.0} s left {}",
                self.name,
                human::count(done),
                human::count(total),
                lock(&self.unit),
                human::rate(rate),
                message(),
            ));
        }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some((lines, _)) = &self.among {
            lines.remove(&self.bar);
        }
    }

    /// Prints a line above those that move.
    fn say(&self, line: &str) {
        match &self.among {
            Some((lines, _)) => lines.suspend(|| say(line)),
            None => self.bar.suspend(|| say(line)),
        }
    }
}

/// Shows a batch: on a terminal a line for each table that is being made and one for all, elsewhere a line for each table that has
/// been ended.
pub(crate) struct Lines {
    all: MultiProgress,
    batch: ProgressBar,
    terminal: bool,
    begin: Instant,
    tables: usize,
    /// Positions of all tables that are to be made.
    positions: u64,
    ended: Mutex<Ended>,
}

/// How many tables have been ended, by what became of them.
#[derive(Default)]
struct Ended {
    made: usize,
    kept: usize,
    skipped: usize,
    failed: usize,
    /// Positions of those that were made.
    positions: u64,
}

impl Lines {
    /// The lines of a batch of so many tables, of which those that are to be made have so many positions.
    pub(crate) fn new(tables: usize, positions: u64) -> Lines {
        let terminal = stderr().is_terminal();
        let all = MultiProgress::with_draw_target(match terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        });
        let batch = all.add(ProgressBar::no_length());
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            batch.set_style(style);
        }
        let lines =
            Lines { all, batch, terminal, begin: Instant::now(), tables, positions, ended: Mutex::default() };
        lines.show(&lock(&lines.ended));
        lines
    }

    /// The line of a table that is being made.
    pub(crate) fn board(&self, name: &str, positions: u64) -> Progress {
        let progress = Progress::new(name, "positions", positions);
        Progress { among: Some((self.all.clone(), self.batch.clone())), ..progress }
    }

    /// What became of a table.
    pub(crate) fn ended(&self, entry: &Entry) {
        let mut ended = lock(&self.ended);
        match entry.status {
            Status::Made => {
                ended.made += 1;
                ended.positions += entry.positions.unwrap_or(0);
            }
            Status::Kept => ended.kept += 1,
            Status::Failed => ended.failed += 1,
            Status::Skipped | Status::Interrupted => ended.skipped += 1,
        }
        self.show(&ended);
        let number = ended.made + ended.kept + ended.failed + ended.skipped;
        let mut line = format!("[{number}/{}] {} {}", self.tables, entry.status, entry.name);
        if let (Status::Made, Some(positions), Some(bytes)) = (entry.status, entry.positions, entry.bytes) {
            line += &format!(": {} positions, {}", human::count(positions), human::bytes(bytes));
        }
        if let Some(message) = &entry.message {
            line += &format!(": {message}");
        }
        match entry.status {
            // What the journal knows is told by the summary.
            Status::Kept => {}
            Status::Made if self.terminal => {}
            _ => self.say(&line),
        }
    }

    /// Prints a line above those that move.
    pub(crate) fn say(&self, line: &str) {
        self.all.suspend(|| say(line));
    }

    fn show(&self, ended: &Ended) {
        let Ended { made, kept, skipped, failed, positions } = *ended;
        let left = self.tables - made - kept - skipped - failed;
        let mut line = format!("{} done", made + kept);
        for (number, what) in [(skipped, "skipped"), (failed, "failed"), (left, "left")] {
            if number > 0 || what == "left" {
                line += &format!(", {number} {what}");
            }
        }
        if positions > 0 && left > 0 {
            let rest = self.positions.saturating_sub(positions) as f64 / positions as f64;
            let seconds = self.begin.elapsed().as_secs_f64() * rest;
            let finish = jiff::Zoned::now().checked_add(Duration::from_secs_f64(seconds.min(1e8)));
            if let Ok(finish) = finish {
                let form = if seconds < 12.0 * 3600.0 { "%H:%M:%S" } else { "%a %H:%M" };
                line += &format!(", finishes about {}", finish.strftime(form));
            }
        }
        self.batch.set_message(line);
        self.batch.tick();
    }

    /// Takes the lines away.
    pub(crate) fn finish(&self) {
        self.batch.finish_and_clear();
    }
}

impl Observer for Progress {
    fn stage(&self, stage: Stage) {
        match stage {
            Stage::Solving { positions } => self.restart("positions", positions),
            Stage::Writing { blocks } => self.restart("blocks", blocks),
        }
    }

    fn level(&self, level: u32, decided: u64) {
        self.set(decided, || format!("(level {level})"));
    }

    fn written(&self, blocks: u64) {
        self.set(blocks, String::new);
    }

    fn resumed(&self, level: u32, decided: u64) {
        let decided = human::count(decided);
        self.say(&format!(
            "{}: going on from the check-point of level {level}, {decided} positions decided",
            self.name
        ));
    }

    fn warning(&self, warning: &Warning) {
        self.say(&format!("dragnet: {}: warning: {warning}", self.name));
    }

    fn stop(&self) -> bool {
        signals::received()
    }
}
