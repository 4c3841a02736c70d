//! The kinds of tables, which differ in their headers and in the places of positions, and in nothing else.

use super::layout::{GAME_VERSION, VERSION};
use std::fmt;

/// The kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// A pursuit table: see [`Header`](crate::header::Header).
    Pursuit,
    /// A game table, of any other game whose positions are numbers: see
    /// [`GameHeader`](crate::header::GameHeader).
    Game,
    /// A partial table, which keeps a part of what a pursuit table knows: see
    /// [`PartialHeader`](crate::header::PartialHeader).
    Partial,
}

impl TableKind {
    /// Returns the version of the format in which tables of this kind are written.
    #[must_use]
    pub fn version(self) -> u16 {
        if self == TableKind::Game { GAME_VERSION } else { VERSION }
    }

    /// Returns the kind of a table of this version, whose header has these bytes, by its first fields.
    /// A number that no table has counts as pursuit, whose header refuses it.
    #[must_use]
    pub fn of(version: u16, header: &[u8]) -> TableKind {
        let field = |at: usize| header.get(at..at + 4).map(|field| [field[0], field[1], field[2], field[3]]);
        match (version, field(0).map(u32::from_le_bytes), field(4).map(u32::from_le_bytes)) {
            (GAME_VERSION, ..) => TableKind::Game,
            (_, Some(0), Some(1..)) => TableKind::Partial,
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
        })
    }
}
