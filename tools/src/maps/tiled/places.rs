//! Where the objects of a Tiled map lie on the board.

use super::raw::{Hexagon, TiledObject};
use crate::maps::{
    frame::Frame,
    model::{Grid, Lattice, Object},
};

/// Finds where objects lie on the board.
pub(super) struct Places<'a> {
    pub(super) lattice: Lattice,
    /// Width and height of a tile in pixels.
    pub(super) tile: [u32; 2],
    pub(super) hexagon: &'a Hexagon,
    pub(super) isometric: bool,
    pub(super) grid: Grid,
    pub(super) frame: Frame,
}

impl Places<'_> {
    /// Returns the object with its place in pixels from the corner of the board.
    pub(super) fn object(&self, object: TiledObject, offset: [f64; 2]) -> Object {
        let [x, y] = [object.at[0] + offset[0], object.at[1] + offset[1]];
        let [width, height] = object.size;
        let is_area = !object.is_shape && !object.is_tile && width > 0.0 && height > 0.0;
        let at = match (object.is_tile, self.isometric) {
            // The lower corner of the picture.
            (true, true) => [0, 1].map(|axis| [x, y][axis] - f64::from(self.tile[1]) / 2.0),
            (true, false) => {
                let or_tile = |length: f64, tile: u32| if length > 0.0 { length } else { f64::from(tile) };
                [x + or_tile(width, self.tile[0]) / 2.0, y - or_tile(height, self.tile[1]) / 2.0]
            }
            (false, _) if is_area => [x + width / 2.0, y + height / 2.0],
            (false, _) => [x, y],
        };
        let start = [self.frame.at[1] as f64, self.frame.at[0] as f64];
        let (at, area) = if let Lattice::Hexagons { columns, odd } = self.lattice {
            let cell = nearest_hexagon(at, self.tile, self.hexagon.side.unwrap_or(0.0), columns, odd);
            ([0, 1].map(|axis| cell[axis] - start[axis] + 0.5), None)
        } else {
            let from = [0, 1].map(|axis| start[axis] * f64::from(self.grid.cell[axis]));
            let area = [x - from[0], y - from[1], x + width - from[0], y + height - from[1]];
            ([at[0] - from[0], at[1] - from[1]], is_area.then_some(area))
        };
        Object {
            name: object.name,
            class: object.class,
            layer: String::new(),
            properties: object.properties,
            at,
            area,
            is_shape: object.is_shape,
        }
    }
}

/// Returns column and row of the hexagon whose middle is nearest to a point.
fn nearest_hexagon(point: [f64; 2], tile: [u32; 2], side: f64, columns: bool, odd: bool) -> [f64; 2] {
    let size = tile.map(f64::from);
    // Along `far` every second line of cells is moved; `near` is the other axis.
    let (near, far) = if columns { (1, 0) } else { (0, 1) };
    let step = ((size[far] + side) / 2.0).max(0.5);
    let guess = ((point[far] - size[far] / 2.0) / step).round();
    let mut nearest = (f64::INFINITY, [0.0, 0.0]);
    for line in [guess - 1.0, guess, guess + 1.0] {
        let moved = (line.rem_euclid(2.0) == 1.0) == odd;
        let begin = size[near] / 2.0 + if moved { size[near] / 2.0 } else { 0.0 };
        let place = ((point[near] - begin) / size[near]).round();
        let middle = [begin + place * size[near], line * step + size[far] / 2.0];
        let distance = (point[near] - middle[0]).hypot(point[far] - middle[1]);
        if distance < nearest.0 {
            nearest = (distance, if columns { [line, place] } else { [place, line] });
        }
    }
    nearest.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_of_a_hexagon_is_nearest_to_it() {
        // Rows are moved; a row is (28 + 12) / 2 = 20 pixels below the one before it.
        assert_eq!(nearest_hexagon([14.0, 14.0], [28, 28], 12.0, false, true), [0.0, 0.0]);
        assert_eq!(nearest_hexagon([28.0, 34.0], [28, 28], 12.0, false, true), [0.0, 1.0]);
        assert_eq!(nearest_hexagon([14.0, 34.0], [28, 28], 12.0, false, false), [0.0, 1.0]);
        assert_eq!(nearest_hexagon([34.0, 28.0], [28, 28], 12.0, true, true), [1.0, 0.0]);
    }
}
