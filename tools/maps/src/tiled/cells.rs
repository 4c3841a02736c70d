//! The cells of a layer in every encoding and compression.

use super::tiles::FLIPS;
use crate::{
    error::{MapError, quoted},
    limits::Budget,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::{GzDecoder, ZlibDecoder};
use std::io::Read;

/// The binary logarithm of the largest window of a zstd frame: that of the largest layer.
const WINDOW: u32 = 23;

/// Cells as they are written.
pub(super) enum Written<'a> {
    Numbers(Vec<u32>),
    Text { encoding: &'a str, compression: &'a str, text: &'a str },
}

impl Written<'_> {
    /// Returns the numbers of `height` times `width` cells, without the bits that turn a tile.
    ///
    /// # Errors
    /// When there are more or fewer cells, the encoding is unknown, or the text is not what it says.
    pub(super) fn decode(
        self,
        height: usize,
        width: usize,
        budget: &mut Budget,
    ) -> Result<Vec<u32>, MapError> {
        let count = budget.take(height, width)?;
        let mut numbers = match self {
            Written::Numbers(numbers) => numbers,
            Written::Text { encoding: "csv", text, .. } => comma_separated(text, count)?,
            Written::Text { encoding: "base64", compression, text } => base64(text, compression, count)?,
            Written::Text { encoding, .. } => {
                let found = quoted(encoding);
                return Err(MapError::unusable(format!("encoding: expected csv or base64, found {found}")));
            }
        };
        if numbers.len() != count {
            let found = numbers.len();
            return Err(MapError::unusable(format!(
                "expected {count} tiles, {height} rows of {width}, found {found}"
            )));
        }
        numbers.iter_mut().for_each(|number| *number &= !FLIPS);
        Ok(numbers)
    }
}

/// Reads at most one number more than `count`.
fn comma_separated(text: &str, count: usize) -> Result<Vec<u32>, MapError> {
    let mut numbers = Vec::with_capacity(count.min(text.len()));
    let text = text.trim().trim_end_matches(',');
    if text.is_empty() {
        return Ok(numbers);
    }
    for (position, word) in text.split(',').enumerate().take(count + 1) {
        let number = word.trim().parse().map_err(|_| {
            let found = quoted(word.trim());
            MapError::unusable(format!("tile {position}: expected a number, found {found}"))
        })?;
        numbers.push(number);
    }
    Ok(numbers)
}

fn base64(text: &str, compression: &str, count: usize) -> Result<Vec<u32>, MapError> {
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes =
        STANDARD.decode(text).map_err(|error| MapError::unusable(format!("expected base64: {error}")))?;
    let bytes = match compression {
        "" => bytes,
        "gzip" => at_most(GzDecoder::new(&bytes[..]), compression, count)?,
        "zlib" => at_most(ZlibDecoder::new(&bytes[..]), compression, count)?,
        "zstd" => {
            let decoder = zstd::stream::read::Decoder::new(&bytes[..]).and_then(|mut decoder| {
                decoder.window_log_max(WINDOW)?;
                Ok(decoder)
            });
            at_most(decoder.map_err(|error| not_compressed(compression, &error))?, compression, count)?
        }
        _ => {
            let found = quoted(compression);
            return Err(MapError::unusable(format!(
                "compression: expected gzip, zlib or zstd, found {found}"
            )));
        }
    };
    if !bytes.len().is_multiple_of(4) || bytes.len() / 4 > count {
        let expected = 4 * count;
        return Err(MapError::unusable(format!(
            "expected {expected} bytes for {count} tiles, found {}",
            match bytes.len() {
                found if found > expected => "more".to_owned(),
                found => found.to_string(),
            }
        )));
    }
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
    Ok(bytes.chunks_exact(4).map(number).collect())
}

/// Decompresses the bytes of `count` numbers, and one byte more if there is one.
fn at_most(decoder: impl Read, compression: &str, count: usize) -> Result<Vec<u8>, MapError> {
    let mut bytes = Vec::new();
    let read = decoder.take(4 * count as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| not_compressed(compression, &error))?;
    Ok(bytes)
}

fn not_compressed(compression: &str, error: &std::io::Error) -> MapError {
    MapError::unusable(format!("expected tiles compressed with {compression}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{
        Compression,
        write::{GzEncoder, ZlibEncoder},
    };
    use std::io::Write;

    fn decode(encoding: &str, compression: &str, text: &str) -> Result<Vec<u32>, String> {
        let written = Written::Text { encoding, compression, text };
        written.decode(2, 2, &mut Budget::new()).map_err(|error| error.to_string())
    }

    fn compressed(bytes: &[u8]) -> [(&'static str, String); 4] {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes).unwrap();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(bytes).unwrap();
        [
            ("", bytes.to_vec()),
            ("gzip", gzip.finish().unwrap()),
            ("zlib", zlib.finish().unwrap()),
            ("zstd", zstd::bulk::compress(bytes, 19).unwrap()),
        ]
        .map(|(name, bytes)| (name, STANDARD.encode(bytes)))
    }

    #[test]
    fn every_encoding_gives_the_same_numbers_without_flips() {
        let numbers = [1u32, 0, 0xA000_0003, 0x1000_0004];
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        for (compression, text) in compressed(&bytes) {
            assert_eq!(decode("base64", compression, &text), Ok(vec![1, 0, 3, 4]), "{compression}");
        }
        assert_eq!(decode("csv", "", "1,0,\n2684354563,268435460\n"), Ok(vec![1, 0, 3, 4]));
        assert_eq!(decode("csv", "", "1,0,\n3,4,\n"), Ok(vec![1, 0, 3, 4]));
    }

    #[test]
    fn bomb_is_refused_after_the_bytes_of_its_cells() {
        for (compression, text) in &compressed(&vec![0; 1 << 24])[1..] {
            let message = decode("base64", compression, text).unwrap_err();
            assert_eq!(message, "expected 16 bytes for 4 tiles, found more");
        }
    }

    #[test]
    fn wrong_texts_are_refused_with_what_was_found() {
        let wrong = [
            ("csv", "", "1,2,3", "expected 4 tiles, 2 rows of 2, found 3"),
            ("csv", "", "1,2,3,4,5,6", "expected 4 tiles, 2 rows of 2, found 5"),
            ("csv", "", "1,x,3,4", "tile 1: expected a number, found \"x\""),
            ("hex", "", "", "encoding: expected csv or base64, found \"hex\""),
            ("base64", "lzma", "", "compression: expected gzip, zlib or zstd, found \"lzma\""),
            ("base64", "", "AAAA", "expected 16 bytes for 4 tiles, found 3"),
        ];
        for (encoding, compression, text, message) in wrong {
            assert_eq!(decode(encoding, compression, text), Err(message.to_owned()));
        }
        assert!(
            decode("base64", "gzip", "AAAA").unwrap_err().starts_with("expected tiles compressed with gzip")
        );
    }
}
