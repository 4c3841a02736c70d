//! The signals that the server hears: to stop, and to look into the folders again.

use super::state::State;
use std::{io, sync::Arc};
#[cfg(not(unix))]
use tokio::signal::ctrl_c;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that the server hears.
#[cfg(unix)]
pub(super) struct Heard {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

#[cfg(unix)]
impl Heard {
    pub(super) fn new() -> io::Result<Heard> {
        Ok(Heard {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for SIGINT or SIGTERM. Looks into the folders again at each SIGHUP.
    pub(super) async fn stop(&mut self, state: &Arc<State>) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => {
                    let state = Arc::clone(state);
                    tokio::task::spawn_blocking(move || state.library.rescan());
                }
            }
        }
    }
}

/// Systems without signals have Ctrl-C alone.
#[cfg(not(unix))]
pub(super) struct Heard;

#[cfg(not(unix))]
impl Heard {
    pub(super) fn new() -> io::Result<Heard> {
        Ok(Heard)
    }

    /// Waits for Ctrl-C.
    pub(super) async fn stop(&mut self, _: &Arc<State>) {
        // Without a handler the system ends the process itself.
        if ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
