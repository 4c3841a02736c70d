//! A build without the feature `zstd`: packed tables are read, compressed blocks are refused with a typed
//! error.

#![cfg(not(any(feature = "zstd", feature = "libzstd")))]
#![allow(clippy::unwrap_used)]

use dragnet_formats::{
    codec::BlockError,
    container::{Reader, TableError},
};

/// Checks the whole table of a golden file.
fn check(name: &str) -> Result<(), TableError> {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    let table = Reader::open(std::fs::read(path).unwrap()).unwrap();
    table.check_all(|_| ()).map(|statistics| assert_eq!(statistics.zstd, 0))
}

#[test]
fn tables_optimised_for_speed_are_read() {
    assert_eq!(check("v2-speed.dtb"), Ok(()));
}

#[test]
fn compressed_block_is_refused_and_the_message_names_the_feature() {
    let error = check("v2-size.dtb").unwrap_err();
    assert!(matches!(error, TableError::Block { source: BlockError::NoZstd, .. }), "{error:?}");
    assert!(error.to_string().contains("feature `zstd`"), "{error}");
}
