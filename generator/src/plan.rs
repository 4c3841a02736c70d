//! Tables to be made: all that is known of them before a game is solved.

use crate::{
    engines::{bitboard, counters, engine::Engine},
    games::{
        pursuit::{Pursuit, PursuitError},
        size::GameSize,
    },
    needs::Needs,
    table::encode::{self, Encoding},
};
use dragnet_formats::{
    board::Board,
    graph::Graph,
    header::{Header, Summary, tile_sizes},
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
/// assert!((8 << 20..64 << 20).contains(&plan.needs(1).likely));
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

    /// Returns the memory and the room for scratch that making this table with `threads` threads needs.
    #[must_use]
    pub fn needs(&self, threads: usize) -> Needs {
        let encoding = encode::memory_needed(self.header.block_count());
        let size = GameSize::of(self.board(), self.rules());
        let game = size.memory_needed();
        let needs = match self.engine.chosen() {
            Engine::Counters => {
                let solve = counters::memory_needed(&size, threads);
                let encoders = encode::ENCODER.saturating_mul(threads as u64);
                let parts = [game, solve, encoders, encoding];
                Needs::in_memory(parts.into_iter().fold(0, u64::saturating_add))
            }
            _ => {
                let places = self.board().places();
                bitboard::needs(&[places.clone(), places], &size, threads)
            }
        };
        needs.at_least(game.saturating_add(encoding))
    }
}

/// Bytes of memory that a vertex takes in the solve of a game on a graph: the starts of its rows, its label
/// and state, its count of moves, its word, and its place in two levels.
const VERTEX: u64 = 24;
/// Bytes of memory that an edge takes in such a solve: its two ends, and scratch memory of the pass that
/// reverses it.
const EDGE: u64 = 11;

/// Returns the most bytes of memory that a process takes which solves a game on a graph of so many vertices
/// and edges with `threads` threads.
///
/// An estimate from above: 24 bytes per vertex and 11 per edge, beside what any process takes.
///
/// ```
/// // Ten million vertices and a hundred million edges were measured to take 1.11 GB.
/// let bytes = dragnet_generator::graph_memory_needed(10_000_000, 100_000_000, 2);
/// assert!((1_110_000_000..1_500_000_000).contains(&bytes));
/// ```
#[must_use]
pub fn graph_memory_needed(vertices: u64, edges: u64, threads: usize) -> u64 {
    PROCESS
        .saturating_add(counters::THREAD.saturating_mul(threads as u64))
        .saturating_add(vertices.saturating_mul(VERTEX))
        .saturating_add(edges.saturating_mul(EDGE))
}

/// Returns the most vertices of a graph on which a game can be solved in this many bytes of memory.
///
/// ```
/// use dragnet_generator::{graph_memory_needed, most_graph_vertices};
///
/// let most = most_graph_vertices(1 << 30);
/// assert!(graph_memory_needed(most.into(), 0, 1) <= 1 << 30);
/// ```
#[must_use]
pub fn most_graph_vertices(memory: u64) -> u32 {
    let most = memory.saturating_sub(graph_memory_needed(0, 0, 1)) / VERTEX;
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// Returns the most edges of a graph on which a game can be solved in this many bytes of memory.
#[must_use]
pub fn most_graph_edges(memory: u64) -> u32 {
    let most = memory.saturating_sub(graph_memory_needed(0, 0, 1)) / EDGE;
    u32::try_from(most).unwrap_or(u32::MAX).min(Graph::MAX_EDGES)
}
