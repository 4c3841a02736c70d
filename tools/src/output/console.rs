//! Standard output.

use crate::failure::Failure;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Locks standard output and gathers what is written into large pieces.
pub(crate) fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Prints `value` as one line of JSON on standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut output = output();
    serde_json::to_writer(&mut output, value)?;
    output.write_all(b"\n")?;
    Ok(output.flush()?)
}
