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
    board::{Board, Scenario},
    cell::Side,
    graph::Graph,
    header::{Header, tile_sizes},
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
    stored::{PackedGame, StoredGame},
};
use std::{borrow::Cow, sync::Arc};
use xxhash_rust::xxh3::Xxh3;

/// A pursuit table to be made: the game, how its table is encoded, and which engine solves it.
///
/// A plan holds the header of the finished table, but for the summary and the lengths of sections, so that
/// whatever depends on it is known beforehand: positions, tile sizes, blocks, memory.
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
    game: PlannedGame,
    header: Header,
    size: GameSize,
    encoding: Encoding,
    engine: Engine,
    /// Whether moves of officers may lead from one world to several.
    has_switches: bool,
    header_key: u128,
    key: u128,
}

/// The game of a plan.
#[derive(Clone, Debug)]
enum PlannedGame {
    /// To be compiled.
    Of(Arc<Setting>),
    /// Given by a program.
    Given(Arc<StoredGame>),
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
        Plan::of_setting(Setting::new(Scenario::from_board(board), rules), encoding)
    }

    /// Plans the table of the game of a setting, whose start cells stand in the table.
    ///
    /// ```
    /// use dragnet_formats::{board::{Scenario, make}, cell::Cell, doors::{Door, Opening, Schedule},
    /// rules::Rules, setting::Setting}; use dragnet_generator::{Plan, encode::Encoding};
    ///
    /// let gate = Door { cell: Cell::new(8, 8), opening: Opening::Schedule(Schedule::new("..##")?) };
    /// let setting = Setting::new(Scenario::from_board(make::open(16, 16)?), Rules::classic());
    /// let plan = Plan::of_setting(setting.with_doors(vec![gate])?, Encoding::default())?;
    /// assert_eq!(plan.positions(), 4 * 2 * 256 * 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Plan::new`].
    pub fn of_setting(setting: Setting, encoding: Encoding) -> Result<Plan, PursuitError> {
        let Setting { board, rules, .. } = &setting;
        rules.check_on(board)?;
        let officers = rules.all_officers().max(1) as u8;
        let tiles = tile_sizes(board.height(), officers, encoding.favour);
        let header = Header::of_setting(&setting, tiles)?;
        let size = GameSize::of_setting(&setting, &header);
        Pursuit::check_size(&size, tiles[0], tiles[1])?;
        let source = setting.to_source();
        let key = [source.as_bytes()];
        Plan::keyed(PlannedGame::Of(Arc::new(setting)), header, size, encoding, &key)
    }

    /// Plans the table of a game that a program gives.
    ///
    /// ```
    /// use dragnet_formats::{board::make, game::PursuitGame, rules::Rules, stop::StopCheck,
    /// stored::StoredGame}; use dragnet_generator::{Plan, encode::Encoding};
    ///
    /// let game = PursuitGame::compile(&make::open(8, 8)?, &Rules::classic(), &mut StopCheck::never())?;
    /// let plan = Plan::of_game(StoredGame::new(game), Encoding::default())?;
    /// assert_eq!(plan.positions(), 2 * 64 * 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the game contradicts itself, or no table could hold it.
    pub fn of_game(stored: StoredGame, encoding: Encoding) -> Result<Plan, PursuitError> {
        let game = &stored.game;
        let heights = game.kinds.iter().map(|kind| kind.rows).chain([game.places[1].height()]);
        let tiles = tile_sizes(heights.max().unwrap_or(1), game.officers(), encoding.favour);
        let packed = stored.pack(tiles)?;
        let size = GameSize::of_game(game);
        Pursuit::check_size(&size, tiles[0], tiles[1])?;
        let header = packed.header.clone();
        let sections: Vec<&[u8]> = header.sections().map(|section| packed.section(section)).collect();
        Plan::keyed(PlannedGame::Given(Arc::new(stored)), header, size, encoding, &sections)
    }

    /// Returns the plan of a game that has these texts.
    fn keyed(
        game: PlannedGame,
        header: Header,
        size: GameSize,
        encoding: Encoding,
        texts: &[&[u8]],
    ) -> Result<Plan, PursuitError> {
        let mut hash = Xxh3::new();
        hash.update(&header.to_bytes()?);
        texts.iter().for_each(|text| hash.update(text));
        let header_key = hash.digest128();
        hash.update(format!("{:?} {}", encoding.favour, encoding.level).as_bytes());
        let key = hash.digest128();
        let has_switches = match &game {
            PlannedGame::Of(setting) => !setting.doors.keys().is_empty(),
            PlannedGame::Given(stored) => {
                (0..header.worlds).any(|world| stored.game.world_after(world).is_err())
            }
        };
        let engine = Engine::Auto;
        Ok(Plan { game, header, size, encoding, engine, has_switches, header_key, key })
    }

    /// Returns the board and the rules of the game, unless a program gives it.
    #[must_use]
    pub fn setting(&self) -> Option<&Setting> {
        match &self.game {
            PlannedGame::Of(setting) => Some(setting),
            PlannedGame::Given(_) => None,
        }
    }

    /// Compiles the game for an engine, and packs it for its table. `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When the game is too large for an engine or a table, or the work is to stop.
    pub fn compile(&self, check: &mut StopCheck) -> Result<(Pursuit, PackedGame), PursuitError> {
        let (stored, tiles) = (self.stored(check)?, self.header.tiles());
        let packed = stored.pack(tiles)?;
        Ok((Pursuit::new(stored.into_owned().game, tiles[0], tiles[1], check)?, packed))
    }

    /// Packs the game for its table, whose values are known. `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When the game is too large for a table, or the work is to stop.
    pub fn pack(&self, check: &mut StopCheck) -> Result<PackedGame, PursuitError> {
        Ok(self.stored(check)?.pack(self.header.tiles())?)
    }

    fn stored(&self, check: &mut StopCheck) -> Result<Cow<'_, StoredGame>, PursuitError> {
        Ok(match &self.game {
            PlannedGame::Of(setting) => Cow::Owned(StoredGame::of_setting(setting, check)?),
            PlannedGame::Given(stored) => Cow::Borrowed(stored),
        })
    }

    /// Returns the plan with another engine. The bytes of the table do not depend on it.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Plan {
        Plan { engine, ..self }
    }

    /// Returns the header of the table with a summary of draws, as if nobody won from any position, and
    /// without sections.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns how the blocks are encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the engine that solves the game: never [`Engine::Auto`].
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine.chosen(self.has_switches, self.header.officers())
    }

    /// Returns the bounds of the game's size.
    pub(crate) fn size(&self) -> &GameSize {
        &self.size
    }

    /// Returns the number of positions of the game, both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.header.positions()
    }

    /// Returns a hash of all that the bytes of the table depend on: the game and the encoding, not the
    /// engine.
    #[must_use]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Returns a hash of the game and the tile sizes.
    pub(crate) fn header_key(&self) -> u128 {
        self.header_key
    }

    /// Returns the memory and the room for scratch that making this table with `threads` threads needs.
    #[must_use]
    pub fn needs(&self, threads: usize) -> Needs {
        let encoding = encode::memory_needed(self.header.block_count());
        let size = &self.size;
        let game = size.memory_needed();
        let needs = match self.engine() {
            Engine::Counters => {
                let solve = counters::memory_needed(size, threads);
                let encoders = encode::ENCODER.saturating_mul(threads as u64);
                let parts = [game, solve, encoders, encoding];
                Needs::in_memory(parts.into_iter().fold(0, u64::saturating_add))
            }
            _ => {
                let places = Side::BOTH.map(|side| self.header.places(side));
                bitboard::needs(&places, size, threads)
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
