//! Maps, tilesets and templates of Tiled in JSON.

use super::{
    cells::Written,
    json_form::{JsonChunk, JsonLayer, JsonMap, JsonObject, JsonTemplate, JsonTiles, JsonTileset, number},
    raw::{Content, Hexagon, TiledLayer, TiledMap, TiledObject, TiledTile, TilesetUse},
};
use crate::{
    failure::Failure,
    maps::{
        frame::Patch,
        json_text::{self, JsonProperties, NumbersOrText},
        limits::Budget,
    },
};
use std::collections::BTreeMap;

/// Reads a map.
pub(super) fn map(bytes: &[u8], budget: &mut Budget) -> Result<TiledMap, Failure> {
    let map: JsonMap = json_text::parse(bytes)?;
    let uses = map.tilesets.into_iter().map(|tileset| {
        let tiles = tiles(tileset.tiles, tileset.tileproperties)?;
        Ok(TilesetUse { first: tileset.firstgid, source: tileset.source, tiles })
    });
    Ok(TiledMap {
        orientation: map.orientation,
        height: map.height,
        width: map.width,
        tile: [map.tilewidth, map.tileheight],
        infinite: map.infinite,
        hexagon: Hexagon {
            stagger_axis: map.staggeraxis,
            stagger_index: map.staggerindex,
            side: map.hexsidelength,
        },
        tilesets: uses.collect::<Result<_, Failure>>()?,
        layers: layers(map.layers, budget)?,
    })
}

/// Reads the tiles of a tileset in a file of its own.
pub(super) fn tileset(bytes: &[u8]) -> Result<Vec<TiledTile>, Failure> {
    let tileset: JsonTileset = json_text::parse(bytes)?;
    tiles(tileset.tiles, tileset.tileproperties)
}

/// Reads the object of a template.
pub(super) fn template(bytes: &[u8]) -> Result<TiledObject, Failure> {
    let template: JsonTemplate = json_text::parse(bytes)?;
    Ok(object(template.object))
}

fn tiles(
    JsonTiles(listed): JsonTiles,
    properties: BTreeMap<String, JsonProperties>,
) -> Result<Vec<TiledTile>, Failure> {
    let mut tiles: Vec<TiledTile> = listed
        .into_iter()
        .map(|tile| TiledTile {
            id: tile.id,
            class: if tile.class.is_empty() { tile.kind } else { tile.class },
            properties: tile.properties.0,
            has_shape: tile.objectgroup.is_some_and(|shapes| !shapes.objects.is_empty()),
        })
        .collect();
    for (id, JsonProperties(properties)) in properties {
        let id = number(&id).map_err(|message| Failure::input(message).about("tileproperties"))?;
        tiles.push(TiledTile { id, properties, ..TiledTile::default() });
    }
    Ok(tiles)
}

fn layers(layers: Vec<JsonLayer>, budget: &mut Budget) -> Result<Vec<TiledLayer>, Failure> {
    let mut read = Vec::new();
    for mut layer in layers {
        let about = |failure: Failure| failure.about(format!("layer {:?}", layer.name));
        let content = match layer.kind.as_str() {
            "tilelayer" => {
                let written = (layer.data.take(), layer.chunks.take());
                Content::Cells(patches(&layer, written, budget).map_err(about)?)
            }
            "objectgroup" => Content::Objects(layer.objects.into_iter().map(object).collect()),
            "group" => Content::Group(self::layers(layer.layers, budget)?),
            _ => Content::Other,
        };
        read.push(TiledLayer {
            name: layer.name,
            properties: layer.properties.0,
            offset: [layer.offsetx, layer.offsety],
            content,
        });
    }
    Ok(read)
}

/// Reads the cells of a layer: the whole of it, or the chunks of an infinite map.
fn patches(
    layer: &JsonLayer,
    written: (Option<NumbersOrText>, Option<Vec<JsonChunk>>),
    budget: &mut Budget,
) -> Result<Vec<Patch>, Failure> {
    let mut patch = |data: NumbersOrText, at, height, width| {
        let (encoding, compression) = (layer.encoding.as_str(), layer.compression.as_str());
        let cells = match data {
            NumbersOrText::Numbers(numbers) => Written::Numbers(numbers).decode(height, width, budget)?,
            NumbersOrText::Text(text) => {
                Written::Text { encoding, compression, text: &text }.decode(height, width, budget)?
            }
        };
        Ok(Patch { at, width, cells })
    };
    match written {
        (_, Some(chunks)) => chunks
            .into_iter()
            .map(|chunk| patch(chunk.data, [chunk.y, chunk.x], chunk.height, chunk.width))
            .collect(),
        (Some(data), None) => {
            let size = layer.height.zip(layer.width);
            let (height, width) =
                size.ok_or_else(|| Failure::input("expected height and width, found none"))?;
            Ok(vec![patch(data, [0, 0], height, width)?])
        }
        (None, None) => Err(Failure::input("expected data or chunks, found none")),
    }
}

fn object(object: JsonObject) -> TiledObject {
    let is_tile = object.gid.is_some();
    let shapes = [object.polygon, object.polyline, object.text].iter().any(Option::is_some);
    let turned = object.rotation != 0.0 && !is_tile;
    TiledObject {
        name: object.name,
        class: if object.class.is_empty() { object.kind } else { object.class },
        properties: object.properties.0,
        at: [object.x, object.y],
        size: [object.width, object.height],
        is_tile,
        is_shape: turned || object.ellipse || object.capsule || shapes,
        template: object.template,
    }
}
