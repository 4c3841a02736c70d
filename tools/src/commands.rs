//! The subcommands, one file each.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod board;
pub(crate) mod dump;
pub(crate) mod estimate;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod line;
pub(crate) mod pack;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod verify;

use crate::failure::Failure;
use dragnet_probe::{Access, Options, Table};
use std::{io::Write, path::Path};

/// The table in a file.
fn open(path: &Path) -> Result<Table, Failure> {
    open_with(path, Options::default())
}

/// The table in a file, all of which will be read.
fn open_whole(path: &Path) -> Result<Table, Failure> {
    open_with(path, Options::default().access(Access::Whole))
}

/// The table in a file, opened with options.
pub(crate) fn open_with(path: &Path, options: Options) -> Result<Table, Failure> {
    Table::open_with(path, options).map_err(|error| match error {
        // These name the file themselves.
        dragnet_probe::ProbeError::File { .. } => Failure::from(error),
        error => Failure::from(error).in_file(path),
    })
}

/// Standard output, gathered into large writes.
pub(crate) fn output() -> std::io::BufWriter<std::io::StdoutLock<'static>> {
    std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock())
}

/// Prints one line of JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut output = output();
    serde_json::to_writer(&mut output, value)?;
    output.write_all(b"\n")?;
    Ok(output.flush()?)
}

/// Success if nobody reads our output any more: for commands whose work matters without it.
pub(crate) fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    printed.or_else(|failure| if failure.output_closed() { Ok(()) } else { Err(failure) })
}
