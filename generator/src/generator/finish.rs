//! From a solved game to its table: encoding, writing, and what becomes of the checkpoints meanwhile.

use super::{GenerateError, Generator, Solved};
use crate::{
    checkpoint::{Checkpoints, Keeper, checkpoints_of},
    engines::bitboard::BitboardSolution,
    observer::Observer,
    plan::Plan,
    save::{is_full, save},
    table::encode::{EncodedBlocks, Written},
};
use dragnet_formats::{container::WriteError, header::Header};
use std::{
    cell::Cell,
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
    sync::atomic::AtomicBool,
    thread,
};

/// A solved game on its way into its table.
struct Finish<'a> {
    generator: &'a Generator,
    plan: &'a Plan,
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
        path: &Path,
        checkpoints: Option<&Checkpoints>,
        observer: &dyn Observer,
    ) -> Result<(Header, Written), GenerateError> {
        Finish { generator: self, plan, path, checkpoints, observer, solved }.run()
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
                let put = Cell::new(0);
                // The temporary file is created before the blocks are encoded, so that a folder that cannot
                // be written to is found out early.
                let saved = self.save(&mut encoded, &put);
                let Err(error) = &saved else { break saved };
                if full(error).is_none() || !self.make_room(&mut keeper, encoded.as_ref(), put.get())? {
                    break saved;
                }
            };
            match &saved {
                Ok(_) => {
                    keeper.give_up();
                    if let Some(checkpoints) = self.checkpoints {
                        checkpoints.remove();
                    }
                }
                Err(
                    GenerateError::Stopped | GenerateError::Io(_) | GenerateError::Write(WriteError::Io(_)),
                ) => {
                    keeper.wait();
                    self.keep();
                }
                Err(_) => drop(keeper.give_up()),
            }
            let written = saved.map_err(|error| self.name_checkpoints(error, encoded.as_ref()))?;
            let EncodedTable { header, .. } = encoded.expect("what was written was encoded");
            Ok((header, written))
        })
    }

    /// Writes the table, and encodes it first if that has not been done. `put` counts the bytes that the file
    /// has taken.
    fn save(&self, encoded: &mut Option<EncodedTable>, put: &Cell<u64>) -> Result<Written, GenerateError> {
        save(self.path, self.generator.sync, |file| {
            let EncodedTable { header, blocks } = match encoded {
                Some(encoded) => encoded,
                None => {
                    let solution = self.solved.as_solution();
                    let (header, blocks) = self.generator.encode(solution, self.plan, self.observer)?;
                    encoded.insert(EncodedTable { header, blocks })
                }
            };
            let (Counted { file, .. }, written) = blocks.write(header, Counted { file, taken: 0, put })?;
            Ok((file, written))
        })
    }

    /// Gives up a checkpoint for the table, of which the full disk took `put` bytes: the one that is being
    /// written, or else the older generation, or else the newer. Returns false if that is no help.
    fn make_room(
        &self,
        keeper: &mut Keeper,
        encoded: Option<&EncodedTable>,
        put: u64,
    ) -> Result<bool, GenerateError> {
        if keeper.give_up() {
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

    /// Returns the solution and the checkpoints, if these have not got all of a solve that can be saved.
    fn unsaved(&self) -> Option<(&BitboardSolution, &Checkpoints)> {
        let Solved::Bitboard(solution) = self.solved else { return None };
        let checkpoints =
            self.checkpoints.filter(|checkpoints| !checkpoints.is_finished(solution.level()))?;
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
    fn name_checkpoints(&self, error: GenerateError, encoded: Option<&EncodedTable>) -> GenerateError {
        let bytes = encoded.and_then(|encoded| encoded.len().ok());
        match error {
            GenerateError::Io(source) | GenerateError::Write(WriteError::Io(source)) if is_full(&source) => {
                GenerateError::Full { source, bytes, checkpoints: checkpoints_of(self.path) }
            }
            error => error,
        }
    }
}

impl EncodedTable {
    /// Returns the bytes of the table.
    fn len(&self) -> Result<u64, WriteError> {
        let (_, written) = self.blocks.write(&self.header, io::empty())?;
        Ok(written.bytes)
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
    put: &'a Cell<u64>,
}

impl Counted<'_> {
    /// Counts anew after a call, whose result it returns.
    fn count<T>(&self, result: T) -> T {
        self.put.set(self.taken - self.file.buffer().len() as u64);
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
