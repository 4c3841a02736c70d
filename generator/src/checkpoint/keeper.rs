//! The thread that writes checkpoints while the solve goes on, and when it does.

use super::{frames::Frames, generations::Checkpoints};
use crate::{observer::Observer, warning::Warning};
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

/// The keeper of a solve's checkpoints, if it has any. Writes one at a time, on a thread of its own that ends
/// before `scope` does.
pub(crate) struct Keeper<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    checkpoints: Option<&'env Checkpoints>,
    observer: &'env dyn Observer,
    /// When the last checkpoint was begun, or else the solve. `None` without checkpoints: a system without a
    /// clock, such as WebAssembly, can solve all the same.
    last: Option<Instant>,
    /// The level of the last checkpoint that was begun.
    level: Option<Plies>,
    writing: Option<ScopedJoinHandle<'scope, ()>>,
    /// Whether the solve has ended, so that nobody needs the checkpoint that is being written.
    cancelled: Arc<AtomicBool>,
}

impl<'scope, 'env> Keeper<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        checkpoints: Option<&'env Checkpoints>,
        observer: &'env dyn Observer,
    ) -> Keeper<'scope, 'env> {
        Keeper {
            scope,
            checkpoints,
            observer,
            last: checkpoints.map(|_| Instant::now()),
            level: None,
            writing: None,
            cancelled: Arc::default(),
        }
    }

    /// Returns whether a checkpoint is to be taken now, between two levels. `stop` says that the solve is
    /// about to stop.
    pub(crate) fn is_due(&self, stop: bool) -> bool {
        let (Some(checkpoints), Some(last)) = (self.checkpoints, self.last) else { return false };
        if stop {
            return checkpoints.worth_keeping();
        }
        let free = || self.writing.as_ref().is_none_or(ScopedJoinHandle::is_finished);
        last.elapsed() >= checkpoints.interval() && free()
    }

    /// Begins to write the checkpoint of `level`, unless the last one was of this level; `state` puts the
    /// state into it.
    pub(crate) fn save(
        &mut self,
        level: Plies,
        state: impl Fn(&mut Frames) -> io::Result<()> + Send + 'scope,
    ) {
        self.wait();
        let Some(checkpoints) = self.checkpoints else { return };
        // A solve may stop at the level that has just been written. The older generation stays then.
        if self.level.replace(level) == Some(level) && checkpoints.has(level) {
            return;
        }
        self.last = Some(Instant::now());
        let (observer, cancelled) = (self.observer, Arc::clone(&self.cancelled));
        let write = move || checkpoints.write(level, observer, &cancelled, state);
        match Builder::new().name("checkpoint".to_owned()).spawn_scoped(self.scope, write) {
            Ok(thread) => self.writing = Some(thread),
            Err(source) => {
                let path = checkpoints.next_path().to_owned();
                observer.warning(&Warning::NotWritten { path, level, source });
            }
        }
    }

    /// Waits until no checkpoint is being written.
    pub(crate) fn wait(&mut self) {
        if let Some(Err(panic)) = self.writing.take().map(ScopedJoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }

    /// Cancels the checkpoint that is being written, and waits until its file is gone. Returns false if none
    /// was begun.
    pub(crate) fn give_up(&mut self) -> bool {
        let begun = self.writing.is_some();
        self.cancel();
        self.wait();
        self.cancelled.store(false, Relaxed);
        begun
    }

    /// Cancels the checkpoint that is being written: the solve has ended.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }
}
