//! A build without the feature `zstd`: packed tables are read, compressed blocks are refused with a typed error.

#![cfg(not(feature = "zstd"))]
#![allow(clippy::unwrap_used)]

use dragnet_formats::{
    codec::BlockError,
    container::{Reader, TableError},
};

/// Returns what checking the whole table of a golden file finds.
fn check(name: &str) -> Result<(), TableError> {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    let table = Reader::open(std::fs::read(path).unwrap()).unwrap();
    table.check_all(|_| ()).map(|statistics| assert_eq!(statistics.zstd, 0))
}

#[test]
fn tables_optimised_for_speed_are_read() {
    assert_eq!(check("v1-speed.dtb"), Ok(()));
}

#[test]
fn compressed_blocks_are_refused_with_a_word_on_what_to_do() {
    let error = check("v1-size.dtb").unwrap_err();
    assert!(matches!(error, TableError::Block { source: BlockError::NoZstd, .. }), "{error:?}");
    assert!(error.to_string().contains("feature `zstd`"), "{error}");
}
