//! Makes game tables: from the moves of any game to a file.

use super::{GenerateError, Generator};
use crate::{
    Game, GameSolution, GraphGame, Reversible, WithPredecessors,
    engines::counters::{self, Tuning},
    observer::Observer,
    solve_error::SolveError,
    table::{
        Room,
        encode::{EncodedBlocks, Encoding, Written},
        game_table::{GameTableSource, header, key},
    },
};
use dragnet_formats::{
    container::{TableHeader, WriteError},
    header::{GameHeader, GameSummary},
};
use std::path::Path;

/// The result of making a game table.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The table's header, with counts, longest distances and digest.
    pub header: GameHeader,
    /// The size of the table.
    pub written: Written,
}

impl Generator {
    /// Solves a game on a graph.
    ///
    /// # Errors
    /// When the memory does not suffice, or the observer stops the work.
    pub fn solve_graph(
        &self,
        game: GraphGame,
        observer: &dyn Observer,
    ) -> Result<GameSolution<GraphGame>, GenerateError> {
        let edges = game.graph().edges().into();
        let reversed = self.install(|| WithPredecessors::reversed(game, Some(edges), observer))?;
        Ok(self.solve_reversible(reversed, observer)?.map(WithPredecessors::into_game))
    }

    /// Solves a game of your own. Builds its reverse graph first: see [`WithPredecessors`].
    ///
    /// ```
    /// use dragnet_formats::value::Value;
    /// use dragnet_generator::{Game, Generator, Start};
    ///
    /// /// A heap of matches. A move takes one, two or three; the player who finds none has lost.
    /// struct Heap(u64);
    ///
    /// impl Game for Heap {
    ///     fn positions(&self) -> u64 {
    ///         self.0 + 1
    ///     }
    ///     fn start(&self, _: u64) -> Start {
    ///         Start::Open
    ///     }
    ///     fn for_each_successor(&self, matches: u64, each: impl FnMut(u64)) {
    ///         (matches.saturating_sub(3)..matches).for_each(each);
    ///     }
    /// }
    ///
    /// let solution = Generator::new(1)?.solve_game(Heap(1000), &())?;
    /// assert_eq!(solution.value(21), Some(Value::Win(11)));
    /// assert_eq!(solution.best(21), Some(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the game is too large, the memory does not suffice, a win takes too long for a table, or the
    /// observer stops the work.
    pub fn solve_game<G: Game + Send>(
        &self,
        game: G,
        observer: &dyn Observer,
    ) -> Result<GameSolution<G>, GenerateError> {
        let reversed = self.install(|| WithPredecessors::reversed(game, None, observer))?;
        Ok(self.solve_reversible(reversed, observer)?.map(WithPredecessors::into_game))
    }

    /// Solves a game of your own that lists its predecessors. Takes no memory but that of
    /// [`counters::solve`].
    ///
    /// # Errors
    /// When the memory does not suffice, a win takes too long for a table, or the observer stops the work.
    pub fn solve_reversible<G: Reversible>(
        &self,
        game: G,
        observer: &dyn Observer,
    ) -> Result<GameSolution<G>, SolveError> {
        let labels = counters::solve(&game, &self.pool, Tuning::default(), observer)?;
        Ok(GameSolution::new(game, labels))
    }

    /// Solves a game of your own and writes its table as the file `path`: [`Generator::solve_game`], then
    /// [`Generator::write_game`].
    ///
    /// ```
    /// use dragnet_generator::{Game, Generator, Start, encode::Encoding};
    ///
    /// /// A heap of matches. A move takes one, two or three; the player who finds none has lost.
    /// struct Heap(u64);
    ///
    /// impl Game for Heap {
    ///     fn positions(&self) -> u64 {
    ///         self.0 + 1
    ///     }
    ///     fn start(&self, _: u64) -> Start {
    ///         Start::Open
    ///     }
    ///     fn for_each_successor(&self, matches: u64, each: impl FnMut(u64)) {
    ///         (matches.saturating_sub(3)..matches).for_each(each);
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("heap.dtb");
    /// let generator = Generator::new(0)?;
    /// let report = generator.generate_game(Heap(1000), "heap", Encoding::default(), &path, &())?;
    /// assert_eq!((report.header.summary.lost, report.header.summary.longest_win), (251, 499));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`GenerateError`]. A name that a table cannot have is refused before the solve, as
    /// [`GenerateError::Write`].
    pub fn generate_game<G: Game + Send>(
        &self,
        game: G,
        name: &str,
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<GameReport, GenerateError> {
        header(game.positions(), name, encoding).map_err(WriteError::from)?;
        let solution = self.solve_game(game, observer)?;
        self.write_game(&solution, name, encoding, path, observer)
    }

    /// Writes the table of a solved game as the file `path`, and creates its folder if need be. A file of
    /// that name is replaced once the new one is complete. The bytes depend on the game, its name and the
    /// encoding, not on the threads.
    ///
    /// A table has one value for each number, and none of the game's moves: keep the code that numbers the
    /// positions. Positions that are equal by symmetry each have their value; illegal positions stand there
    /// as drawn.
    ///
    /// # Errors
    /// See [`GenerateError`]. A name that a table cannot have is [`GenerateError::Write`].
    pub fn write_game<G: Game>(
        &self,
        solution: &GameSolution<G>,
        name: &str,
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<GameReport, GenerateError> {
        // A wrong name is found before anything is created.
        let header = header(solution.game().positions(), name, encoding).map_err(WriteError::from)?;
        let encode = |room| self.encode_with(room, header, solution, encoding, observer);
        let (header, written) = self.save_table(path, encode)?;
        Ok(GameReport { header, written })
    }

    /// Encodes the table of a solved game, as [`Generator::write_game`] writes it. Returns its header and its
    /// blocks.
    ///
    /// # Errors
    /// See [`GenerateError`]. A name that a table cannot have is [`GenerateError::Write`].
    pub fn encode_game<G: Game>(
        &self,
        solution: &GameSolution<G>,
        name: &str,
        encoding: Encoding,
        observer: &dyn Observer,
    ) -> Result<(GameHeader, EncodedBlocks<GameSummary>), GenerateError> {
        let header = header(solution.game().positions(), name, encoding).map_err(WriteError::from)?;
        self.encode_with(Room::IN_MEMORY, header, solution, encoding, observer)
    }

    /// Encodes the table of a solved game with this header, whose key and summary are still to be set.
    fn encode_with<G: Game>(
        &self,
        room: Room,
        mut header: GameHeader,
        solution: &GameSolution<G>,
        encoding: Encoding,
        observer: &dyn Observer,
    ) -> Result<(GameHeader, EncodedBlocks<GameSummary>), GenerateError> {
        header.key = self.pool.install(|| key(solution.game()));
        let source = GameTableSource {
            numbering: header.numbering,
            value: |position| solution.value_or_draw(position),
        };
        let blocks = self.encode_blocks(room, &source, &[], header.block_count(), encoding, observer)?;
        header.summary = blocks.summary;
        Ok((header, blocks))
    }
}
