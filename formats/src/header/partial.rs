//! The header of a partial table (`FORMAT.md` §11).

use super::{error::HeaderError, pursuit::Header};
use crate::cell::Side;
use std::fmt;

/// The part of a pursuit table's knowledge that a partial table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The side that wins each position.
    Outcomes,
    /// A best move of each position with this side to move.
    MovesOf(Side),
}

impl Keep {
    /// All parts that can be kept, each at the place of its number in the field `keeps`, less 1.
    const ALL: [Keep; 3] = [Keep::Outcomes, Keep::MovesOf(Side::Police), Keep::MovesOf(Side::Thief)];
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Outcomes => f.write_str("who wins"),
            Keep::MovesOf(side) => write!(f, "the moves of the {side}"),
        }
    }
}

/// Everything about a partial table but what it keeps of each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialHeader {
    /// The header of the pursuit table from which this one was made.
    pub game: Header,
    /// The part of the pursuit table that the table keeps.
    pub keep: Keep,
}

impl PartialHeader {
    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        let keeps = Keep::ALL.iter().position(|&keep| keep == self.keep).expect("one of all");
        self.game.to_bytes_keeping(keeps as u32 + 1)
    }

    /// Reads the header in `bytes`. Takes memory in proportion to the bytes.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<PartialHeader, HeaderError> {
        let (game, keeps) = Header::from_bytes_with_keeps(bytes)?;
        let expected = "a partial table that keeps 1, 2 or 3 (who wins, the police's moves, the thief's)";
        let keep = Keep::ALL.get((keeps as usize).wrapping_sub(1)).copied();
        let keep = keep.ok_or(HeaderError::Field { expected, found: keeps.into() })?;
        Ok(PartialHeader { game, keep })
    }
}
