//! The choice of an engine.

/// The engine that solves a pursuit game. The bytes of the table do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The faster one, [`bitboard`](crate::bitboard).
    #[default]
    Auto,
    /// [`counters`](crate::counters), the engine for any game. Takes no checkpoints.
    Counters,
    /// [`bitboard`](crate::bitboard), the engine for boards.
    Bitboard,
}

impl Engine {
    /// Returns the engine itself, or the one that [`Engine::Auto`] stands for.
    #[must_use]
    pub fn chosen(self) -> Engine {
        match self {
            Engine::Auto | Engine::Bitboard => Engine::Bitboard,
            Engine::Counters => Engine::Counters,
        }
    }
}
