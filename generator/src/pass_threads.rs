//! The threads of a pool that share the work of many short passes.
//!
//! A solve has hundreds or thousands of passes, and many take less than a millisecond. A thread that has
//! fallen asleep takes long to wake up: on 16 cores the passes of the map lak303d take 65 µs more each. So
//! threads stay awake between passes. A pass also gives each thread mostly the items that it had in the last
//! one, because the thread's cache has what belongs to them.

use crate::lock::{into_inner, lock, own_thread};
use rayon::Yield;
use std::{
    cmp::Reverse,
    hint, iter, mem,
    sync::{
        Arc, Mutex,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    thread,
    time::{Duration, Instant},
};

/// How long a thread without work stays awake. Afterwards the pool wakes it up when there is some.
const AWAKE: Duration = Duration::from_micros(500);

/// How long a waiting thread spins before it yields the processor.
const SPIN: Duration = Duration::from_micros(50);

/// The threads of a pool, which work on one pass after the other.
pub(crate) struct PassThreads {
    /// For each thread whether it waits for the next pass. The thread that begins passes does not.
    awake: Arc<[AtomicBool]>,
}

/// How passes share out so many items among so many threads: a part for each thread.
#[derive(Debug)]
pub(crate) struct WorkShares {
    /// The numbers of the items, part after part, and in a part those with most work first.
    order: Vec<u32>,
    /// For each item of `order` the work of its part from there on.
    work_left: Vec<u64>,
    /// Where the parts begin in `order`; one more at the end.
    starts: Vec<usize>,
}

impl WorkShares {
    /// Cuts `items`, which has each number from 0 on once, into a part for each of so many threads. The items
    /// of a part follow one another in `items`, and all parts have about the same `work`.
    pub(crate) fn new(items: &[u32], threads: usize, work: impl Fn(u32) -> u64) -> WorkShares {
        // An item without work takes some time too.
        let work = |item| work(item) + 1;
        let all: u64 = items.iter().map(|&item| work(item)).sum();
        let mut before = 0;
        let in_parts = items.iter().map(|&item| {
            let work = work(item);
            let middle = before + work / 2;
            before += work;
            ((middle * threads as u64 / all) as usize, Reverse(work), item)
        });
        let mut in_parts: Vec<(usize, Reverse<u64>, u32)> = in_parts.collect();
        in_parts.sort_unstable();
        let mut work_left: Vec<u64> = in_parts.iter().map(|&(_, Reverse(work), _)| work).collect();
        for at in (1..work_left.len()).rev() {
            if in_parts[at - 1].0 == in_parts[at].0 {
                work_left[at - 1] += work_left[at];
            }
        }
        WorkShares {
            work_left,
            starts: (0..=threads).map(|part| in_parts.partition_point(|item| item.0 < part)).collect(),
            order: in_parts.into_iter().map(|(_, _, item)| item).collect(),
        }
    }

    /// Returns the parts, of which nothing is taken.
    fn parts(&self) -> Vec<Part<'_>> {
        let parts = self.starts.windows(2).map(|ends| Part {
            next: AtomicUsize::new(0),
            order: &self.order[ends[0]..ends[1]],
            work_left: &self.work_left[ends[0]..ends[1]],
        });
        parts.collect()
    }
}

/// The items that one thread works on before those of others.
#[repr(align(128))]
struct Part<'a> {
    /// The first place of `order` whose item nobody has taken.
    next: AtomicUsize,
    order: &'a [u32],
    work_left: &'a [u64],
}

impl Part<'_> {
    /// Returns the number of an item that nobody else takes.
    fn take(&self) -> Option<u32> {
        // A look is cheaper than an addition, which takes the cache line from the other threads.
        if self.next.load(Relaxed) >= self.order.len() {
            return None;
        }
        self.order.get(self.next.fetch_add(1, Relaxed)).copied()
    }

    /// Returns the work of the items that nobody has taken.
    fn work_left(&self) -> u64 {
        self.work_left.get(self.next.load(Relaxed)).copied().unwrap_or(0)
    }

    /// Takes an item of the part that has most work left.
    fn take_of_fullest(parts: &[Part]) -> Option<u32> {
        loop {
            let (work, fullest) =
                parts.iter().map(|part| (part.work_left(), part)).max_by_key(|part| part.0)?;
            if work == 0 {
                return None;
            }
            // Others may have taken the rest meanwhile.
            if let Some(item) = fullest.take() {
                return Some(item);
            }
        }
    }
}

impl PassThreads {
    /// Creates the threads of the current pool.
    pub(crate) fn new() -> PassThreads {
        let threads = rayon::current_num_threads();
        PassThreads { awake: iter::repeat_with(AtomicBool::default).take(threads).collect() }
    }

    /// Returns the number of threads.
    pub(crate) fn count(&self) -> usize {
        self.awake.len()
    }

    /// Calls `work` for each item, on all threads of the pool, which the calling thread must belong to, or on
    /// the calling thread alone unless `shared`. Each thread works on its part of `shares` first, and then on
    /// items of others. Adds up by `add`, in any order, what `work` returns.
    ///
    /// # Panics
    /// If `shares` is of another number of items or fewer threads.
    pub(crate) fn sum<T: Send, R: Default + Send>(
        &self,
        shared: bool,
        shares: &WorkShares,
        items: impl ExactSizeIterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
        add: impl Fn(R, R) -> R + Sync,
    ) -> R {
        let threads = self.count();
        if !shared || threads == 1 {
            return items.map(work).fold(R::default(), add);
        }
        assert_eq!(items.len(), shares.order.len(), "all items are shared out");
        self.wake();
        let left = AtomicUsize::new(items.len());
        // Each is taken once, so that no lock is ever waited for.
        let items: Vec<Mutex<Option<T>>> = items.map(|item| Mutex::new(Some(item))).collect();
        let parts = shares.parts();
        let sum = Mutex::new(R::default());
        let take_part = || {
            let own = &parts[own_thread()];
            let mut of_thread = R::default();
            let mut done = Done { left: &left, items: 0 };
            while let Some(item) = own.take().or_else(|| Part::take_of_fullest(&parts)) {
                done.items += 1;
                let item = lock(&items[item as usize]).take().expect("each item is taken once");
                of_thread = add(of_thread, work(item));
            }
            drop(done);
            let mut sum = lock(&sum);
            *sum = add(mem::take(&mut sum), of_thread);
        };
        rayon::scope(|scope| {
            // Jobs that nobody has begun when all is done end at once.
            (1..threads).for_each(|_| scope.spawn(|_| take_part()));
            take_part();
            let mut wait = Wait::new();
            while left.load(Acquire) > 0 {
                wait.step();
            }
        });
        into_inner(sum)
    }

    /// Lets the threads of the pool wait for work, as far as they do not.
    fn wake(&self) {
        let here = own_thread();
        let mut others = self.awake.iter().enumerate().filter(|&(thread, _)| thread != here);
        if others.all(|(_, awake)| awake.load(Relaxed)) {
            return;
        }
        let awake = Arc::clone(&self.awake);
        rayon::spawn_broadcast(move |context| {
            if context.index() != here {
                stay_awake(&awake[context.index()]);
            }
        });
    }
}

/// Works on what the pool has to do, until that has been nothing for some time. Returns at once if the thread
/// does so already, and has found this as something to do.
fn stay_awake(awake: &AtomicBool) {
    if awake.swap(true, Relaxed) {
        return;
    }
    let mut wait = Wait::new();
    while wait.step() < AWAKE {}
    awake.store(false, Relaxed);
}

/// Counts items as done when it is dropped, even if the work on the last one panics. It counts once for each
/// thread: to count each item would move the counter between caches.
struct Done<'a> {
    left: &'a AtomicUsize,
    items: usize,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.items > 0 {
            self.left.fetch_sub(self.items, Release);
        }
    }
}

/// A thread that waits.
struct Wait {
    since: Instant,
}

impl Wait {
    fn new() -> Wait {
        Wait { since: Instant::now() }
    }

    /// Does a piece of what the pool has to do if there is any, and returns for how long there has been none.
    fn step(&mut self) -> Duration {
        if rayon::yield_now() == Some(Yield::Executed) {
            *self = Wait::new();
            return Duration::ZERO;
        }
        let waited = self.since.elapsed();
        if waited < SPIN {
            (0..16).for_each(|_| hint::spin_loop());
        } else {
            thread::yield_now();
        }
        waited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn each_item_is_worked_on_once_whatever_the_threads() {
        for threads in [1, 2, 3, 8] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let pass_threads = PassThreads::new();
                for count in [0, 1, 2, 7, 100, 1000] {
                    let items: Vec<u32> = (0..count as u32).rev().collect();
                    let shares = WorkShares::new(&items, threads, |item| u64::from(item % 7 * 100));
                    for shared in [false, true] {
                        let mut seen = vec![0u32; count];
                        let sum = pass_threads.sum(
                            shared,
                            &shares,
                            seen.iter_mut().enumerate(),
                            |(at, seen): (usize, &mut u32)| {
                                *seen += 1;
                                at
                            },
                            |a, b| a + b,
                        );
                        assert_eq!(sum, count * count.saturating_sub(1) / 2);
                        assert_eq!(seen, vec![1; count]);
                    }
                }
            });
        }
    }

    #[test]
    fn parts_have_neighbours_and_about_equal_work() {
        let items = [5, 4, 3, 2, 1, 0, 6, 7];
        let work = |item: u32| [9, 9, 99, 9, 99, 9, 199, 0][item as usize];
        let shares = WorkShares::new(&items, 3, work);
        assert_eq!(shares.order, [4, 3, 5, 2, 0, 1, 6, 7]);
        assert_eq!(shares.starts, [0, 3, 6, 8]);
        assert_eq!(shares.work_left, [120, 20, 10, 120, 20, 10, 201, 1]);
        let parts = shares.parts();
        assert_eq!(Part::take_of_fullest(&parts), Some(6));
        assert_eq!(parts[0].take(), Some(4));
        assert_eq!(Part::take_of_fullest(&parts), Some(2));
        let rest: Vec<u32> = std::iter::from_fn(|| Part::take_of_fullest(&parts)).collect();
        assert_eq!(rest.len(), 5);
        assert!(parts.iter().all(|part| part.take().is_none()));
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let caught = pool.install(|| {
            let pass_threads = PassThreads::new();
            let items: Vec<u32> = (0..100).collect();
            let shares = WorkShares::new(&items, 3, |_| 0);
            let work = |item: usize| assert_ne!(item, 50, "the item that fails");
            catch_unwind(AssertUnwindSafe(|| {
                pass_threads.sum(true, &shares, 0..100, work, |(), ()| ());
            }))
        });
        let text = *caught.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("the item that fails"), "{text}");
    }
}
