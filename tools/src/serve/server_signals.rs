//! The signals that the server hears: to stop, and to look into the folders again.

use super::{settings::HangUp, state::State};
#[cfg(unix)]
use crate::signals::survives_hang_up;
#[cfg(unix)]
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
#[cfg(unix)]
use std::io::IsTerminal;
use std::{io, sync::Arc};
#[cfg(not(unix))]
use tokio::signal::ctrl_c;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that the server hears.
#[cfg(unix)]
pub(super) struct ServerSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    asks_for: HangUp,
    /// Whether standard input was a terminal. After the terminal's end the system no longer says so.
    has_terminal: bool,
    /// Whether the process was started to survive the end of its terminal.
    survives: bool,
}

#[cfg(unix)]
impl ServerSignals {
    pub(super) fn new(asks_for: HangUp) -> io::Result<ServerSignals> {
        // Before the handlers, which hide it.
        let survives = survives_hang_up();
        Ok(ServerSignals {
            asks_for,
            has_terminal: io::stdin().is_terminal(),
            survives,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for a signal to end. Looks into the folders again at each SIGHUP that asks for it.
    pub(super) async fn stop(&mut self, state: &Arc<State>) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => {
                    let is_closed = self.has_terminal && is_input_closed();
                    if !self.survives && (is_closed || self.asks_for == HangUp::Ends) {
                        return;
                    }
                    if self.asks_for == HangUp::Ends {
                        continue;
                    }
                    let state = Arc::clone(state);
                    tokio::task::spawn_blocking(move || state.library.rescan());
                }
            }
        }
    }
}

/// Returns whether the terminal of standard input has been closed.
#[cfg(unix)]
fn is_input_closed() -> bool {
    let input = io::stdin();
    let mut asked = [PollFd::new(&input, PollFlags::empty())];
    loop {
        match poll(&mut asked, Some(&Timespec::default())) {
            Err(Errno::INTR) => {}
            polled => return polled.is_ok() && !asked[0].revents().is_empty(),
        }
    }
}

/// Systems without signals have Ctrl-C alone.
#[cfg(not(unix))]
pub(super) struct ServerSignals;

#[cfg(not(unix))]
impl ServerSignals {
    pub(super) fn new(_: HangUp) -> io::Result<ServerSignals> {
        Ok(ServerSignals)
    }

    /// Waits for Ctrl-C.
    pub(super) async fn stop(&mut self, _: &Arc<State>) {
        // Without a handler the system ends the process itself.
        if ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
