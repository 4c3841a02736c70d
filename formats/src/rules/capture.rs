//! How officers capture, and guards.

use super::move_set::MoveSet;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How officers capture a thief who is not on their cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Capture {
    /// As far as steps lead, or squares lie.
    Near {
        /// The unit of the distance.
        by: CaptureBy,
        /// How many, at least 1.
        #[serde(skip_serializing_if = "is_one")]
        distance: u8,
    },
    /// As far as they see.
    Seen(Sight),
}

fn is_one(distance: &u8) -> bool {
    *distance == 1
}

/// The unit of a distance of captures.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum CaptureBy {
    /// Steps of a move set, as if the officer could make them.
    Steps(MoveSet),
    /// The unit that a word names.
    Word(CaptureWord),
}

/// A unit of a distance of captures that is no move set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CaptureWord {
    /// The officer's own moves.
    Moves,
    /// Rows and columns, whatever stands between.
    Squares,
}

impl Capture {
    /// Creates the capture by one step of `by`.
    #[must_use]
    pub const fn by(by: MoveSet) -> Capture {
        Capture::Near { by: CaptureBy::Steps(by), distance: 1 }
    }

    /// Returns the move set whose steps capture, if that is what captures.
    #[must_use]
    pub const fn move_set(&self) -> Option<&MoveSet> {
        match self {
            Capture::Near { by: CaptureBy::Steps(by), .. } => Some(by),
            _ => None,
        }
    }
}

impl fmt::Display for Capture {
    /// Writes how officers capture, as in `at up to 2 steps of king` or `as far as 8 squares in sight`.
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Capture::Near { by: CaptureBy::Steps(by), distance: 1 } => write!(text, "at a step of {by}"),
            Capture::Near { by: CaptureBy::Steps(by), distance } => {
                write!(text, "at up to {distance} steps of {by}")
            }
            Capture::Near { by: CaptureBy::Word(CaptureWord::Moves), distance } => {
                write!(text, "at up to {distance} of their moves")
            }
            Capture::Near { by: CaptureBy::Word(CaptureWord::Squares), distance } => {
                write!(text, "at up to {distance} rows and columns")
            }
            Capture::Seen(sight) => write!(text, "{sight}"),
        }
    }
}

/// The sight of an officer or a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Sight {
    /// The greatest distance: rows² + columns² are at most its square.
    pub sight: u16,
    /// The angle of the cone that is seen, in degrees, one of [`Sight::ANGLES`]; all around if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<u16>,
    /// The squares between that bar sight.
    pub lines: Lines,
    /// Whether closed doors bar sight.
    pub doors: bool,
}

impl Sight {
    /// The angles of cones.
    pub const ANGLES: [u16; 6] = [45, 60, 90, 120, 180, 270];
}

impl fmt::Display for Sight {
    /// Writes what is seen, as in `in sight up to 8 squares away, at 90 degrees`.
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "in sight up to {} squares away", self.sight)?;
        if let Some(angle) = self.angle {
            write!(text, ", at {angle} degrees")?;
        }
        text.write_str(match self.lines {
            Lines::Shadows => "",
            Lines::Supercover => ", by the supercover line",
        })?;
        text.write_str(if self.doors { "" } else { ", through closed doors" })
    }
}

/// Which squares between two are looked at when one sees the other. `tools/docs/rules.md` defines both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lines {
    /// Symmetric shadow casting.
    #[default]
    Shadows,
    /// All that the line from centre to centre touches.
    Supercover,
}
