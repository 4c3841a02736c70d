//! What the program reads, for tests with hostile input.

use crate::input::manifest::{self, Manifest, Origin};
use std::path::Path;

/// The most squares of a board that is made only to see that it can be.
const FEW_SQUARES: u32 = 1 << 12;
/// How many of a manifest's tables are looked at more closely.
const FEW_TABLES: usize = 4;

/// Reads a manifest without touching a file: every pattern is taken for the one file of that name. Makes some of the
/// boards too. The number of tables, or the message.
///
/// # Errors
/// When the text is no manifest, or a board of it cannot be made.
pub fn manifest(text: &str) -> Result<usize, String> {
    let itself = |folder: &Path, pattern: &str| Ok(vec![folder.join(pattern)]);
    let manifest = Manifest::parse(text, Path::new("folder"), &itself).map_err(|failure| failure.text())?;
    for table in manifest.tables.iter().take(FEW_TABLES) {
        let size = match &table.origin {
            Origin::File(_) => continue,
            Origin::Open(size) | Origin::Made { size, .. } => size,
        };
        if u32::from(size.height) * u32::from(size.width) <= FEW_SQUARES {
            let scenario = table.scenario().map_err(|failure| failure.text())?;
            manifest::key(&table.job(&scenario)).map_err(|failure| failure.text())?;
        }
    }
    Ok(manifest.tables.len())
}
