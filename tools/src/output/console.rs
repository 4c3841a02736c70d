//! Standard output.

use crate::{
    failure::Failure,
    messages::{columns, wrapped},
};
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, whose errors say where they come from.
pub(crate) struct StandardOutput(StdoutLock<'static>);

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(about)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(about)
    }
}

fn about(error: io::Error) -> io::Error {
    match error.kind() {
        // Its caller tries again.
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("cannot write standard output: {error}")),
    }
}

/// Locks standard output and gathers what is written into large pieces.
pub(crate) fn output() -> BufWriter<StandardOutput> {
    BufWriter::with_capacity(1 << 16, StandardOutput(io::stdout().lock()))
}

/// Prints one line on standard output, which is broken between words where the terminal ends.
pub(crate) fn print_line(line: &str) -> Result<(), Failure> {
    let mut output = output();
    writeln!(output, "{}", wrapped(line, 0, columns(&io::stdout())))?;
    Ok(output.flush()?)
}

/// Prints `value` as one line of JSON on standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut output = output();
    serde_json::to_writer(&mut output, value)?;
    output.write_all(b"\n")?;
    Ok(output.flush()?)
}
