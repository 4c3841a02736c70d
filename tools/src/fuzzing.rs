//! Readers of untrusted input, for fuzz targets.

use crate::{
    failure::Failure,
    input::{boards, lookup::Lookup, manifest, planned::Origin, size::Size},
};
use dragnet_formats::board::Scenario;
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
    let lookup = Lookup {
        files: &|folder, pattern| Ok(vec![folder.join(pattern)]),
        levels: &|path, _| {
            let board = boards::open(Size { height: 2, width: 3 }).map_err(Failure::input)?;
            let level = |name: &str| (name.to_owned(), Scenario::from_board(board.clone()));
            Ok(dragnet_maps::has_ending(path).then(|| ["A", "B"].map(level).into()))
        },
    };
    let list = manifest::parse(text, Path::new("folder"), &lookup).map_err(|failure| failure.text())?;
    for table in list.tables.iter().take(FEW_TABLES) {
        let size = match &table.origin {
            Origin::Given { .. } | Origin::File { .. } | Origin::Graph { .. } => continue,
            Origin::Open(size) | Origin::Made { size, .. } => size,
        };
        if u32::from(size.height) * u32::from(size.width) <= FEW_SQUARES {
            let scenario = table.scenario().map_err(|failure| failure.text())?;
            let _ = table.plan(scenario).map_err(|failure| failure.text())?.key();
        }
    }
    Ok(list.tables.len())
}
