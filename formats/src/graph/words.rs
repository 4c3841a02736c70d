//! Words of a text, with their places.

use super::ReadError;
use std::io::BufRead;

/// Reads a text line by line and word by word.
pub(super) struct Words<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// Bytes of the line that have been read.
    at: usize,
}

impl<R: BufRead> Words<R> {
    pub(super) fn new(input: R) -> Words<R> {
        Words { input, line: Vec::new(), number: 0, at: 0 }
    }

    /// Number of the line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.number
    }

    /// Goes to the next line. False at the end of the text.
    pub(super) fn next_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        self.at = 0;
        let read = self.input.read_until(b'\n', &mut self.line)?;
        self.number += u64::from(read > 0);
        Ok(read > 0)
    }

    /// The next word of the line.
    #[inline]
    pub(super) fn word(&mut self) -> Option<Place> {
        let rest = &self.line[self.at..];
        let begin = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let len = rest[begin..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - begin);
        let place = Place { begin: self.at + begin, len };
        self.at += begin + len;
        Some(place)
    }

    /// The next word of the text, on this line or a later one.
    pub(super) fn anywhere(&mut self) -> Result<Option<Place>, ReadError> {
        loop {
            if let Some(place) = self.word() {
                return Ok(Some(place));
            }
            if !self.next_line()? {
                return Ok(None);
            }
        }
    }

    /// The word at a place of this line.
    #[inline]
    pub(super) fn bytes(&self, place: Place) -> &[u8] {
        &self.line[place.begin..place.begin + place.len]
    }

    /// The number that the word is.
    #[inline]
    pub(super) fn number(&self, place: Place, expected: &str) -> Result<u64, ReadError> {
        let digit = |number: u64, &byte: &u8| {
            let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
            number.checked_mul(10)?.checked_add(digit.into())
        };
        self.bytes(place).iter().try_fold(0, digit).ok_or_else(|| self.error(place, expected))
    }

    /// An error if something follows on the line.
    pub(super) fn end_of_line(&mut self, expected: &str) -> Result<(), ReadError> {
        self.word().map_or(Ok(()), |place| Err(self.error(place, expected)))
    }

    /// What is wrong with a word.
    pub(super) fn error(&self, place: Place, expected: impl Into<String>) -> ReadError {
        ReadError::text(self.number, place.begin + 1, expected, self.bytes(place))
    }

    /// What is wrong if the line ends here.
    pub(super) fn too_short(&self, expected: &str) -> ReadError {
        ReadError::text(self.number, self.line.trim_ascii_end().len() + 1, expected, b"")
    }
}

/// Where a word is in its line.
#[derive(Clone, Copy)]
pub(super) struct Place {
    begin: usize,
    len: usize,
}
