//! Tile sets of Godot: which tiles have a collision shape, and their custom data.

use super::section::{Section, Value};
use crate::{
    error::MapError,
    model::{CellValue, Properties},
};
use std::collections::{BTreeMap, HashMap};

/// A tile: source, column and row in its atlas, and the number of the alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TileName {
    pub(super) source: u16,
    pub(super) atlas: [u16; 2],
    pub(super) alternative: u16,
}

/// A tile set: the tiles of which something is known.
#[derive(Debug)]
pub(super) struct TileSet {
    /// Width and height of a tile in pixels.
    pub(super) tile: [u32; 2],
    tiles: HashMap<TileName, CellValue>,
}

impl Default for TileSet {
    fn default() -> TileSet {
        TileSet { tile: [16, 16], tiles: HashMap::new() }
    }
}

impl TileSet {
    /// Returns the tile set in `set`, whose sources are other sections of the same file.
    ///
    /// # Errors
    /// When its tiles are not squares or rectangles.
    pub(super) fn read(set: &Section, sections: &[Section]) -> Result<TileSet, MapError> {
        let shape = set.number("tile_shape").unwrap_or(0.0);
        if shape != 0.0 {
            let found = match shape {
                1.0 => "isometric tiles",
                2.0 => "half-offset squares",
                3.0 => "hexagons",
                _ => "another shape",
            };
            return Err(MapError::unusable(format!("tile_shape: expected square tiles, found {found}")));
        }
        let tile = set.vector("tile_size").unwrap_or([16.0, 16.0]);
        let tile = tile.map(|side| if (1.0..=65_536.0).contains(&side) { side as u32 } else { 16 });
        let names = set.properties.iter().filter_map(|(key, value)| {
            let number = key.strip_prefix("custom_data_layer_")?.strip_suffix("/name")?;
            match value {
                Value::Text(name) => Some((number, name.as_str())),
                _ => None,
            }
        });
        let data: BTreeMap<&str, &str> = names.collect();
        let by_id: HashMap<&str, &Section> = sections
            .iter()
            .filter(|section| section.tag == "sub_resource")
            .filter_map(|section| Some((section.text("id")?, section)))
            .collect();
        let mut tiles = HashMap::new();
        for (key, value) in &set.properties {
            let source = key.strip_prefix("sources/").and_then(|number| number.parse().ok());
            let atlas =
                value.resource().and_then(|(external, id)| if external { None } else { by_id.get(id) });
            if let (Some(source), Some(atlas)) = (source, atlas) {
                add_source(&mut tiles, source, atlas, &data);
            }
        }
        Ok(TileSet { tile, tiles })
    }

    /// Returns the tiles of which something is known.
    pub(super) fn known(&self) -> impl Iterator<Item = TileName> + '_ {
        self.tiles.keys().copied()
    }

    /// Returns what is known of a tile. Alternatives that say nothing themselves are turned or mirrored.
    pub(super) fn value(&self, tile: TileName) -> CellValue {
        let TileName { source, atlas: [x, y], .. } = tile;
        let own = self.tiles.get(&tile).or_else(|| self.tiles.get(&TileName { alternative: 0, ..tile }));
        CellValue { name: Some(format!("{source}:{x},{y}")), ..own.cloned().unwrap_or_default() }
    }
}

/// Adds the tiles of an atlas, whose properties begin with `COLUMN:ROW/ALTERNATIVE/`.
fn add_source(
    tiles: &mut HashMap<TileName, CellValue>,
    source: u16,
    atlas: &Section,
    data: &BTreeMap<&str, &str>,
) {
    for (key, value) in &atlas.properties {
        let mut parts = key.splitn(3, '/');
        let (Some(place), Some(alternative), Some(what)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let place = place.split_once(':').and_then(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?]));
        let (Some(atlas), Ok(alternative)) = (place, alternative.parse()) else { continue };
        let tile = TileName { source, atlas, alternative };
        if what.starts_with("physics_layer_") && what.ends_with("/points") {
            tiles.entry(tile).or_default().has_shape = true;
        } else if let Some(name) = what.strip_prefix("custom_data_").and_then(|number| data.get(number)) {
            let properties: &mut Properties = &mut tiles.entry(tile).or_default().properties;
            properties.extend(text(value).map(|value| ((*name).to_owned(), value)));
        }
    }
}

/// Returns a simple value as text.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Word(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Call(..) | Value::List(_) => None,
    }
}
