//! Damages small tables at random, many times, and counts their fates.
//!
//! `cargo run --release -p dragnet-fuzz --example mutate -- COUNT [SEED]`
#![forbid(unsafe_code)]

use dragnet_fuzz::{
    bytes,
    differential::{Fate, damaged},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, time::Instant};

/// The most bytes of choices; all further choices are zeros.
const LONGEST: u64 = 96;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let count = numbers.next().ok_or("expected a number of mutations")??;
    let seed = numbers.next().transpose()?.unwrap_or(0);
    let begin = Instant::now();
    let fates = (0..count)
        .into_par_iter()
        .map(|i| {
            let number = seed.wrapping_mul(count).wrapping_add(i);
            damaged(&bytes::random(number, 8 + (i % (LONGEST - 8)) as usize))
        })
        .fold(BTreeMap::new, |mut fates: BTreeMap<Fate, u64>, fate| {
            *fates.entry(fate).or_default() += 1;
            fates
        })
        .reduce(BTreeMap::new, |mut all, some| {
            for (fate, times) in some {
                *all.entry(fate).or_default() += times;
            }
            all
        });
    for (fate, times) in &fates {
        println!("{times:>12}  {}", words(*fate));
    }
    println!("{count:>12}  in all, {:.0} s; no promise broken", begin.elapsed().as_secs_f64());
    Ok(())
}

fn words(fate: Fate) -> String {
    match fate {
        Fate::Unchanged => "changed nothing, every answer right".to_owned(),
        Fate::NotOpened(kind) => format!("not opened: {kind}"),
        Fate::Refused(kind) => format!("opened, answers right or errors, refused by the check: {kind}"),
        Fate::ForgedRefused(kind) => format!("forged, refused by the check: {kind}"),
        Fate::ForgedAccepted => "forged, accepted by the check, every answer a value".to_owned(),
    }
}
