//! The kinds of tables, which differ in their headers and in the places of positions, and in nothing else.

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

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableKind::Pursuit => "a pursuit table",
            TableKind::Game => "a game table",
            TableKind::Partial => "a partial table",
        })
    }
}
