//! Texts from files, pipes and standard input: how they are opened, how long they may be, and what is said of
//! a table in the place of a text. [`plain_text`] decodes them.

use crate::{
    failure::Failure,
    messages::{self, Kind},
    signals,
};
use dragnet_formats::{
    container::layout::MAGIC,
    plain_text::{self, MOST_BYTES, NotText},
};
use std::{
    fs::{self, File},
    io::{self, Cursor, IsTerminal, Read, stdin},
    path::Path,
};

/// The first bytes of a text or a table, as many as tell them apart, and the input behind them.
type Begun = (Vec<u8>, Box<dyn Read + Send>);

/// Opens a file, or standard input for `-`.
fn begin(path: &Path, what: &str) -> Result<Begun, Failure> {
    let cannot = |error| cannot_read(error, path);
    let mut input: Box<dyn Read + Send> = if path == Path::new("-") {
        if stdin().is_terminal() {
            let said = "reading from the terminal; Ctrl-D at the start of a line ends the input";
            messages::say(Kind::Note, said);
        }
        Box::new(Patient(stdin()))
    } else {
        let kind = fs::metadata(path).map_err(cannot)?;
        if kind.is_dir() {
            return Err(Failure::input(format!("expected {what}, found a folder")).in_file(path));
        }
        if kind.is_file() {
            Box::new(File::open(path).map_err(cannot)?)
        } else {
            Box::new(Patient(signals::while_waiting(|| File::open(path)).map_err(cannot)?))
        }
    };
    let mut begin = Vec::new();
    while begin.len() < MAGIC.len() && MAGIC.starts_with(&begin) {
        if input.by_ref().take(1).read_to_end(&mut begin).map_err(cannot)? == 0 {
            break;
        }
    }
    Ok((begin, input))
}

/// Returns whether a file that begins with these bytes is a table, or the beginning of one.
fn is_table(begin: &[u8]) -> bool {
    !begin.is_empty() && MAGIC.starts_with(begin)
}

/// Returns the failure of finding a table in the place of a text.
fn found_table(path: &Path, what: &str) -> Failure {
    Failure::input(format!("expected {what}; this looks like a table"))
        .in_file(path)
        .with_hint("'dragnet info TABLE' tells what a table holds, 'dragnet probe TABLE' asks it")
}

/// Opens a text; `-` is standard input. `what` is what it should be, as in "a board".
///
/// # Errors
/// When the file cannot be opened, or is a folder or a table.
pub(crate) fn open(path: &Path, what: &str) -> Result<impl Read + Send + use<>, Failure> {
    let (begin, input) = begin(path, what)?;
    if is_table(&begin) { Err(found_table(path, what)) } else { Ok(Cursor::new(begin).chain(input)) }
}

/// Returns all bytes of a file of at most [`MOST_BYTES`], or `None` if it is a table.
///
/// # Errors
/// When the file cannot be read, or is a folder or too long.
pub(crate) fn bytes_unless_table(path: &Path, what: &str) -> Result<Option<Vec<u8>>, Failure> {
    let (mut bytes, input) = begin(path, what)?;
    if is_table(&bytes) {
        return Ok(None);
    }
    let left = (MOST_BYTES + 1 - bytes.len()) as u64;
    input.take(left).read_to_end(&mut bytes).map_err(|error| cannot_read(error, path))?;
    if bytes.len() <= MOST_BYTES {
        return Ok(Some(bytes));
    }
    let expected = format!("expected {what} of at most {} MiB, found a longer one", MOST_BYTES >> 20);
    Err(Failure::input(expected).in_file(path))
}

/// Returns all bytes of a text or a picture of at most [`MOST_BYTES`].
///
/// # Errors
/// See [`bytes_unless_table`]; also when it is a table.
pub(crate) fn bytes(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    bytes_unless_table(path, what)?.ok_or_else(|| found_table(path, what))
}

/// Returns a text of at most [`MOST_BYTES`], as UTF-8 whose lines end in LF.
///
/// # Errors
/// See [`bytes`]; also when it is no text.
pub(crate) fn read(path: &Path, what: &str) -> Result<String, Failure> {
    let bytes = bytes(path, what)?;
    let text = plain_text::decode(&bytes).map_err(|error| Failure::Input(error.into()).in_file(path))?;
    Ok(text.into_owned())
}

/// Returns the failure of reading the text `path`.
pub(crate) fn cannot_read(error: io::Error, path: &Path) -> Failure {
    match NotText::in_error(&error) {
        Some(error) => Failure::Input(error.clone().into()).in_file(path),
        None if path == Path::new("-") => Failure::from(error).about("cannot read standard input"),
        None => Failure::cannot("read", path, error),
    }
}

/// Input that may be waited for, until a signal ends the process.
struct Patient<R>(R);

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        signals::while_waiting(|| self.0.read(into))
    }
}
