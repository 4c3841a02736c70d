//! Maps, tilesets and templates of Tiled in XML.

use super::{
    cells::Written,
    raw::{Content, Hexagon, TiledLayer, TiledMap, TiledObject, TiledTile, TilesetUse},
};
use crate::{
    failure::Failure,
    maps::{
        frame::Patch,
        limits::Budget,
        markup::{self, Element},
        model::Properties,
    },
};

/// Reads a map.
pub(super) fn map(bytes: &[u8], budget: &mut Budget) -> Result<TiledMap, Failure> {
    let root = root(bytes, "map")?;
    let infinite = root.get("infinite") == Some("1");
    let tilesets = root.all("tileset").map(tileset_use).collect::<Result<_, Failure>>()?;
    Ok(TiledMap {
        orientation: root.get("orientation").unwrap_or("orthogonal").to_owned(),
        height: root.require("height")?,
        width: root.require("width")?,
        tile: [root.require("tilewidth")?, root.require("tileheight")?],
        infinite,
        hexagon: Hexagon {
            stagger_axis: root.get("staggeraxis").map(str::to_owned),
            stagger_index: root.get("staggerindex").map(str::to_owned),
            side: root.number("hexsidelength")?,
        },
        tilesets,
        layers: layers(&root, infinite, budget)?,
    })
}

/// Reads the tiles of a tileset in a file of its own.
pub(super) fn tileset(bytes: &[u8]) -> Result<Vec<TiledTile>, Failure> {
    tiles(&root(bytes, "tileset")?)
}

/// Reads the object of a template.
pub(super) fn template(bytes: &[u8]) -> Result<TiledObject, Failure> {
    let root = root(bytes, "template")?;
    let child = root.child("object").ok_or_else(|| root.fault("expected an <object> in it, found none"))?;
    object(child)
}

fn root(bytes: &[u8], name: &str) -> Result<Element, Failure> {
    let root = markup::parse(bytes)?;
    if root.name == name { Ok(root) } else { Err(root.fault(format!("expected <{name}>"))) }
}

fn tileset_use(element: &Element) -> Result<TilesetUse, Failure> {
    Ok(TilesetUse {
        first: element.require("firstgid")?,
        source: element.get("source").map(str::to_owned),
        tiles: tiles(element)?,
    })
}

fn tiles(tileset: &Element) -> Result<Vec<TiledTile>, Failure> {
    tileset
        .all("tile")
        .map(|tile| {
            Ok(TiledTile {
                id: tile.require("id")?,
                class: class(tile),
                properties: properties(tile),
                has_shape: tile.all("objectgroup").any(|group| group.child("object").is_some()),
            })
        })
        .collect()
}

/// Returns the class, which older versions call type.
fn class(element: &Element) -> String {
    element.get("class").or_else(|| element.get("type")).unwrap_or_default().to_owned()
}

fn properties(element: &Element) -> Properties {
    let listed = element.all("properties").flat_map(|list| list.all("property"));
    listed
        .map(|property| {
            let value = property.get("value").unwrap_or(&property.text);
            (property.text_of("name"), value.to_owned())
        })
        .collect()
}

fn layers(parent: &Element, infinite: bool, budget: &mut Budget) -> Result<Vec<TiledLayer>, Failure> {
    let mut layers = Vec::new();
    for element in &parent.children {
        let content = match element.name.as_str() {
            "layer" => Content::Cells(patches(element, infinite, budget)?),
            "objectgroup" => {
                Content::Objects(element.all("object").map(object).collect::<Result<_, Failure>>()?)
            }
            "group" => Content::Group(self::layers(element, infinite, budget)?),
            "imagelayer" => Content::Other,
            _ => continue,
        };
        layers.push(TiledLayer {
            name: element.text_of("name"),
            properties: properties(element),
            offset: [element.number("offsetx")?.unwrap_or(0.0), element.number("offsety")?.unwrap_or(0.0)],
            content,
        });
    }
    Ok(layers)
}

/// Reads the cells of a layer: the whole of it, or the chunks of an infinite map.
fn patches(layer: &Element, infinite: bool, budget: &mut Budget) -> Result<Vec<Patch>, Failure> {
    let data = layer.child("data").ok_or_else(|| layer.fault("expected a <data> in it, found none"))?;
    if !infinite {
        let (height, width) = (layer.require("height")?, layer.require("width")?);
        return Ok(vec![patch(data, data, [0, 0], height, width, budget)?]);
    }
    data.all("chunk")
        .map(|chunk| {
            let at = [chunk.require("y")?, chunk.require("x")?];
            patch(data, chunk, at, chunk.require("height")?, chunk.require("width")?, budget)
        })
        .collect()
}

/// Reads the cells in `part` of the element `data`.
fn patch(
    data: &Element,
    part: &Element,
    at: [i64; 2],
    height: usize,
    width: usize,
    budget: &mut Budget,
) -> Result<Patch, Failure> {
    let written = match data.get("encoding") {
        Some(encoding) => Written::Text {
            encoding,
            compression: data.get("compression").unwrap_or_default(),
            text: &part.text,
        },
        None => Written::Numbers(
            part.all("tile")
                .map(|tile| Ok(tile.number("gid")?.unwrap_or(0)))
                .collect::<Result<_, Failure>>()?,
        ),
    };
    let cells = written.decode(height, width, budget).map_err(|failure| failure.about(part.label()))?;
    Ok(Patch { at, width, cells })
}

fn object(element: &Element) -> Result<TiledObject, Failure> {
    let has = |name: &str| element.child(name).is_some();
    let coordinate = |name: &str| Ok::<f64, Failure>(element.number(name)?.unwrap_or(0.0));
    let is_tile = element.get("gid").is_some();
    let turned = coordinate("rotation")? != 0.0 && !is_tile;
    let shapes = ["ellipse", "polygon", "polyline", "text", "capsule"];
    Ok(TiledObject {
        name: element.text_of("name"),
        class: class(element),
        properties: properties(element),
        at: [coordinate("x")?, coordinate("y")?],
        size: [coordinate("width")?, coordinate("height")?],
        is_tile,
        is_shape: turned || shapes.into_iter().any(has),
        template: element.get("template").map(str::to_owned),
    })
}
