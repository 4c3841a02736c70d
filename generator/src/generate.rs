//! The whole job: from a board to a table on disk.

use crate::{
    bitboard,
    counters::{self, SolveError, Tuning},
    encode::{EIGHT, EncodeError, EncodedBlocks, Encoding, Written, encode},
    observer::Observer,
    pursuit::{Pursuit, PursuitError},
    save::save,
    solution::{BlockSource, Labelled, Solution, SourceError},
};
use dragnet_formats::{
    board::Board,
    container::WriteError,
    header::{Header, Summary},
    numbering::Tiling,
    rules::Rules,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    io,
    path::Path,
    time::{Duration, Instant},
};

/// Boards with fewer open cells than this in the mean of those 8x8 tiles that have one are too thin for words of 64 bits.
/// Corridors a single cell wide and nothing else have 8, with which [`counters`] is up to 2.5 times as quick; streets of one cell
/// every eight have 16, mazes 30, and there [`bitboard`] is quicker.
const THIN: usize = 12;

/// Which engine solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The quicker one: [`counters`] on boards that are nothing but thin corridors, [`bitboard`] on all others.
    #[default]
    Auto,
    /// [`counters`].
    Counters,
    /// [`bitboard`].
    Bitboard,
}

impl Engine {
    /// The engine itself, or that which [`Engine::Auto`] takes for `board`.
    #[must_use]
    pub fn for_board(self, board: &Board) -> Engine {
        match self {
            Engine::Auto if board.open_count() < THIN * Tiling::count(board, EIGHT) as usize => {
                Engine::Counters
            }
            Engine::Auto => Engine::Bitboard,
            engine => engine,
        }
    }
}

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Job {
    /// The board with its exits.
    pub board: Board,
    /// The rules.
    pub rules: Rules,
    /// Which engine solves. The table does not depend on it.
    pub engine: Engine,
    /// How the blocks are encoded.
    pub encoding: Encoding,
}

/// What was made.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The engine that solved: never [`Engine::Auto`].
    pub engine: Engine,
    /// Positions of the game, both sides to move.
    pub positions: u64,
    /// Counts, longest wins and digest.
    pub summary: Summary,
    /// The table's bytes and blocks.
    pub written: Written,
    /// Time from the board to all values.
    pub solving: Duration,
    /// Time from the values to the file under its name.
    pub writing: Duration,
}

/// Why a table was not made. No file has been left behind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// There is no such game.
    #[error(transparent)]
    Pursuit(#[from] PursuitError),
    /// It was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// It was not written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The values could not be had from where they come.
    #[error(transparent)]
    Source(SourceError),
    /// A source of blocks does not keep its promise.
    #[error(transparent)]
    Blocks(EncodeError),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<EncodeError> for GenerateError {
    fn from(error: EncodeError) -> GenerateError {
        match error {
            EncodeError::Write(error) => GenerateError::Write(error),
            EncodeError::Source(SourceError::Stopped) => GenerateError::Stopped,
            EncodeError::Source(error) => GenerateError::Source(error),
            error @ EncodeError::Blocks { .. } => GenerateError::Blocks(error),
        }
    }
}

/// Makes tables with a fixed number of threads.
#[derive(Debug)]
pub struct Generator {
    pool: ThreadPool,
    sync: bool,
}

impl Generator {
    /// A generator with this many threads; 0 for one per processor.
    ///
    /// # Errors
    /// When the system does not give the threads.
    pub fn new(threads: usize) -> io::Result<Generator> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
        Ok(Generator { pool, sync: true })
    }

    /// The same generator, but it does not flush its tables to the disk: for scratch output that a loss of power may take.
    #[must_use]
    pub fn without_sync(self) -> Generator {
        Generator { sync: false, ..self }
    }

    /// Solves the game of `job`.
    ///
    /// # Errors
    /// When there is no such game, it is too large, or the observer stops the work.
    pub fn solve(&self, job: &Job, observer: &dyn Observer) -> Result<Box<dyn Solution>, GenerateError> {
        let (police_tile, thief_tile) = job.encoding.tile_sizes();
        let game = Pursuit::new(job.board.clone(), job.rules.clone(), police_tile, thief_tile)?;
        let solved: Result<Box<dyn Solution>, SolveError> = match job.engine.for_board(&job.board) {
            Engine::Counters => counters::solve(&game, &self.pool, Tuning::default(), observer)
                .map(|labels| Box::new(Labelled::new(game, labels)) as _),
            _ => bitboard::solve(game, &self.pool, observer).map(|bits| Box::new(bits) as _),
        };
        solved.map_err(|error| match error {
            SolveError::Stopped => GenerateError::Stopped,
            error => error.into(),
        })
    }

    /// Makes the table of `job` as the file `path`, whose folder is made if need be. A file of that name is replaced
    /// when the new one is whole.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn generate(&self, job: &Job, path: &Path, observer: &dyn Observer) -> Result<Report, GenerateError> {
        let begin = Instant::now();
        let solution = self.solve(job, observer)?;
        let solved = Instant::now();
        // Encoding is long: first it must be sure that there can be a file.
        let (header, written) = save(path, self.sync, |file| -> Result<_, GenerateError> {
            let (header, blocks) = self.encode(&*solution, job.encoding, observer)?;
            // Giving memory back takes a while, and the file need not wait for it.
            self.pool.spawn(move || drop(solution));
            let (file, written) = blocks.write(&header, file)?;
            Ok((file, (header, written)))
        })?;
        Ok(Report {
            engine: job.engine.for_board(&job.board),
            positions: header.positions(),
            summary: header.summary,
            written,
            solving: solved - begin,
            writing: solved.elapsed(),
        })
    }

    /// Writes the table with this header and the values of `source` as the file `path`, whose folder is made if need be. A
    /// file of that name is replaced when the new one is whole.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn write(
        &self,
        source: &dyn BlockSource,
        header: &Header,
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<Written, GenerateError> {
        save(path, self.sync, |file| {
            Ok(self.encode_blocks(source, header, encoding, observer)?.write(header, file)?)
        })
    }

    /// The table of `solution`: its header and its blocks, ready to be written.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn encode(
        &self,
        solution: &dyn Solution,
        encoding: Encoding,
        observer: &dyn Observer,
    ) -> Result<(Header, EncodedBlocks), GenerateError> {
        let (police_tile, thief_tile) = encoding.tile_sizes();
        let mut header = Header {
            board: solution.game().board().clone(),
            rules: solution.game().rules().clone(),
            police_tile,
            thief_tile,
            summary: Summary::default(),
        };
        let blocks = self.encode_blocks(solution, &header, encoding, observer)?;
        header.summary = blocks.summary;
        Ok((header, blocks))
    }

    fn encode_blocks<S: BlockSource + ?Sized>(
        &self,
        source: &S,
        header: &Header,
        encoding: Encoding,
        observer: &dyn Observer,
    ) -> Result<EncodedBlocks, GenerateError> {
        Ok(self.pool.install(|| encode(source, header.block_count(), encoding, observer))?)
    }
}
