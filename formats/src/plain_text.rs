//! Texts as editors and programs save them, as UTF-8 with one kind of line end.
//!
//! A text is UTF-8, or UTF-16 if a byte order mark says so; a mark at its start is no part of it. Lines end
//! in LF, CR LF or CR. No text holds the character U+0000.

use std::{
    borrow::Cow,
    io::{self, Read},
    mem,
};

/// The most bytes of a text that is read whole, and of a line of any other.
pub const MOST_BYTES: usize = 64 << 20;

/// The reason why bytes are not a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotText {
    /// A byte that is not UTF-8, or zero.
    #[error(
        "line {line}, column {column}: expected a character of a text in UTF-8, found the byte 0x{byte:02X}"
    )]
    Byte {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// The character U+0000, at an unknown place.
    #[error("expected a text in UTF-8, or in UTF-16 with a byte order mark, found a zero")]
    Zero,
    /// A text whose mark says UTF-16, and which is none.
    #[error("expected UTF-16, as the byte order mark says, found a part of a character")]
    PartOfCharacter,
    /// A line beyond [`MOST_BYTES`].
    #[error("expected lines of at most {} MiB, found a longer one", MOST_BYTES >> 20)]
    LongLine,
}

impl NotText {
    /// Returns the reason why a text could not be read, if it is that the bytes are no text.
    #[must_use]
    pub fn in_error(error: &io::Error) -> Option<&NotText> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<NotText> for io::Error {
    fn from(error: NotText) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Returns the text in these bytes, with LF at the end of each line and without a byte order mark.
///
/// ```
/// use dragnet_formats::plain_text::decode;
///
/// assert_eq!(decode(b"\xEF\xBB\xBFone\r\ntwo\rthree")?, "one\ntwo\nthree");
/// assert_eq!(decode(b"\xFF\xFEa\0\n\0")?, "a\n");
/// # Ok::<(), dragnet_formats::plain_text::NotText>(())
/// ```
///
/// # Errors
/// When the bytes are not UTF-8, or not UTF-16 behind its byte order mark, or one of them is zero.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    if !bytes.starts_with(UTF_16_LE) && !bytes.starts_with(UTF_16_BE) {
        let text = utf8(bytes.strip_prefix(UTF_8).unwrap_or(bytes))?;
        if is_clean(text.as_bytes()) {
            return Ok(Cow::Borrowed(text));
        }
    }
    let mut text = Vec::with_capacity(bytes.len());
    // A line may be as long as the text, which is in memory already.
    let mut input = PlainText { most_bytes: usize::MAX, ..PlainText::new(bytes) };
    input.read_to_end(&mut text).map_err(|error| match NotText::in_error(&error) {
        Some(error) => error.clone(),
        None => unreachable!("bytes in memory can be read: {error}"),
    })?;
    Ok(Cow::Owned(String::from_utf8(text).expect("bytes that are UTF-8")))
}

/// Returns the text in bytes without a byte order mark.
fn utf8(bytes: &[u8]) -> Result<&str, NotText> {
    let (text, wrong) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, text.find('\0')),
        Err(error) => ("", Some(error.valid_up_to())),
    };
    let Some(wrong) = wrong else { return Ok(text) };
    let before = String::from_utf8_lossy(&bytes[..wrong]).replace("\r\n", "\n").replace('\r', "\n");
    Err(NotText::Byte {
        line: before.matches('\n').count() + 1,
        column: before.rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        byte: bytes[wrong],
    })
}

/// The byte order mark of UTF-8.
const UTF_8: &[u8] = b"\xEF\xBB\xBF";
/// The byte order mark of UTF-16 whose lower bytes come first.
const UTF_16_LE: &[u8] = b"\xFF\xFE";
/// The byte order mark of UTF-16 whose higher bytes come first.
const UTF_16_BE: &[u8] = b"\xFE\xFF";

/// Reads a text piece by piece: removes the byte order mark, makes UTF-8 of UTF-16 and LF of every line end,
/// and refuses zeros and lines beyond [`MOST_BYTES`]. Whether bytes are UTF-8 is left to whoever reads them.
///
/// Every byte is handed on as soon as it has arrived, so that a program which answers line by line may read
/// through it.
#[derive(Debug)]
pub struct PlainText<R> {
    input: R,
    encoding: Encoding,
    /// Bytes of the input that have been read ahead: the start, or a part of a character of UTF-16.
    raw: Vec<u8>,
    /// Text that has been read and not been handed on, and how much of it has.
    text: Vec<u8>,
    used: usize,
    /// Whether the text so far ends in a CR, which is an LF now.
    after_cr: bool,
    /// The number of bytes of the line so far.
    line_bytes: usize,
    /// The most bytes of a line.
    most_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
enum Encoding {
    /// Nothing has been read.
    Unknown,
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

/// Bytes of UTF-16 that are read at a time.
const CHUNK: usize = 1 << 14;

impl<R: Read> PlainText<R> {
    /// Creates a text of which nothing has been read.
    pub fn new(input: R) -> PlainText<R> {
        PlainText {
            input,
            encoding: Encoding::Unknown,
            raw: Vec::new(),
            text: Vec::new(),
            used: 0,
            after_cr: false,
            line_bytes: 0,
            most_bytes: MOST_BYTES,
        }
    }

    /// Reads the byte order mark, and no byte more than it takes to see that there is none.
    fn read_mark(&mut self) -> io::Result<()> {
        let marks = [UTF_8, UTF_16_LE, UTF_16_BE];
        loop {
            let begun = |mark: &&[u8]| mark.starts_with(&self.raw) && mark.len() > self.raw.len();
            if !marks.iter().any(begun) {
                break;
            }
            if self.input.by_ref().take(1).read_to_end(&mut self.raw)? == 0 {
                break;
            }
        }
        let begin = mem::take(&mut self.raw);
        self.encoding = match &*begin {
            UTF_16_LE => Encoding::Utf16(u16::from_le_bytes),
            UTF_16_BE => Encoding::Utf16(u16::from_be_bytes),
            _ => Encoding::Utf8,
        };
        match self.encoding {
            Encoding::Utf8 if begin != UTF_8 => self.hand_on(begin),
            _ => Ok(()),
        }
    }

    /// Reads some UTF-16. Returns `false` at its end.
    fn read_utf16(&mut self, unit: fn([u8; 2]) -> u16) -> io::Result<bool> {
        let mut chunk = [0; CHUNK];
        let read = self.input.read(&mut chunk)?;
        self.raw.extend_from_slice(&chunk[..read]);
        let mut units: Vec<u16> = self.raw.chunks_exact(2).map(|bytes| unit([bytes[0], bytes[1]])).collect();
        // The first half of a pair waits for the second.
        if read > 0 && units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) {
            units.pop();
        }
        self.raw.drain(..2 * units.len());
        if read == 0 && !self.raw.is_empty() {
            return Err(NotText::PartOfCharacter.into());
        }
        let text = String::from_utf16(&units).map_err(|_| NotText::PartOfCharacter)?;
        self.hand_on(text.into_bytes())?;
        Ok(read > 0)
    }

    /// Makes these bytes the text to be handed on.
    fn hand_on(&mut self, mut bytes: Vec<u8>) -> io::Result<()> {
        let kept = self.clean(&mut bytes)?;
        bytes.truncate(kept);
        (self.text, self.used) = (bytes, 0);
        Ok(())
    }

    /// Makes LF of the line ends in bytes of the text. Returns how many bytes are left, at the start.
    fn clean(&mut self, bytes: &mut [u8]) -> Result<usize, NotText> {
        let mut kept = bytes.len();
        if self.after_cr || !is_clean(bytes) {
            kept = 0;
            let mut has_zero = false;
            // Without branches, as every line of a large list may end in CR LF.
            for at in 0..bytes.len() {
                let byte = bytes[at];
                has_zero |= byte == 0;
                let ends_crlf = (byte == b'\n') & self.after_cr;
                self.after_cr = byte == b'\r';
                bytes[kept] = if self.after_cr { b'\n' } else { byte };
                kept += usize::from(!ends_crlf);
            }
            if has_zero {
                return Err(NotText::Zero);
            }
        }
        self.line_bytes = match bytes[..kept].iter().rposition(|&byte| byte == b'\n') {
            Some(end) => kept - end - 1,
            None => self.line_bytes + kept,
        };
        if self.line_bytes > self.most_bytes { Err(NotText::LongLine) } else { Ok(kept) }
    }
}

/// Returns whether no byte is zero or a CR. Looks at all of them, which the compiler makes many at a time.
fn is_clean(bytes: &[u8]) -> bool {
    !bytes.iter().fold(false, |found, &byte| found | (byte == 0) | (byte == b'\r'))
}

impl<R: Read> Read for PlainText<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if self.used < self.text.len() {
                let read = (&self.text[self.used..]).read(into)?;
                self.used += read;
                return Ok(read);
            }
            match self.encoding {
                Encoding::Unknown => self.read_mark()?,
                Encoding::Utf8 => {
                    let read = self.input.read(into)?;
                    // Of the second half of a CR LF nothing is left.
                    match self.clean(&mut into[..read])? {
                        0 if read > 0 => {}
                        kept => return Ok(kept),
                    }
                }
                Encoding::Utf16(unit) => {
                    if !self.read_utf16(unit)? {
                        return Ok(0);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A reader that hands out so many bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = into.len().min(self.1);
            self.0.read(&mut into[..most])
        }
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    proptest! {
        /// A text means the same however it was saved, and however many of its bytes arrive at a time.
        #[test]
        fn every_encoding_and_line_end_gives_the_same_text(
            lines in prop::collection::vec("[a-c #é😀]{0,5}", 1..6),
            ends in prop::collection::vec(prop::sample::select(&["\n", "\r\n"][..]), 6),
            piece in 1usize..9,
        ) {
            let text = lines.join("\n");
            let mixed: String = lines.iter().zip(&ends).map(|(line, end)| format!("{line}{end}")).collect();
            let saved = [
                (mixed.as_bytes().to_vec(), text.clone() + "\n"),
                (text.replace('\n', "\r").into_bytes(), text.clone()),
                (format!("\u{feff}{text}").into_bytes(), text.clone()),
                (utf16(&text.replace('\n', "\r\n"), u16::to_le_bytes), text.clone()),
                (utf16(&text, u16::to_be_bytes), text),
            ];
            for (bytes, expected) in saved {
                prop_assert_eq!(decode(&bytes).unwrap(), expected.as_str());
                let mut found = String::new();
                PlainText::new(Pieces(&bytes, piece)).read_to_string(&mut found).unwrap();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert_eq!(decode(b"a\r\n\xC3\xA9\xFF"), Err(NotText::Byte { line: 2, column: 2, byte: 0xFF }));
        assert_eq!(decode(b"a\r\0"), Err(NotText::Byte { line: 2, column: 1, byte: 0 }));
        assert_eq!(decode(b"\xFF\xFE\0\0"), Err(NotText::Zero));
        assert_eq!(decode(b"\xFF\xFEa\0b"), Err(NotText::PartOfCharacter));
        assert_eq!(decode(b"\xFE\xFF\xDC\0"), Err(NotText::PartOfCharacter));
        assert_eq!(decode(b"\xFE\xFF\xD8\0"), Err(NotText::PartOfCharacter));
        assert_eq!(decode(b""), Ok(Cow::Borrowed("")));
    }

    #[test]
    fn a_text_without_end_is_refused_after_one_line() {
        let mut input = PlainText { most_bytes: 100, ..PlainText::new(io::repeat(b'a')) };
        let error = input.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(NotText::in_error(&error), Some(&NotText::LongLine));
        let mut zeros = Vec::new();
        let error = PlainText::new(io::repeat(0)).read_to_end(&mut zeros).unwrap_err();
        assert_eq!((NotText::in_error(&error), zeros.len()), (Some(&NotText::Zero), 0));
    }

    #[test]
    fn a_line_is_handed_on_before_more_has_arrived() {
        struct NoMore;
        impl Read for NoMore {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("read on although a line had arrived");
            }
        }
        for line in [&b"\r"[..], b"7\n"] {
            let mut into = [0; 9];
            let mut input = PlainText::new(line.chain(NoMore));
            let mut found = Vec::new();
            while found.last() != Some(&b'\n') {
                let read = input.read(&mut into).unwrap();
                found.extend_from_slice(&into[..read]);
            }
        }
    }
}
