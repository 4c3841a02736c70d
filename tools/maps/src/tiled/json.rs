//! Maps, tilesets and templates of Tiled in JSON.

use super::{
    cells::Written,
    json_form::{
        JsonChunk, JsonLayer, JsonMap, JsonObject, JsonPoint, JsonTemplate, JsonTiles, JsonTileset, number,
    },
    raw::{
        Content, Hexagon, Kind, Template, TiledLayer, TiledMap, TiledObject, TiledTile, Tileset, TilesetUse,
    },
};
use crate::{
    error::{MapError, quoted},
    extent::Patch,
    json_text::{self, JsonProperties, NumbersOrText},
    limits::Budget,
};
use std::collections::BTreeMap;

/// Reads a map.
pub(super) fn map(text: &str, budget: &mut Budget) -> Result<TiledMap, MapError> {
    let map: JsonMap = json_text::parse(text)?;
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
        tilesets: map.tilesets.into_iter().map(tileset_use).collect::<Result<_, MapError>>()?,
        layers: layers(map.layers, budget)?,
    })
}

/// Reads a tileset in a file of its own.
pub(super) fn tileset(text: &str) -> Result<Tileset, MapError> {
    tileset_in(json_text::parse(text)?)
}

/// Reads a template.
pub(super) fn template(text: &str) -> Result<Template, MapError> {
    let template: JsonTemplate = json_text::parse(text)?;
    Ok(Template { object: object(template.object), tileset: template.tileset.map(tileset_use).transpose()? })
}

fn tileset_use(mut tileset: JsonTileset) -> Result<TilesetUse, MapError> {
    let first =
        tileset.firstgid.ok_or_else(|| MapError::unusable("expected the key \"firstgid\", found none"))?;
    Ok(TilesetUse { first, source: tileset.source.take(), tileset: tileset_in(tileset)? })
}

fn tileset_in(tileset: JsonTileset) -> Result<Tileset, MapError> {
    Ok(Tileset {
        tile: [tileset.tilewidth, tileset.tileheight],
        alignment: tileset.objectalignment,
        offset: tileset.tileoffset.map_or([0.0, 0.0], |offset| [offset.x, offset.y]),
        fill: tileset.fillmode,
        tiles: tiles(tileset.tiles, tileset.tileproperties)?,
    })
}

fn tiles(
    JsonTiles(listed): JsonTiles,
    properties: BTreeMap<String, JsonProperties>,
) -> Result<Vec<TiledTile>, MapError> {
    let mut tiles: Vec<TiledTile> = listed
        .into_iter()
        .map(|tile| TiledTile {
            id: tile.id,
            class: if tile.class.is_empty() { tile.kind } else { tile.class },
            properties: tile.properties.0,
            has_shape: tile.objectgroup.is_some_and(|shapes| !shapes.objects.is_empty()),
            size: [[tile.width, tile.height], [tile.imagewidth, tile.imageheight]]
                .into_iter()
                .find(|size| size[0] > 0.0),
        })
        .collect();
    for (id, JsonProperties(properties)) in properties {
        let id = number(&id).map_err(|message| MapError::unusable(message).about("tileproperties"))?;
        tiles.push(TiledTile { id, properties, ..TiledTile::default() });
    }
    Ok(tiles)
}

fn layers(layers: Vec<JsonLayer>, budget: &mut Budget) -> Result<Vec<TiledLayer>, MapError> {
    let mut read = Vec::new();
    for mut layer in layers {
        let about = |error: MapError| error.about(format!("layer {}", quoted(&layer.name)));
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
            parallax: [layer.parallaxx.unwrap_or(1.0), layer.parallaxy.unwrap_or(1.0)],
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
) -> Result<Vec<Patch>, MapError> {
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
                size.ok_or_else(|| MapError::unusable("expected height and width, found none"))?;
            Ok(vec![patch(data, [0, 0], height, width)?])
        }
        (None, None) => Err(MapError::unusable("expected data or chunks, found none")),
    }
}

fn object(object: JsonObject) -> TiledObject {
    let points = |points: Vec<JsonPoint>| points.into_iter().map(|point| [point.x, point.y]).collect();
    let kind = match (object.polygon, object.polyline) {
        (Some(corners), _) => Some(Kind::Polygon(points(corners))),
        (_, Some(line)) => Some(Kind::Polyline(points(line))),
        _ if object.ellipse => Some(Kind::Ellipse),
        _ if object.capsule => Some(Kind::Capsule),
        _ if object.point => Some(Kind::Point),
        _ => object.text.map(|_| Kind::Text),
    };
    TiledObject {
        name: object.name,
        class: if object.class.is_empty() { object.kind } else { object.class },
        properties: object.properties.0,
        at: [object.x, object.y],
        size: [object.width, object.height],
        rotation: object.rotation,
        tile: object.gid,
        kind,
        template: object.template,
    }
}
