//! The log of a run for machines: its events, a line of JSON each.

use crate::{
    failure::Failure,
    messages::{Kind, printable},
    output::progress,
};
use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Makes the events of the process go to the end of the file `path`.
///
/// # Errors
/// When the file cannot be opened.
pub(crate) fn begin(path: &Path) -> Result<(), Failure> {
    let file = File::options()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| Failure::cannot("write", path, error))?;
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_target(false)
        .with_writer(Mutex::new(LogFile { path: path.to_owned(), file, failed: false }))
        .init();
    Ok(())
}

/// The file of a log. A write that fails costs its event, and only the first one is reported: tables matter
/// more than their log.
struct LogFile {
    path: PathBuf,
    file: File,
    failed: bool,
}

impl Write for LogFile {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(event)
            && !self.failed
        {
            self.failed = true;
            let path = self.path.display().to_string();
            let text = format!("cannot write {}: {error}; events are missing there", printable(&path));
            progress::say(Kind::Warning, &text);
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
