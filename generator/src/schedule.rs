//! Many tables with one memory limit: small boards side by side, a thread each; large ones alone, with all threads.

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

/// Games with fewer positions than this are solved by one thread: several would wait for each other more than they work.
const SMALL: u64 = 4_000_000;

/// One table that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Positions of the game.
    pub positions: u64,
    /// Bytes of memory that it takes, without what the process takes anyhow.
    pub memory: u64,
}

impl Task {
    /// The table of `plan`, made with one of `threads` threads if it is small and with all of them if not.
    #[must_use]
    pub fn new(plan: &Plan, threads: usize) -> Task {
        let positions = plan.positions();
        let threads = if positions < SMALL { 1 } else { threads };
        Task { positions, memory: plan.memory_needed(threads).saturating_sub(PROCESS) }
    }

    /// Whether it is made with all threads, and nothing beside it.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.positions >= SMALL
    }

    /// Whether it can be made within a limit for the whole process.
    #[must_use]
    pub fn fits(&self, limit: u64) -> bool {
        self.process_memory() <= limit
    }

    /// Bytes of memory that a process takes which makes nothing else.
    #[must_use]
    pub fn process_memory(&self) -> u64 {
        self.memory.saturating_add(PROCESS)
    }
}

/// Memory that several tasks share.
struct Room {
    free: Mutex<u64>,
    given_back: Condvar,
}

impl Room {
    /// Waits until there is so much, and takes it.
    fn take(&self, bytes: u64) {
        let mut free = lock(&self.free);
        while *free < bytes {
            free = self.given_back.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
    }

    fn give_back(&self, bytes: u64) {
        *lock(&self.free) += bytes;
        self.given_back.notify_all();
    }
}

/// Does `work` for every task that fits into `memory` bytes for the whole process: for small ones side by side, as many as
/// there are threads and as fit together, and then for each large one with all threads, the largest first. `generator` makes
/// one with so many threads; `work` is given the task's number and the generator to use. Tasks that do not fit are left out.
///
/// # Errors
/// When the system does not give the threads.
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
    let room = Room { free: Mutex::new(memory.saturating_sub(PROCESS)), given_back: Condvar::new() };
    // The largest first, so that no thread has a long one left at the end.
    let queue = Mutex::new(small.into_iter());
    thread::scope(|scope| {
        for generator in &generators {
            scope.spawn(|| {
                loop {
                    let Some(task) = lock(&queue).next() else { return };
                    room.take(tasks[task].memory);
                    work(task, generator);
                    room.give_back(tasks[task].memory);
                }
            });
        }
    });
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
