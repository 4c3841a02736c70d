//! Schedules many tables under one memory limit: small boards side by side, a thread each; large ones alone,
//! with all threads.

use crate::{
    generator::Generator,
    lock::lock,
    plan::{PROCESS, Plan},
};
use std::{
    io,
    sync::{Condvar, Mutex, PoisonError},
    thread,
};

/// Games with fewer positions than this are solved by one thread each, side by side. On two processors that
/// makes 40 boards of 0.7 to 3 million positions 14 % faster than two threads do one board after another, and
/// 12 boards of 16 million positions 6 %: not enough for the processors that the last of them would leave
/// idle.
const SMALL: u64 = 4_000_000;

/// A table to be made, as the scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Positions of the game.
    pub positions: u64,
    /// Bytes of memory that the table takes, without those that any process takes.
    pub memory: u64,
}

impl Task {
    /// Returns the task of `plan`, for one of `threads` threads if the game is small and for all of them if
    /// not.
    #[must_use]
    pub fn new(plan: &Plan, threads: usize) -> Task {
        let positions = plan.positions();
        let threads = if positions < SMALL { 1 } else { threads };
        Task { positions, memory: plan.memory_needed(threads).saturating_sub(PROCESS) }
    }

    /// Returns whether the table is made with all threads, and no other table beside it.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.positions >= SMALL
    }

    /// Returns whether the table fits into a limit for the whole process, in bytes.
    #[must_use]
    pub fn fits(&self, limit: u64) -> bool {
        self.process_memory() <= limit
    }

    /// Returns the bytes of memory of a process that makes this table alone.
    #[must_use]
    pub fn process_memory(&self) -> u64 {
        self.memory.saturating_add(PROCESS)
    }
}

/// Memory shared by several tasks.
struct Room {
    free: Mutex<u64>,
    released: Condvar,
}

impl Room {
    /// Waits until so much memory is free, and takes it.
    fn take(&self, bytes: u64) {
        let mut free = lock(&self.free);
        while *free < bytes {
            free = self.released.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
    }

    fn release(&self, bytes: u64) {
        *lock(&self.free) += bytes;
        self.released.notify_all();
    }
}

/// Calls `work` with the index of every task that fits into `memory` bytes for the whole process, and the
/// generator to use.
///
/// Small tasks run side by side, as many as there are threads and as fit together. Then each large one runs
/// with all threads, the largest first. `generator` creates a generator with this many threads. Tasks that do
/// not fit are left out.
///
/// # Errors
/// When the system refuses the threads.
pub fn run(
    tasks: &[Task],
    threads: usize,
    memory: u64,
    generator: impl Fn(usize) -> io::Result<Generator>,
    work: impl Fn(usize, &Generator) + Sync,
) -> io::Result<()> {
    let mut order: Vec<usize> = (0..tasks.len()).filter(|&task| tasks[task].fits(memory)).collect();
    order.sort_by_key(|&task| (std::cmp::Reverse(tasks[task].positions), task));
    let (large, small): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&task| tasks[task].is_large());
    let workers = threads.min(small.len());
    let generators = (0..workers).map(|_| generator(1)).collect::<io::Result<Vec<Generator>>>()?;
    let room = Room { free: Mutex::new(memory.saturating_sub(PROCESS)), released: Condvar::new() };
    // The largest first, so that no thread has a long one left at the end.
    let queue = Mutex::new(small.into_iter());
    thread::scope(|scope| -> io::Result<()> {
        for (spawned, generator) in generators.iter().enumerate() {
            let one_after_another = || {
                loop {
                    let Some(task) = lock(&queue).next() else { return };
                    room.take(tasks[task].memory);
                    work(task, generator);
                    room.release(tasks[task].memory);
                }
            };
            match thread::Builder::new().spawn_scoped(scope, one_after_another) {
                Ok(_) => {}
                Err(error) if spawned == 0 => return Err(error),
                // Fewer threads do the same work.
                Err(_) => break,
            }
        }
        Ok(())
    })?;
    drop(generators);
    if !large.is_empty() {
        let generator = generator(threads)?;
        large.into_iter().for_each(|task| work(task, &generator));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

    #[test]
    fn small_tasks_share_the_memory_and_large_ones_are_alone() {
        let small = |memory| Task { positions: 1_000 + memory, memory };
        let mut tasks: Vec<Task> = (1..60).map(|n| small(n << 20)).collect();
        tasks.push(Task { positions: SMALL, memory: 100 << 20 });
        tasks.push(Task { positions: SMALL + 1, memory: 1 << 20 });
        tasks.push(Task { positions: SMALL + 2, memory: 1 << 30 });
        let limit = PROCESS + (100 << 20);
        let (taken, running) = (AtomicU64::new(0), AtomicUsize::new(0));
        let done = Mutex::new(Vec::new());
        run(&tasks, 4, limit, Generator::new, |task, _| {
            let all = taken.fetch_add(tasks[task].memory, SeqCst) + tasks[task].memory;
            assert!(all <= 100 << 20, "{all} bytes are taken at once");
            let beside = running.fetch_add(1, SeqCst);
            assert!(beside < if tasks[task].is_large() { 1 } else { 4 }, "{beside} beside task {task}");
            thread::yield_now();
            running.fetch_sub(1, SeqCst);
            taken.fetch_sub(tasks[task].memory, SeqCst);
            lock(&done).push(task);
        })
        .unwrap();
        let mut done = done.into_inner().unwrap();
        assert_eq!(done[59..], [60, 59], "large ones come last, the largest first");
        done.sort_unstable();
        assert_eq!(done, (0..61).collect::<Vec<_>>(), "the one that does not fit is left out");
    }
}
