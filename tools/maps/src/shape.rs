//! Shapes of objects.

use super::affine::{Affine, Point};
use std::f64::consts::FRAC_PI_2;

/// Straight pieces of a quarter of an ellipse.
const PIECES: u32 = 64;

/// The form of an object, in coordinates of its own.
#[derive(Clone, Debug)]
pub(super) enum Outline {
    /// A rectangle whose corners are round: an ellipse or a capsule too.
    Box {
        /// Left, top, right and bottom.
        sides: [f64; 4],
        /// How far the round corners reach along x and y; 0 if they are square.
        radii: Point,
    },
    /// An area between the lines from corner to corner, and from the last to the first.
    Polygon(Vec<Point>),
    /// A line from point to point.
    Polyline(Vec<Point>),
}

/// The form of an object, and where it lies on the board, in pixels from the corner of the cell 0,0.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) outline: Outline,
    pub(super) place: Affine,
}

impl Outline {
    /// Returns the rectangle of this size whose upper left corner is at 0,0.
    pub(super) fn rectangle([width, height]: Point) -> Outline {
        Outline::Box { sides: [0.0, 0.0, width, height], radii: [0.0, 0.0] }
    }

    /// Returns the corners, or the points of the line.
    fn points(&self) -> Vec<Point> {
        match self {
            Outline::Polygon(points) | Outline::Polyline(points) => points.clone(),
            &Outline::Box { sides: [left, top, right, bottom], radii: [x, y] } => {
                let pieces = if x > 0.0 && y > 0.0 { PIECES } else { 0 };
                let corners = [
                    (right - x, bottom - y),
                    (left + x, bottom - y),
                    (left + x, top + y),
                    (right - x, top + y),
                ];
                let corners = corners.into_iter().zip([0.0, 1.0, 2.0, 3.0]);
                corners
                    .flat_map(|((middle_x, middle_y), quarter)| {
                        (0..=pieces).map(move |piece| {
                            let turned = quarter + f64::from(piece) / f64::from(PIECES);
                            let (sine, cosine) = (turned * FRAC_PI_2).sin_cos();
                            [middle_x + x * cosine, middle_y + y * sine]
                        })
                    })
                    .collect()
            }
        }
    }

    /// Returns a point of the shape that is in the middle of it: of a line the point halfway along it, of a
    /// polygon one inside, half way down.
    fn middle(&self) -> Point {
        match self {
            Outline::Box { sides, .. } => [0, 1].map(|axis| (sides[axis] + sides[axis + 2]) / 2.0),
            Outline::Polygon(corners) => middle_of_polygon(corners),
            Outline::Polyline(points) => middle_of_line(points),
        }
    }
}

impl Shape {
    /// Returns the corners, or the points of the line, in pixels from the corner of the cell 0,0.
    pub(super) fn points(&self) -> Vec<Point> {
        self.outline.points().into_iter().map(|point| self.place.apply(point)).collect()
    }

    /// Returns the point in the middle, in pixels from the corner of the cell 0,0.
    pub(super) fn middle(&self) -> Point {
        self.place.apply(self.outline.middle())
    }
}

/// Returns the pairs of neighbours in a ring of points.
pub(super) fn sides(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

fn middle_of_polygon(corners: &[Point]) -> Point {
    let ends = |axis: usize| {
        corners
            .iter()
            .map(|corner| corner[axis])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let [(left, right), (top, bottom)] = [0, 1].map(ends);
    let y = (top + bottom) / 2.0;
    let crossed = sides(corners).filter(|([_, from], [_, to])| (*from <= y) != (*to <= y));
    let mut crossings: Vec<f64> =
        crossed.map(|(from, to)| from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0])).collect();
    crossings.sort_by(f64::total_cmp);
    let widest = crossings.chunks_exact(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    [widest.map_or((left + right) / 2.0, |span| (span[0] + span[1]) / 2.0), y]
}

fn middle_of_line(points: &[Point]) -> Point {
    let pieces = || points.windows(2).map(|ends| (ends[0], ends[1]));
    let length = |(from, to): (Point, Point)| (to[0] - from[0]).hypot(to[1] - from[1]);
    let mut left = pieces().map(length).sum::<f64>() / 2.0;
    for piece in pieces() {
        let (from, to) = piece;
        let part = left / length(piece);
        if part <= 1.0 {
            return [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
        }
        left -= length(piece);
    }
    points.first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_of_a_shape_is_in_it() {
        let corner = [[0.0, 0.0], [30.0, 0.0], [30.0, 10.0], [10.0, 10.0], [10.0, 30.0], [0.0, 30.0]];
        assert_eq!(Outline::Polygon(corner.to_vec()).middle(), [5.0, 15.0]);
        let line = [[0.0, 0.0], [10.0, 0.0], [10.0, 30.0]];
        assert_eq!(Outline::Polyline(line.to_vec()).middle(), [10.0, 10.0]);
        assert_eq!(Outline::rectangle([4.0, 2.0]).middle(), [2.0, 1.0]);
    }
}
