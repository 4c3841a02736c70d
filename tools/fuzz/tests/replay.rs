//! Replays every corpus, and drives the harnesses with some seconds of random bytes.

#![allow(clippy::unwrap_used)]

use dragnet_fuzz::{HARNESSES, bytes, corpus, forged::forged, table::Asked};
use std::collections::BTreeMap;

/// The number of random inputs per harness.
const INPUTS: u64 = 10_000;

/// Returns the inputs of a corpus, of which there must be some.
fn inputs(target: &str) -> Vec<Vec<u8>> {
    let cases = corpus::read(target).unwrap();
    assert!(!cases.is_empty(), "{target}: the corpus is empty");
    cases.into_iter().map(|case| case.bytes).collect()
}

#[test]
fn no_case_of_a_corpus_breaks_a_promise() {
    for (target, harness) in HARNESSES {
        let mut replayed = 0;
        for case in corpus::read(target).unwrap() {
            // The name of the last case shows which one has panicked.
            println!("{target}: {}", case.name);
            harness(&case.bytes);
            replayed += 1;
        }
        assert_ne!(replayed, 0, "{target}: the corpus is empty");
    }
}

#[test]
fn altered_corpora_break_no_promise() {
    for (target, harness) in HARNESSES {
        let files = inputs(target);
        (0..INPUTS).for_each(|seed| harness(&bytes::alter(&files, seed)));
    }
}

#[test]
fn random_bytes_break_no_promise() {
    for (_, harness) in HARNESSES {
        (0..INPUTS).for_each(|seed| harness(&bytes::random(seed, 1 + seed as usize % 48)));
    }
}

#[test]
fn forged_tables_are_of_every_kind() {
    let mut found: BTreeMap<(Asked, bool), u32> = BTreeMap::new();
    for seed in 0..INPUTS / 5 {
        if let Some((asked, worlds)) = forged(&bytes::random(seed, 40 + seed as usize % 400)) {
            *found.entry((asked, worlds > 1)).or_default() += 1;
        }
    }
    println!("{found:?}");
    for asked in [Asked::NotOpened, Asked::Wrong, Asked::Right, Asked::NotVerified] {
        for has_worlds in [false, true] {
            assert!(found.get(&(asked, has_worlds)) > Some(&50), "{asked:?}, {has_worlds}: {found:?}");
        }
    }
    assert!(found.get(&(Asked::Torn, true)) > Some(&5), "{found:?}");
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    const DEEP: usize = 100_000;
    let texts = [
        "x = ".to_owned() + &"[".repeat(DEEP),
        "x = ".to_owned() + &"{a=".repeat(DEEP),
        "a.".repeat(DEEP) + "a = 1",
        "[".to_owned() + &"a.".repeat(DEEP) + "a]\n",
        "[[".to_owned() + &"a.".repeat(DEEP) + "a]]\n",
        "x = {".to_owned() + &"a.".repeat(DEEP) + "a = 1}",
        "police.moves.".to_owned() + &"a.".repeat(DEEP) + "a = 1",
    ];
    for text in texts {
        dragnet_fuzz::rules(text.as_bytes());
        dragnet_fuzz::setting(text.as_bytes());
    }
    dragnet_fuzz::map_tmx("<group>".repeat(DEEP).as_bytes());
    dragnet_fuzz::map_tmj("{\"layers\":[".repeat(DEEP).as_bytes());
    dragnet_fuzz::map_ldtk("{\"levels\":[".repeat(DEEP).as_bytes());
    dragnet_fuzz::map_tscn(("[a]\nb = ".to_owned() + &"{".repeat(DEEP)).as_bytes());
}
