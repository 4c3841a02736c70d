//! How evenly a solve is shared out, from the rows that each slice looks at in each pass (`PROTOCOL.md` §8):
//! for threads of one machine, which take the slices one by one, and for machines with one thread each, of
//! which each has its own overlays or its own slices. It measures no time.
//!
//! ```text
//! cargo run --release -p dragnet-generator --example balance -- open-24.txt 2
//! ```

#![allow(clippy::unwrap_used, reason = "a program to measure with, on boards that are right")]

use dragnet_formats::{board::Scenario, rules::Rules};
use dragnet_generator::{Generator, Observer, Plan, SliceWork, encode::Encoding, ranks::owners_of};
use std::{cmp::Reverse, collections::BinaryHeap, iter::repeat_n, sync::Mutex};

/// Numbers of threads of one machine.
const THREADS: [usize; 4] = [2, 4, 8, 16];
/// Numbers of machines.
const MACHINES: [usize; 5] = [2, 4, 16, 64, 256];

/// The rows looked at by whoever has the most of them in each pass, summed over the passes: the others wait.
#[derive(Default)]
struct Waits {
    passes: u64,
    /// Passes of one thread, of which the machine's others have nothing.
    alone: u64,
    rows: u64,
    threads: [u64; THREADS.len()],
    overlays: [u64; MACHINES.len()],
    slices: [u64; MACHINES.len()],
}

/// Returns the most rows that one of `threads` has, if whoever is free first takes the next slice.
fn most_of_threads(work: &[SliceWork], threads: usize) -> u64 {
    let mut loads: BinaryHeap<Reverse<u64>> = vec![Reverse(0); threads].into();
    for slice in work {
        let Reverse(load) = loads.pop().unwrap();
        loads.push(Reverse(load + slice.rows));
    }
    loads.into_iter().map(|Reverse(load)| load).max().unwrap()
}

/// Returns the most rows that one of `machines` has, if these are the `owners` of the slices.
fn most_of_machines(work: &[SliceWork], owners: &[usize], machines: usize) -> u64 {
    let mut loads = vec![0; machines];
    work.iter().zip(owners).for_each(|(slice, &owner)| loads[owner] += slice.rows);
    loads.into_iter().max().unwrap()
}

struct Balance {
    waits: Mutex<Waits>,
}

impl Observer for Balance {
    fn pass(&self, shared: bool, work: &mut dyn Iterator<Item = SliceWork>) {
        let work: Vec<SliceWork> = work.collect();
        let rows: u64 = work.iter().map(|slice| slice.rows).sum();
        let waits = &mut *self.waits.lock().unwrap();
        waits.passes += 1;
        waits.alone += u64::from(!shared);
        waits.rows += rows;
        for (most, threads) in waits.threads.iter_mut().zip(THREADS) {
            *most += if shared { most_of_threads(&work, threads) } else { rows };
        }
        // The slices of an overlay follow one another, range by range.
        let overlays: Vec<_> = work.chunk_by(|_, next| next.range > 0).collect();
        let squares: Vec<_> = overlays.iter().map(|slices| slices[0].square).collect();
        for (at, machines) in MACHINES.into_iter().enumerate() {
            let owners = owners_of(&squares, machines).into_iter().zip(&overlays);
            let owners: Vec<_> = owners.flat_map(|(owner, slices)| repeat_n(owner, slices.len())).collect();
            waits.overlays[at] += most_of_machines(&work, &owners, machines);
            let in_turn: Vec<_> = (0..machines).cycle().take(work.len()).collect();
            waits.slices[at] += most_of_machines(&work, &in_turn, machines);
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let board = Scenario::parse(&std::fs::read(&arguments[1]).unwrap()).unwrap().board;
    let officers = arguments.get(2).map_or(1, |officers| officers.parse().unwrap());
    let plan = Plan::new(board, Rules { officers, ..Rules::classic() }, Encoding::default()).unwrap();
    let balance = Balance { waits: Mutex::default() };
    Generator::new(2).unwrap().solve_with_bitboard(&plan, &balance).unwrap();
    let waits = balance.waits.into_inner().unwrap();
    println!("{} passes, {} of them of one thread; {} rows", waits.passes, waits.alone, waits.rows);
    let print = |what: &str, counts: &[usize], most: &[u64]| {
        for (&count, &most) in counts.iter().zip(most) {
            let share = waits.rows as f64 / (count as u64 * most) as f64;
            println!("{count:4} {what}: {share:.2} of the time at work");
        }
    };
    print("threads", &THREADS, &waits.threads);
    print("machines with overlays of their own", &MACHINES, &waits.overlays);
    print("machines with slices of their own", &MACHINES, &waits.slices);
}
