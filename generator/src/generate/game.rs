//! The whole job for any game: from its moves to a table on disk.

use super::{GenerateError, Generator};
use crate::{
    counters::{self, Labels, Tuning},
    encode::{Encoding, Written},
    game::Game,
    numbered::{GameIdentity, Numbered},
    observer::Observer,
    save::save,
};
use dragnet_formats::{
    container::{TableHeader, WriteError},
    game_header::GameHeader,
    value::Value,
};
use std::path::Path;

/// What was made of a game whose positions are numbers.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The table's header, with counts, longest distances and digest.
    pub header: GameHeader,
    /// The table's bytes and blocks.
    pub written: Written,
}

impl Generator {
    /// Solves any game. Takes no check-points.
    ///
    /// # Errors
    /// When the memory does not suffice, a win takes too long for a table, or the observer stops the work.
    pub fn solve_game(&self, game: &impl Game, observer: &dyn Observer) -> Result<Labels, GenerateError> {
        Ok(counters::solve(game, &self.pool, Tuning::default(), observer)?)
    }

    /// Solves any game and writes its table as the file `path`, whose folder is made if need be; a file of that name is replaced when
    /// the new one is whole. The bytes depend on the game, its name and the encoding, not on the threads. Takes no check-points.
    ///
    /// A table has one value for each number, and none of the game's moves: keep the code that numbers the positions.
    ///
    /// ```
    /// use dragnet_generator::{Game, Generator, Start, encode::Encoding};
    ///
    /// /// A heap of matches; who takes one, two or three away, and who finds none has lost.
    /// struct Heap(u64);
    ///
    /// impl Game for Heap {
    ///     fn positions(&self) -> u64 {
    ///         self.0 + 1
    ///     }
    ///     fn start(&self, matches: u64) -> Start {
    ///         if matches == 0 { Start::Lost } else { Start::Moves(matches.min(3) as u32) }
    ///     }
    ///     fn for_each_successor(&self, matches: u64, each: impl FnMut(u64)) {
    ///         (matches.saturating_sub(3)..matches).for_each(each);
    ///     }
    ///     fn for_each_predecessor(&self, matches: u64, each: impl FnMut(u64)) {
    ///         (matches + 1..=(matches + 3).min(self.0)).for_each(each);
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("heap.dtb");
    /// let generator = Generator::new(0)?;
    /// let report = generator.generate_game(&Heap(1000), "heap", Encoding::default(), &path, &())?;
    /// assert_eq!((report.header.summary.lost, report.header.summary.longest_win), (251, 499));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`GenerateError`]; a name that a table cannot have is [`GenerateError::Write`].
    pub fn generate_game(
        &self,
        game: &impl Game,
        name: &str,
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<GameReport, GenerateError> {
        let identity = self.install(|| GameIdentity::new(game, name));
        // Refused names and sizes should not wait for the solve.
        identity.header(encoding).map_err(WriteError::from)?;
        let labels = self.solve_game(game, observer)?;
        self.write_game(&identity, |position| labels.value(position), encoding, path, observer)
    }

    /// Writes the table of a solved game as the file `path`, as [`Generator::generate_game`] does. `value` tells the value of each
    /// position from 0 on, once for each.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn write_game(
        &self,
        identity: &GameIdentity,
        value: impl Fn(u64) -> Value + Sync,
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<GameReport, GenerateError> {
        let mut header = identity.header(encoding).map_err(WriteError::from)?;
        let source = Numbered { numbering: header.numbering, value };
        let written = save(path, self.sync, |file| -> Result<_, GenerateError> {
            let blocks = self.encode_blocks(&source, header.block_count(), encoding, observer)?;
            header.summary = blocks.summary;
            Ok(blocks.write(&header, file)?)
        })?;
        Ok(GameReport { header, written })
    }
}
