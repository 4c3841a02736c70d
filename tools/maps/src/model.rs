//! A map as its editor has it, before it is decided which cells are walls, exits and start cells.

use super::{
    affine::Point,
    grid::{Grid, Lattice},
    shape::Shape,
};
use std::{collections::BTreeMap, sync::Arc};

/// A map: layers of cells, and objects.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The kind of file, for messages: `Tiled map`.
    pub(super) form: &'static str,
    /// The size of the map. Layers may have other sizes.
    pub(super) grid: Grid,
    /// Row and column, in the map's own coordinates, of the cell 0,0 here.
    pub(super) origin: [i64; 2],
    /// Whether the form of the file itself says which values are walls.
    pub(super) has_meanings: bool,
    /// The layers of cells, in the order of the file.
    pub(super) layers: Vec<Layer>,
    pub(super) objects: Vec<Object>,
    /// Lines for people about parts that its reader left out.
    pub(super) notes: Vec<String>,
}

impl Map {
    /// Returns the map of a form that has nothing but cells, in one layer, and says what their values mean.
    pub(super) fn of_cells(
        form: &'static str,
        layer: &str,
        [height, width]: [usize; 2],
        cells: Vec<u32>,
        values: Values,
    ) -> Map {
        let grid = Grid { height, width, cell: [1, 1], lattice: Lattice::Squares };
        let layer = Layer {
            name: layer.to_owned(),
            properties: Properties::new(),
            grid,
            cells,
            values: Arc::new(values),
        };
        Map {
            form,
            grid,
            origin: [0, 0],
            has_meanings: true,
            layers: vec![layer],
            objects: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Properties by their names, with their values as text.
pub(super) type Properties = BTreeMap<String, String>;

/// A layer of cells.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) properties: Properties,
    pub(super) grid: Grid,
    /// A number for each cell in reading order; 0 is an empty cell.
    pub(super) cells: Vec<u32>,
    /// Descriptions of the numbers. Layers may share them.
    pub(super) values: Arc<Values>,
}

/// The first of the numbers that a reader gives to values which have none in their file.
pub(super) const UNNUMBERED: u32 = 1 << 31;

/// Descriptions of the numbers in cells. A number without one is a tile of which nothing is known.
pub(super) type Values = BTreeMap<u32, CellValue>;

/// The description of a number in cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CellValue {
    /// The name of the value, or the class of the tile.
    pub(super) name: Option<String>,
    /// Red, green, blue and opacity of a pixel.
    pub(super) colour: Option<[u8; 4]>,
    pub(super) properties: Properties,
    /// Whether the tile has a collision shape.
    pub(super) has_shape: bool,
    /// The meaning that the form of the file gives to the value.
    pub(super) meaning: Option<Meaning>,
}

/// The part that a cell plays in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// No piece may stand there.
    Wall,
    /// Nothing special.
    Open,
    /// The thief escapes there.
    Exit,
    /// An officer starts there.
    Police,
    /// The thief starts there.
    Thief,
    /// The cell has this letter of boards.
    Letter(char),
}

/// An object of a map: a point or an area that is not bound to cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    pub(super) name: String,
    /// The type or class; empty if there is none.
    pub(super) class: String,
    /// The name of the layer or group that it lies in.
    pub(super) layer: String,
    pub(super) properties: Properties,
    /// The point that decides in which cell it is, in pixels from the corner of the board.
    pub(super) at: Point,
    /// The shape, if it is more than the point.
    pub(super) shape: Option<Shape>,
    /// Whether it is a tile outside of the layers of cells, whose class and properties it has.
    pub(super) is_tile: bool,
    /// Whether it is such a tile, and that has a collision shape.
    pub(super) is_solid: bool,
    /// Whether only a selector can mean it: its kind of node may be anything.
    pub(super) is_vague: bool,
}

impl Object {
    /// Returns the name, or else the class, or else the layer.
    pub(super) fn label(&self) -> &str {
        [&self.name, &self.class].into_iter().find(|name| !name.is_empty()).unwrap_or(&self.layer)
    }
}

/// Returns whether a property stands for yes: `true`, in any case, or a number other than 0.
pub(super) fn is_true(value: &str) -> bool {
    value.eq_ignore_ascii_case("true") || value.parse::<f64>().is_ok_and(|number| number != 0.0)
}

/// Returns the value of a property, whose name may be written in any case.
pub(super) fn property<'a>(properties: &'a Properties, name: &str) -> Option<&'a str> {
    properties.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_stand_for_yes() {
        assert!(["true", "True", "1", "-2.5"].into_iter().all(is_true));
        assert!(!["false", "0", "0.0", "", "yes", "NaN "].into_iter().any(is_true));
    }
}
