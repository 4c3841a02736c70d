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

use super::{beside::ReadBeside, limits::Budget, model::Map};
use crate::failure::Failure;

/// Reads a map in XML.
pub(super) fn read_xml(text: &str, beside: &ReadBeside) -> Result<Map, Failure> {
    let mut budget = Budget::new();
    build::map(xml::map(text, &mut budget)?, beside, budget)
}

/// Reads a map in JSON.
pub(super) fn read_json(text: &str, beside: &ReadBeside) -> Result<Map, Failure> {
    let mut budget = Budget::new();
    build::map(json::map(text, &mut budget)?, beside, budget)
}
