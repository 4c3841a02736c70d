//! Bytes of a table in pieces, which never move: a list that grows would be in memory twice.

use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};

/// Bytes of a piece; the last may be shorter.
pub const PIECE: usize = 1 << 20;

/// Bytes that are written and sought like a file.
#[derive(Debug, Default)]
pub struct Pieces {
    pieces: Vec<Vec<u8>>,
    len: usize,
    at: usize,
}

impl Pieces {
    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns a piece, or nothing if there is none with this number.
    #[must_use]
    pub fn piece(&self, number: usize) -> &[u8] {
        self.pieces.get(number).map_or(&[], Vec::as_slice)
    }

    /// Adds zeros up to this length.
    fn lengthen(&mut self, len: usize) -> Result<()> {
        while self.len < len {
            let filled = self.len % PIECE;
            if filled == 0 {
                let mut piece = Vec::new();
                // A small table takes no whole piece.
                let room = if self.pieces.is_empty() { (len - self.len).next_power_of_two() } else { PIECE };
                piece
                    .try_reserve_exact(room.min(PIECE))
                    .map_err(|error| Error::new(ErrorKind::OutOfMemory, error))?;
                self.pieces.push(piece);
            }
            let more = (len - self.len).min(PIECE - filled);
            let last = self.pieces.last_mut().expect("a piece has just been added");
            last.try_reserve(more).map_err(|error| Error::new(ErrorKind::OutOfMemory, error))?;
            last.resize(filled + more, 0);
            self.len += more;
        }
        Ok(())
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let used = bytes.len().min(PIECE - self.at % PIECE);
        self.lengthen(self.at + used)?;
        let begin = self.at % PIECE;
        self.pieces[self.at / PIECE][begin..begin + used].copy_from_slice(&bytes[..used]);
        self.at += used;
        Ok(used)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for Pieces {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => i64::try_from(at).ok(),
            SeekFrom::End(by) => (self.len as i64).checked_add(by),
            SeekFrom::Current(by) => (self.at as i64).checked_add(by),
        };
        let at = to.and_then(|to| usize::try_from(to).ok());
        let at = at.ok_or_else(|| Error::new(ErrorKind::InvalidInput, "a place outside of memory"))?;
        // Bytes that are passed over are zeros.
        self.lengthen(at)?;
        self.at = at;
        Ok(at as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn pieces_hold_what_a_single_list_holds() {
        let (mut pieces, mut list) = (Pieces::default(), Cursor::new(Vec::new()));
        let bytes: Vec<u8> = (0..3 * PIECE + 5).map(|i| (i % 251) as u8).collect();
        for (at, part) in [(100, &bytes[..]), (0, &bytes[7..300]), (PIECE as u64 - 1, &bytes[..2])] {
            for output in [&mut pieces as &mut dyn WriteSeek, &mut list] {
                output.seek(SeekFrom::Start(at)).unwrap();
                output.write_all(part).unwrap();
            }
        }
        let list = list.into_inner();
        let joined: Vec<u8> =
            (0..).map(|i| pieces.piece(i)).take_while(|piece| !piece.is_empty()).flatten().copied().collect();
        assert_eq!(pieces.len(), list.len());
        assert!(joined == list);
    }

    trait WriteSeek: Write + Seek {}
    impl<T: Write + Seek> WriteSeek for T {}
}
