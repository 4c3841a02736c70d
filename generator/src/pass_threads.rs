//! The threads of a pool that share the work of many short passes.
//!
//! A solve has hundreds or thousands of passes, and many take less than a millisecond. A thread that has
//! fallen asleep takes long to wake up: on 16 cores the passes of the map lak303d take 65 µs more each. So
//! threads stay awake between passes. A pass also gives each thread the same items as the last one did, as
//! far as it can, because the thread's cache has what belongs to them.

use crate::lock::{into_inner, lock, own_thread};
use rayon::Yield;
use std::{
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

/// For so long a thread stays awake without work. Afterwards the pool wakes it up when there is some.
const AWAKE: Duration = Duration::from_micros(500);

/// For so long a thread waits for work without asking the system whether another one needs the processor.
const ALONE: Duration = Duration::from_micros(50);

/// The threads of a pool, which work on one pass after the other.
pub(crate) struct PassThreads {
    /// For each thread whether it waits for the next pass. The thread that begins passes does not.
    awake: Arc<[AtomicBool]>,
}

/// Items that one thread works on before those of others.
#[repr(align(128))]
struct Part<T> {
    /// The first item that nobody has taken.
    next: AtomicUsize,
    /// Each is taken once, so that no lock is ever waited for.
    items: Vec<Mutex<Option<T>>>,
}

impl<T> Part<T> {
    /// Creates a part that has no items yet, and room for so many.
    fn with_room(items: usize) -> Part<T> {
        Part { next: AtomicUsize::new(0), items: Vec::with_capacity(items) }
    }

    fn take(&self) -> Option<T> {
        // A look is cheaper than an addition, which takes the cache line from the other threads.
        if self.next.load(Relaxed) >= self.items.len() {
            return None;
        }
        let item = self.items.get(self.next.fetch_add(1, Relaxed))?;
        lock(item).take()
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
    /// the calling thread alone unless `shared`. An item comes with the number of the thread that takes it
    /// unless another one has nothing to do. Adds up by `add`, in any order, what `work` returns.
    pub(crate) fn sum<T: Send, R: Default + Send>(
        &self,
        shared: bool,
        items: impl ExactSizeIterator<Item = (u32, T)>,
        work: impl Fn(T) -> R + Sync,
        add: impl Fn(R, R) -> R + Sync,
    ) -> R {
        let threads = self.count();
        if !shared || threads == 1 {
            return items.map(|(_, item)| work(item)).fold(R::default(), add);
        }
        self.wake();
        let left = AtomicUsize::new(items.len());
        let room = items.len().div_ceil(threads);
        let mut parts: Vec<Part<T>> = (0..threads).map(|_| Part::with_room(room)).collect();
        items.for_each(|(thread, item)| parts[thread as usize].items.push(Mutex::new(Some(item))));
        let sum = Mutex::new(R::default());
        let take_part = || {
            let own = own_thread();
            let mut of_thread = R::default();
            for at in 0..threads {
                let mut done = Done { left: &left, items: 0 };
                while let Some(item) = parts[(own + at) % threads].take() {
                    done.items += 1;
                    of_thread = add(of_thread, work(item));
                }
            }
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

/// Returns the thread of so many that takes the item at `at` of `count` first, if they take equal parts.
pub(crate) fn thread_of(at: usize, count: usize, threads: usize) -> u32 {
    (at * threads / count) as u32
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

/// Counts items as done when it is dropped, even if the work on the last one panics. Threads that count each
/// one would wait for each other.
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
        if waited < ALONE {
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
                    for shared in [false, true] {
                        let mut seen = vec![0u32; count];
                        let sum = pass_threads.sum(
                            shared,
                            seen.iter_mut().enumerate().map(|item| (thread_of(item.0, count, threads), item)),
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
    fn a_panic_reaches_the_caller() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let caught = pool.install(|| {
            let pass_threads = PassThreads::new();
            let work = |item: usize| assert_ne!(item, 50, "the item that fails");
            catch_unwind(AssertUnwindSafe(|| {
                pass_threads.sum(true, (0..100).map(|item| (1, item)), work, |(), ()| ());
            }))
        });
        let text = *caught.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("the item that fails"), "{text}");
    }
}
