//! Hostile manifests: any text is a list of tables, or an error in one line, and touches no file.

use super::{MAX_TABLES, parse};
use crate::{
    failure::Failure,
    input::{board_files::Lookup, boards, size::Size, table_list::Origin},
};
use dragnet_formats::board::Scenario;
use dragnet_fuzz::{bytes, corpus};
use dragnet_maps::{MapReading, has_ending};
use std::path::Path;

/// The number of altered and of random manifests.
const INPUTS: u64 = 20_000;
/// The most bytes of an error message, besides a few copies of the manifest, of which it may quote a name.
const LONGEST_MESSAGE: usize = 4_000;
/// The most squares of a board that is made.
const FEW_SQUARES: u32 = 1 << 12;
/// The number of tables of a manifest whose boards are made.
const FEW_TABLES: usize = 4;

/// Reads a manifest without touching a file: every pattern stands for the one file of that name. Makes some
/// of the boards too. Returns the number of tables.
fn tables(text: &str) -> Result<usize, Failure> {
    let lookup = Lookup {
        files: &|folder, pattern| Ok(vec![folder.join(pattern)]),
        levels: &|path, _| {
            let board = boards::open(Size { height: 2, width: 3 }).map_err(Failure::input)?;
            let level =
                |name: &str| (name.to_owned(), MapReading::of_board(Scenario::from_board(board.clone())));
            Ok(has_ending(path).then(|| ["A", "B"].map(level).into()))
        },
    };
    let list = parse(text, Path::new("folder"), &lookup)?;
    for table in list.tables.iter().take(FEW_TABLES) {
        let size = match &table.origin {
            Origin::Given { .. } | Origin::File { .. } | Origin::Graph { .. } => continue,
            Origin::Open(size) | Origin::Made { size, .. } => size,
        };
        if u32::from(size.height) * u32::from(size.width) <= FEW_SQUARES {
            let _ = table.plan()?.key();
        }
    }
    Ok(list.tables.len())
}

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match tables(text) {
        Ok(tables) => assert!(tables as u64 <= MAX_TABLES, "{tables} tables"),
        Err(failure) => {
            let message = failure.text();
            assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE + 4 * text.len(), "{message}");
            assert!(!message.contains('\n'), "{message:?}");
        }
    }
}

#[test]
fn hostile_manifest_is_a_list_of_tables_or_an_error_in_one_line() {
    let cases = corpus::read("manifest").unwrap();
    assert!(!cases.is_empty());
    for case in &cases {
        // The name of the last case shows which one has panicked.
        println!("{}", case.name);
        check(&case.bytes);
    }
    let files: Vec<Vec<u8>> = cases.into_iter().map(|case| case.bytes).collect();
    (0..INPUTS).for_each(|seed| check(&bytes::alter(&files, seed)));
    (0..INPUTS).for_each(|seed| check(&bytes::random(seed, 1 + seed as usize % 48)));
}

#[test]
fn deep_nesting_in_a_manifest_does_not_exhaust_the_stack() {
    const DEEP: usize = 100_000;
    for text in ["x = ".to_owned() + &"[".repeat(DEEP), "[[".to_owned() + &"a.".repeat(DEEP) + "a]]\n"] {
        check(text.as_bytes());
    }
}
