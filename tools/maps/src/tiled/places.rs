//! Where the objects of a Tiled map lie on the board, as Tiled draws them.

use super::{
    raw::{Kind, TiledObject},
    tiles::Picture,
};
use crate::{
    affine::{Affine, Point},
    shape::{Outline, Shape},
};

/// The bits of a tile's number that turn its picture: by a quarter and a mirror on squares, by 60 degrees on
/// hexagons; and by 120 degrees.
const DIAGONAL: u32 = 0x2000_0000;
const TURNED_TWICE: u32 = 0x1000_0000;

/// The plane of a map.
pub(super) struct Places {
    /// Takes pixels of the map to pixels of the screen. They differ if the map is isometric.
    pub(super) screen: Affine,
    /// Takes pixels of the screen to pixels from the corner of the board.
    pub(super) board: Affine,
    /// Width and height of a tile in pixels.
    pub(super) tile: Point,
    pub(super) is_isometric: bool,
    pub(super) is_hexagonal: bool,
}

impl Places {
    /// Returns the point that decides in which cell an object is, and its shape if it is more than a point.
    /// The layer of the object is moved by `offset`. Pictures and texts lie on the screen, all else on the
    /// map.
    pub(super) fn place(
        &self,
        object: &TiledObject,
        picture: Option<&Picture>,
        offset: Point,
    ) -> (Point, Option<Shape>) {
        let anchor = Affine::shift(offset).apply(self.screen.apply(object.at));
        let turned = Affine::shift(anchor).after(&Affine::rotation(object.rotation.unwrap_or(0.0)));
        let on_screen = self.board.after(&turned);
        let on_map = on_screen.after(&self.screen);
        let [width, height] = object.size;
        let round = |radii| Outline::Box { sides: [0.0, 0.0, width, height], radii };
        let (outline, place) = match (picture, object.kind.clone().unwrap_or_default()) {
            (Some(picture), _) => self.picture(object, picture, &on_screen),
            (None, Kind::Point) => return (self.board.apply(anchor), None),
            (None, Kind::Polygon(corners)) => (Outline::Polygon(corners), on_map),
            (None, Kind::Polyline(points)) => (Outline::Polyline(points), on_map),
            (None, _) if object.size == [0.0, 0.0] => return (self.board.apply(anchor), None),
            (None, Kind::Text) => (round([0.0, 0.0]), on_screen),
            (None, Kind::Rectangle) => (round([0.0, 0.0]), on_map),
            (None, Kind::Ellipse) => (round([width / 2.0, height / 2.0]), on_map),
            (None, Kind::Capsule) => (round([width.min(height) / 2.0; 2]), on_map),
        };
        let shape = Shape { outline, place };
        (shape.middle(), Some(shape))
    }

    /// Returns the outline of a picture. Of an isometric map it is the ground on which the picture stands:
    /// the rhomb of the same width at its lower side.
    fn picture(&self, object: &TiledObject, picture: &Picture, place: &Affine) -> (Outline, Affine) {
        let size = [0, 1].map(|axis| match object.size[axis] {
            0.0 => picture.size[axis],
            side => side,
        });
        let mut scale = [0, 1].map(|axis| size[axis] / picture.size[axis]);
        if picture.is_fitted {
            scale = [scale[0].min(scale[1]); 2];
        }
        let mut drawn = [0, 1].map(|axis| scale[axis] * picture.size[axis]);
        let mut middle = [0, 1]
            .map(|axis| size[axis] * (0.5 - picture.alignment[axis]) + scale[axis] * picture.offset[axis]);
        let flips = object.tile.unwrap_or_default();
        let mut turn = 0.0;
        if self.is_hexagonal {
            turn = if flips & DIAGONAL > 0 { 60.0 } else { 0.0 }
                + if flips & TURNED_TWICE > 0 { 120.0 } else { 0.0 };
        } else if flips & DIAGONAL > 0 {
            // Its lower left corner stays where it is.
            middle = middle.map(|at| at + (size[1] - size[0]) / 2.0);
            drawn.reverse();
        }
        let place = place.after(&Affine::shift(middle)).after(&Affine::rotation(turn));
        if !self.is_isometric {
            let corner = drawn.map(|side| -side / 2.0);
            return (Outline::rectangle(drawn), place.after(&Affine::shift(corner)));
        }
        let side = drawn[0] * self.tile[1] / self.tile[0];
        let corner = Affine::shift([0.0, drawn[1] / 2.0 - side]);
        (Outline::rectangle([side; 2]), place.after(&corner).after(&self.screen))
    }
}
