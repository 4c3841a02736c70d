//! Ctrl-C and its like: the first stops the work at the next level, the second at once.

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The signal that came, or 0.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The convention for a process that a signal ended.
const SIGNAL_STATUS: usize = 128;

/// From now on signals ask the work to stop instead of ending the process.
pub(crate) fn watch() -> std::io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds `again` unset, and sets it.
        flag::register_conditional_shutdown(signal, SIGNAL_STATUS as i32 + signal, Arc::clone(&again))?;
        flag::register(signal, again)?;
        flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
    }
    // A file that grows past a limit is an error of writing, not the end of the process.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// Whether a signal has come.
pub(crate) fn received() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// The exit status for the signal that came.
pub(crate) fn status() -> u8 {
    (SIGNAL_STATUS + SIGNAL.load(Ordering::Relaxed)) as u8
}
