//! When check-points are taken, and the thread that writes them.

use super::{Checkpoints, Frames, Warning};
use crate::observer::Observer;
use dragnet_formats::value::Plies;
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{Builder, Scope, ScopedJoinHandle},
    time::Instant,
};

/// Takes the check-points of a solve, if it has any: one at a time, on a thread of its own, which ends before `scope` does.
pub(crate) struct Keeper<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    checkpoints: Option<&'env Checkpoints>,
    observer: &'env dyn Observer,
    /// When the last one was begun, or the solve.
    last: Instant,
    writing: Option<ScopedJoinHandle<'scope, ()>>,
    /// Whether the solve has come to its end.
    over: Arc<AtomicBool>,
}

impl<'scope, 'env> Keeper<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        checkpoints: Option<&'env Checkpoints>,
        observer: &'env dyn Observer,
    ) -> Keeper<'scope, 'env> {
        Keeper { scope, checkpoints, observer, last: Instant::now(), writing: None, over: Arc::default() }
    }

    /// Whether a check-point is to be taken now, between two levels. `stop`: whether it is the last chance.
    pub(crate) fn due(&self, stop: bool) -> bool {
        let Some(checkpoints) = self.checkpoints else { return false };
        if stop {
            return checkpoints.worth_keeping();
        }
        let free = || self.writing.as_ref().is_none_or(ScopedJoinHandle::is_finished);
        self.last.elapsed() >= checkpoints.interval && free()
    }

    /// Begins to write the check-point of level `level`, with the state that `state` puts into it.
    pub(crate) fn save(
        &mut self,
        level: Plies,
        state: impl FnOnce(&mut Frames) -> io::Result<()> + Send + 'scope,
    ) {
        self.wait();
        let Some(checkpoints) = self.checkpoints else { return };
        self.last = Instant::now();
        let (observer, over) = (self.observer, Arc::clone(&self.over));
        let write = move || checkpoints.write(level, observer, &over, state);
        match Builder::new().name("check-point".to_owned()).spawn_scoped(self.scope, write) {
            Ok(thread) => self.writing = Some(thread),
            Err(source) => {
                let path = checkpoints.next_path().to_owned();
                observer.warning(&Warning::NotWritten { path, level, source });
            }
        }
    }

    /// Writes it at once, on this thread: for a state that cannot be read while the solve goes on.
    pub(crate) fn save_here(&mut self, level: Plies, state: impl FnOnce(&mut Frames) -> io::Result<()>) {
        self.wait();
        let Some(checkpoints) = self.checkpoints else { return };
        checkpoints.write(level, self.observer, &self.over, state);
        // Else a solve whose check-points take longer than the interval would do nothing else.
        self.last = Instant::now();
    }

    /// Waits until nothing is being written.
    pub(crate) fn wait(&mut self) {
        if let Some(Err(panic)) = self.writing.take().map(ScopedJoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }

    /// The solve has come to its end: what is being written is given up.
    pub(crate) fn give_up(&self) {
        self.over.store(true, Relaxed);
    }
}
