//! Maps of editors as boards of pursuit games: Tiled, LDtk, PNG pictures, CSV and scenes of Godot.
//!
//! Each form has a reader, which fills one small model: layers of cells, what is known of their values, and
//! objects. Conventions, or [selectors](Selector) of the user, then decide which cells are walls, exits and
//! start cells.
//!
//! [`read`] is where to begin; the crate's README has an example.
#![forbid(unsafe_code)]

mod error;
mod role_names;
mod limits;
mod affine;
mod shape;
mod grid;
mod model;
mod cover;
mod extent;
mod selector;
mod xml_tree;
mod json_text;
mod named_files;
mod tiled;
mod ldtk;
mod pixels;
mod csv_map;
mod godot;
mod matching;
mod inventory;
mod walls;
mod rounds;
mod roles;
mod letters;
mod hexagons;
mod reading;
mod form;

pub use error::{MapError, within_a_screen};
pub use form::{MapForm, has_ending};
pub use named_files::{ReadFile, read_whole};
pub use reading::MapReading;
pub use selector::{MapSelectors, Selector, parse_letter};

use named_files::{check_length, decoded, read_in};
use std::{borrow::Cow, path::Path};

/// Reads a map of a known form. `read_file` reads the other files that the map names.
///
/// # Errors
/// When the bytes are not such a map, or it cannot become a board.
pub fn parse(
    form: MapForm,
    bytes: &[u8],
    selectors: &MapSelectors,
    read_file: &ReadFile,
) -> Result<MapReading, MapError> {
    read_map(form, bytes, selectors, read_file).map_err(MapError::within_a_screen)
}

fn read_map(
    form: MapForm,
    bytes: &[u8],
    selectors: &MapSelectors,
    read_file: &ReadFile,
) -> Result<MapReading, MapError> {
    check_length(bytes)?;
    let level = selectors.level.as_deref();
    if level.is_some() && form != MapForm::Ldtk {
        return Err(MapError::unusable("a map level is for LDtk projects; this map has no levels"));
    }
    let text = if form == MapForm::Png { Cow::default() } else { decoded(bytes)? };
    let map = match form {
        MapForm::TiledXml => tiled::read_xml(&text, read_file),
        MapForm::TiledJson => tiled::read_json(&text, read_file),
        MapForm::Ldtk => ldtk::Levels::read(&text)?.map(level, read_file),
        MapForm::Png => pixels::read(bytes),
        MapForm::Csv => csv_map::read(&text),
        MapForm::Godot => godot::read(&text, read_file),
    };
    reading::understand(&map?, selectors)
}

/// Reads the map in the file `path`, which has these bytes, or returns `None` if it is no map. Opens the
/// other files that the map names, in the folder of the file.
///
/// # Errors
/// When it is a map that cannot become a board, or a part of one.
pub fn read(path: &Path, bytes: &[u8], selectors: &MapSelectors) -> Result<Option<MapReading>, MapError> {
    let Some(form) = MapForm::of(path, bytes)? else { return Ok(None) };
    parse(form, bytes, selectors, &|name| read_in(folder(path), name)).map(Some)
}

/// Reads all levels of a map, or the one that is selected, each with its name. Returns `None` if the form of
/// the map has no levels, or the file is no map.
///
/// # Errors
/// When it is an LDtk project that cannot be read, or one of its levels cannot become a board.
pub fn read_levels(
    path: &Path,
    bytes: &[u8],
    selectors: &MapSelectors,
) -> Result<Option<Vec<(String, MapReading)>>, MapError> {
    if MapForm::of(path, bytes)? != Some(MapForm::Ldtk) {
        return Ok(None);
    }
    let readings = || {
        check_length(bytes)?;
        let levels = ldtk::Levels::read(&decoded(bytes)?)?;
        let read = |name: &str| {
            let map = levels.map(Some(name), &|name| read_in(folder(path), name))?;
            Ok((name.to_owned(), reading::understand(&map, selectors)?))
        };
        match &selectors.level {
            Some(name) => read(name).map(|reading| vec![reading]),
            None => levels.names().map(read).collect(),
        }
    };
    readings().map(Some).map_err(MapError::within_a_screen)
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
