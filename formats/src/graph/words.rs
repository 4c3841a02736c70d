//! The words of a text, with their positions for error messages.

use super::ReadError;
use crate::plain_text::PlainText;
use std::io::{BufRead, BufReader, Read};

/// Reads a text line by line and word by word.
pub(super) struct WordReader<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// The number of bytes of the line that have been read.
    at: usize,
}

/// Bytes of a text that are read at a time.
const BUFFER: usize = 1 << 17;

impl<R: Read> WordReader<BufReader<PlainText<R>>> {
    /// Creates a reader of the words of a text that is not decoded.
    pub(super) fn of_text(input: R) -> WordReader<BufReader<PlainText<R>>> {
        WordReader::new(BufReader::with_capacity(BUFFER, PlainText::new(input)))
    }
}

impl<R: BufRead> WordReader<R> {
    pub(super) fn new(input: R) -> WordReader<R> {
        WordReader { input, line: Vec::new(), number: 0, at: 0 }
    }

    /// Returns the number of the line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.number
    }

    /// Reads the next line. Returns `false` at the end of the text.
    pub(super) fn next_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        self.at = 0;
        let read = self.input.read_until(b'\n', &mut self.line)?;
        self.number += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Returns the next word of the line.
    #[inline]
    pub(super) fn word(&mut self) -> Option<WordSpan> {
        let rest = &self.line[self.at..];
        let begin = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let len = rest[begin..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - begin);
        let span = WordSpan { begin: self.at + begin, len };
        self.at += begin + len;
        Some(span)
    }

    /// Returns the next word of the text, on this line or a later one.
    pub(super) fn anywhere(&mut self) -> Result<Option<WordSpan>, ReadError> {
        loop {
            if let Some(span) = self.word() {
                return Ok(Some(span));
            }
            if !self.next_line()? {
                return Ok(None);
            }
        }
    }

    /// Returns the bytes of a word of this line.
    #[inline]
    pub(super) fn bytes(&self, span: WordSpan) -> &[u8] {
        &self.line[span.begin..span.begin + span.len]
    }

    /// Returns the number that a word is.
    #[inline]
    pub(super) fn number(&self, span: WordSpan, expected: &str) -> Result<u64, ReadError> {
        let digit = |number: u64, &byte: &u8| {
            let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
            number.checked_mul(10)?.checked_add(digit.into())
        };
        self.bytes(span).iter().try_fold(0, digit).ok_or_else(|| self.error(span, expected))
    }

    /// Returns the next word of the line, which must be there.
    pub(super) fn require_word(&mut self, expected: &str) -> Result<WordSpan, ReadError> {
        self.word().ok_or_else(|| self.too_short(expected))
    }

    /// Returns the number that the next word of the line is.
    pub(super) fn require_number(&mut self, expected: &str) -> Result<u64, ReadError> {
        let word = self.require_word(expected)?;
        self.number(word, expected)
    }

    /// Returns the vertex, from 0, that the next word of the line is the number of, from 1.
    pub(super) fn require_vertex(&mut self, vertices: u32) -> Result<u64, ReadError> {
        let expected = format!("a vertex from 1 to {vertices}");
        let word = self.require_word(&expected)?;
        let number = self.number(word, &expected)?;
        if (1..=vertices.into()).contains(&number) { Ok(number - 1) } else { Err(self.error(word, expected)) }
    }

    /// Reads attributes in braces, as programs write them behind an edge. Returns whether there are any, and
    /// an error if anything else follows on the line.
    pub(super) fn attributes(&mut self, expected: &str) -> Result<bool, ReadError> {
        let Some(word) = self.word() else { return Ok(false) };
        let rest = self.line[word.begin..].trim_ascii();
        match rest {
            [b'{', inner @ .., b'}'] => Ok(!inner.trim_ascii().is_empty()),
            _ => Err(self.error(word, expected)),
        }
    }

    /// Returns an error if a word follows on the line.
    pub(super) fn end_of_line(&mut self, expected: &str) -> Result<(), ReadError> {
        self.word().map_or(Ok(()), |span| Err(self.error(span, expected)))
    }

    /// Returns the error about a word that stands in place of `expected`.
    pub(super) fn error(&self, span: WordSpan, expected: impl Into<String>) -> ReadError {
        ReadError::text(self.number, span.begin + 1, expected, self.bytes(span))
    }

    /// Returns the error about a line that ends where `expected` should stand.
    pub(super) fn too_short(&self, expected: &str) -> ReadError {
        ReadError::text(self.number, self.line.trim_ascii_end().len() + 1, expected, b"")
    }
}

/// The bytes of a word in its line.
#[derive(Clone, Copy)]
pub(super) struct WordSpan {
    begin: usize,
    len: usize,
}

impl WordSpan {
    /// Returns the number of the word's first byte in its line, from 1.
    pub(super) fn column(self) -> usize {
        self.begin + 1
    }
}
