//! Maps of Tiled, in XML (`.tmx`) and in JSON (`.tmj`, `.json`), with their tilesets and templates.

mod raw;
mod tiles;
mod cells;
mod xml;
mod json_form;
mod json;
mod places;
mod files;
mod build;

use super::{limits::Budget, model::Map, named_files::ReadFile};
use crate::error::MapError;

/// Reads a map in XML.
pub(super) fn read_xml(text: &str, read_file: &ReadFile) -> Result<Map, MapError> {
    let mut budget = Budget::new();
    build::map(xml::map(text, &mut budget)?, read_file, budget)
}

/// Reads a map in JSON.
pub(super) fn read_json(text: &str, read_file: &ReadFile) -> Result<Map, MapError> {
    let mut budget = Budget::new();
    build::map(json::map(text, &mut budget)?, read_file, budget)
}
