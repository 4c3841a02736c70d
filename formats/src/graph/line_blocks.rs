//! A text in blocks of whole lines, so that several blocks can be read at once.

use std::io::{self, Cursor, Read};

/// Cuts a text into blocks of whole lines, each about as long as asked for.
#[derive(Debug)]
pub struct LineBlocks<R> {
    input: R,
    len: usize,
    /// The beginning of a line that did not fit into the last block.
    rest: Vec<u8>,
}

impl<R: Read> LineBlocks<R> {
    /// Creates blocks of about `len` bytes. A longer line is a block of its own.
    pub fn new(input: R, len: usize) -> LineBlocks<R> {
        LineBlocks { input, len: len.max(1), rest: Vec::new() }
    }

    /// Returns what no block has had.
    pub fn into_rest(self) -> impl Read {
        Cursor::new(self.rest).chain(self.input)
    }

    /// Reads the next block into `block`, whose memory is used again. Returns `false` at the end of the text.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn next(&mut self, block: &mut Vec<u8>) -> io::Result<bool> {
        block.clear();
        block.append(&mut self.rest);
        loop {
            let read = self.input.by_ref().take(self.len as u64).read_to_end(block)?;
            if read == 0 {
                return Ok(!block.is_empty());
            }
            if let Some(end) = block.iter().rposition(|&byte| byte == b'\n') {
                self.rest.extend_from_slice(&block[end + 1..]);
                block.truncate(end + 1);
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_hold_whole_lines_and_the_whole_text(text in "[ab\n]{0,60}", len in 0usize..20) {
            let mut blocks = LineBlocks::new(text.as_bytes(), len);
            let (mut all, mut block) = (Vec::new(), Vec::new());
            while blocks.next(&mut block).unwrap() {
                prop_assert!(!block.is_empty());
                prop_assert!(all.is_empty() || all.ends_with(b"\n"));
                all.extend_from_slice(&block);
            }
            prop_assert_eq!(all, text.as_bytes());
        }
    }
}
