//! The forms of map files, and how to tell them apart.

use super::{json_text, named_files::decoded, pixels::SIGNATURE};
use crate::error::MapError;
use serde::{Deserialize, de::IgnoredAny};
use std::path::Path;

/// The form of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapForm {
    /// A map of Tiled in XML: `.tmx`.
    TiledXml,
    /// A map of Tiled in JSON: `.tmj`, `.json`.
    TiledJson,
    /// A project of LDtk: `.ldtk`.
    Ldtk,
    /// A picture: `.png`.
    Png,
    /// Fields with separators: `.csv`.
    Csv,
    /// A scene of Godot 4: `.tscn`.
    Godot,
}

/// Endings of files that are maps, in small letters.
const ENDINGS: [&str; 7] = ["tmx", "tmj", "json", "ldtk", "png", "csv", "tscn"];

/// Returns whether the ending of a file is one of maps.
#[must_use]
pub fn has_ending(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

impl MapForm {
    /// Returns the form of the map in the file `path`, which has these bytes, or `None` if the file is none.
    /// The ending decides, or else the first characters, none of which a board in text begins with.
    ///
    /// # Errors
    /// When a file is a part of a map, or is JSON and no map.
    pub fn of(path: &Path, bytes: &[u8]) -> Result<Option<MapForm>, MapError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let part = |of: &str, whole: &str| {
            Err(MapError::unusable(format!("expected a map, found {of}; give {whole}")))
        };
        match ending.as_deref() {
            Some("tmx") => return Ok(Some(MapForm::TiledXml)),
            Some("ldtk") => return Ok(Some(MapForm::Ldtk)),
            Some("png") => return Ok(Some(MapForm::Png)),
            Some("csv") => return Ok(Some(MapForm::Csv)),
            Some("tscn") => return Ok(Some(MapForm::Godot)),
            Some("tmj" | "json") => return of_json(bytes).map(Some),
            Some("tsx" | "tsj") => return part("a tileset of Tiled", "the map that uses it"),
            Some("tx" | "tj") => return part("a template of Tiled", "the map that uses it"),
            Some("ldtkl") => {
                return part("a level of an LDtk project", "the project, NAME.ldtk, and --map-level LEVEL");
            }
            Some("tres") => return part("a resource of Godot", "the scene that uses it"),
            _ => {}
        }
        if bytes.starts_with(&SIGNATURE) {
            return Ok(Some(MapForm::Png));
        }
        let Ok(text) = decoded(bytes) else { return Ok(None) };
        let text = text.trim_start();
        let first_line = text.lines().next().unwrap_or_default();
        match text.chars().next() {
            Some('<') => Ok(Some(MapForm::TiledXml)),
            Some('{') => of_json(bytes).map(Some),
            _ if text.starts_with("[gd_") => Ok(Some(MapForm::Godot)),
            _ if first_line.contains([',', ';']) => Ok(Some(MapForm::Csv)),
            _ => Ok(None),
        }
    }
}

/// Tells maps in JSON apart by the keys that they must have.
fn of_json(bytes: &[u8]) -> Result<MapForm, MapError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Keys {
        json_version: Option<IgnoredAny>,
        defs: Option<IgnoredAny>,
        layer_instances: Option<IgnoredAny>,
        tilewidth: Option<IgnoredAny>,
        layers: Option<IgnoredAny>,
    }
    let keys: Keys = json_text::parse(&decoded(bytes)?)?;
    if keys.json_version.is_some() && keys.defs.is_some() {
        Ok(MapForm::Ldtk)
    } else if keys.tilewidth.is_some() && keys.layers.is_some() {
        Ok(MapForm::TiledJson)
    } else if keys.layer_instances.is_some() {
        let level = "expected a map, found a level of an LDtk project; give the project, NAME.ldtk, \
                     and --map-level LEVEL";
        Err(MapError::unusable(level))
    } else {
        Err(MapError::unusable(
            "expected a map of Tiled or LDtk, found JSON without tilewidth and layers, or jsonVersion",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, text: &str) -> Result<Option<MapForm>, String> {
        MapForm::of(Path::new(name), text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn ending_or_first_characters_tell_the_form() {
        assert_eq!(form("a.TMX", ""), Ok(Some(MapForm::TiledXml)));
        assert_eq!(form("-", "\u{feff}\n<map>"), Ok(Some(MapForm::TiledXml)));
        assert_eq!(form("a.json", "{\"tilewidth\": 8, \"layers\": []}"), Ok(Some(MapForm::TiledJson)));
        assert_eq!(form("-", "{\"jsonVersion\": \"1.5.3\", \"defs\": {}}"), Ok(Some(MapForm::Ldtk)));
        assert_eq!(form("-", "\u{89}PNG"), Ok(None));
        assert_eq!(form("-", "[gd_scene format=4]"), Ok(Some(MapForm::Godot)));
        assert_eq!(form("-", "0;1\n"), Ok(Some(MapForm::Csv)));
        for board in ["#..\n", "3 4\n", "type octile\n", " ##\n", "P.E", ""] {
            assert_eq!(form("a.txt", board), Ok(None));
        }
    }

    #[test]
    fn parts_of_maps_are_refused_with_what_to_give_instead() {
        assert!(
            form("a.tsx", "<tileset/>")
                .unwrap_err()
                .ends_with("found a tileset of Tiled; give the map that uses it")
        );
        assert!(
            form("a.json", "{\"layerInstances\": []}").unwrap_err().contains("a level of an LDtk project")
        );
        assert!(form("a.json", "[]").is_err());
    }
}
