//! Maps, tilesets and templates of Tiled in XML.

use super::{
    cells::Written,
    raw::{
        Content, Hexagon, Kind, Template, TiledLayer, TiledMap, TiledObject, TiledTile, Tileset, TilesetUse,
    },
};
use crate::{
    affine::Point,
    error::{MapError, quoted},
    extent::Patch,
    limits::Budget,
    model::Properties,
    xml_tree::{self, Element},
};
use std::borrow::Cow;

/// Reads a map.
pub(super) fn map(text: &str, budget: &mut Budget) -> Result<TiledMap, MapError> {
    let root = root(text, "map")?;
    let infinite = root.get("infinite").as_deref() == Some("1");
    let tilesets = root.all("tileset").map(tileset_use).collect::<Result<_, MapError>>()?;
    Ok(TiledMap {
        orientation: root.get("orientation").map_or_else(|| "orthogonal".to_owned(), Cow::into_owned),
        height: root.require("height")?,
        width: root.require("width")?,
        tile: [root.require("tilewidth")?, root.require("tileheight")?],
        infinite,
        hexagon: Hexagon {
            stagger_axis: root.get("staggeraxis").map(Cow::into_owned),
            stagger_index: root.get("staggerindex").map(Cow::into_owned),
            side: root.number("hexsidelength")?,
        },
        tilesets,
        layers: layers(&root, infinite, budget)?,
    })
}

/// Reads a tileset in a file of its own.
pub(super) fn tileset(text: &str) -> Result<Tileset, MapError> {
    tileset_in(&root(text, "tileset")?)
}

/// Reads a template.
pub(super) fn template(text: &str) -> Result<Template, MapError> {
    let root = root(text, "template")?;
    let child = root.child("object").ok_or_else(|| root.fault("expected an <object> in it, found none"))?;
    Ok(Template { object: object(child)?, tileset: root.child("tileset").map(tileset_use).transpose()? })
}

fn root<'a>(text: &'a str, name: &str) -> Result<Element<'a>, MapError> {
    let root = xml_tree::parse(text)?;
    if root.name == name { Ok(root) } else { Err(root.fault(format!("expected <{name}>"))) }
}

fn tileset_use(element: &Element) -> Result<TilesetUse, MapError> {
    Ok(TilesetUse {
        first: element.require("firstgid")?,
        source: element.get("source").map(Cow::into_owned),
        tileset: tileset_in(element)?,
    })
}

fn tileset_in(element: &Element) -> Result<Tileset, MapError> {
    let offset = element.child("tileoffset");
    Ok(Tileset {
        tile: element.point(["tilewidth", "tileheight"])?,
        alignment: element.text_of("objectalignment"),
        offset: offset.map_or(Ok([0.0, 0.0]), |offset| offset.point(["x", "y"]))?,
        fill: element.text_of("fillmode"),
        tiles: element.all("tile").map(tile).collect::<Result<_, MapError>>()?,
    })
}

fn tile(tile: &Element) -> Result<TiledTile, MapError> {
    // A part of the picture, or the whole of it.
    let size = match tile.get("width") {
        Some(_) => Some(tile),
        None => tile.child("image").filter(|image| image.get("width").is_some()),
    };
    Ok(TiledTile {
        id: tile.require("id")?,
        class: class(tile),
        properties: properties(tile),
        has_shape: tile.all("objectgroup").any(|group| group.child("object").is_some()),
        size: size.map(|sized| sized.point(["width", "height"])).transpose()?,
    })
}

/// Returns the class, which older versions call type.
fn class(element: &Element) -> String {
    element.get("class").or_else(|| element.get("type")).unwrap_or_default().into_owned()
}

fn properties(element: &Element) -> Properties {
    let listed = element.all("properties").flat_map(|list| list.all("property"));
    listed
        .map(|property| {
            let value = property.get("value").unwrap_or_else(|| property.text.clone());
            (property.text_of("name"), value.into_owned())
        })
        .collect()
}

fn layers(parent: &Element, infinite: bool, budget: &mut Budget) -> Result<Vec<TiledLayer>, MapError> {
    let mut layers = Vec::new();
    for element in &parent.children {
        let content = match element.name {
            "layer" => Content::Cells(patches(element, infinite, budget)?),
            "objectgroup" => {
                Content::Objects(element.all("object").map(object).collect::<Result<_, MapError>>()?)
            }
            "group" => Content::Group(self::layers(element, infinite, budget)?),
            "imagelayer" => Content::Other,
            _ => continue,
        };
        layers.push(TiledLayer {
            name: element.text_of("name"),
            properties: properties(element),
            offset: element.point(["offsetx", "offsety"])?,
            parallax: [
                element.number("parallaxx")?.unwrap_or(1.0),
                element.number("parallaxy")?.unwrap_or(1.0),
            ],
            content,
        });
    }
    Ok(layers)
}

/// Reads the cells of a layer: the whole of it, or the chunks of an infinite map.
fn patches(layer: &Element, infinite: bool, budget: &mut Budget) -> Result<Vec<Patch>, MapError> {
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
) -> Result<Patch, MapError> {
    let (encoding, compression) = (data.get("encoding"), data.text_of("compression"));
    let written = match &encoding {
        Some(encoding) => Written::Text { encoding, compression: &compression, text: &part.text },
        None => Written::Numbers(
            part.all("tile")
                .map(|tile| Ok(tile.number("gid")?.unwrap_or(0)))
                .collect::<Result<_, MapError>>()?,
        ),
    };
    let cells = written.decode(height, width, budget).map_err(|error| error.about(part.label()))?;
    Ok(Patch { at, width, cells })
}

fn object(element: &Element) -> Result<TiledObject, MapError> {
    let kind = |child: &Element| {
        Ok(Some(match child.name {
            "ellipse" => Kind::Ellipse,
            "capsule" => Kind::Capsule,
            "point" => Kind::Point,
            "text" => Kind::Text,
            "polygon" => Kind::Polygon(points(child)?),
            "polyline" => Kind::Polyline(points(child)?),
            _ => return Ok(None),
        }))
    };
    let kinds = element.children.iter().map(kind).collect::<Result<Vec<_>, MapError>>()?;
    Ok(TiledObject {
        name: element.text_of("name"),
        class: class(element),
        properties: properties(element),
        at: element.point(["x", "y"])?,
        size: element.point(["width", "height"])?,
        rotation: element.number("rotation")?,
        tile: element.number("gid")?,
        kind: kinds.into_iter().flatten().next(),
        template: element.get("template").map(Cow::into_owned),
    })
}

/// Reads the points of a polygon or a line: `X,Y` with blanks between them.
fn points(element: &Element) -> Result<Vec<Point>, MapError> {
    let text = element.text_of("points");
    let point = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    let wrong = |word: &str| element.fault(format!("points: expected X,Y, found {}", quoted(word)));
    text.split_ascii_whitespace().map(|word| point(word).ok_or_else(|| wrong(word))).collect()
}
