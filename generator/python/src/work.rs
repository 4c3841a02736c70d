//! Long work on a thread of its own, while the calling thread hears Ctrl-C and reports progress.

use crate::errors::refused;
use dragnet_generator::{Generator, Observer, Stage};
use pyo3::prelude::*;
use std::{
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

/// Returns a number of threads, which is one per processor for 0.
pub(crate) fn thread_count(threads: usize) -> usize {
    if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads }
}

/// Returns a generator with so many threads, which end with it: a process that has been forked has none.
pub(crate) fn generator(threads: usize) -> PyResult<Generator> {
    Generator::new(threads).map_err(|error| refused(&error))
}

/// Returns the bytes of memory that this process may take, as far as the system tells: the machine's, or
/// those of the control group if it has fewer.
#[pyfunction]
pub(crate) fn machine_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let group = system.cgroup_limits().map(|limits| limits.total_memory).filter(|&bytes| bytes > 0);
    group.unwrap_or(u64::MAX).min(system.total_memory())
}

/// The time between two looks at signals and two reports of progress.
const EVERY: Duration = Duration::from_millis(100);

/// The names of stages for Python.
const STAGES: [&str; 5] = ["solving", "writing", "asking", "bounding", "verifying"];

/// How far the work is.
#[derive(Default)]
pub(crate) struct Progress {
    /// The number of the stage in [`STAGES`].
    stage: AtomicUsize,
    /// The number of positions, or of blocks while a table is written.
    total: AtomicU64,
    done: AtomicU64,
    /// The level, or the round while bounds are computed.
    level: AtomicU32,
    stop: AtomicBool,
}

impl Observer for Progress {
    fn stage(&self, stage: Stage) {
        let (number, total) = match stage {
            Stage::Solving { positions } => (0, positions),
            Stage::Writing { blocks } => (1, blocks),
            Stage::Asking { positions } => (2, positions),
            Stage::Bounding { positions } => (3, positions),
            Stage::Verifying { positions } => (4, positions),
        };
        self.total.store(total, Relaxed);
        self.done.store(0, Relaxed);
        self.level.store(0, Relaxed);
        self.stage.store(number, Relaxed);
    }

    fn level(&self, level: u32, decided: u64) {
        self.level.store(level, Relaxed);
        self.done.store(decided, Relaxed);
    }

    fn asked(&self, positions: u64) {
        self.done.store(positions, Relaxed);
    }

    fn round(&self, round: u64, met: u64) {
        self.level.store(round as u32, Relaxed);
        self.done.store(met, Relaxed);
    }

    fn verified(&self, positions: u64) {
        self.done.store(positions, Relaxed);
    }

    fn written(&self, blocks: u64) {
        self.done.store(blocks, Relaxed);
    }

    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Runs `work`. Calls `report` with stage, done, total and level now and then, if there is one.
///
/// # Errors
/// The exception of `report` or of the handler of a signal: then the work is stopped.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    report: Option<Py<PyAny>>,
    work: impl FnOnce(&Progress) -> T + Send,
) -> PyResult<T> {
    let progress = Progress::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (is_done, done) = mpsc::channel::<()>();
            let progress = &progress;
            let worker = scope.spawn(move || {
                // The channel closes when the work has ended, however it ends.
                let _is_done = is_done;
                work(progress)
            });
            let mut raised = None;
            while done.recv_timeout(EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = look_around(progress, report.as_ref())
                {
                    progress.stop.store(true, Relaxed);
                    raised = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(Ok(result), Err)
        })
    })
}

fn look_around(progress: &Progress, report: Option<&Py<PyAny>>) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        let Some(report) = report else { return Ok(()) };
        let stage = STAGES[progress.stage.load(Relaxed)];
        let (done, total) = (progress.done.load(Relaxed), progress.total.load(Relaxed));
        if total == 0 {
            return Ok(());
        }
        report.call1(py, (stage, done, total, progress.level.load(Relaxed))).map(drop)
    })
}
