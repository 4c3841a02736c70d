//! Progress of one piece of work: a moving line on a terminal, a plain line now and then elsewhere.

use crate::{
    messages::{self, Kind},
    output::{human, progress_line::ProgressLine},
    signals,
};
use dragnet_generator::{Observer, Stage, Warning};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use std::{
    io::{IsTerminal, stderr},
    path::Path,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Time before the first progress line: shorter work has none.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two states of a line on a terminal.
const REDRAW: Duration = Duration::from_millis(50);
/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// The moving lines on the terminal. Off a terminal, and with `--quiet`, there are none.
static LINES: LazyLock<MultiProgress> = LazyLock::new(|| {
    MultiProgress::with_draw_target(match stderr().is_terminal() && !messages::is_quiet() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    })
});

/// Returns the style of a line that is its message, cut off where the terminal ends.
fn whole_line() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").expect("the template is well-formed")
}

/// Adds a line below the moving lines.
pub(crate) fn add_line() -> ProgressBar {
    LINES.add(ProgressBar::no_length().with_style(whole_line()))
}

/// Prints a message on standard error, above the moving lines.
pub(crate) fn say(kind: Kind, text: &str) {
    suspended(|| messages::say(kind, text));
}

/// Runs `print` while the moving lines are removed, so that it may write on the same terminal.
pub(crate) fn suspended<T>(print: impl FnOnce() -> T) -> T {
    LINES.suspend(print)
}

/// Shows the progress of one piece of work on standard error.
pub(crate) struct Progress {
    name: String,
    unit: Mutex<&'static str>,
    bar: ProgressBar,
    terminal: bool,
    last: Mutex<Instant>,
    begin: Mutex<Instant>,
    total: AtomicU64,
    /// The line above which this one stands.
    below: Option<ProgressBar>,
}

impl Progress {
    /// Creates the progress of the work called `name`, counted in `unit`s, of which there are `total`.
    pub(crate) fn new(name: &str, unit: &'static str, total: u64) -> Progress {
        let now = Instant::now();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(whole_line());
        let progress = Progress {
            name: name.to_owned(),
            unit: Mutex::new(unit),
            bar,
            terminal: stderr().is_terminal(),
            last: Mutex::new(now),
            begin: Mutex::new(now),
            total: AtomicU64::new(total),
            below: None,
        };
        progress.restart(unit, total);
        progress
    }

    /// Creates the progress of work on the table in the file `path`.
    pub(crate) fn of_table(path: &Path, unit: &'static str, total: u64) -> Progress {
        Progress::new(&path.file_stem().unwrap_or_default().to_string_lossy(), unit, total)
    }

    /// Returns the progress shown above the line `below`.
    pub(crate) fn above(self, below: &ProgressBar) -> Progress {
        Progress { below: Some(below.clone()), ..self }
    }

    fn restart(&self, unit: &'static str, total: u64) {
        *self.unit.lock() = unit;
        self.total.store(total, Ordering::Relaxed);
        *self.begin.lock() = Instant::now();
    }

    /// Shows that `done` units are done when it is not known how many there are.
    pub(crate) fn lengthen(&self, done: u64) {
        self.total.store(done, Ordering::Relaxed);
        self.set(done, String::new);
    }

    /// Shows that `done` units are done; `message` goes to the end of the line.
    pub(crate) fn set(&self, done: u64, message: impl FnOnce() -> String) {
        let begin = *self.begin.lock();
        if begin.elapsed() < PATIENCE {
            return;
        }
        let mut last = self.last.lock();
        if last.elapsed() < if self.terminal { REDRAW } else { INTERVAL } {
            return;
        }
        *last = Instant::now();
        let note = message();
        let line = ProgressLine {
            name: &self.name,
            done,
            total: self.total.load(Ordering::Relaxed),
            unit: *self.unit.lock(),
            elapsed: begin.elapsed(),
            note: &note,
        };
        if !self.terminal {
            return say(Kind::Step, &line.whole());
        }
        if self.bar.is_hidden() {
            match &self.below {
                Some(below) => LINES.insert_before(below, self.bar.clone()),
                None => LINES.add(self.bar.clone()),
            };
        }
        // The last column stays free: a line that fills its row runs into the next one.
        self.bar.set_message(line.fit(messages::columns(&stderr()).saturating_sub(1)));
        self.bar.tick();
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        LINES.remove(&self.bar);
    }
}

impl Observer for Progress {
    fn stage(&self, stage: Stage) {
        match stage {
            Stage::Solving { positions } => self.restart("positions", positions),
            Stage::Writing { blocks } => self.restart("blocks", blocks),
            Stage::Asking { positions } | Stage::Bounding { positions } | Stage::Verifying { positions } => {
                self.restart("positions", positions);
            }
        }
    }

    fn level(&self, level: u32, decided: u64) {
        self.set(decided, || format!("level {level}"));
    }

    fn asked(&self, positions: u64) {
        self.set(positions, || "asking the policy".to_owned());
    }

    fn round(&self, round: u64, met: u64) {
        self.set(met, || format!("round {}", human::count(round)));
    }

    fn verified(&self, positions: u64) {
        self.set(positions, String::new);
    }

    fn written(&self, blocks: u64) {
        self.set(blocks, String::new);
    }

    fn resumed(&self, level: u32, decided: u64) {
        let decided = human::count(decided);
        let what = format!("going on from the checkpoint of level {level}, {decided} positions decided");
        say(Kind::Note, &format!("{}: {what}", self.name));
    }

    fn warning(&self, warning: &Warning) {
        say(Kind::Warning, &format!("{}: {warning}", self.name));
    }

    fn stop(&self) -> bool {
        signals::received()
    }
}
