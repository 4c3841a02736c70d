//! Long texts that all threads make.

use dragnet_generator::Generator;
use rayon::prelude::*;
use std::{
    io::{self, Write},
    ops::Range,
};

/// Lines of a piece, which are some hundred kilobytes.
const LINES: u64 = 1 << 14;
/// Pieces that each thread prepares before they are written.
const AHEAD: u64 = 4;

/// Writes `lines` lines in order. The threads of `generator` call `make` for ranges of line numbers, each
/// with the buffer that it appends its lines to.
pub(crate) fn write(
    generator: &Generator,
    lines: u64,
    output: &mut impl Write,
    make: impl Fn(Range<u64>, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let pieces = lines.div_ceil(LINES);
    let threads = generator.install(rayon::current_num_threads) as u64;
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for first in (0..pieces).step_by((threads * AHEAD) as usize) {
        let count = (threads * AHEAD).min(pieces - first) as usize;
        texts.resize_with(count, Vec::new);
        generator.install(|| {
            texts.par_iter_mut().enumerate().try_for_each(|(i, text)| {
                text.clear();
                let begin = (first + i as u64) * LINES;
                make(begin..lines.min(begin + LINES), text)
            })
        })?;
        texts.iter().try_for_each(|text| output.write_all(text))?;
    }
    Ok(())
}
