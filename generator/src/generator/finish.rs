//! From a solved game to its table: encoding, writing, and what becomes of the checkpoints meanwhile.

use super::{GenerateError, Generator, Solved, helper::RankHelpers};
use crate::{
    checkpoint::{Checkpoints, Keeper, checkpoints_of},
    engines::bitboard::BitboardSolution,
    observer::Observer,
    plan::Plan,
    save::{folder_of, is_full, save},
    solution::BlockBundles,
    table::{
        BLOCK_MEMORY, Beyond, Room,
        encode::{self, BundleHelpers, EncodedBlocks, Written, encode_bundles},
    },
};
use dragnet_formats::{
    container::{TableHeader, WriteError},
    header::Header,
    stored::PackedGame,
};
use std::{
    borrow::Borrow,
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};
use xxhash_rust::xxh3::Xxh3;

/// A solved game on its way into its table.
struct Finish<'a> {
    generator: &'a Generator,
    plan: &'a Plan,
    packed: &'a PackedGame,
    path: &'a Path,
    checkpoints: Option<&'a Checkpoints>,
    observer: &'a dyn Observer,
    /// Kept until the table has its name: a checkpoint can be written as long as it is there.
    solved: &'a Solved,
}

/// A table whose blocks are encoded.
struct EncodedTable {
    header: Header,
    blocks: EncodedBlocks,
}

impl Generator {
    /// Encodes the table of a solved game and writes it under its name, and removes the checkpoints. Beside
    /// the encoding a checkpoint of the finished solve is written, if that is worth its time; and if there is
    /// no table in the end, but a later run may make it. If the disk is full, the table has the room of its
    /// checkpoints.
    pub(super) fn finish(
        &self,
        solved: &Solved,
        plan: &Plan,
        packed: &PackedGame,
        path: &Path,
        checkpoints: Option<&Checkpoints>,
        observer: &dyn Observer,
    ) -> Result<(Header, Written), GenerateError> {
        Finish { generator: self, plan, packed, path, checkpoints, observer, solved }.run()
    }

    /// Encodes the blocks of a table with `encode`, which also returns its header, and writes it as the file
    /// `path`. If the disk is full, the blocks that wait there are taken into memory.
    pub(super) fn save_table<H: TableHeader, B: Borrow<H>, S: Sync>(
        &self,
        path: &Path,
        encode: impl FnOnce(Room) -> Result<(B, EncodedBlocks<S>), GenerateError>,
    ) -> Result<(B, Written), GenerateError> {
        let (mut encode, mut encoded) = (Some(encode), None);
        loop {
            // The temporary file is created before the blocks are encoded, so that a folder that cannot be
            // written to is found out early.
            let saved = save(path, self.sync, |file| -> Result<_, GenerateError> {
                if let Some(encode) = encode.take() {
                    encoded = Some(encode(self.room(path))?);
                }
                let (header, blocks) = encoded.as_ref().expect("blocks are encoded at once");
                let header = header.borrow();
                Ok(self.pool.install(|| blocks.write(header, file))?)
            });
            match saved {
                Ok(written) => {
                    let (header, _) = encoded.expect("what was written was encoded");
                    return Ok((header, written));
                }
                Err(error) => {
                    let blocks =
                        encoded.as_ref().map(|(_, blocks)| blocks).filter(|_| full(&error).is_some());
                    if !blocks.is_some_and(EncodedBlocks::take_back) {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Returns the room for the encoded blocks of the table `path` that nobody needs later.
    fn room(&self, path: &Path) -> Room {
        let memory = BLOCK_MEMORY.min(self.memory.unwrap_or(u64::MAX));
        Room { memory, encoders: usize::MAX, beyond: Beyond::Unnamed(folder_of(path).to_owned()) }
    }
}

impl Finish<'_> {
    fn run(&self) -> Result<(Header, Written), GenerateError> {
        thread::scope(|scope| {
            let mut keeper = Keeper::new(scope, self.checkpoints, self.observer);
            if let Some((solution, checkpoints)) = self.unsaved()
                && checkpoints.worth_finishing()
            {
                keeper.save(solution.level(), self.generator.pool.install(|| solution.saved_state()));
            }
            let mut encoded = None;
            let saved = loop {
                let put = AtomicU64::new(0);
                // The temporary file is created before the blocks are encoded, so that a folder that cannot
                // be written to is found out early.
                let saved = self.save(&mut encoded, &put);
                let Err(error) = &saved else { break saved };
                if full(error).is_none()
                    || !self.make_room(&mut keeper, encoded.as_ref(), put.into_inner())?
                {
                    break saved;
                }
            };
            match saved {
                Ok(written) => {
                    keeper.give_up();
                    let EncodedTable { header, blocks } = encoded.expect("what was written was encoded");
                    blocks.remove_file();
                    if let Some(checkpoints) = self.checkpoints {
                        checkpoints.remove(self.observer);
                    }
                    Ok((header, written))
                }
                Err(error) => {
                    let bytes = encoded.as_ref().and_then(|encoded| encoded.len().ok());
                    // Closes the file of the blocks.
                    drop(encoded);
                    match error {
                        GenerateError::Stopped
                        | GenerateError::Io(_)
                        | GenerateError::Write(WriteError::Io(_)) => {
                            keeper.wait();
                            self.keep();
                        }
                        _ => drop(keeper.give_up()),
                    }
                    if let Some(checkpoints) = self.checkpoints {
                        checkpoints.remove_lone_blocks();
                    }
                    Err(self.name_checkpoints(error, bytes))
                }
            }
        })
    }

    /// Encodes the blocks. With checkpoints they are kept in a file as far as they do not stay in memory, so
    /// that a later run that resumes from the finished solve finds them.
    fn encode(&self) -> Result<EncodedTable, GenerateError> {
        let (generator, encoding) = (self.generator, self.plan.encoding());
        let (mut header, sections) = (self.packed.header.clone(), self.packed.blocks());
        let count = header.block_count();
        let ranks = generator.ranks.as_deref();
        let blocks: EncodedBlocks = match self.solved {
            Solved::Bitboard(solution) => {
                let encoded = generator.pool.install(|| {
                    let bundles = solution.bundles();
                    let room = match self.checkpoints {
                        Some(checkpoints) => {
                            let key = self.blocks_key(&bundles);
                            let beyond = Beyond::Named { path: checkpoints.blocks_path(), key };
                            let fixed = memory_needed(self.plan, &bundles);
                            let left = solution.make_room(fixed);
                            let memory = (left / BLOCK_PART).min(BLOCK_MEMORY);
                            Room { memory, encoders: 1 + (left / encode::ENCODER) as usize, beyond }
                        }
                        None => generator.room(self.path),
                    };
                    let helpers = ranks.map(|ranks| RankHelpers::new(ranks, solution, encoding));
                    let helpers = helpers.as_ref().map(|helpers| helpers as &dyn BundleHelpers);
                    encode_bundles(room, &bundles, helpers, &sections, count, encoding, self.observer)
                })?;
                encoded.map_summary(|digest| solution.summary_with(digest))
            }
            Solved::Counters(solution) => {
                let room = generator.room(self.path);
                generator.encode_blocks(room, &**solution, &sections, count, encoding, self.observer)?
            }
        };
        header.summary = blocks.summary;
        Ok(EncodedTable { header, blocks })
    }

    /// Returns a hash of all on which the encoded blocks depend, and the bundles in which they are kept.
    fn blocks_key(&self, bundles: &impl BlockBundles) -> u128 {
        let mut hash = Xxh3::new();
        hash.update(&self.plan.key().to_le_bytes());
        hash.update(&bundles.key().to_le_bytes());
        // Another version of zstd may encode otherwise.
        hash.update(&zstd::zstd_safe::version_number().to_le_bytes());
        hash.digest128()
    }

    /// Writes the table, and encodes it first if that has not been done. `put` counts the bytes that the file
    /// has taken.
    fn save(&self, encoded: &mut Option<EncodedTable>, put: &AtomicU64) -> Result<Written, GenerateError> {
        save(self.path, self.generator.sync, |file| {
            let EncodedTable { header, blocks } = match encoded {
                Some(encoded) => encoded,
                None => encoded.insert(self.encode()?),
            };
            let file = Counted { file, taken: 0, put };
            let (Counted { file, .. }, written) =
                self.generator.pool.install(|| blocks.write(header, file))?;
            Ok((file, written))
        })
    }

    /// Gives up something for the table, of which the full disk took `put` bytes: the checkpoint that is
    /// being written, or else the file of the encoded blocks, which are taken into memory; or else the older
    /// generation, or else the newer. Returns false if that is no help.
    fn make_room(
        &self,
        keeper: &mut Keeper,
        encoded: Option<&EncodedTable>,
        put: u64,
    ) -> Result<bool, GenerateError> {
        if keeper.give_up() {
            return Ok(true);
        }
        if encoded.is_some_and(|encoded| self.may_take_back(&encoded.blocks) && encoded.blocks.take_back()) {
            return Ok(true);
        }
        let Some(checkpoints) = self.checkpoints else { return Ok(false) };
        let bytes = encoded.map(EncodedTable::len).transpose()?.unwrap_or(0);
        let take_back = || match self.solved {
            Solved::Bitboard(solution) => self.generator.pool.install(|| solution.take_back()),
            Solved::Counters(_) => Ok(()),
        };
        Ok(checkpoints.make_room(bytes.saturating_sub(put), self.observer, take_back))
    }

    /// Returns whether the file of the encoded blocks would leave its room to the table, and they may be in
    /// memory: whoever limits the memory of the logs has little of it.
    fn may_take_back(&self, blocks: &EncodedBlocks) -> bool {
        let Some(checkpoints) = self.checkpoints else { return true };
        checkpoints.blocks_path().parent() == self.path.parent()
            && blocks.file_bytes().is_some_and(|bytes| bytes <= checkpoints.budget().left())
    }

    /// Returns the solution and the checkpoints, if these have not got all of a solve that can be saved.
    fn unsaved(&self) -> Option<(&BitboardSolution, &Checkpoints)> {
        let Solved::Bitboard(solution) = self.solved else { return None };
        let checkpoints = self.checkpoints.filter(|checkpoints| !checkpoints.has(solution.level()))?;
        Some((solution, checkpoints))
    }

    /// Writes a checkpoint of the finished solve, if there is none and the solve was worth one: the table is
    /// not made in this run.
    fn keep(&self) {
        if let Some((solution, checkpoints)) = self.unsaved()
            && checkpoints.worth_keeping()
        {
            let state = self.generator.pool.install(|| solution.saved_state());
            checkpoints.write(solution.level(), self.observer, &AtomicBool::new(false), state);
        }
    }

    /// Returns the error; that of a full disk with the checkpoints that there are, and with the table's size.
    fn name_checkpoints(&self, error: GenerateError, bytes: Option<u64>) -> GenerateError {
        match error {
            GenerateError::Io(source) | GenerateError::Write(WriteError::Io(source)) if is_full(&source) => {
                GenerateError::Full { source, bytes, checkpoints: checkpoints_of(self.path) }
            }
            error => error,
        }
    }
}

/// Returns the bytes of memory that encoding the table of `plan` takes on the threads of the current pool,
/// beside logs and encoded blocks: each thread unpacks and sorts the logs of a bundle.
fn memory_needed(plan: &Plan, bundles: &dyn BlockBundles) -> u64 {
    let threads = rayon::current_num_threads();
    let most = (0..bundles.count()).map(|bundle| bundles.memory_needed(bundle)).max().unwrap_or(0);
    plan.size()
        .memory_needed()
        .saturating_add(encode::memory_needed(plan.header().block_count()))
        .saturating_add(most.saturating_mul(threads as u64))
}

/// The part of the memory that is left in which encoded blocks stay: so they can be taken back if the disk
/// has no room for them and the table.
const BLOCK_PART: u64 = 32;

impl EncodedTable {
    /// Returns the bytes of the table.
    fn len(&self) -> Result<u64, WriteError> {
        self.blocks.table_bytes(&self.header)
    }
}

/// Returns the error of a full disk.
fn full(error: &GenerateError) -> Option<&io::Error> {
    match error {
        GenerateError::Io(error) | GenerateError::Write(WriteError::Io(error)) => Some(error),
        _ => None,
    }
    .filter(|error| is_full(error))
}

/// A file that counts the bytes that have reached it, not those in the buffer before it.
struct Counted<'a> {
    file: BufWriter<File>,
    /// Bytes that the buffer has taken.
    taken: u64,
    put: &'a AtomicU64,
}

impl Counted<'_> {
    /// Counts anew after a call, whose result it returns.
    fn count<T>(&self, result: T) -> T {
        self.put.store(self.taken - self.file.buffer().len() as u64, Relaxed);
        result
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.write(bytes);
        self.taken += *result.as_ref().unwrap_or(&0) as u64;
        self.count(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.flush();
        self.count(result)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let result = self.file.seek(to);
        self.count(result)
    }
}
