//! The kinds of tables, which differ in their headers and in the places of positions, and in nothing else.

use super::layout::{GIVEN_VERSION, VERSION};
use crate::header::{GameHeader, PARTIAL};
use std::fmt;

/// The kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// A pursuit table, of pursuit on a board: see [`Header`](crate::header::Header).
    Pursuit,
    /// A game table, of any other game whose positions are numbers: see [`GameHeader`].
    Game,
    /// A partial table, which keeps a part of what a pursuit table knows: see
    /// [`PartialHeader`](crate::header::PartialHeader).
    Partial,
    /// The table of a given game, whose file has the moves of the game instead of a board and rules: see
    /// [`GivenHeader`](crate::header::GivenHeader).
    Given,
}

impl TableKind {
    /// Returns the version of the format in which tables of this kind are written.
    #[must_use]
    pub fn version(self) -> u16 {
        if self == TableKind::Given { GIVEN_VERSION } else { VERSION }
    }

    /// Returns the kind of a table of this version, whose header has these bytes, by its first field.
    /// A number that no table has counts as pursuit, whose header refuses it.
    #[must_use]
    pub fn of(version: u16, header: &[u8]) -> TableKind {
        if version == GIVEN_VERSION {
            return TableKind::Given;
        }
        match header.first_chunk().map(|&game| u32::from_le_bytes(game)) {
            Some(GameHeader::GAME | GameHeader::GAME_WITH_DOORS) => TableKind::Game,
            Some(PARTIAL) => TableKind::Partial,
            _ => TableKind::Pursuit,
        }
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableKind::Pursuit => "a pursuit table",
            TableKind::Game => "a game table",
            TableKind::Partial => "a partial table",
            TableKind::Given => "the table of a given game",
        })
    }
}
