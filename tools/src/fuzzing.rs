//! Readers of untrusted input, for fuzz targets.

use crate::{
    failure::Failure,
    input::{boards, lookup::Lookup, manifest, planned::Origin, size::Size},
    maps::{self, GroundSelectors, MapForm, MapSelectors},
    messages::printable,
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
            Ok(maps::has_ending(path).then(|| ["A", "B"].map(level).into()))
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

/// Endings of the forms of maps, one for each reader.
pub const MAPS: [&str; 6] = ["tmx", "tmj", "ldtk", "png", "csv", "tscn"];

/// Reads a map from the bytes of a file with this ending, without touching a file. In a text, what follows
/// the first byte 0 is the content of every file to which the map refers. Without `conventions` nothing is a
/// wall. Returns the board, and what was understood of the map.
///
/// # Errors
/// The message as it is shown, when the bytes are no map that can become a board.
pub fn map(ending: &str, bytes: &[u8], conventions: bool) -> Result<(Scenario, Vec<String>), String> {
    let split = bytes.iter().position(|&byte| byte == 0 && ending != "png");
    let (map, beside) = split.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + 1..]));
    let selectors = match conventions {
        true => MapSelectors::default(),
        false => GroundSelectors::without_walls().alone(),
    };
    let form = MapForm::of(Path::new("map").with_extension(ending).as_path(), map);
    let read = form.and_then(|form| match form {
        Some(form) => maps::parse(form, map, &selectors, &|_| Ok(beside.to_vec())),
        None => Err(crate::failure::Failure::input("expected a map")),
    });
    match read {
        Ok(reading) => Ok((reading.scenario, reading.findings)),
        Err(failure) => Err(printable(&failure.text()).into_owned()),
    }
}
