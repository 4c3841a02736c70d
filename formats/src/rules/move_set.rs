//! The steps of pieces and captures.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The steps of a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveSet {
    /// The 8 neighbours.
    King,
    /// The 4 neighbours in row and column.
    Orthogonal,
    /// The 4 diagonal neighbours.
    Diagonal,
    /// A chess knight's 8 leaps.
    Knight,
    /// Any list of (rows down, columns right).
    Offsets(Vec<(i16, i16)>),
    /// The edges of the graph that is the board.
    Edges,
}

impl MoveSet {
    /// The most offsets that [`MoveSet::Offsets`] may hold.
    pub const MAX_OFFSETS: usize = 255;

    /// Returns the steps as (rows down, columns right); none for [`MoveSet::Edges`], which depend on the
    /// board.
    #[must_use]
    pub fn offsets(&self) -> &[(i16, i16)] {
        match self {
            MoveSet::King => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
            MoveSet::Orthogonal => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
            MoveSet::Diagonal => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
            MoveSet::Knight => &[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)],
            MoveSet::Offsets(list) => list,
            MoveSet::Edges => &[],
        }
    }
}

impl fmt::Display for MoveSet {
    /// Writes the name of the steps, or lists their offsets.
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(match self {
            MoveSet::King => "king",
            MoveSet::Orthogonal => "orthogonal",
            MoveSet::Diagonal => "diagonal",
            MoveSet::Knight => "knight",
            MoveSet::Edges => "along edges",
            MoveSet::Offsets(list) => {
                text.write_str("offsets")?;
                return list.iter().try_for_each(|(down, right)| write!(text, " [{down}, {right}]"));
            }
        })
    }
}
