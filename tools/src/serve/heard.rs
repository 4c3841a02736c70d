//! The signals that the server hears: to stop, and to look into the folders again.

use super::state::State;
#[cfg(unix)]
use crate::signals::{Terminal, survives_hang_up};
use std::{io, sync::Arc};
#[cfg(not(unix))]
use tokio::signal::ctrl_c;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The request that SIGHUP stands for, unless it comes because the terminal is closed, which ends the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HangUp {
    /// To look into the folders again, as daemons do.
    LooksAgain,
    /// To end.
    Ends,
}

/// The signals that the server hears.
#[cfg(unix)]
pub(super) struct Heard {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    asks_for: HangUp,
    terminal: Option<Terminal>,
    /// Whether the process was started to survive the end of its terminal.
    survives: bool,
}

#[cfg(unix)]
impl Heard {
    pub(super) fn new(asks_for: HangUp) -> io::Result<Heard> {
        // Before the handlers, which hide it.
        let survives = survives_hang_up();
        Ok(Heard {
            asks_for,
            terminal: Terminal::of_input(),
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
                    let is_closed = self.terminal.as_ref().is_some_and(Terminal::is_closed);
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

/// Systems without signals have Ctrl-C alone.
#[cfg(not(unix))]
pub(super) struct Heard;

#[cfg(not(unix))]
impl Heard {
    pub(super) fn new(_: HangUp) -> io::Result<Heard> {
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
