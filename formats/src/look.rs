//! The directions in which officers and guards look.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A direction on a board of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Up.
    North,
    /// Up and to the right.
    NorthEast,
    /// To the right.
    East,
    /// Down and to the right.
    SouthEast,
    /// Down.
    South,
    /// Down and to the left.
    SouthWest,
    /// To the left.
    West,
    /// Up and to the left.
    NorthWest,
}

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// Returns the rows down and columns right of a step in the direction.
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        const OFFSETS: [(i32, i32); 8] =
            [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
        OFFSETS[self as usize]
    }

    /// Returns the word for the direction.
    #[must_use]
    pub const fn word(self) -> &'static str {
        const WORDS: [&str; 8] =
            ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
        WORDS[self as usize]
    }

    /// Returns the direction of an offset in row, column or diagonal; `None` for others, and for no offset.
    #[must_use]
    pub fn along(down: i32, right: i32) -> Option<Direction> {
        let straight = down == 0 || right == 0 || down.abs() == right.abs();
        let offset = (down.signum(), right.signum());
        Direction::ALL.into_iter().find(|direction| straight && direction.offset() == offset)
    }

    /// Returns whether an offset differs from the direction by at most half of `angle`, one of
    /// [`Sight::ANGLES`](crate::rules::Sight::ANGLES). No offset differs from none.
    #[must_use]
    pub fn sees(self, angle: u16, down: i32, right: i32) -> bool {
        if (down, right) == (0, 0) {
            return true;
        }
        let (ahead, beside) = self.offset();
        // In proportion to the cosine and the sine of the angle between them.
        let cos = i64::from(down * ahead + right * beside);
        let sin = i64::from(down * beside - right * ahead).abs();
        match angle {
            45 => cos > 0 && (sin + cos).pow(2) <= 2 * cos.pow(2),
            60 => cos > 0 && 3 * sin.pow(2) <= cos.pow(2),
            90 => cos > 0 && sin <= cos,
            120 => cos > 0 && sin.pow(2) <= 3 * cos.pow(2),
            180 => cos >= 0,
            _ => cos >= 0 || -cos <= sin,
        }
    }

    /// Returns those of so many directions, 4 or 8 by their numbers clockwise from north, that are nearest to
    /// an offset: two if they are equally near, none if there is no offset.
    pub fn nearest(directions: u8, down: i32, right: i32) -> impl Iterator<Item = u8> {
        let apart = 8 / directions;
        // The cosine between them, squared with its sign, times what is the same for all.
        let near = move |&number: &u8| {
            let (ahead, beside) = Direction::ALL[usize::from(number * apart)].offset();
            let cos = i64::from(down * ahead + right * beside);
            cos * cos.abs() * if ahead == 0 || beside == 0 { 2 } else { 1 }
        };
        let nearest = (0..directions).map(|number| near(&number)).max();
        (0..directions).filter(move |number| (down, right) != (0, 0) && Some(near(number)) == nearest)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cones_and_nearest_directions_are_those_of_the_angles() {
        for (down, right) in (-9..=9).flat_map(|down| (-9..=9).map(move |right| (down, right))) {
            if (down, right) == (0, 0) {
                assert_eq!(Direction::nearest(8, 0, 0).count(), 0);
                continue;
            }
            let differ = |direction: Direction| {
                let (ahead, beside) = direction.offset();
                let turn =
                    f64::from(right).atan2(f64::from(-down)) - f64::from(beside).atan2(f64::from(-ahead));
                turn.sin().atan2(turn.cos()).abs().to_degrees()
            };
            for direction in Direction::ALL {
                for angle in crate::rules::Sight::ANGLES {
                    let sees = differ(direction) <= f64::from(angle) / 2.0 + 1e-9;
                    assert_eq!(
                        direction.sees(angle, down, right),
                        sees,
                        "{direction} {angle} {down} {right}"
                    );
                }
            }
            for directions in [4, 8] {
                let of = |number: u8| differ(Direction::ALL[usize::from(number * (8 / directions))]);
                let least = (0..directions).map(of).fold(f64::MAX, f64::min);
                let near = (0..directions).filter(|&number| of(number) <= least + 1e-9);
                assert!(near.eq(Direction::nearest(directions, down, right)), "{directions} {down} {right}");
            }
        }
    }
}
