//! A Tiled map as its file has it, whether in XML or in JSON.

use crate::{affine::Point, extent::Patch, model::Properties};

/// A map. Positions are in pixels, x before y.
#[derive(Debug, Default)]
pub(super) struct TiledMap {
    pub(super) orientation: String,
    /// Rows; of an infinite map it means nothing.
    pub(super) height: usize,
    /// Columns; of an infinite map it means nothing.
    pub(super) width: usize,
    /// Width and height of a tile in pixels.
    pub(super) tile: [u32; 2],
    pub(super) infinite: bool,
    pub(super) hexagon: Hexagon,
    pub(super) tilesets: Vec<TilesetUse>,
    pub(super) layers: Vec<TiledLayer>,
}

/// The attributes that hexagonal maps have.
#[derive(Debug, Default)]
pub(super) struct Hexagon {
    /// The axis along which cells are moved: `x` or `y`.
    pub(super) stagger_axis: Option<String>,
    /// Which columns or rows are moved: `odd` or `even`.
    pub(super) stagger_index: Option<String>,
    /// The length of a side in pixels.
    pub(super) side: Option<u32>,
}

/// A tileset in a map or a template.
#[derive(Debug, Default)]
pub(super) struct TilesetUse {
    /// The number of its first tile in the cells of the map.
    pub(super) first: u32,
    /// The file that has the tileset, if the map has not.
    pub(super) source: Option<String>,
    pub(super) tileset: Tileset,
}

/// A tileset: how its tiles are drawn as objects, and what is said of some of them.
#[derive(Debug, Default)]
pub(super) struct Tileset {
    /// Width and height of a tile, in pixels.
    pub(super) tile: Point,
    /// The place in a tile that lies at the position of its object: `topleft`, `bottom`, `center`.
    pub(super) alignment: String,
    /// How far tiles are drawn from where they are, in pixels.
    pub(super) offset: Point,
    /// The way to fill an object that has not the proportions of its tile: `stretch`, `preserve-aspect-fit`.
    pub(super) fill: String,
    pub(super) tiles: Vec<TiledTile>,
}

/// A tile of a tileset.
#[derive(Debug, Default)]
pub(super) struct TiledTile {
    /// The number of the tile in its tileset, from 0.
    pub(super) id: u32,
    /// The class; older versions call it type.
    pub(super) class: String,
    pub(super) properties: Properties,
    /// Whether it has a collision shape.
    pub(super) has_shape: bool,
    /// Width and height of its picture, if it has one of its own.
    pub(super) size: Option<Point>,
}

/// An object in a file of its own, with the tileset of its tile.
#[derive(Debug, Default)]
pub(super) struct Template {
    pub(super) object: TiledObject,
    pub(super) tileset: Option<TilesetUse>,
}

#[derive(Debug)]
pub(super) struct TiledLayer {
    pub(super) name: String,
    pub(super) properties: Properties,
    /// How far it is moved, in pixels of the screen.
    pub(super) offset: Point,
    /// How much it moves with the camera, along x and y; 1 if it does as the map does.
    pub(super) parallax: Point,
    pub(super) content: Content,
}

/// The content of a layer.
#[derive(Debug)]
pub(super) enum Content {
    Cells(Vec<Patch>),
    Objects(Vec<TiledObject>),
    Group(Vec<TiledLayer>),
    /// A picture, or a kind of layer that is not known.
    Other,
}

/// The kind of an object that shows no tile.
#[derive(Clone, Debug, Default)]
pub(super) enum Kind {
    #[default]
    Rectangle,
    Ellipse,
    Capsule,
    Point,
    Text,
    Polygon(Vec<Point>),
    Polyline(Vec<Point>),
}

/// An object, or a part of it, which the template has otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct TiledObject {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) properties: Properties,
    pub(super) at: Point,
    pub(super) size: Point,
    /// Degrees by which it is turned clockwise around its position.
    pub(super) rotation: Option<f64>,
    /// The number of the tile that it shows, with the bits that turn and mirror it.
    pub(super) tile: Option<u32>,
    pub(super) kind: Option<Kind>,
    /// The file of its template.
    pub(super) template: Option<String>,
}

impl TiledObject {
    /// Fills in what the object takes from its template, but for its class and its tile.
    pub(super) fn complete(&mut self, template: &TiledObject) {
        if self.name.is_empty() {
            self.name.clone_from(&template.name);
        }
        if self.size.iter().any(|&side| side <= 0.0) {
            self.size = template.size;
        }
        self.rotation = self.rotation.or(template.rotation);
        if self.kind.is_none() {
            self.kind.clone_from(&template.kind);
        }
        for (name, value) in &template.properties {
            self.properties.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}
