//! The choice of an engine.

/// The engine that solves a pursuit game. The bytes of the table do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The faster one that solves the game: [`bitboard`](crate::bitboard), but for several worlds, or without
    /// officers.
    #[default]
    Auto,
    /// [`counters`](crate::counters), the engine for any game. Takes no checkpoints.
    Counters,
    /// [`bitboard`](crate::bitboard), the engine for games with officers and one world.
    Bitboard,
}

impl Engine {
    /// Returns the engine itself, or the one that [`Engine::Auto`] stands for in a game with so many worlds
    /// and officers.
    #[must_use]
    pub(crate) fn chosen(self, worlds: u32, officers: u8) -> Engine {
        match self {
            Engine::Auto if worlds > 1 || officers == 0 => Engine::Counters,
            Engine::Auto | Engine::Bitboard => Engine::Bitboard,
            Engine::Counters => Engine::Counters,
        }
    }
}
