//! Progress of one piece of work: a moving line on a terminal, a plain line now and then elsewhere.

use crate::{failure::say, lock::lock, output::human, signals};
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

/// Time before the first progress line: shorter work has none.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows the progress of one piece of work on standard error.
pub(crate) struct Progress {
    name: String,
    unit: Mutex<&'static str>,
    bar: ProgressBar,
    terminal: bool,
    last: Mutex<Instant>,
    begin: Mutex<Instant>,
    total: AtomicU64,
    /// The lines among which this line is shown, and the line above which it stands.
    among: Option<(MultiProgress, ProgressBar)>,
}

impl Progress {
    /// Creates the progress of the work called `name`, counted in `unit`s, of which there are `total`.
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

    /// Returns the progress shown among `lines`, above the line `below`.
    pub(crate) fn among(self, lines: &MultiProgress, below: &ProgressBar) -> Progress {
        Progress { among: Some((lines.clone(), below.clone())), ..self }
    }

    fn restart(&self, unit: &'static str, total: u64) {
        *lock(&self.unit) = unit;
        let template = format!(
            "{{prefix}} {{bar:24}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left {{msg}}"
        );
        self.bar.set_style(ProgressStyle::with_template(&template).expect("the template is well-formed"));
        self.bar.reset();
        self.bar.set_length(total);
        self.bar.set_prefix(self.name.clone());
        self.total.store(total, Ordering::Relaxed);
        *lock(&self.begin) = Instant::now();
    }

    /// Shows that `done` units are done when it is not known how many there are.
    pub(crate) fn lengthen(&self, done: u64) {
        self.total.store(done, Ordering::Relaxed);
        self.bar.set_length(done);
        self.set(done, String::new);
    }

    /// Shows that `done` units are done; `message` goes to the end of the line.
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

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some((lines, _)) = &self.among {
            lines.remove(&self.bar);
        }
    }

    /// Prints a line above the moving lines.
    fn say(&self, line: &str) {
        match &self.among {
            Some((lines, _)) => lines.suspend(|| say(line)),
            None => self.bar.suspend(|| say(line)),
        }
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
            "{}: going on from the checkpoint of level {level}, {decided} positions decided",
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
