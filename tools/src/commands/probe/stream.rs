//! `dragnet probe --stdin`: positions line by line.

use crate::{failure::Failure, input::text, output::console::output};
use dragnet_formats::{plain_text::PlainText, value::Value};
use dragnet_probe::ProbeError;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
};

/// Bytes of input that are read at a time and answered together.
const INPUT: usize = 1 << 20;

/// Answers positions line by line. All lines that have arrived are answered together: a program that asks one
/// position at a time gets its answer at once, and for a file of positions each block is decompressed once
/// for some 50,000 of them.
///
/// `parse` reads a position from a line, `values` looks up many positions in the table of the file `path`,
/// and `answer` returns the line that answers with a value.
///
/// # Errors
/// When a line is not a position or the table is damaged; the lines before are answered.
pub(super) fn answer<P>(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<P, Failure>,
    values: impl Fn(&[P]) -> Result<Vec<Value>, ProbeError>,
    answer: impl Fn(&P, Value) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let input = text::open(Path::new("-"), "positions")?;
    let mut input = BufReader::with_capacity(INPUT, PlainText::new(input));
    let mut output = output();
    let mut line = Vec::new();
    let mut positions = Vec::new();
    let mut answered = 0u64;
    loop {
        positions.clear();
        let mut wrong = None;
        let mut more = true;
        while more && wrong.is_none() {
            line.clear();
            let read = input.read_until(b'\n', &mut line);
            if read.map_err(|error| text::cannot_read(error, Path::new("-")))? == 0 {
                more = false;
                break;
            }
            match parse(&line) {
                Ok(position) => positions.push(position),
                Err(failure) => wrong = Some(failure),
            }
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        // Of several positions without an answer, the message names the first.
        let values = loop {
            match values(&positions) {
                Ok(values) => break values,
                Err(ProbeError::InBatch { index, source }) => {
                    wrong = Some(Failure::from(*source).in_file(path));
                    positions.truncate(index);
                }
                Err(error) => return Err(Failure::from(error).in_file(path)),
            }
        };
        for (position, value) in positions.iter().zip(values) {
            writeln!(output, "{}", answer(position, value)?)?;
        }
        output.flush()?;
        answered += positions.len() as u64;
        if let Some(failure) = wrong {
            return Err(failure.about(format!("standard input, line {}", answered + 1)));
        }
        if !more {
            return Ok(());
        }
    }
}
