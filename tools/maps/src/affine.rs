//! Affine maps of the plane, by which editors place, turn and scale what they draw.

/// A point or a distance: x before y, y downwards.
pub(super) type Point = [f64; 2];

/// A map of the plane that keeps straight lines straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    /// The image of the distance 1,0.
    pub(super) x: Point,
    /// The image of the distance 0,1.
    pub(super) y: Point,
    /// The image of the point 0,0.
    pub(super) origin: Point,
}

impl Affine {
    pub(super) const IDENTITY: Affine = Affine { x: [1.0, 0.0], y: [0.0, 1.0], origin: [0.0, 0.0] };

    /// Returns the map that moves every point by a distance.
    pub(super) fn shift(origin: Point) -> Affine {
        Affine { origin, ..Affine::IDENTITY }
    }

    /// Returns the map that multiplies x and y by two factors.
    pub(super) fn scale([x, y]: Point) -> Affine {
        Affine { x: [x, 0.0], y: [0.0, y], origin: [0.0, 0.0] }
    }

    /// Returns the map that turns clockwise around 0,0. Quarters of a turn are exact.
    pub(super) fn rotation(degrees: f64) -> Affine {
        let degrees = degrees.rem_euclid(360.0);
        let (sine, cosine) = match degrees / 90.0 {
            0.0 => (0.0, 1.0),
            1.0 => (1.0, 0.0),
            2.0 => (0.0, -1.0),
            3.0 => (-1.0, 0.0),
            _ => degrees.to_radians().sin_cos(),
        };
        Affine { x: [cosine, sine], y: [-sine, cosine], origin: [0.0, 0.0] }
    }

    /// Returns the image of a point.
    pub(super) fn apply(&self, [x, y]: Point) -> Point {
        [0, 1].map(|axis| self.x[axis] * x + self.y[axis] * y + self.origin[axis])
    }

    /// Returns the map that does `first`, and then what this one does.
    pub(super) fn after(&self, first: &Affine) -> Affine {
        let distance = |image: Point| [0, 1].map(|axis| self.apply(image)[axis] - self.origin[axis]);
        Affine { x: distance(first.x), y: distance(first.y), origin: self.apply(first.origin) }
    }

    /// Returns the map that undoes this one, if there is one.
    pub(super) fn inverse(&self) -> Option<Affine> {
        let Affine { x: [a, b], y: [c, d], origin: [e, f] } = *self;
        let area = a * d - b * c;
        let linear = Affine { x: [d / area, -b / area], y: [-c / area, a / area], origin: [0.0, 0.0] };
        let exists = [linear.x, linear.y, self.origin].as_flattened().iter().all(|part| part.is_finite());
        exists.then(|| Affine { origin: linear.apply([-e, -f]), ..linear })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_shift_turn_and_scale() {
        let parts = [Affine::shift([3.0, -5.0]), Affine::rotation(30.0), Affine::scale([2.0, -0.5])];
        let all = parts[0].after(&parts[1].after(&parts[2]));
        let there = all.apply([7.0, 11.0]);
        let back = all.inverse().unwrap().apply(there);
        assert!((back[0] - 7.0).abs() < 1e-12 && (back[1] - 11.0).abs() < 1e-12, "{back:?}");
        assert_eq!(Affine::scale([0.0, 1.0]).inverse(), None);
        assert_eq!(Affine::shift([f64::NAN, 0.0]).inverse(), None);
    }

    #[test]
    fn quarters_of_a_turn_are_exact_and_clockwise() {
        assert_eq!(Affine::rotation(90.0).apply([2.0, 0.0]), [0.0, 2.0]);
        assert_eq!(Affine::rotation(-90.0).apply([2.0, 0.0]), [0.0, -2.0]);
        assert_eq!(Affine::rotation(540.0).apply([2.0, 1.0]), [-2.0, -1.0]);
    }
}
