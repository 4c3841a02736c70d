//! Tables of given games to be made.

use crate::{
    engines::engine::Engine,
    games::pursuit::{Pursuit, PursuitError},
    table::encode::Encoding,
};
use dragnet_formats::{
    given::{GivenError, GivenGame, PackedGame},
    header::{GivenHeader, tile_sizes_of},
    stop::StopCheck,
};

/// The table of a game that a program gives, to be made: the game, how its table is encoded, and which engine
/// solves it.
///
/// ```
/// use dragnet_formats::{board::make, game::PursuitGame, given::GivenGame, rules::Rules, stop::StopCheck};
/// use dragnet_generator::{GivenPlan, encode::Encoding};
///
/// let game = PursuitGame::compile(&make::open(8, 8)?, &Rules::classic(), &mut StopCheck::never())?;
/// let plan = GivenPlan::new(GivenGame::new(game), Encoding::default())?;
/// assert_eq!(plan.header().positions(), 2 * 64 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GivenPlan {
    game: GivenGame,
    packed: PackedGame,
    encoding: Encoding,
    engine: Engine,
}

impl GivenPlan {
    /// Plans the table of `game`, to be solved by [`Engine::Auto`].
    ///
    /// # Errors
    /// When the game contradicts itself, or no table could hold it.
    pub fn new(game: GivenGame, encoding: Encoding) -> Result<GivenPlan, GivenError> {
        let in_line = game.game.places.iter().all(|places| places.height() == 1);
        let tiles = tile_sizes_of(in_line, game.game.officers, encoding.favour);
        let packed = game.pack([tiles.0, tiles.1])?;
        Ok(GivenPlan { game, packed, encoding, engine: Engine::Auto })
    }

    /// Returns the plan with another engine. The bytes of the table do not depend on it.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> GivenPlan {
        GivenPlan { engine, ..self }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &GivenGame {
        &self.game
    }

    /// Returns the header of the table with a summary of draws: as if nobody won from any position.
    #[must_use]
    pub fn header(&self) -> &GivenHeader {
        &self.packed.header
    }

    /// Returns the game as the table stores it.
    pub(crate) fn packed(&self) -> &PackedGame {
        &self.packed
    }

    /// Returns how the blocks are encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the engine as it was asked for, perhaps [`Engine::Auto`].
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the game for an engine. `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When the game is too large for any engine, or the work is to stop.
    pub fn pursuit(&self, check: &mut StopCheck) -> Result<Pursuit, PursuitError> {
        let header = self.header();
        Pursuit::new(self.game.game.clone(), header.officers.tile, header.thief.tile, check)
    }
}
