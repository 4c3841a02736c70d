//! Which engine solves.

/// Which engine solves a pursuit game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The quicker one, [`bitboard`](crate::engines::bitboard); or, where a solve goes on from a check-point, the one that wrote it.
    #[default]
    Auto,
    /// [`counters`](crate::engines::counters).
    Counters,
    /// [`bitboard`](crate::engines::bitboard).
    Bitboard,
}

impl Engine {
    /// The engine itself, or that which [`Engine::Auto`] takes for a solve that begins.
    #[must_use]
    pub fn taken(self) -> Engine {
        match self {
            Engine::Auto | Engine::Bitboard => Engine::Bitboard,
            Engine::Counters => Engine::Counters,
        }
    }
}
