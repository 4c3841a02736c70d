//! The tiles of a Tiled map: what is said of their numbers, and how they are drawn as objects.

use super::raw::Tileset;
use crate::{
    affine::Point,
    model::{CellValue, Values},
};
use std::collections::BTreeMap;

/// The bits of a number that turn and mirror its tile.
pub(super) const FLIPS: u32 = 0xF000_0000;

/// How a tile is drawn as an object.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    /// Width and height in pixels.
    pub(super) size: Point,
    /// The place that lies at the position of the object, in widths and heights from the upper left corner.
    pub(super) alignment: Point,
    /// How far it is moved, in pixels of the picture.
    pub(super) offset: Point,
    /// Whether it keeps its proportions.
    pub(super) is_fitted: bool,
}

/// The tiles of a map, or of a template.
#[derive(Debug)]
pub(super) struct Tiles {
    pub(super) values: Values,
    /// How a tile is drawn of which nothing is known.
    plain: Picture,
    /// The sizes of tiles that have a picture of their own, by their numbers.
    sizes: BTreeMap<u32, Point>,
    /// The pictures of other tiles, by the first number of their tileset.
    pictures: BTreeMap<u32, Picture>,
}

impl Tiles {
    /// Returns no tiles. If nothing else is said, they are drawn as `plain`.
    pub(super) fn new(plain: Picture) -> Tiles {
        Tiles { values: Values::new(), plain, sizes: BTreeMap::new(), pictures: BTreeMap::new() }
    }

    /// Adds a tileset whose first tile has the number `first`.
    pub(super) fn add(&mut self, first: u32, tileset: Tileset) {
        for tile in tileset.tiles {
            let Some(number) = first.checked_add(tile.id) else { continue };
            let value: &mut CellValue = self.values.entry(number).or_default();
            if !tile.class.is_empty() {
                value.name = Some(tile.class);
            }
            value.has_shape |= tile.has_shape;
            value.properties.extend(tile.properties);
            self.sizes.extend(tile.size.filter(is_some_size).map(|size| (number, size)));
        }
        let picture = Picture {
            size: Some(tileset.tile).filter(is_some_size).unwrap_or(self.plain.size),
            alignment: by_name(&tileset.alignment).unwrap_or(self.plain.alignment),
            offset: tileset.offset,
            is_fitted: tileset.fill == "preserve-aspect-fit",
        };
        self.pictures.insert(first, picture);
    }

    /// Returns how the tile with this number is drawn.
    pub(super) fn picture(&self, number: u32) -> Picture {
        let picture = self.pictures.range(..=number).next_back().map_or(&self.plain, |(_, picture)| picture);
        let size = self.sizes.get(&number).copied().unwrap_or(picture.size);
        Picture { size, ..picture.clone() }
    }
}

fn is_some_size([width, height]: &Point) -> bool {
    *width > 0.0 && *height > 0.0
}

/// Returns the alignment with this name, in widths and heights from the upper left corner.
fn by_name(name: &str) -> Option<Point> {
    let across = |name: &str| match name {
        "left" => Some(0.0),
        "" => Some(0.5),
        "right" => Some(1.0),
        _ => None,
    };
    match name {
        "" | "unspecified" => None,
        "center" => Some([0.5, 0.5]),
        _ => match (name.strip_prefix("top"), name.strip_prefix("bottom")) {
            (Some(rest), _) => Some([across(rest)?, 0.0]),
            (_, Some(rest)) => Some([across(rest)?, 1.0]),
            _ => Some([across(name)?, 0.5]),
        },
    }
}
