//! Maps of editors as boards: Tiled, LDtk, PNG pictures, CSV and scenes of Godot.
//!
//! Each form has a reader, which fills one small model: layers of cells, what is known of their values, and
//! objects. Conventions, or selectors of the user, then decide which cells are walls, exits and start cells.

mod words;
mod model;
mod limits;
mod frame;
mod selector;
mod markup;
mod json_text;
mod beside;
mod tiled;
mod ldtk;
mod pixels;
mod sheet;
mod godot;
mod matching;
mod inventory;
mod walls;
mod roles;
mod hexagons;
mod reading;
mod form;

pub(crate) use beside::{ReadBeside, check_length, read_whole};
pub(crate) use form::MapForm;
pub(crate) use reading::MapReading;
pub(crate) use selector::{GroundSelectors, MapSelectors, Selector, listed as listed_selectors};

use crate::failure::Failure;
use std::path::Path;

/// Reads a map of a known form. Files to which it refers are looked for by `beside`.
///
/// # Errors
/// When the bytes are not such a map, or it cannot become a board.
pub(crate) fn parse(
    form: MapForm,
    bytes: &[u8],
    selectors: &MapSelectors,
    beside: &ReadBeside,
) -> Result<MapReading, Failure> {
    check_length(bytes)?;
    let level = selectors.ground.map_level.as_deref();
    if level.is_some() && form != MapForm::Ldtk {
        return Err(Failure::input("a map level is for LDtk projects; this map has no levels"));
    }
    let map = match form {
        MapForm::TiledXml => tiled::read_xml(bytes, beside),
        MapForm::TiledJson => tiled::read_json(bytes, beside),
        MapForm::Ldtk => ldtk::read(bytes, level, beside),
        MapForm::Png => pixels::read(bytes),
        MapForm::Csv => sheet::read(bytes),
        MapForm::Godot => godot::read(bytes, beside),
    };
    reading::understand(&map?, selectors)
}

/// Reads the map in a file whose bytes these are, or returns `None` if it is no map. Files to which it refers
/// lie in its folder.
///
/// # Errors
/// When it is a map that cannot become a board, or a part of one.
pub(crate) fn read(
    path: &Path,
    bytes: &[u8],
    selectors: &MapSelectors,
) -> Result<Option<MapReading>, Failure> {
    let Some(form) = MapForm::of(path, bytes)? else { return Ok(None) };
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(form, bytes, selectors, &|name| beside::read_in(folder, name)).map(Some)
}

/// Returns whether the ending of a file is one of maps.
pub(crate) fn has_ending(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| form::ENDINGS.contains(&ending.as_str()))
}

/// Returns the names of the levels of a map, or `None` if its form has no levels.
///
/// # Errors
/// When it is an LDtk project that cannot be read.
pub(crate) fn level_names(path: &Path, bytes: &[u8]) -> Result<Option<Vec<String>>, Failure> {
    match MapForm::of(path, bytes)? {
        Some(MapForm::Ldtk) => ldtk::level_names(bytes).map(Some),
        _ => Ok(None),
    }
}
