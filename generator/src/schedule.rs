//! Schedules many tables under one memory limit: small boards side by side, a thread each; large ones alone,
//! with all threads.

use crate::{generator::Generator, lock::lock, needs::Needs, plan::Plan};
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

/// Bytes that a small task is given beside what is likely.
const SPARE: u64 = 4 << 20;

/// A table to be made, as the scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Positions of the game.
    pub positions: u64,
    /// The bytes that making the table needs.
    pub needs: Needs,
}

impl Task {
    /// Returns the task of `plan` in a run with `threads` threads: one of them makes a small game, all of
    /// them a large one.
    #[must_use]
    pub fn new(plan: &Plan, threads: usize) -> Task {
        let positions = plan.positions();
        Task { positions, needs: plan.needs(if positions < SMALL { 1 } else { threads }) }
    }

    /// Returns the task of one of several ranks that make the table together
    /// ([`Generator::with_ranks`]): each has its part of the sets, which stay in memory, and at most as many
    /// ghosts. The logs are those of rank 0.
    #[must_use]
    pub fn with_ranks(self, ranks: usize) -> Task {
        let part = |bytes: u64| (2 * bytes / ranks.max(1) as u64).min(bytes);
        let Needs { least, likely, scratch } = self.needs;
        Task { needs: Needs { least: part(likely).max(part(least)), likely: part(likely), scratch }, ..self }
    }

    /// Returns whether the table is made with all threads, and no other table beside it.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.positions >= SMALL
    }

    /// Returns whether the table fits into a limit of memory, in bytes, perhaps with logs and sets in scratch
    /// files.
    #[must_use]
    pub fn fits(&self, limit: u64) -> bool {
        self.needs.least <= limit
    }

    /// Returns the bytes of memory that a task which fits into the limit is given of it: all if it is large,
    /// else some more than are likely, so that its logs stay in memory even if they are long.
    #[must_use]
    pub fn given_memory(&self, limit: u64) -> u64 {
        if self.is_large() { limit } else { self.needs.likely.saturating_add(SPARE).min(limit) }
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

/// The order in which [`run`] takes its tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The small tasks side by side, the largest first; then the large ones one after another, the largest
    /// first. Most tables are finished early.
    #[default]
    Auto,
    /// The large tasks one after another, the largest first; then the small ones side by side, the largest
    /// first. What may fail for want of time or disk is tried first.
    LargestFirst,
    /// In the order of the list. Small tasks that are neighbours there run side by side and begin in the
    /// list's order.
    AsListed,
    /// In the order of the list, one after another, each with all threads.
    OneByOne,
}

/// Tasks that run side by side, or one after another.
#[derive(Debug, PartialEq, Eq)]
enum Group {
    /// Small tasks, which run side by side and begin in this order.
    SideBySide(Vec<usize>),
    /// Large tasks, which run one after another.
    OneByOne(Vec<usize>),
}

impl Order {
    /// Returns the groups in which the tasks run that fit into `memory` bytes.
    fn groups(self, tasks: &[Task], memory: u64) -> Vec<Group> {
        let group = |members: Vec<usize>| match members.first() {
            Some(&task) if tasks[task].is_large() => Group::OneByOne(members),
            _ => Group::SideBySide(members),
        };
        let mut fitting: Vec<usize> = (0..tasks.len()).filter(|&task| tasks[task].fits(memory)).collect();
        if self == Order::OneByOne {
            return vec![Group::OneByOne(fitting)];
        }
        if self == Order::AsListed {
            let alike = |&one: &usize, &next: &usize| tasks[one].is_large() == tasks[next].is_large();
            return fitting.chunk_by(alike).map(|members| group(members.to_vec())).collect();
        }
        // The largest first, so that no thread has a long one left at the end.
        fitting.sort_by_key(|&task| (std::cmp::Reverse(tasks[task].positions), task));
        let (large, small): (Vec<usize>, Vec<usize>) =
            fitting.into_iter().partition(|&task| tasks[task].is_large());
        let groups = if self == Order::LargestFirst { [large, small] } else { [small, large] };
        groups.into_iter().filter(|members| !members.is_empty()).map(group).collect()
    }
}

/// Calls `work` with the index of every task that fits into `memory` bytes for all tables that are being
/// made, and the generator to use, which has a limit for what the task is given of it
/// ([`Generator::with_memory`]).
///
/// Small tasks run side by side, as many as there are threads and as fit together. Each large one runs with
/// all threads and alone. `order` says which begin when. `generator` creates a generator with this many
/// threads. Tasks that do not fit are left out.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{
///     Generator, Plan,
///     encode::Encoding,
///     schedule::{self, Order, Task},
/// };
/// use std::sync::Mutex;
///
/// let board = |side| make::open(side, side);
/// let plan = |board| Plan::new(board, Rules::classic(), Encoding::default());
/// let plans = [plan(board(8)?)?, plan(board(12)?)?, plan(board(50)?)?];
/// let tasks: Vec<Task> = plans.iter().map(|plan| Task::new(plan, 1)).collect();
/// let begun = Mutex::new(Vec::new());
/// schedule::run(&tasks, 1, 1 << 30, Order::LargestFirst, Generator::new, |task, generator| {
///     // `generator.generate(&plans[task], ..)` makes the table.
///     begun.lock().unwrap().push(task);
/// })?;
/// assert_eq!(*begun.lock().unwrap(), [2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the system refuses the threads.
pub fn run(
    tasks: &[Task],
    threads: usize,
    memory: u64,
    order: Order,
    generator: impl Fn(usize) -> io::Result<Generator>,
    work: impl Fn(usize, &Generator) + Sync,
) -> io::Result<()> {
    let room = Room { free: Mutex::new(memory), released: Condvar::new() };
    for group in order.groups(tasks, memory) {
        match group {
            Group::SideBySide(small) => {
                let workers = threads.min(small.len());
                let generators =
                    (0..workers).map(|_| generator(1)).collect::<io::Result<Vec<Generator>>>()?;
                let run = Run { tasks, memory, work: &work };
                side_by_side(&small, &run, &room, &generators)?;
            }
            Group::OneByOne(large) => {
                let generator = generator(threads)?;
                let limited = |task: &Task| generator.clone().with_memory(task.given_memory(memory));
                large.into_iter().for_each(|task| work(task, &limited(&tasks[task])));
            }
        }
    }
    Ok(())
}

/// The work that the threads of tasks which run side by side share.
struct Run<'a, W> {
    tasks: &'a [Task],
    /// The bytes of memory that the tables may take.
    memory: u64,
    work: &'a W,
}

/// Calls the work for the tasks `small`, which begin in this order, each with one of `generators` and once
/// the room has the memory for it.
fn side_by_side(
    small: &[usize],
    run: &Run<impl Fn(usize, &Generator) + Sync>,
    room: &Room,
    generators: &[Generator],
) -> io::Result<()> {
    let queue = Mutex::new(small.iter().copied());
    thread::scope(|scope| {
        for (spawned, generator) in generators.iter().enumerate() {
            let one_after_another = || {
                loop {
                    let Some(number) = lock(&queue).next() else { return };
                    let task = run.tasks[number];
                    let given = task.given_memory(run.memory);
                    room.take(given);
                    (run.work)(number, &generator.clone().with_memory(given));
                    room.release(given);
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

    /// Returns a task that takes so many bytes of memory.
    fn task(positions: u64, memory: u64) -> Task {
        Task { positions, needs: Needs::in_memory(memory) }
    }

    #[test]
    fn small_tasks_share_the_memory_and_large_ones_are_alone() {
        let mut tasks: Vec<Task> = (1..60).map(|n| task(1_000 + n, n << 20)).collect();
        tasks.push(task(SMALL, 100 << 20));
        tasks.push(task(SMALL + 1, 1 << 20));
        tasks.push(task(SMALL + 2, 1 << 30));
        let limit = 100 << 20;
        let (taken, running) = (AtomicU64::new(0), AtomicUsize::new(0));
        let done = Mutex::new(Vec::new());
        run(&tasks, 4, limit, Order::Auto, Generator::new, |task, _| {
            let memory = tasks[task].given_memory(limit);
            let all = taken.fetch_add(memory, SeqCst) + memory;
            assert!(all <= 100 << 20, "{all} bytes are taken at once");
            let beside = running.fetch_add(1, SeqCst);
            assert!(beside < if tasks[task].is_large() { 1 } else { 4 }, "{beside} beside task {task}");
            thread::yield_now();
            running.fetch_sub(1, SeqCst);
            taken.fetch_sub(memory, SeqCst);
            lock(&done).push(task);
        })
        .unwrap();
        let mut done = done.into_inner().unwrap();
        assert_eq!(done[59..], [60, 59], "large ones come last, the largest first");
        done.sort_unstable();
        assert_eq!(done, (0..61).collect::<Vec<_>>(), "the one that does not fit is left out");
    }

    /// Returns tasks of these sizes, in positions; each takes one byte.
    fn tasks(positions: &[u64]) -> Vec<Task> {
        positions.iter().map(|&positions| task(positions, 1)).collect()
    }

    #[test]
    fn an_order_says_which_tasks_run_together() {
        use Group::{OneByOne, SideBySide};
        let mut tasks = tasks(&[7, SMALL, 9, 9, SMALL + 2, SMALL + 1, 8, SMALL + 9]);
        tasks[7] = task(SMALL + 9, 1 << 30);
        let groups = |order: Order| order.groups(&tasks, 1);
        let (small, large) = (vec![2, 3, 6, 0], vec![4, 5, 1]);
        assert_eq!(groups(Order::Auto), [SideBySide(small.clone()), OneByOne(large.clone())]);
        assert_eq!(groups(Order::LargestFirst), [OneByOne(large), SideBySide(small)]);
        let listed = [vec![0], vec![1], vec![2, 3], vec![4, 5], vec![6]];
        let listed = listed.map(|members| match tasks[members[0]].is_large() {
            true => OneByOne(members),
            false => SideBySide(members),
        });
        assert_eq!(groups(Order::AsListed), listed);
        for order in [Order::Auto, Order::LargestFirst, Order::AsListed] {
            assert_eq!(order.groups(&[], 0), []);
        }
    }

    #[test]
    fn every_order_runs_each_task_once_and_large_ones_alone() {
        let tasks = tasks(&[1, 2, SMALL, 3, 4, 5, SMALL + 1, SMALL + 2, 6]);
        for order in [Order::Auto, Order::LargestFirst, Order::AsListed] {
            let running = AtomicUsize::new(0);
            let done = Mutex::new(Vec::new());
            run(&tasks, 3, 3, order, Generator::new, |task, _| {
                let beside = running.fetch_add(1, SeqCst);
                assert!(beside < if tasks[task].is_large() { 1 } else { 3 }, "{beside} beside task {task}");
                thread::yield_now();
                running.fetch_sub(1, SeqCst);
                lock(&done).push(task);
            })
            .unwrap();
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..tasks.len()).collect::<Vec<_>>(), "{order:?}");
        }
    }

    #[test]
    fn a_task_that_likely_needs_more_has_all_of_the_memory_and_a_limit() {
        let limit = 50 << 20;
        let spilling = Needs { likely: 90 << 20, ..Needs::in_memory(limit - 7) };
        let tasks = [
            task(1, 3 << 20),
            Task { positions: 2, needs: spilling },
            task(3, 4 << 20),
            Task { positions: SMALL, needs: spilling },
        ];
        assert!(tasks.iter().all(|task| task.fits(limit)) && !tasks[1].fits(limit - 8));
        assert_eq!(tasks.map(|task| task.given_memory(limit) >> 20), [7, 50, 8, 50]);
        let (running, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        run(&tasks, 3, limit, Order::Auto, Generator::new, |number, generator| {
            let beside = running.fetch_add(1, SeqCst);
            assert!(beside == 0 || tasks[number].needs != spilling, "{beside} beside task {number}");
            let given = format!("memory: Some({})", tasks[number].given_memory(limit));
            assert!(format!("{generator:?}").contains(&given), "{generator:?}");
            thread::yield_now();
            running.fetch_sub(1, SeqCst);
            lock(&done).push(number);
        })
        .unwrap();
        assert_eq!(done.into_inner().unwrap().len(), 4);
    }
}
