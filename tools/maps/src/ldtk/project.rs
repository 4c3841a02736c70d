//! An LDtk project as its file has it: the fields that a board needs, of all versions from 0.8.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Project {
    /// Levels of a project with one world.
    #[serde(default)]
    levels: Vec<LdtkLevel>,
    /// Worlds of a project with several.
    #[serde(default)]
    worlds: Vec<World>,
    defs: Definitions,
}

#[derive(Deserialize)]
struct World {
    #[serde(default)]
    identifier: String,
    #[serde(default)]
    levels: Vec<LdtkLevel>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Definitions {
    #[serde(default)]
    pub(super) layers: Vec<LayerDefinition>,
    #[serde(default)]
    pub(super) tilesets: Vec<TilesetDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerDefinition {
    pub(super) uid: i64,
    #[serde(default)]
    pub(super) int_grid_values: Vec<IntGridValue>,
}

/// A value of an integer grid.
#[derive(Deserialize)]
pub(super) struct IntGridValue {
    /// The number in cells; the place in the list, from 1, before version 0.8.
    pub(super) value: Option<u32>,
    pub(super) identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TilesetDefinition {
    pub(super) uid: i64,
    #[serde(default)]
    pub(super) enum_tags: Vec<EnumTag>,
}

/// The tiles that have a value of an enumeration.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EnumTag {
    pub(super) enum_value_id: String,
    #[serde(default)]
    pub(super) tile_ids: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LdtkLevel {
    identifier: String,
    /// The file of a level that is not in the file of the project.
    external_rel_path: Option<String>,
    layer_instances: Option<Vec<LayerInstance>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    /// `IntGrid`, `Tiles`, `AutoLayer` or `Entities`.
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(rename = "__cWid")]
    pub(super) width: usize,
    #[serde(rename = "__cHei")]
    pub(super) height: usize,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub(super) offset_x: i64,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub(super) offset_y: i64,
    #[serde(rename = "__tilesetDefUid")]
    pub(super) tileset: Option<i64>,
    pub(super) layer_def_uid: i64,
    #[serde(default)]
    pub(super) int_grid_csv: Vec<u32>,
    /// The cells of an integer grid before version 0.8.
    #[serde(default)]
    pub(super) int_grid: Vec<OldCell>,
    #[serde(default)]
    pub(super) grid_tiles: Vec<PlacedTile>,
    #[serde(default)]
    pub(super) auto_layer_tiles: Vec<PlacedTile>,
    #[serde(default)]
    pub(super) entity_instances: Vec<EntityInstance>,
}

/// A cell of an integer grid before version 0.8: its number in reading order, and the value less 1.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OldCell {
    pub(super) coord_id: usize,
    pub(super) v: u32,
}

#[derive(Deserialize)]
pub(super) struct PlacedTile {
    /// Position in pixels, x before y.
    pub(super) px: [f64; 2],
    /// The number of the tile in its tileset, from 0.
    #[serde(default)]
    pub(super) t: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntityInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    /// The part of the size that lies left of, and above, its position.
    #[serde(rename = "__pivot", default)]
    pub(super) pivot: [f64; 2],
    #[serde(rename = "__tags", default)]
    pub(super) tags: Vec<String>,
    /// Position in pixels, x before y.
    pub(super) px: [f64; 2],
    #[serde(default)]
    pub(super) width: f64,
    #[serde(default)]
    pub(super) height: f64,
    #[serde(default)]
    pub(super) field_instances: Vec<FieldInstance>,
}

#[derive(Deserialize)]
pub(super) struct FieldInstance {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__value", default)]
    pub(super) value: Value,
}

impl Project {
    /// Returns the definitions, and all levels with their names.
    pub(super) fn into_levels(self) -> (Definitions, Vec<(String, LdtkLevel)>) {
        let alone = self.levels.into_iter().map(|level| (None, level));
        let in_worlds = self.worlds.into_iter().flat_map(|World { identifier, levels }| {
            levels.into_iter().map(move |level| (Some(identifier.clone()), level))
        });
        let all: Vec<(Option<String>, LdtkLevel)> = alone.chain(in_worlds).collect();
        let different: BTreeSet<&str> = all.iter().map(|(_, level)| level.identifier.as_str()).collect();
        let is_name_enough = different.len() == all.len();
        let named = |(world, level): (Option<String>, LdtkLevel)| match world {
            Some(world) if !is_name_enough => (format!("{world}-{}", level.identifier), level),
            _ => (level.identifier.clone(), level),
        };
        (self.defs, all.into_iter().map(named).collect())
    }
}

impl LdtkLevel {
    /// Returns the file that holds the layers, if the file of the project does not.
    pub(super) fn file(&self) -> Option<&str> {
        self.external_rel_path.as_deref().filter(|_| self.layer_instances.is_none())
    }

    /// Returns the layers.
    pub(super) fn layers(&self) -> &[LayerInstance] {
        self.layer_instances.as_deref().unwrap_or_default()
    }
}
