//! The bytes of messages: how they are closed with a checksum, and read.

use super::transport::{Transport, TransportError};
use dragnet_formats::checksum::crc32;

/// A message of many parts takes no further one once it has so many bytes.
pub(crate) const PIECE: usize = if cfg!(test) { 1 << 10 } else { 16 << 20 };

/// Bytes of the checksum at the end of a message.
const CRC: usize = 4;

/// Closes a message with the checksum of its bytes. An empty message needs none.
pub(crate) fn seal(message: &mut Vec<u8>) {
    if !message.is_empty() {
        let crc = crc32(&[message]);
        message.extend_from_slice(&crc.to_le_bytes());
    }
}

/// Returns the reader of a sealed message from `rank`.
///
/// # Errors
/// When its checksum is another one.
pub(crate) fn open(message: &[u8], rank: usize) -> Result<Reader<'_>, TransportError> {
    if message.is_empty() {
        return Ok(Reader::new(message, rank));
    }
    match message.split_last_chunk::<CRC>() {
        Some((left, crc)) if u32::from_le_bytes(*crc) == crc32(&[left]) => Ok(Reader::new(left, rank)),
        _ => Err(TransportError::Message { rank, found: "damaged bytes" }),
    }
}

/// Returns the `message` of rank 0 on every rank. What the others pass is ignored.
pub(crate) fn broadcast(transport: &dyn Transport, message: &[u8]) -> Result<Vec<u8>, TransportError> {
    let mut sealed = if transport.rank() == 0 { message.to_vec() } else { Vec::new() };
    seal(&mut sealed);
    let mut received = transport.exchange(vec![sealed; transport.ranks()])?.into_iter();
    let of_first = received.next().unwrap_or_default();
    open(&of_first, 0).map(|reader| reader.left.to_vec())
}

/// Sends a sealed message to rank 0. Returns there those of all ranks, by their senders, and no bytes on
/// others.
pub(crate) fn to_first(transport: &dyn Transport, message: Vec<u8>) -> Result<Vec<Vec<u8>>, TransportError> {
    let mut messages = vec![Vec::new(); transport.ranks()];
    messages[0] = message;
    transport.exchange(messages)
}

/// Returns on every rank whether `flag` is set on at least one.
pub(crate) fn any_rank(transport: &dyn Transport, flag: bool) -> Result<bool, TransportError> {
    let mut flags = [u64::from(flag)];
    transport.sum(&mut flags)?;
    Ok(flags[0] > 0)
}

/// The bytes of a message that have not been read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    left: &'a [u8],
    rank: usize,
}

impl<'a> Reader<'a> {
    /// Returns the reader of `message` from `rank`, without its checksum.
    pub(crate) fn new(message: &'a [u8], rank: usize) -> Reader<'a> {
        Reader { left: message, rank }
    }

    /// Returns the error of a message in which this was found.
    pub(crate) fn wrong(&self, found: &'static str) -> TransportError {
        TransportError::Message { rank: self.rank, found }
    }

    /// Returns whether all bytes have been read.
    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Reads the next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], TransportError> {
        let (bytes, left) = self.left.split_at_checked(count).ok_or_else(|| self.wrong("one cut short"))?;
        self.left = left;
        Ok(bytes)
    }

    /// Reads the next number.
    pub(crate) fn u32(&mut self) -> Result<u32, TransportError> {
        let bytes = self.bytes(size_of::<u32>())?;
        Ok(u32::from_le_bytes(*bytes.first_chunk().expect("as many bytes as were asked for")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_messages_are_refused() {
        let mut message = 0x0123_4567_u32.to_le_bytes().to_vec();
        seal(&mut message);
        let mut reader = open(&message, 3).unwrap();
        assert_eq!(reader.u32().unwrap(), 0x0123_4567);
        assert!(reader.is_empty());
        assert!(matches!(reader.u32(), Err(TransportError::Message { rank: 3, .. })));
        for at in 0..message.len() {
            let mut damaged = message.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(open(&damaged, 3).is_err(), "byte {at}");
            assert!(at == 0 || open(&message[..at], 3).is_err(), "cut at {at}");
        }
    }
}
