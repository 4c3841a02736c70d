//! Makes tables: from a plan, or a game of your own, to a file.

mod helper;

mod finish;

mod game;

use crate::{
    checkpoint::{CheckpointFile, CheckpointInterval, Checkpoints, prepare_scratch},
    engines::{
        bitboard::{self, BitboardSolution},
        counters::{self, Labels},
        engine::Engine,
        labelled::LabelledPursuit,
    },
    games::pursuit::{Pursuit, PursuitError},
    observer::Observer,
    plan::Plan,
    ranks::Transport,
    solution::{BlockSource, Solution, SourceError},
    solve_error::SolveError,
    table::{
        Room,
        encode::{EncodeError, EncodedBlocks, Encoding, Written, encode_into},
    },
};
use dragnet_formats::{
    codec::RawBlock,
    container::{TableHeader, WriteError},
    header::{Header, Summary},
    stop::StopCheck,
    stored::PackedGame,
};
pub use game::GameReport;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// The result of making a pursuit table.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The engine that solved the game: never [`Engine::Auto`].
    pub engine: Engine,
    /// Positions of the game, both sides to move.
    pub positions: u64,
    /// Counts, longest wins and digest.
    pub summary: Summary,
    /// The size of the table.
    pub written: Written,
    /// Time from the board to all values.
    pub solving: Duration,
    /// Time from the values to the file under its name.
    pub writing: Duration,
}

/// Why a table was not made. No part of it has been left behind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The game cannot be played.
    #[error(transparent)]
    Pursuit(PursuitError),
    /// The game was not solved.
    #[error(transparent)]
    Solve(SolveError),
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The scratch folder cannot be created, or is not to be written to.
    #[error("cannot write to the scratch folder {}: {source}", folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// The refusal of the file system.
        source: io::Error,
    },
    /// The disk, or what the user may have of it, is full: the table is solved and cannot be written, not
    /// even in the room of its checkpoints.
    #[error("{}{source}", .bytes.map(|bytes| format!("the table has {bytes} bytes: ")).unwrap_or_default())]
    Full {
        /// The refusal of the file system.
        source: io::Error,
        /// The size of the table, if its blocks could be encoded.
        bytes: Option<u64>,
        /// The checkpoints that remain, the newest first. A later run resumes from them; who removes them
        /// has their room.
        checkpoints: Vec<CheckpointFile>,
    },
    /// The source of the values failed.
    #[error(transparent)]
    Source(SourceError),
    /// The source of the values did not pass each block once.
    #[error(transparent)]
    Blocks(EncodeError),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl GenerateError {
    /// Returns whether ranks that make tables together must end: not all of them know of the error. See
    /// [`Generator::with_ranks`].
    #[must_use]
    pub fn ends_ranks(&self) -> bool {
        match self {
            GenerateError::Solve(error) => !matches!(error, SolveError::TooLong),
            GenerateError::Source(_) => true,
            _ => false,
        }
    }
}

impl From<PursuitError> for GenerateError {
    fn from(error: PursuitError) -> GenerateError {
        match error {
            PursuitError::Stopped(_) => GenerateError::Stopped,
            error => GenerateError::Pursuit(error),
        }
    }
}

impl From<SolveError> for GenerateError {
    fn from(error: SolveError) -> GenerateError {
        match error {
            SolveError::Stopped => GenerateError::Stopped,
            error => GenerateError::Solve(error),
        }
    }
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

/// A solved pursuit game, by engine.
enum Solved {
    Counters(Box<LabelledPursuit>),
    Bitboard(Box<BitboardSolution>),
}

/// Makes tables with a fixed number of threads. Its clones share them.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{Generator, Plan, encode::Encoding};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("open-8x8.dtb");
/// let plan = Plan::new(make::open(8, 8)?, Rules::classic(), Encoding::default())?;
/// let report = Generator::new(2)?.generate(&plan, &path, &())?;
/// // Without an exit the officer catches the thief from everywhere.
/// assert_eq!(report.summary.police_to_move.police, 64 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    pool: Arc<ThreadPool>,
    sync: bool,
    /// The time from one checkpoint to the next, if any are written.
    checkpoints: Option<CheckpointInterval>,
    /// The bytes of memory that a table may take while it is made.
    memory: Option<u64>,
    /// The folder for the files of logs, if they are not beside the tables.
    scratch: Option<PathBuf>,
    /// The ranks that solve boards together, if there are several.
    ranks: Option<Arc<dyn Transport>>,
}

impl Generator {
    /// Creates a generator with this many threads; 0 stands for one per processor. On WebAssembly, which has
    /// no threads to start, it works on the calling thread whatever the number.
    ///
    /// # Errors
    /// When the system refuses the threads; on WebAssembly when the calling thread has a generator already.
    pub fn new(threads: usize) -> io::Result<Generator> {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        #[cfg(target_family = "wasm")]
        let builder = builder.num_threads(1).use_current_thread();
        let pool = Arc::new(builder.build().map_err(io::Error::other)?);
        Ok(Generator { pool, sync: true, checkpoints: None, memory: None, scratch: None, ranks: None })
    }

    /// Returns the generator without flushing of tables to the disk: for output that a loss of power may
    /// destroy.
    #[must_use]
    pub fn without_sync(self) -> Generator {
        Generator { sync: false, ..self }
    }

    /// Returns the generator with checkpoints in [`Generator::generate`].
    ///
    /// A long solve writes a checkpoint each `interval`, a [`CheckpointInterval`] or a [`Duration`]; one when
    /// it is stopped; and one of the finished solve while its table is encoded. It resumes from those of an
    /// earlier run. For `NAME.dtb` they are the files `.NAME.dtb.check-1` and `.NAME.dtb.check-2` beside it,
    /// and `.NAME.dtb.log`, to which the record of what was decided when is appended: a checkpoint writes
    /// what is new of it, and gives its memory back. They are removed when the table has its name, and before
    /// that if the disk is full and the table needs their room. A run that finds another one at work on the
    /// same table takes no checkpoints.
    ///
    /// Only [`Engine::Bitboard`] takes checkpoints; those beside a table that [`Engine::Counters`] solves are
    /// reported and not used.
    #[must_use]
    pub fn with_checkpoints(self, interval: impl Into<CheckpointInterval>) -> Generator {
        Generator { checkpoints: Some(interval.into()), ..self }
    }

    /// Returns the generator with a limit for the memory that each table takes while it is made, beside what
    /// the program itself takes: up to 16 MiB.
    ///
    /// When the bytes are reached, the logs, the record of what was decided when, leave memory for
    /// `.NAME.dtb.log`, which takes hardly more time; then the sets, the positions that are decided so far,
    /// in part, for a file without a name beside that. Each level reads much of them, so with room for half
    /// of its sets a solve takes some times as long. Encoded blocks wait in a file too, for which there is no
    /// memory. The limit is kept if it is [`Needs::least`] or more, and the table has the same bytes. Of
    /// several ranks the first one alone heeds it.
    ///
    /// The file of the logs is of use to later runs only with the checkpoints that refer to it. So a
    /// generator without checkpoints takes them from now on, at [`CheckpointInterval::Adaptive`] intervals.
    ///
    /// If the disk refuses, the observer is warned once, and what was to leave memory stays there. If the
    /// disk is too full for the finished table, a file gives its room to the table only if there is memory
    /// for what it has. Games that are not on a board, and solves by [`Engine::Counters`], stay in memory,
    /// but for their encoded blocks.
    ///
    /// [`Needs::least`]: crate::Needs::least
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Generator {
        Generator { memory: Some(bytes), checkpoints: Some(self.checkpoints.unwrap_or_default()), ..self }
    }

    /// Returns the generator with a scratch folder, perhaps on another disk, for the files of logs and of
    /// encoded blocks. There those of `NAME.dtb` are `.NAME.dtb-HASH.log` and `.NAME.dtb-HASH.blocks` with a
    /// hash of the table's folder, so that tables of many folders may share it. A later run resumes with the
    /// same scratch folder; without it the checkpoints beside the table are of no use. If it is the folder of
    /// the table, nothing changes.
    ///
    /// [`Generator::generate`] creates the folder if need be, if it takes checkpoints.
    #[must_use]
    pub fn with_scratch(self, folder: impl Into<PathBuf>) -> Generator {
        Generator { scratch: Some(folder.into()), ..self }
    }

    /// Runs `work` on the generator's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Solves the game of `plan`, without checkpoints.
    ///
    /// # Errors
    /// When the game cannot be played, it is too large, or the observer stops the work.
    pub fn solve(&self, plan: &Plan, observer: &dyn Observer) -> Result<Box<dyn Solution>, GenerateError> {
        let solved = self.solve_with(plan, Generator::compile(plan, observer)?, None, observer)?.0;
        Ok(match solved {
            Solved::Counters(solution) => solution,
            Solved::Bitboard(solution) => solution,
        })
    }

    /// Solves the game of `plan` with [`Engine::Bitboard`], whatever engine the plan has, and without
    /// checkpoints. A program that calls this and not [`Generator::solve`] has no code of the other engine.
    ///
    /// # Errors
    /// See [`Generator::solve`]; and when moves of officers lead from one world to several.
    pub fn solve_with_bitboard(
        &self,
        plan: &Plan,
        observer: &dyn Observer,
    ) -> Result<BitboardSolution, GenerateError> {
        Ok(bitboard::solve(Generator::compile(plan, observer)?.0, &self.pool, observer)?)
    }

    /// Returns the labels of all positions of a pursuit game by the engine [`counters`].
    /// [`Pursuit::in_plies`] makes values of them.
    ///
    /// # Errors
    /// When the memory does not suffice, or the observer stops the work.
    pub fn solve_by_counters(&self, game: &Pursuit, observer: &dyn Observer) -> Result<Labels, SolveError> {
        counters::solve_pursuit(game, &self.pool, observer)
    }

    fn compile(plan: &Plan, observer: &dyn Observer) -> Result<(Pursuit, PackedGame), PursuitError> {
        let stop = || observer.stop();
        plan.compile(&mut StopCheck::new(&stop))
    }

    /// Solves `game`, that of `plan`. Only [`bitboard`] takes checkpoints; those that are there for another
    /// engine are passed over.
    fn solve_with(
        &self,
        plan: &Plan,
        (game, packed): (Pursuit, PackedGame),
        checkpoints: Option<&Checkpoints>,
        observer: &dyn Observer,
    ) -> Result<(Solved, PackedGame), GenerateError> {
        match plan.engine() {
            Engine::Counters => {
                if let Some(checkpoints) = checkpoints {
                    checkpoints.pass_over(observer);
                }
                let labels = self.solve_by_counters(&game, observer)?;
                Ok((Solved::Counters(Box::new(LabelledPursuit::new(game, labels))), packed))
            }
            _ => {
                let solution = self.solve_by_bitboard(&packed, game, checkpoints, observer)?;
                Ok((Solved::Bitboard(Box::new(solution)), packed))
            }
        }
    }

    /// Returns the checkpoints of the table `path`, if this generator is to write any.
    fn checkpoints_of(&self, plan: &Plan, path: &Path) -> Result<Option<Checkpoints>, GenerateError> {
        let Some(interval) = self.checkpoints else { return Ok(None) };
        let scratch = self.scratch.as_deref();
        if let Some(folder) = scratch {
            prepare_scratch(folder)
                .map_err(|source| GenerateError::Scratch { folder: folder.to_owned(), source })?;
            // The name of the log depends on the folder of the table, which a link may lead to.
            fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        }
        let mut checkpoints = Checkpoints::new(path, scratch, plan.header_key(), interval, self.sync);
        if let Some(bytes) = self.memory {
            checkpoints.limit_memory(bytes);
        }
        Ok(Some(checkpoints))
    }

    /// Removes the checkpoints from which [`Generator::generate`] would resume to make the table of `plan` as
    /// the file `path`: for a table that is finished, where a process that was killed has left them. Those of
    /// other games stay, and so do those with which another process works. The observer hears of a file that
    /// cannot be removed.
    pub fn remove_checkpoints(&self, plan: &Plan, path: &Path, observer: &dyn Observer) {
        let interval = self.checkpoints.unwrap_or_default();
        let scratch = self.scratch.as_deref();
        let checkpoints = Checkpoints::new(path, scratch, plan.header_key(), interval, self.sync);
        if checkpoints.are_left() {
            checkpoints.remove(observer);
        }
    }

    /// Makes the table of `plan` as the file `path`, and creates its folder if need be. A file of that name
    /// is replaced once the new one is complete.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn generate(
        &self,
        plan: &Plan,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<Report, GenerateError> {
        let begin = Instant::now();
        let engine = plan.engine();
        let game = Generator::compile(plan, observer)?;
        let checkpoints = self.checkpoints_of(plan, path)?;
        let (solution, packed) = self.solve_with(plan, game, checkpoints.as_ref(), observer)?;
        let solving = begin.elapsed();
        let begin = Instant::now();
        let finished = self.finish(&solution, plan, &packed, path, checkpoints.as_ref(), observer);
        // Returning memory to the system takes a while, and the caller need not wait for it.
        self.pool.spawn(move || drop(solution));
        let (header, written) = finished?;
        Ok(Report {
            engine,
            positions: header.positions(),
            summary: header.summary,
            written,
            solving,
            writing: begin.elapsed(),
        })
    }

    /// Writes the table with this header, the values of `source`, and behind them the blocks of `sections` as
    /// the file `path`, and creates its folder if need be. A file of that name is replaced once the new one
    /// is complete.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn write<H: TableHeader>(
        &self,
        source: &dyn BlockSource<H::Summary>,
        header: &H,
        sections: &[RawBlock],
        encoding: Encoding,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<Written, GenerateError> {
        let encode = |room| {
            let blocks =
                self.encode_blocks(room, source, sections, header.block_count(), encoding, observer)?;
            Ok((header, blocks))
        };
        Ok(self.save_table::<H, _, _>(path, encode)?.1)
    }

    /// Encodes the table of `solution`, which must be that of the game of `plan`. Returns its header and its
    /// blocks.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub fn encode(
        &self,
        solution: &dyn Solution,
        plan: &Plan,
        observer: &dyn Observer,
    ) -> Result<(Header, EncodedBlocks), GenerateError> {
        let stop = || observer.stop();
        let packed = plan.pack(&mut StopCheck::new(&stop))?;
        let mut header = packed.header.clone();
        let (room, count) = (Room::IN_MEMORY, header.block_count());
        let blocks =
            self.encode_blocks(room, solution, &packed.blocks(), count, plan.encoding(), observer)?;
        header.summary = blocks.summary;
        Ok((header, blocks))
    }

    fn encode_blocks<S: Send, B: BlockSource<S> + ?Sized>(
        &self,
        room: Room,
        source: &B,
        sections: &[RawBlock],
        blocks: u64,
        encoding: Encoding,
        observer: &dyn Observer,
    ) -> Result<EncodedBlocks<S>, GenerateError> {
        Ok(self.pool.install(|| encode_into(room, source, sections, blocks, encoding, observer))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        checkpoint::{Frames, Unrestored},
        warning::Warning,
    };
    use dragnet_formats::{
        board::make,
        rules::{Rules, Stuck},
    };
    use proptest::prelude::*;
    use std::{
        fs,
        sync::{Mutex, atomic::AtomicBool},
    };

    /// An observer that remembers why checkpoints were not used.
    #[derive(Default)]
    struct Refusals(Mutex<Vec<String>>);

    impl Observer for Refusals {
        fn warning(&self, warning: &Warning) {
            self.0.lock().unwrap().push(warning.to_string());
        }
    }

    /// Wants the work to stop once a level is reached.
    struct StopAt(u32, Mutex<Option<u32>>);

    impl Observer for StopAt {
        fn level(&self, level: u32, _: u64) {
            *self.1.lock().unwrap() = Some(level);
        }

        fn stop(&self) -> bool {
            self.1.lock().unwrap().is_some_and(|level| level >= self.0)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Forged states whose checksums are right lead to a table or to a refusal, never to a panic.
        #[test]
        fn forged_checkpoints_do_no_harm(
            seed in any::<u64>(), stop in 0u32..9, level in -1i32..2,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 0..4),
        ) {
            let board = make::random(11, 12, 0.3, seed).unwrap();
            let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
            let rules = Rules { stuck: if seed % 2 == 0 { Stuck::Loses } else { Stuck::Wins }, ..Rules::classic() };
            let plan = Plan::new(board, rules, Encoding::default()).unwrap();
            let generator = Generator::new(2).unwrap().without_sync().with_checkpoints(Duration::ZERO);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.dtb");
            if generator.generate(&plan, &path, &StopAt(stop, Mutex::new(None))).is_ok() {
                return Ok(());
            }
            let checkpoints = generator.checkpoints_of(&plan, &path).unwrap().unwrap();
            let newest = Mutex::new(None);
            let found = checkpoints.resume(&(), |saved| -> Result<(), Unrestored> {
                let (mut state, mut byte) = (Vec::new(), [0]);
                while saved.read(&mut byte).is_ok() {
                    state.push(byte[0]);
                }
                newest.lock().unwrap().get_or_insert((saved.level(), state));
                Ok(())
            });
            // The end mark has been read with the state.
            prop_assert!(matches!(found, Ok(None)));
            let (found_level, mut state) = newest.into_inner().unwrap().unwrap();
            // The file of the logs stays.
            for file in crate::checkpoints_of(&path).iter().filter(|file| !file.is_log) {
                fs::remove_file(&file.path).unwrap();
            }
            for (at, byte, small) in &changes {
                let at = at.index(state.len());
                state[at] = if *small { state[at] ^ 1 << (byte % 8) } else { *byte };
            }
            let forged = found_level.wrapping_add_signed(level);
            let put = |frames: &mut Frames| frames.put(&state);
            checkpoints.write(forged, &(), &AtomicBool::new(false), put);
            // Two at work on one table would be in each other's way.
            drop(checkpoints);
            let refusals = Refusals::default();
            let report = generator.generate(&plan, &path, &refusals).unwrap();
            let refused = !refusals.0.into_inner().unwrap().is_empty();
            if refused || changes.is_empty() && level == 0 {
                let again = folder.path().join("b.dtb");
                let expected = generator.generate(&plan, &again, &()).unwrap();
                prop_assert_eq!(report.summary, expected.summary);
                prop_assert_eq!(fs::read(&path).unwrap(), fs::read(&again).unwrap());
            }
            prop_assert!(!refused || !changes.is_empty() || level != 0);
        }
    }
}
