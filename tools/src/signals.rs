//! Ctrl-C, SIGTERM and SIGHUP: the first of them stops the work soon, the second ends the process at once.

use crate::messages::Kind;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::{
    consts::{SIGABRT, SIGINT, SIGTERM},
    flag,
    iterator::Signals,
};
use std::{
    io,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// The number of the signal that was received, or 0.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The number of threads that wait for input which may never come.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The exit status of a process that a signal ended is this plus the number of the signal.
const SIGNAL_STATUS: usize = 128;

/// The exit status of a process that Ctrl-C ended.
#[cfg(feature = "serve")]
pub(crate) const INTERRUPTED: u8 = SIGNAL_STATUS as u8 + SIGINT as u8;

/// Makes the process end with status `status` when it aborts. The standard library aborts, after a message
/// with the number of bytes, when the system refuses memory in the middle of some work.
pub(crate) fn abort_with(status: u8) -> io::Result<()> {
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, status.into(), always)?;
    Ok(())
}

/// Makes signals ask the work to stop instead of ending the process. When the first one comes, `say` gets a
/// line for the user, in which `first` tells what is still done before the process ends.
pub(crate) fn watch(say: fn(Kind, &str), first: &'static str) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    let signals = heeded();
    for &signal in &signals {
        // The order matters: the first signal finds `again` unset, and sets it.
        flag::register_conditional_shutdown(signal, SIGNAL_STATUS as i32 + signal, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
    }
    // A file that grows past a limit becomes a write error instead of ending the process.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    let mut received = Signals::new(signals)?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            if let Some(signal) = received.forever().next() {
                let other = if signal == SIGINT { "another Ctrl-C" } else { "another signal" };
                say(Kind::Note, &format!("stopping; {first}; {other} ends at once"));
                if WAITING.load(Ordering::SeqCst) > 0 {
                    std::process::exit(status().into());
                }
            }
        })
        .map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))?;
    Ok(())
}

/// Runs `read`, which may wait for ever for a pipe or a device. A signal meanwhile ends the process, also if
/// signals are watched: no part of a text is of any use.
pub(crate) fn while_waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITING.fetch_add(1, Ordering::SeqCst);
    // Either this thread sees the signal, or the thread of the signals sees that this one waits.
    if SIGNAL.load(Ordering::SeqCst) != 0 {
        std::process::exit(status().into());
    }
    let read = read();
    WAITING.fetch_sub(1, Ordering::SeqCst);
    read
}

/// Returns whether the process was started to survive the end of its terminal, as by nohup.
#[cfg(unix)]
pub(crate) fn survives_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored >> (SIGHUP - 1) & 1 == 1
}

/// Returns the signals that ask the work to stop: SIGHUP only if the process was not started to survive it.
#[cfg(unix)]
fn heeded() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    signals.extend((!survives_hang_up()).then_some(SIGHUP));
    signals
}

#[cfg(not(unix))]
fn heeded() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Notes that another process of this one's job has received a signal and stopped the work of all: this one
/// ends as if it had received SIGTERM itself.
pub(crate) fn note_of_another_process() {
    let _ = SIGNAL.compare_exchange(0, SIGTERM as usize, Ordering::Relaxed, Ordering::Relaxed);
}

/// Returns whether a signal has been received.
pub(crate) fn received() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Returns the exit status for the signal that was received.
pub(crate) fn status() -> u8 {
    (SIGNAL_STATUS + SIGNAL.load(Ordering::Relaxed)) as u8
}
