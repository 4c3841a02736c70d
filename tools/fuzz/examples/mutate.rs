//! Damages small tables at random, many times, and counts their fates; or alters the corpus of a target.
//!
//! ```sh
//! cargo run --release -p dragnet-fuzz --example mutate -- COUNT [SEED]            # tables
//! cargo run --release -p dragnet-fuzz --example mutate -- COUNT SEED TARGET...    # corpora
//! ```
#![forbid(unsafe_code)]

use dragnet_fuzz::{
    HARNESSES, bytes, corpus,
    differential::{Fate, damaged},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, time::Instant};

/// The most bytes of choices; all further choices are zeros.
const LONGEST: u64 = 96;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = arguments.iter().take(2).map(|word| word.parse::<u64>());
    let count = numbers.next().ok_or("expected a number of mutations")??;
    let seed = numbers.next().transpose()?.unwrap_or(0);
    let begin = Instant::now();
    let targets = arguments.get(2..).unwrap_or_default();
    if !targets.is_empty() {
        return targets.iter().try_for_each(|target| alter(target, count, seed));
    }
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

/// Gives `count` altered cases of the corpus of `target` to its harness.
fn alter(target: &str, count: u64, seed: u64) -> Result<(), Box<dyn std::error::Error>> {
    let harness = HARNESSES.iter().find(|(name, _)| *name == target);
    let (_, harness) = harness.ok_or_else(|| format!("expected a target, found {target:?}"))?;
    let files: Vec<Vec<u8>> = corpus::read(target)?.into_iter().map(|case| case.bytes).collect();
    let begin = Instant::now();
    let first = seed.wrapping_mul(count);
    (0..count).into_par_iter().for_each(|i| harness(&bytes::alter(&files, first.wrapping_add(i))));
    println!("{count:>12}  {target}, {:.0} s; no promise broken", begin.elapsed().as_secs_f64());
    Ok(())
}

fn words(fate: Fate) -> String {
    match fate {
        Fate::Unchanged => "changed nothing, every answer right".to_owned(),
        Fate::NotOpened(kind) => format!("not opened: {kind}"),
        Fate::Refused(kind) => format!("opened, answers right or errors, refused by the check: {kind}"),
        Fate::ForgedRefused(kind) => format!("forged, refused by the check: {kind}"),
        Fate::ForgedAccepted => "forged, accepted by the check, every answer a value".to_owned(),
        Fate::ForgedRight => "forged, accepted by the check, and right".to_owned(),
    }
}
