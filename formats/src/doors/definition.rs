//! Doors as a person writes them.

use super::error::DoorError;
use crate::cell::Cell;
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::fmt::{self, Write};

/// A cell that a piece can enter only while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Door {
    /// The cell, open on the board.
    pub cell: Cell,
    /// The way in which the door opens and closes.
    pub opening: Opening,
}

/// The way in which a door opens and closes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Each time a piece of either side steps onto the key from another cell.
    Key {
        /// The cell of the key, which may be the key of several doors.
        cell: Cell,
        /// Whether the door is open at the start.
        open: bool,
        /// Whether only the first step on the key counts.
        once: bool,
    },
    /// The number of plies opens and closes the door.
    Schedule(Schedule),
}

/// The plies of a period in which a door is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Schedule {
    period: u8,
    /// One bit for each ply of the period, set while the door is open.
    open: u16,
}

/// The doors of a doors file: a list `[[doors]]` of which each has a `cell`, and either a `key`, perhaps with
/// `open`, or a `schedule`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "doors, [[doors]] with cell and key or schedule")]
pub struct DoorsText {
    /// The doors.
    #[serde(default)]
    pub doors: Vec<Door>,
}

/// The keys of a door in a doors file or a manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoorText {
    cell: CellText,
    key: Option<CellText>,
    open: Option<bool>,
    once: Option<bool>,
    schedule: Option<Schedule>,
}

/// A cell as a doors file or a manifest writes it: `[ROW, COLUMN]`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<u16>")]
pub(crate) struct CellText(pub(crate) Cell);

impl TryFrom<Vec<u16>> for CellText {
    type Error = String;

    fn try_from(numbers: Vec<u16>) -> Result<CellText, String> {
        match numbers[..] {
            [row, col] => Ok(CellText(Cell::new(row, col))),
            _ => Err(format!("expected a cell [ROW, COLUMN], found a list of {}", numbers.len())),
        }
    }
}

/// Reads a door as a doors file or a manifest describes it. An error has the place of the door.
impl<'de> Deserialize<'de> for Door {
    fn deserialize<D: Deserializer<'de>>(door: D) -> Result<Door, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Door;

            fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
                text.write_str("a door, with cell and key or schedule")
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Door, A::Error> {
                let text = DoorText::deserialize(MapAccessDeserializer::new(keys))?;
                text.door().map_err(A::Error::custom)
            }
        }

        door.deserialize_map(Keys)
    }
}

impl Door {
    /// Returns the cell of the door's key, if it has one.
    #[must_use]
    pub fn key(&self) -> Option<Cell> {
        match self.opening {
            Opening::Key { cell, .. } => Some(cell),
            Opening::Schedule(_) => None,
        }
    }

    /// Returns the door's schedule, if it has one.
    #[must_use]
    pub fn schedule(&self) -> Option<Schedule> {
        match self.opening {
            Opening::Schedule(schedule) => Some(schedule),
            Opening::Key { .. } => None,
        }
    }
}

impl Schedule {
    /// The longest period in plies.
    pub const MAX_PERIOD: usize = 16;

    /// Creates the schedule that `text` draws: one character for each ply, '.' for open and '#' for closed.
    ///
    /// # Errors
    /// When there are other characters, none, or more than [`Schedule::MAX_PERIOD`].
    pub fn new(text: &str) -> Result<Schedule, DoorError> {
        let refused = || DoorError::Schedule { found: text.chars().take(40).collect() };
        if text.is_empty() || text.len() > Schedule::MAX_PERIOD {
            return Err(refused());
        }
        let mut open = 0;
        for (ply, sign) in text.bytes().enumerate() {
            match sign {
                b'.' => open |= 1 << ply,
                b'#' => {}
                _ => return Err(refused()),
            }
        }
        Ok(Schedule { period: text.len() as u8, open })
    }

    /// Returns the number of plies after which the schedule begins anew, 1 to [`Schedule::MAX_PERIOD`].
    #[must_use]
    pub fn period(self) -> u8 {
        self.period
    }

    /// Returns whether the door is open for the move of ply number `ply`, from 0.
    #[must_use]
    pub fn is_open(self, ply: u32) -> bool {
        self.open >> (ply % u32::from(self.period)) & 1 == 1
    }
}

/// Reads a schedule as [`Schedule::new`] does.
impl TryFrom<String> for Schedule {
    type Error = DoorError;

    fn try_from(text: String) -> Result<Schedule, DoorError> {
        Schedule::new(&text)
    }
}

/// Draws the schedule as [`Schedule::new`] reads it.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.period.into()).try_for_each(|ply| f.write_char(if self.is_open(ply) { '.' } else { '#' }))
    }
}

impl DoorText {
    /// Returns the door.
    ///
    /// # Errors
    /// When it has both a key and a schedule, or neither.
    fn door(self) -> Result<Door, DoorError> {
        let CellText(cell) = self.cell;
        let refused = |found| DoorError::Opening { cell, found };
        let of_keys = self.open.is_some() || self.once.is_some();
        let opening = match (self.key, self.schedule) {
            (Some(CellText(cell)), None) => {
                Opening::Key { cell, open: self.open.unwrap_or(false), once: self.once.unwrap_or(false) }
            }
            (None, Some(schedule)) if !of_keys => Opening::Schedule(schedule),
            (None, Some(_)) => {
                return Err(refused("a schedule and the words open or once, which are for keys"));
            }
            (Some(_), Some(_)) => return Err(refused("both")),
            (None, None) => return Err(refused("neither")),
        };
        Ok(Door { cell, opening })
    }
}
