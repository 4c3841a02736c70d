//! Tables to be made: all that is known of them before a game is solved.

use crate::{
    engines::{bitboard, counters, engine::Engine},
    games::pursuit::{Pursuit, PursuitError},
    table::encode::{self, Encoding},
};
use dragnet_formats::{
    board::Board,
    header::{Header, Summary},
    numbering::tile_sizes,
    rules::Rules,
};
use xxhash_rust::xxh3::xxh3_128;

/// A pursuit table to be made: the game, how its table is encoded, and which engine solves it.
///
/// A plan holds the header of the finished table, but for the summary, so that whatever depends on the header
/// is known beforehand: positions, tile sizes, blocks, memory.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{Plan, encode::Encoding};
///
/// let plan = Plan::new(make::open(64, 64)?, Rules::classic(), Encoding::default())?;
/// assert_eq!(plan.positions(), 2 * 4096 * 4096);
/// // One thread needs some tens of MiB.
/// assert!((16 << 20..256 << 20).contains(&plan.memory_needed(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    header: Header,
    encoding: Encoding,
    engine: Engine,
    header_key: u128,
    key: u128,
}

/// Bytes of memory that a process takes which solves nothing: the program, its libraries, the threads'
/// stacks.
pub(crate) const PROCESS: u64 = 8 << 20;

impl Plan {
    /// Plans the table of the game with these rules on `board`, to be solved by [`Engine::Auto`].
    ///
    /// # Errors
    /// When the rules cannot be played on the board, no piece can stand anywhere, or no table could hold the
    /// game.
    pub fn new(board: Board, rules: Rules, encoding: Encoding) -> Result<Plan, PursuitError> {
        let (police_tile, thief_tile) = tile_sizes(&board, rules.officers, encoding.favour);
        Pursuit::check(&board, &rules, police_tile, thief_tile)?;
        let summary = Summary::of_draws(Header::positions_of(&board, &rules)?);
        let header = Header { board, rules, police_tile, thief_tile, summary };
        let mut bytes = header.to_bytes()?;
        let header_key = xxh3_128(&bytes);
        bytes.extend(format!("{:?} {}", encoding.favour, encoding.level).bytes());
        Ok(Plan { header, encoding, engine: Engine::Auto, header_key, key: xxh3_128(&bytes) })
    }

    /// Returns the plan with another engine. The bytes of the table do not depend on it.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Plan {
        Plan { engine, ..self }
    }

    /// Returns the header of the table with a summary of draws: as if nobody won from any position.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the board with its exits.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.header.board
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.header.rules
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

    /// Returns the number of positions of the game, both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.header.positions()
    }

    /// Returns a hash of all that the bytes of the table depend on: board, rules and encoding, not the
    /// engine.
    #[must_use]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Returns a hash of the header: of board, rules and tile sizes.
    pub(crate) fn header_key(&self) -> u128 {
        self.header_key
    }

    /// Returns the most bytes of memory that a process takes which makes this table with `threads` threads.
    ///
    /// An estimate from above, by what was measured on open boards, game maps, rooms, mazes and corridors.
    #[must_use]
    pub fn memory_needed(&self, threads: usize) -> u64 {
        let engine = match self.engine.chosen() {
            Engine::Counters => counters::memory_needed(&self.header, threads),
            _ => bitboard::memory_needed(&self.header, threads),
        };
        PROCESS
            .saturating_add(encode::memory_needed(threads))
            .saturating_add(Pursuit::memory_needed(&self.header))
            .saturating_add(engine)
    }
}
