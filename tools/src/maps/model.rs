//! A map as its editor has it, before it is decided which cells are walls, exits and start cells.

use std::{collections::BTreeMap, sync::Arc};

/// A map: layers of cells, and objects.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The kind of file, for messages: `Tiled map`.
    pub(super) form: &'static str,
    pub(super) lattice: Lattice,
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
        let grid = Grid { height, width, cell: [1, 1] };
        let layer = Layer {
            name: layer.to_owned(),
            properties: Properties::new(),
            grid,
            cells,
            values: Arc::new(values),
        };
        Map {
            form,
            lattice: Lattice::Squares,
            grid,
            origin: [0, 0],
            has_meanings: true,
            layers: vec![layer],
            objects: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The neighbours that a cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lattice {
    /// Four neighbours along edges, four at corners.
    Squares,
    /// Six neighbours. Every second column, or row, is moved by half a cell.
    Hexagons {
        /// Whether columns are moved, not rows.
        columns: bool,
        /// Whether the columns or rows with odd numbers are moved, not those with even numbers.
        odd: bool,
    },
}

/// A rectangle of cells of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Rows.
    pub(super) height: usize,
    /// Columns.
    pub(super) width: usize,
    /// Width and height of a cell in pixels, at least 1.
    pub(super) cell: [u32; 2],
}

impl Grid {
    /// Returns the number of cells.
    pub(super) fn cells(self) -> usize {
        self.height * self.width
    }

    /// Returns the index of the cell at the point x, y, in pixels from the corner of the cell 0,0.
    pub(super) fn index_at(self, point: [f64; 2]) -> Option<usize> {
        let [x, y] = [0, 1].map(|axis| (point[axis] / f64::from(self.cell[axis])).floor());
        let inside = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
        inside.then(|| y as usize * self.width + x as usize)
    }

    /// Returns the point in the middle of the cell with this index.
    pub(super) fn middle(self, index: usize) -> [f64; 2] {
        let [column, row] = [index % self.width, index / self.width];
        [(column as f64 + 0.5) * f64::from(self.cell[0]), (row as f64 + 0.5) * f64::from(self.cell[1])]
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
    /// The point that decides in which cell it is, in pixels from the corner of the cell 0,0.
    pub(super) at: [f64; 2],
    /// Left, top, right and bottom of a rectangle, in pixels.
    pub(super) area: Option<[f64; 4]>,
    /// Whether it is a polygon, an ellipse or another shape of which only the point is used.
    pub(super) is_shape: bool,
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
    fn point_on_an_edge_belongs_to_the_cell_behind_it() {
        let grid = Grid { height: 2, width: 3, cell: [16, 8] };
        assert_eq!(grid.index_at([0.0, 0.0]), Some(0));
        assert_eq!(grid.index_at([16.0, 7.9]), Some(1));
        assert_eq!(grid.index_at([47.9, 8.0]), Some(5));
        assert_eq!(grid.index_at([48.0, 8.0]), None);
        assert_eq!(grid.index_at([-0.1, 8.0]), None);
        assert_eq!(grid.index_at([f64::NAN, 0.0]), None);
        assert_eq!(grid.index_at(grid.middle(4)), Some(4));
    }

    #[test]
    fn numbers_and_words_stand_for_yes() {
        assert!(["true", "True", "1", "-2.5"].into_iter().all(is_true));
        assert!(!["false", "0", "0.0", "", "yes", "NaN "].into_iter().any(is_true));
    }
}
