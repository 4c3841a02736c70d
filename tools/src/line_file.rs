//! Files of lines of JSON to which several processes add lines at a time: the journal and the history of an
//! output folder.

use crate::failure::Failure;
use dragnet_generator::save::{require_file, save};
use parking_lot::Mutex;
use serde::Serialize;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// A file of lines. A process that was killed may have left half a line, which readers skip.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: Mutex<File>,
}

/// The bytes of a file from some place on.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    pub(crate) bytes: Vec<u8>,
    /// The place behind them.
    pub(crate) end: u64,
}

impl LineFile {
    /// Opens the file `path`, whose folder exists, and creates it if need be.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn open(path: PathBuf) -> Result<LineFile, Failure> {
        let open = || {
            require_file(&path)?;
            OpenOptions::new().create(true).append(true).read(true).open(&path)
        };
        let file = open().map_err(|error| Failure::cannot("open", &path, error))?;
        Ok(LineFile { path, file: Mutex::new(file) })
    }

    /// Calls `work` with the file, which no other thread or process changes meanwhile.
    fn locked<T>(&self, what: &str, work: impl FnOnce(&mut File) -> io::Result<T>) -> Result<T, Failure> {
        let mut file = self.file.lock();
        let done = file.lock().and_then(|()| {
            let done = work(&mut file);
            file.unlock().and(done)
        });
        done.map_err(|error| Failure::cannot(what, &self.path, error))
    }

    /// Adds a line, and returns where it begins and ends.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn add(&self, line: &impl Serialize) -> Result<(u64, u64), Failure> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.locked("write", |file| {
            let mut begin = file.seek(SeekFrom::End(0))?;
            let mut last = [b'\n'];
            if begin > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            // The end of half a line.
            if last != *b"\n" {
                file.write_all(b"\n")?;
                begin += 1;
            }
            // One write: a crash can cut only the end of the line.
            file.write_all(&text)?;
            Ok((begin, begin + text.len() as u64))
        })
    }

    /// Returns what the file holds from the place `from` on.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn read_from(&self, from: u64) -> Result<Tail, Failure> {
        self.locked("read", |file| {
            let end = file.seek(SeekFrom::End(0))?;
            let mut bytes = Vec::new();
            if end > from {
                file.seek(SeekFrom::Start(from))?;
                file.take(end - from).read_to_end(&mut bytes)?;
            }
            Ok(Tail { bytes, end: end.max(from) })
        })
    }
}

/// Returns the bytes of the file `path`; none if there is no file. Waits for no other process: the last line
/// may be half written.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    match require_file(path).and_then(|()| fs::read(path)) {
        Ok(bytes) => Ok(bytes),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(error) => Err(Failure::cannot("open", path, error)),
    }
}

/// Writes the file `path` anew with these bytes. The caller is alone with it.
///
/// # Errors
/// When the file system refuses.
pub(crate) fn replace(path: &Path, bytes: &[u8], sync: bool) -> Result<(), Failure> {
    let write = |mut file: io::BufWriter<File>| -> io::Result<_> {
        file.write_all(bytes)?;
        Ok((file, ()))
    };
    save(path, sync, write).map_err(|error| Failure::cannot("write", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn lines_of_many_writers_are_whole_and_half_a_line_ends_before_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "\"ha").unwrap();
        let one = LineFile::open(path.clone()).unwrap();
        assert_eq!(one.read_from(0).unwrap().end, 3);
        thread::scope(|scope| {
            for writer in 0..4_u32 {
                let path = path.clone();
                scope.spawn(move || {
                    let file = LineFile::open(path).unwrap();
                    for line in 0..50_u32 {
                        file.add(&(writer, line)).unwrap();
                    }
                });
            }
        });
        let Tail { bytes, end } = one.read_from(3).unwrap();
        assert_eq!(end, fs::metadata(&path).unwrap().len());
        let mut lines: Vec<(u32, u32)> = bytes[1..]
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        lines.sort_unstable();
        assert_eq!(
            lines,
            (0..4).flat_map(|writer| (0..50).map(move |line| (writer, line))).collect::<Vec<_>>()
        );
        assert_eq!(one.add(&1).unwrap(), (end, end + 2));
        assert_eq!(one.read_from(end + 2).unwrap().bytes, b"");
    }
}
