//! Ctrl-C and SIGTERM: the first stops the work at the next level, the second ends the process at once.

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The number of the signal that was received, or 0.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The exit status of a process that a signal ended is this plus the number of the signal.
const SIGNAL_STATUS: usize = 128;

/// Makes signals ask the work to stop instead of ending the process.
pub(crate) fn watch() -> std::io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(AtomicBool::new(false));
        // The order matters: the first signal finds `again` unset, and sets it.
        flag::register_conditional_shutdown(signal, SIGNAL_STATUS as i32 + signal, Arc::clone(&again))?;
        flag::register(signal, again)?;
        flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
    }
    // A file that grows past a limit becomes a write error instead of ending the process.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// Returns whether a signal has been received.
pub(crate) fn received() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Returns the exit status for the signal that was received.
pub(crate) fn status() -> u8 {
    (SIGNAL_STATUS + SIGNAL.load(Ordering::Relaxed)) as u8
}
