//! Readers of untrusted input, for fuzz targets.

use crate::input::{manifest, planned::Origin};
use std::path::Path;

/// The most squares of a board that is made while fuzzing.
const FEW_SQUARES: u32 = 1 << 12;
/// The tables of a manifest whose boards are made.
const FEW_TABLES: usize = 4;

/// Reads a manifest without touching a file: every pattern stands for the one file of that name. Makes some
/// of the boards too. Returns the number of tables.
///
/// # Errors
/// The message, when the text is no manifest or a board of it cannot be made.
pub fn manifest(text: &str) -> Result<usize, String> {
    let itself = |folder: &Path, pattern: &str| Ok(vec![folder.join(pattern)]);
    let list = manifest::parse(text, Path::new("folder"), &itself).map_err(|failure| failure.text())?;
    for table in list.tables.iter().take(FEW_TABLES) {
        let size = match &table.origin {
            Origin::Given { .. } | Origin::File(_) | Origin::Graph { .. } => continue,
            Origin::Open(size) | Origin::Made { size, .. } => size,
        };
        if u32::from(size.height) * u32::from(size.width) <= FEW_SQUARES {
            let scenario = table.scenario().map_err(|failure| failure.text())?;
            let _ = table.plan(scenario).map_err(|failure| failure.text())?.key();
        }
    }
    Ok(list.tables.len())
}
