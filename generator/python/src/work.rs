//! Long work on a thread of its own, while the calling thread hears Ctrl-C and reports progress.

use dragnet_generator::{Observer, Stage};
use pyo3::prelude::*;
use std::{
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

/// The time between two looks at signals and two reports of progress.
const EVERY: Duration = Duration::from_millis(100);

/// How far the work is.
#[derive(Default)]
pub(crate) struct Progress {
    /// The number of positions, or of blocks while a table is written.
    total: AtomicU64,
    done: AtomicU64,
    level: AtomicU32,
    is_writing: AtomicBool,
    stop: AtomicBool,
}

impl Observer for Progress {
    fn stage(&self, stage: Stage) {
        let (total, is_writing) = match stage {
            Stage::Solving { positions } => (positions, false),
            Stage::Writing { blocks } => (blocks, true),
            // The stages of policies, of which Python has none.
            Stage::Asking { .. } | Stage::Bounding { .. } => return,
        };
        self.total.store(total, Relaxed);
        self.done.store(0, Relaxed);
        self.is_writing.store(is_writing, Relaxed);
    }

    fn level(&self, level: u32, decided: u64) {
        self.level.store(level, Relaxed);
        self.done.store(decided, Relaxed);
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
        let stage = if progress.is_writing.load(Relaxed) { "writing" } else { "solving" };
        let (done, total) = (progress.done.load(Relaxed), progress.total.load(Relaxed));
        if total == 0 {
            return Ok(());
        }
        report.call1(py, (stage, done, total, progress.level.load(Relaxed))).map(drop)
    })
}
