//! Every corpus through its harness, and some seconds of random bytes.

#![allow(clippy::unwrap_used)]

use dragnet_fuzz::{HARNESSES, bytes};
use std::{fs, path::Path};

/// Random inputs per harness.
const INPUTS: u64 = 20_000;

/// The files of a corpus, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target}: an empty corpus");
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn every_corpus_is_replayed() {
    for (target, harness) in HARNESSES {
        corpus(target).iter().for_each(|file| harness(file));
    }
}

#[test]
fn altered_corpora_break_no_promise() {
    for (target, harness) in HARNESSES {
        let files = corpus(target);
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
fn nesting_is_no_way_to_exhaust_the_stack() {
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
        dragnet_fuzz::manifest(text.as_bytes());
    }
}
