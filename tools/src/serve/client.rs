//! Clients that wait for an answer, and what is to end when they do not.

use dragnet_generator::Observer;
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// Tells work on another thread whether somebody waits for its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    is_given_up: Arc<AtomicBool>,
}

impl Wanted {
    /// Returns whether nobody waits any more: the client has left, its time is over, or the server stops.
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(Relaxed)
    }

    /// Returns whether to go on.
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.is_given_up() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Wanted {
    fn stop(&self) -> bool {
        self.is_given_up()
    }
}

/// The request of a client that waits. It is dropped when the client is answered, when it leaves, and when
/// its time is over: what works for it then ends.
#[derive(Debug, Default)]
pub(super) struct WaitingClient {
    wanted: Wanted,
}

impl WaitingClient {
    /// Returns what tells work whether the client still waits.
    pub(super) fn wanted(&self) -> Wanted {
        self.wanted.clone()
    }
}

impl Drop for WaitingClient {
    fn drop(&mut self) {
        self.wanted.is_given_up.store(true, Relaxed);
    }
}
