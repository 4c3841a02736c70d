//! The objects of Tiled's JSON files, with the keys that a board needs.

use crate::error::quoted;
use crate::json_text::{JsonProperties, NumbersOrText};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};

#[derive(Deserialize)]
pub(super) struct JsonMap {
    #[serde(default)]
    pub(super) orientation: String,
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    #[serde(default)]
    pub(super) infinite: bool,
    pub(super) staggeraxis: Option<String>,
    pub(super) staggerindex: Option<String>,
    pub(super) hexsidelength: Option<u32>,
    #[serde(default)]
    pub(super) tilesets: Vec<JsonTileset>,
    #[serde(default)]
    pub(super) layers: Vec<JsonLayer>,
}

/// A tileset in a map or a template, or in a file of its own.
#[derive(Deserialize)]
pub(super) struct JsonTileset {
    /// The number of its first tile, if the tileset is in a map.
    pub(super) firstgid: Option<u32>,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) tilewidth: f64,
    #[serde(default)]
    pub(super) tileheight: f64,
    #[serde(default)]
    pub(super) objectalignment: String,
    pub(super) tileoffset: Option<JsonPoint>,
    #[serde(default)]
    pub(super) fillmode: String,
    #[serde(default)]
    pub(super) tiles: JsonTiles,
    /// Properties by the number of the tile, as in files before Tiled 1.2.
    #[serde(default)]
    pub(super) tileproperties: BTreeMap<String, JsonProperties>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct JsonPoint {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Tiles in a list, or, as in files before Tiled 1.2, in an object whose keys are their numbers.
#[derive(Default)]
pub(super) struct JsonTiles(pub(super) Vec<JsonTile>);

#[derive(Deserialize)]
pub(super) struct JsonTile {
    #[serde(default)]
    pub(super) id: u32,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) class: String,
    #[serde(default)]
    pub(super) properties: JsonProperties,
    pub(super) objectgroup: Option<JsonShapes>,
    /// Width and height of the picture of the tile, and of the part of it that is the tile.
    #[serde(default)]
    pub(super) imagewidth: f64,
    #[serde(default)]
    pub(super) imageheight: f64,
    #[serde(default)]
    pub(super) width: f64,
    #[serde(default)]
    pub(super) height: f64,
}

#[derive(Deserialize)]
pub(super) struct JsonShapes {
    #[serde(default)]
    pub(super) objects: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct JsonLayer {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) properties: JsonProperties,
    #[serde(default)]
    pub(super) offsetx: f64,
    #[serde(default)]
    pub(super) offsety: f64,
    pub(super) parallaxx: Option<f64>,
    pub(super) parallaxy: Option<f64>,
    pub(super) height: Option<usize>,
    pub(super) width: Option<usize>,
    #[serde(default)]
    pub(super) encoding: String,
    #[serde(default)]
    pub(super) compression: String,
    pub(super) data: Option<NumbersOrText>,
    pub(super) chunks: Option<Vec<JsonChunk>>,
    #[serde(default)]
    pub(super) objects: Vec<JsonObject>,
    #[serde(default)]
    pub(super) layers: Vec<JsonLayer>,
}

#[derive(Deserialize)]
pub(super) struct JsonChunk {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) data: NumbersOrText,
}

#[derive(Deserialize)]
pub(super) struct JsonTemplate {
    pub(super) object: JsonObject,
    pub(super) tileset: Option<JsonTileset>,
}

#[derive(Deserialize)]
pub(super) struct JsonObject {
    #[serde(default)]
    pub(super) name: String,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) class: String,
    #[serde(default)]
    pub(super) properties: JsonProperties,
    #[serde(default)]
    pub(super) x: f64,
    #[serde(default)]
    pub(super) y: f64,
    #[serde(default)]
    pub(super) width: f64,
    #[serde(default)]
    pub(super) height: f64,
    pub(super) rotation: Option<f64>,
    pub(super) gid: Option<u32>,
    #[serde(default)]
    pub(super) ellipse: bool,
    #[serde(default)]
    pub(super) capsule: bool,
    #[serde(default)]
    pub(super) point: bool,
    pub(super) polygon: Option<Vec<JsonPoint>>,
    pub(super) polyline: Option<Vec<JsonPoint>>,
    pub(super) text: Option<IgnoredAny>,
    pub(super) template: Option<String>,
}

impl<'de> Deserialize<'de> for JsonTiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonTiles, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = JsonTiles;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("tiles")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonTiles, A::Error> {
                let mut tiles = Vec::new();
                while let Some(tile) = list.next_element()? {
                    tiles.push(tile);
                }
                Ok(JsonTiles(tiles))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonTiles, A::Error> {
                let mut tiles = Vec::new();
                while let Some((id, tile)) = map.next_entry::<String, JsonTile>()? {
                    tiles.push(JsonTile { id: number(&id).map_err(A::Error::custom)?, ..tile });
                }
                Ok(JsonTiles(tiles))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Returns the number of a tile that is written as a key.
pub(super) fn number(id: &str) -> Result<u32, String> {
    id.parse().map_err(|_| format!("expected the number of a tile, found {}", quoted(id)))
}
