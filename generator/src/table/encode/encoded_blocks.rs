//! The encoded blocks of a whole table.

use super::contents::Content;
use crate::{
    lock::lock,
    table::packets::{BodyPlace, PacketStore},
};
use dragnet_formats::{
    container::{
        TableHeader, WriteError, Writer,
        index::{EXTENT_CHECKSUM_LEN, IndexEntry},
        layout::Layout,
    },
    header::Summary,
};
use rayon::prelude::*;
use std::{
    io::{self, Seek, Write},
    iter,
    sync::Mutex,
};

/// Bytes of bodies that are read at a time, roughly.
const READ_TOGETHER: usize = 1 << 20;

/// The size of a written table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes of the table.
    pub bytes: u64,
    /// Blocks of the table.
    pub blocks: u64,
    /// Blocks with contents of their own.
    pub distinct: u64,
}

/// All blocks of a table, encoded: about as many bytes as the file will have, in memory or, as far as that is
/// limited, in a file.
#[derive(Debug)]
pub struct EncodedBlocks<S = Summary> {
    /// The summary of all values, from the source.
    pub summary: S,
    /// The different contents, in no particular order.
    pub(super) contents: Vec<Content>,
    /// Per block the index of its contents.
    pub(super) of_blocks: Vec<u32>,
    pub(super) packets: Mutex<PacketStore>,
}

impl<S> EncodedBlocks<S> {
    /// Writes the table with the source's `header` to `output`. Equal values and encodings make equal bytes.
    /// Blocks that are not in memory are read on the threads of the current pool.
    ///
    /// # Errors
    /// When `output` refuses, the file of blocks that are not in memory cannot be read, or no table can have
    /// this header.
    pub fn write<W: Write + Seek>(
        &self,
        header: &impl TableHeader,
        output: W,
    ) -> Result<(W, Written), WriteError> {
        let mut writer = Writer::new(output, header)?;
        let packets = lock(&self.packets);
        let mut bodies = self.bodies(&packets);
        let mut entries: Vec<Option<IndexEntry>> = vec![None; self.contents.len()];
        let mut distinct = 0;
        for &index in &self.of_blocks {
            let entry = &mut entries[index as usize];
            if let Some(entry) = *entry {
                writer.push_entry(entry);
                continue;
            }
            distinct += 1;
            *entry = Some(match self.contents[index as usize] {
                Content::Missing => unreachable!("the thread that finds new contents encodes them"),
                Content::Constant(code) => {
                    let entry = IndexEntry::Constant(code);
                    writer.push_entry(entry);
                    entry
                }
                Content::Body(place) => {
                    let body = bodies.next().expect("each body is read where it is needed first")?;
                    writer.push_body(place.codec, &body)?
                }
            });
        }
        let (output, bytes) = writer.finish()?;
        Ok((output, Written { bytes, blocks: self.of_blocks.len() as u64, distinct }))
    }

    /// Reads all bodies from `packets`, in the order in which the blocks of the table need them first.
    fn bodies<'a>(&'a self, packets: &'a PacketStore) -> impl Iterator<Item = io::Result<Vec<u8>>> + 'a {
        let mut is_read = vec![false; self.contents.len()];
        let mut places = self.of_blocks.iter().filter_map(move |&index| {
            let is_new = !std::mem::replace(&mut is_read[index as usize], true);
            match self.contents[index as usize] {
                Content::Body(place) if is_new => Some(place),
                _ => None,
            }
        });
        // The blocks that follow one another in a table are far from one another in the file.
        let next_batch = move || {
            let (mut batch, mut bytes): (Vec<BodyPlace>, _) = (Vec::new(), 0);
            while bytes < READ_TOGETHER
                && let Some(place) = places.next()
            {
                bytes += place.len();
                batch.push(place);
            }
            let read = |&place| packets.read(place);
            (!batch.is_empty()).then(|| batch.par_iter().map(read).collect::<Vec<_>>())
        };
        iter::from_fn(next_batch).flatten()
    }

    /// Returns the bytes of the table with the source's `header`.
    ///
    /// # Errors
    /// When no table can have this header.
    pub(crate) fn table_bytes(&self, header: &impl TableHeader) -> Result<u64, WriteError> {
        let header = header.to_bytes().map_err(Into::<WriteError>::into)?;
        let mut is_used = vec![false; self.contents.len()];
        self.of_blocks.iter().for_each(|&index| is_used[index as usize] = true);
        let bytes = self.contents.iter().zip(is_used).map(|(content, is_used)| match content {
            Content::Body(place) if is_used => (EXTENT_CHECKSUM_LEN + place.len()) as u64,
            _ => 0,
        });
        Ok(Layout::new(header.len() as u32, self.of_blocks.len() as u64).data + bytes.sum::<u64>())
    }

    /// Returns the blocks with another summary.
    pub(crate) fn map_summary<T>(self, summary: impl FnOnce(S) -> T) -> EncodedBlocks<T> {
        let EncodedBlocks { summary: before, contents, of_blocks, packets } = self;
        EncodedBlocks { summary: summary(before), contents, of_blocks, packets }
    }

    /// Returns the bytes of the file of blocks that are not in memory, if there is one.
    pub(crate) fn file_bytes(&self) -> Option<u64> {
        lock(&self.packets).file_bytes()
    }

    /// Takes all blocks into memory, and removes the file in which they were. Returns whether that leaves its
    /// room to others: false if there is no such file, it cannot be read, or there is no memory. Then all
    /// stays as it is.
    pub(crate) fn take_back(&self) -> bool {
        let mut packets = lock(&self.packets);
        packets.file_bytes().is_some() && packets.take_back().is_ok()
    }

    /// Removes the file of blocks that are not in memory. The blocks can be written no more.
    pub(crate) fn remove_file(self) {
        lock(&self.packets).remove_file();
    }
}
