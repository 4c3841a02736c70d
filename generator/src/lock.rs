//! Mutexes whose poisoning is ignored: a thread that panics ends the whole work, so nobody looks at what it
//! left behind.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what `mutex` holds, without locking: the caller is alone with it.
pub(crate) fn exclusive<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what `mutex` held.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of the calling thread in its pool.
///
/// # Panics
/// If the calling thread belongs to no pool.
pub(crate) fn own_thread() -> usize {
    rayon::current_thread_index().expect("a solve runs on the threads of a pool")
}

/// Lets the calling thread of the current pool work on its own one of `parts`, of which there is one per
/// thread.
///
/// # Panics
/// If the calling thread belongs to no pool.
pub(crate) fn with_own<P, T>(parts: &[Mutex<P>], work: impl FnOnce(&mut P) -> T) -> T {
    // Never contended: no other thread takes this part.
    work(&mut lock(&parts[own_thread()]))
}
