//! The rules that are a choice of a few.

use serde::{Deserialize, Serialize};

/// Which opposite edges are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// None: the board is a rectangle.
    None,
    /// Left and right: a cylinder.
    Horizontal,
    /// Top and bottom: a cylinder lying down.
    Vertical,
    /// Both pairs: a torus.
    Both,
}

/// What happens to the side to move that has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stuck {
    /// It loses, at once.
    Loses,
    /// It wins, at once.
    Wins,
}

/// How many officers move in one turn of the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Team {
    /// Every officer.
    All,
    /// One officer.
    One,
}

/// What exits are to the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoliceOnExit {
    /// Open cells.
    Allowed,
    /// Cells that no officer may step on.
    Barred,
    /// The goal: with an officer on one, and the thief not, the police has won.
    Wins,
}

/// Whose win it is if nobody can force one: positions that are drawn as far as moves go, but end by a limit on their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undecided {
    /// Nobody's.
    Draw,
    /// That of the police.
    Police,
    /// That of the thief.
    Thief,
}

impl Wrap {
    /// Whether the left and right edges are joined.
    #[must_use]
    pub fn horizontal(self) -> bool {
        matches!(self, Wrap::Horizontal | Wrap::Both)
    }

    /// Whether the top and bottom edges are joined.
    #[must_use]
    pub fn vertical(self) -> bool {
        matches!(self, Wrap::Vertical | Wrap::Both)
    }
}
