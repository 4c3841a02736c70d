//! No question takes more than 50 ms of processor time and 16 MiB of memory, however its table was damaged or
//! forged; the opening of a table and the choice of an opponent, which is some dozen questions, may take more
//! memory. The test is a program of its own, since the memory of the whole process is counted.
//!
//! Ten million tables, or those of a range of numbers:
//!
//!     cargo test --release -p dragnet-fuzz --test bounds -- --ignored --nocapture
//!     FIRST=5000000 COUNT=1000000 cargo test --release ...

use dragnet_fuzz::bounds::{Meter, Question, ask_damaged, ask_dearest, ask_too_dear};
use peak_alloc::PeakAlloc;
use rustix::time::{ClockId, clock_gettime};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most processor time of a question. Without optimisation everything takes twenty times as long.
const MOST_TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 50 });
/// Returns the most bytes of memory that a question may take at once.
fn most_bytes(question: Question) -> usize {
    match question {
        // A board has up to 2^20 squares, with their places in the tiles of both sides. The file is counted
        // with it; the cache, which all tables share, is not.
        Question::Open | Question::Board => 32 << 20,
        // The single steps of a board, there and back.
        Question::Choose => 64 << 20,
        _ => 16 << 20,
    }
}
/// Held by the test that runs: what another allocates meanwhile would count too.
static ALONE: Mutex<()> = Mutex::new(());
/// How often a question is asked that took too long: the processor's time has that of interrupts in it.
const ATTEMPTS: usize = 5;

/// The most that questions took.
#[derive(Default)]
struct Bounds {
    number: u64,
    asked: BTreeMap<Question, Asked>,
}

#[derive(Default)]
struct Asked {
    times: u64,
    refused: u64,
    /// The longest time of a part of a question, with the number of the table.
    longest: (Duration, u64),
    /// The most bytes, with the number of the table.
    most: (usize, u64),
}

impl Bounds {
    /// Prints what the questions took at most.
    fn print(&self) {
        for (question, Asked { times, refused, longest, most }) in &self.asked {
            println!(
                "{question:?}: {times} asked, {refused} refused, at most {:?} (table {}), {} bytes (table {})",
                longest.0, longest.1, most.0, most.1
            );
        }
    }
}

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

impl Meter for Bounds {
    fn measure<T>(&mut self, question: Question, parts: u64, ask: impl Fn() -> T) -> T {
        let mut fastest = Duration::MAX;
        for attempt in 1.. {
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let begin = now();
            let answer = ask();
            fastest = fastest.min((now() - begin) / parts.max(1) as u32);
            let bytes = MEMORY.peak_usage().saturating_sub(before);
            let most = most_bytes(question);
            assert!(bytes <= most, "table {}: {question:?} takes {bytes} bytes", self.number);
            if fastest > MOST_TIME && attempt < ATTEMPTS {
                continue;
            }
            assert!(fastest <= MOST_TIME, "table {}: {question:?} takes {fastest:?}", self.number);
            let asked = self.asked.entry(question).or_default();
            asked.times += 1;
            asked.longest = asked.longest.max((fastest, self.number));
            asked.most = asked.most.max((bytes, self.number));
            return answer;
        }
        unreachable!("an attempt returns or panics")
    }

    fn begin(&mut self, number: u64) {
        self.number = number;
    }

    fn refuse(&mut self, question: Question) {
        self.asked.entry(question).or_default().refused += 1;
    }
}

/// Damages and asks the tables with these numbers, and prints what they took at most.
fn check(numbers: std::ops::Range<u64>) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bounds = Bounds::default();
    let mut opened = 0;
    for number in numbers.clone() {
        opened += u64::from(ask_damaged(number, &mut bounds));
        let done = number - numbers.start + 1;
        if done.is_multiple_of(500_000) {
            println!("{done} tables, {opened} opened");
        }
    }
    println!("tables {numbers:?}: {opened} opened");
    bounds.print();
    assert!(opened > (numbers.end - numbers.start) / 10, "too few tables can be asked: {opened}");
}

#[test]
fn no_question_to_the_dearest_tables_takes_too_much() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bounds = Bounds::default();
    ask_dearest(&mut bounds);
    bounds.print();
    assert_eq!(bounds.asked[&Question::Choose].times, 7 * 5);
}

#[test]
fn no_question_to_too_dear_tables_takes_too_much() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bounds = Bounds::default();
    ask_too_dear(&mut bounds);
    bounds.print();
}

#[test]
fn no_question_to_twenty_thousand_tables_takes_too_much() {
    check(0..20_000);
}

#[test]
#[ignore = "takes half an hour"]
fn no_question_to_ten_million_tables_takes_too_much() {
    let number = |name, default| {
        std::env::var(name).map_or(Ok(default), |number| number.parse::<u64>()).expect("a number of tables")
    };
    let first = number("FIRST", 0);
    check(first..first + number("COUNT", 10_000_000));
}
