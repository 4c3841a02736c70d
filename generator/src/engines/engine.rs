//! The choice of an engine.

/// The engine that solves a pursuit game. The bytes of the table do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The faster one that solves the game: [`bitboard`](crate::bitboard), unless the board has keys, or the
    /// moves of officers in a game that a program gives lead from one world to several, or nobody plays them.
    #[default]
    Auto,
    /// [`counters`](crate::counters), the engine for any game. Takes no checkpoints.
    Counters,
    /// [`bitboard`](crate::bitboard), the engine for games with officers in which all their moves lead from
    /// one world to one.
    Bitboard,
}

impl Engine {
    /// Returns the engine itself, or the one that [`Engine::Auto`] stands for in a game in which moves of
    /// officers may lead from one world to several, or in one in which they do not, with so many officers.
    #[must_use]
    pub(crate) fn chosen(self, has_switches: bool, officers: u8) -> Engine {
        match self {
            Engine::Auto if has_switches || officers == 0 => Engine::Counters,
            Engine::Auto | Engine::Bitboard => Engine::Bitboard,
            Engine::Counters => Engine::Counters,
        }
    }
}
