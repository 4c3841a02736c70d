//! Maps of editors as boards: Tiled, LDtk, PNG pictures, CSV and scenes of Godot.
//!
//! Each form has a reader, which fills one small model: layers of cells, what is known of their values, and
//! objects. Conventions, or selectors of the user, then decide which cells are walls, exits and start cells.

mod words;
mod limits;
mod affine;
mod shape;
mod grid;
mod model;
mod cover;
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
pub(crate) use limits::within_a_screen;
pub(crate) use reading::MapReading;
pub(crate) use selector::{GroundSelectors, MapSelectors, Selector, listed as listed_selectors};

use crate::failure::Failure;
use std::{borrow::Cow, path::Path};

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
    read_map(form, bytes, selectors, beside).map_err(within_a_screen)
}

fn read_map(
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
    let text = if form == MapForm::Png { Cow::default() } else { beside::decoded(bytes)? };
    let map = match form {
        MapForm::TiledXml => tiled::read_xml(&text, beside),
        MapForm::TiledJson => tiled::read_json(&text, beside),
        MapForm::Ldtk => ldtk::Levels::read(&text)?.map(level, beside),
        MapForm::Png => pixels::read(bytes),
        MapForm::Csv => sheet::read(&text),
        MapForm::Godot => godot::read(&text, beside),
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
    parse(form, bytes, selectors, &|name| beside::read_in(folder(path), name)).map(Some)
}

/// Returns whether the ending of a file is one of maps.
pub(crate) fn has_ending(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| form::ENDINGS.contains(&ending.as_str()))
}

/// Reads all levels of a map, or the one that is selected, each with its name. Returns `None` if the form of
/// the map has no levels.
///
/// # Errors
/// When it is an LDtk project that cannot be read, or one of its levels cannot become a board.
pub(crate) fn read_levels(
    path: &Path,
    bytes: &[u8],
    selectors: &MapSelectors,
) -> Result<Option<Vec<(String, MapReading)>>, Failure> {
    let Some(levels) = levels(path, bytes)? else { return Ok(None) };
    let read = |name: &str| {
        let map = levels.map(Some(name), &|name| beside::read_in(folder(path), name));
        let reading = map.and_then(|map| reading::understand(&map, selectors));
        Ok((name.to_owned(), reading.map_err(within_a_screen)?))
    };
    let readings = match &selectors.ground.map_level {
        Some(name) => read(name).map(|reading| vec![reading]),
        None => levels.names().map(read).collect(),
    };
    readings.map(Some)
}

fn levels(path: &Path, bytes: &[u8]) -> Result<Option<ldtk::Levels>, Failure> {
    match MapForm::of(path, bytes)? {
        Some(MapForm::Ldtk) => {
            check_length(bytes)?;
            let levels = beside::decoded(bytes).and_then(|text| ldtk::Levels::read(&text));
            levels.map(Some).map_err(within_a_screen)
        }
        _ => Ok(None),
    }
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}
