//! The rules that are a choice out of a few.

use serde::{Deserialize, Serialize};

/// The opposite edges of a board that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// No edges: the board is a rectangle.
    None,
    /// The left and right edges: the board is a cylinder.
    Horizontal,
    /// The top and bottom edges: the board is a cylinder lying down.
    Vertical,
    /// Both pairs: the board is a torus.
    Both,
}

/// The meaning of exits for the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PoliceOnExit {
    /// Exits are open cells.
    Allowed,
    /// No officer may step on an exit.
    Barred,
    /// Exits are the goal: with an officer on one, and the thief not, the police has won.
    Wins,
}

/// The side for which a position counts that neither side can win by force: a draw as far as moves go, in a
/// game that ends by a limit on their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Undecided {
    /// Neither side.
    Draw,
    /// The police.
    Police,
    /// The thief.
    Thief,
}

impl Wrap {
    /// Returns whether the left and right edges are joined.
    #[must_use]
    pub fn horizontal(self) -> bool {
        matches!(self, Wrap::Horizontal | Wrap::Both)
    }

    /// Returns whether the top and bottom edges are joined.
    #[must_use]
    pub fn vertical(self) -> bool {
        matches!(self, Wrap::Vertical | Wrap::Both)
    }
}
