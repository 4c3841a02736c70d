//! How far the work is: a line that moves on a terminal, a plain line now and then elsewhere.

use crate::{failure::say, human, signals};
use dragnet_generator::{Observer, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
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

    /// `done` units are done; `message` goes to the end of the line.
    pub(crate) fn set(&self, done: u64, message: impl FnOnce() -> String) {
        let begin = *lock(&self.begin);
        if begin.elapsed() < PATIENCE {
            return;
        }
        if self.terminal {
            if self.bar.is_hidden() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
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
            say(&format!(
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
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
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

    fn stop(&self) -> bool {
        signals::received()
    }
}
