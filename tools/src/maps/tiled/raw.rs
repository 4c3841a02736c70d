//! A Tiled map as its file has it, whether in XML or in JSON.

use crate::maps::{frame::Patch, model::Properties};

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
    pub(super) side: Option<f64>,
}

/// A tileset in a map.
#[derive(Debug, Default)]
pub(super) struct TilesetUse {
    /// The number of its first tile in the cells of the map.
    pub(super) first: u32,
    /// The file that has its tiles, if the map has not.
    pub(super) source: Option<String>,
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
}

#[derive(Debug)]
pub(super) struct TiledLayer {
    pub(super) name: String,
    pub(super) properties: Properties,
    /// How far it is moved, in pixels.
    pub(super) offset: [f64; 2],
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

#[derive(Clone, Debug, Default)]
pub(super) struct TiledObject {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) properties: Properties,
    pub(super) at: [f64; 2],
    pub(super) size: [f64; 2],
    /// Whether it shows a tile; its position is then the lower left corner.
    pub(super) is_tile: bool,
    /// Whether it is turned, or is no point and no rectangle.
    pub(super) is_shape: bool,
    /// The file of its template.
    pub(super) template: Option<String>,
}

impl TiledObject {
    /// Fills in what the object takes from its template.
    pub(super) fn complete(&mut self, template: &TiledObject) {
        for (mine, theirs) in [(&mut self.name, &template.name), (&mut self.class, &template.class)] {
            if mine.is_empty() {
                mine.clone_from(theirs);
            }
        }
        if self.size == [0.0, 0.0] {
            self.size = template.size;
        }
        self.is_tile |= template.is_tile;
        self.is_shape |= template.is_shape;
        for (name, value) in &template.properties {
            self.properties.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}
