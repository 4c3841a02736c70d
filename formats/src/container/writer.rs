//! Writing a table to anything that can be written and sought.

use super::{
    error::WriteError,
    index::{EXTENT_CHECKSUM_LEN, Extent, IndexEntry, page_to_bytes},
    layout::{Layout, MAX_DATA_LEN, PAGE_ENTRIES},
    preamble::Preamble,
    table_header::TableHeader,
};
use crate::{
    checksum::Seed,
    codec::{Codec, Encoded},
};
use std::io::{Seek, SeekFrom, Write};

/// Writes one table: the header first, which must be known, then block after block, then [`Writer::finish`].
///
/// ```
/// use dragnet_formats::{
///     codec::{Encoder, RawBlock},
///     container::{Reader, Writer},
///     header::{GameHeader, GameNumbering, GameSummary},
///     value::Value,
/// };
/// use std::io::Cursor;
///
/// // Three positions, won in one ply for the player to move, lost at once, and drawn.
/// let values = [Value::Win(1), Value::Loss(0), Value::Draw];
/// let mut summary = GameSummary::default();
/// (0..).zip(values).for_each(|(number, value)| summary.add(number, value));
/// let numbering = GameNumbering::new(3, 64)?;
/// let header = GameHeader { name: "example".to_owned(), key: 0, numbering, summary };
///
/// let mut writer = Writer::new(Cursor::new(Vec::new()), &header)?;
/// writer.push(&Encoder::for_speed().encode(&RawBlock::new(&values.map(Value::code))))?;
/// let (output, len) = writer.finish()?;
///
/// let table = Reader::<_, GameHeader>::open_as(output.into_inner())?;
/// assert_eq!(table.file_len(), len);
/// assert_eq!(table.block(0)?.code(1)?, Value::Loss(0).code());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<W> {
    output: W,
    header: Vec<u8>,
    layout: Layout,
    seed: Seed,
    blocks: u64,
    entries: Vec<u64>,
    data_len: u64,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins the table with this header at the beginning of `output`, which must be empty.
    ///
    /// # Errors
    /// When the header is impossible or `output` refuses.
    pub fn new<H: TableHeader>(mut output: W, header: &H) -> Result<Writer<W>, WriteError> {
        let blocks = header.block_count();
        let header = header.to_bytes().map_err(Into::<WriteError>::into)?;
        let layout = Layout::new(header.len() as u32, blocks);
        output.seek(SeekFrom::Start(layout.data))?;
        let seed = Seed::of_header(&header);
        Ok(Writer { output, header, layout, seed, blocks, entries: Vec::new(), data_len: 0 })
    }

    /// Adds the next block with contents of its own. Returns its index entry, so that a later block with the
    /// same contents can be added by [`Writer::push_entry`].
    ///
    /// # Errors
    /// When `output` refuses or the data grows too long.
    pub fn push(&mut self, encoded: &Encoded) -> Result<IndexEntry, WriteError> {
        match encoded {
            Encoded::Constant(code) => {
                let entry = IndexEntry::Constant(*code);
                self.push_entry(entry);
                Ok(entry)
            }
            Encoded::Packed(body) => self.push_body(Codec::Packed, body),
            Encoded::Zstd(body) => self.push_body(Codec::Zstd, body),
        }
    }

    /// Adds the next block with a body of its own. Returns its index entry.
    ///
    /// # Errors
    /// When `output` refuses or the data grows too long.
    pub fn push_body(&mut self, codec: Codec, body: &[u8]) -> Result<IndexEntry, WriteError> {
        let len = EXTENT_CHECKSUM_LEN + body.len();
        if self.data_len + len as u64 > MAX_DATA_LEN {
            return Err(WriteError::TooMuchData);
        }
        self.output.write_all(&self.seed.checksum(&[&self.data_len.to_le_bytes(), body]).to_le_bytes())?;
        self.output.write_all(body)?;
        let entry = IndexEntry::Extent(Extent { codec, offset: self.data_len, len: len as u64 });
        self.data_len += len as u64;
        self.push_entry(entry);
        Ok(entry)
    }

    /// Adds the next block with the contents of an earlier one.
    pub fn push_entry(&mut self, entry: IndexEntry) {
        self.entries.push(entry.to_bits());
    }

    /// Writes preamble, header and index, and flushes. Returns the output with the table's length.
    ///
    /// # Errors
    /// When not all blocks were pushed or `output` refuses.
    pub fn finish(mut self) -> Result<(W, u64), WriteError> {
        let found = self.entries.len() as u64;
        if found != self.blocks {
            return Err(WriteError::BlockCount { expected: self.blocks, found });
        }
        self.output.seek(SeekFrom::Start(0))?;
        self.output.write_all(&Preamble::to_bytes(&self.header, self.data_len))?;
        self.output.write_all(&self.header)?;
        let padding = (self.layout.index - self.layout.header_end) as usize;
        self.output.write_all(&vec![0; padding])?;
        for (page, entries) in (0..).zip(self.entries.chunks(PAGE_ENTRIES as usize)) {
            self.output.write_all(&page_to_bytes(self.seed, page, entries))?;
        }
        self.output.flush()?;
        Ok((self.output, self.layout.data + self.data_len))
    }
}
