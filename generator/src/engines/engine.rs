//! The choice of an engine.

/// The engine that solves a pursuit game. The bytes of the table do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The faster one that solves the game: [`bitboard`](crate::bitboard), but for several worlds.
    #[default]
    Auto,
    /// [`counters`](crate::counters), the engine for any game. Takes no checkpoints.
    Counters,
    /// [`bitboard`](crate::bitboard), the engine for games with one world.
    Bitboard,
}

impl Engine {
    /// Returns the engine itself, or the one that [`Engine::Auto`] stands for in a game with so many worlds.
    #[must_use]
    pub(crate) fn chosen(self, worlds: u32) -> Engine {
        match self {
            Engine::Auto if worlds > 1 => Engine::Counters,
            Engine::Auto | Engine::Bitboard => Engine::Bitboard,
            Engine::Counters => Engine::Counters,
        }
    }
}
