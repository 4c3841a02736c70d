//! The parts of a table that a checksum covers, found without the reader of the formats crate.
//!
//! [`reseal`] corrects every checksum after damage. [`Seals`] says which parts of a damaged table agree with
//! their checksum, and which of these are forged.

use dragnet_formats::{
    checksum::{Seed, crc32},
    container::{
        TableKind,
        layout::{ENTRY_LEN, Layout, PAGE_ENTRIES, PAGE_LEN, PREAMBLE_LEN},
    },
    header::{GameHeader, Header, MAX_HEADER_LEN, PartialHeader},
};
use std::ops::Range;

/// The place of the header's length in the preamble.
const HEADER_LEN: Range<usize> = 12..16;
/// The place of the data's length in the preamble.
const DATA_LEN: Range<usize> = 16..24;
/// The place of the header's checksum in the preamble.
const CHECKSUM: Range<usize> = 24..28;
/// The place of a page's checksum in the page.
const PAGE_CHECKSUM: Range<usize> = 504..508;

fn number<const N: usize>(file: &[u8], at: Range<usize>) -> Option<[u8; N]> {
    file.get(at)?.try_into().ok()
}

fn header_end(file: &[u8]) -> Option<usize> {
    let len = u32::from_le_bytes(number(file, HEADER_LEN)?);
    let end = PREAMBLE_LEN + len as usize;
    (len <= MAX_HEADER_LEN && end <= file.len()).then_some(end)
}

/// Returns the layout and the checksum seed of a file, if its header can be read.
pub(crate) fn layout(file: &[u8]) -> Option<(Layout, Seed)> {
    let bytes = &file[PREAMBLE_LEN..header_end(file)?];
    let blocks = match TableKind::of(bytes).ok()? {
        TableKind::Pursuit => Header::from_bytes(bytes).ok()?.block_count(),
        TableKind::Game => GameHeader::from_bytes(bytes).ok()?.numbering.block_count(),
        TableKind::Partial => PartialHeader::from_bytes(bytes).ok()?.game.block_count(),
    };
    Some((Layout::new(bytes.len() as u32, blocks), Seed::of_header(bytes)))
}

fn page_range(layout: &Layout, page: u64) -> Range<usize> {
    let begin = (layout.index + page * PAGE_LEN as u64) as usize;
    begin..begin + PAGE_LEN
}

/// Returns the place of a block's bytes by its index entry. Returns `None` for a block of one value, and for
/// an entry that points outside the file.
pub(crate) fn extent(file: &[u8], layout: &Layout, block: u64) -> Option<Range<usize>> {
    let at = page_range(layout, block / PAGE_ENTRIES).start + (block % PAGE_ENTRIES) as usize * ENTRY_LEN;
    let entry = u64::from_le_bytes(number(file, at..at + ENTRY_LEN)?);
    let (kind, len, offset) = (entry >> 62, entry >> 40 & ((1 << 22) - 1), entry & ((1 << 40) - 1));
    let begin = (layout.data + offset) as usize;
    let end = begin + len as usize;
    (matches!(kind, 1 | 2) && len > 4 && end <= file.len()).then_some(begin..end)
}

fn extent_checksum(file: &[u8], layout: &Layout, seed: Seed, extent: &Range<usize>) -> u32 {
    let offset = extent.start as u64 - layout.data;
    seed.checksum(&[&offset.to_le_bytes(), &file[extent.start + 4..extent.end]])
}

fn page_checksum(file: &[u8], seed: Seed, page: u64, at: &Range<usize>) -> u32 {
    seed.checksum(&[&page.to_le_bytes(), &file[at.start..at.start + PAGE_CHECKSUM.start]])
}

/// Calls `ask` with the bytes as they are, and with the data length and every checksum corrected.
pub(crate) fn ask_both<T>(bytes: &[u8], ask: impl Fn(Vec<u8>) -> T) {
    let mut sealed = bytes.to_vec();
    reseal(&mut sealed);
    if sealed != bytes {
        ask(bytes.to_vec());
    }
    ask(sealed);
}

/// Corrects the data length and every checksum, as far as the file has the parts.
pub fn reseal(file: &mut [u8]) {
    let Some(header_end) = header_end(file) else { return };
    let parts = layout(file);
    if let Some((layout, _)) = &parts
        && let Some(data_len) = (file.len() as u64).checked_sub(layout.data)
    {
        file[DATA_LEN].copy_from_slice(&data_len.to_le_bytes());
    }
    let checksum = crc32(&[&file[..CHECKSUM.start], &file[PREAMBLE_LEN..header_end]]);
    file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    let Some((layout, seed)) = parts else { return };
    if layout.data > file.len() as u64 {
        return;
    }
    for page in 0..layout.pages {
        let at = page_range(&layout, page);
        let checksum = page_checksum(file, seed, page, &at);
        file[at][PAGE_CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        for block in page * PAGE_ENTRIES..(page + 1) * PAGE_ENTRIES {
            if let Some(extent) = extent(file, &layout, block) {
                let checksum = extent_checksum(file, &layout, seed, &extent);
                file[extent][..4].copy_from_slice(&checksum.to_le_bytes());
            }
        }
    }
}

/// The state of a part of a damaged table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The part is unchanged.
    Whole,
    /// The part has changed, and its checksum is wrong.
    Broken,
    /// The part has changed, and its checksum is right: the format cannot recognise the change.
    Forged,
}

/// The seals of a damaged table.
#[derive(Debug)]
pub struct Seals {
    /// The seal of preamble and header.
    pub header: Seal,
    /// The seal of each block: the worse of the seals of its page and its bytes. Empty if the header has
    /// changed.
    pub blocks: Vec<Seal>,
}

impl Seals {
    /// Returns the seals of `file`, which was `whole` before the damage.
    #[must_use]
    pub fn new(file: &[u8], whole: &[u8]) -> Seals {
        let header = header_seal(file, whole);
        let parts = layout(whole).filter(|_| header == Seal::Whole);
        let Some((layout, seed)) = parts else { return Seals { header, blocks: Vec::new() } };
        let block = |block| {
            let at = page_range(&layout, block / PAGE_ENTRIES);
            let page = match file.get(at.clone()) {
                Some(page) if *page == whole[at.clone()] => Seal::Whole,
                Some(page) => {
                    let found = page_checksum(file, seed, block / PAGE_ENTRIES, &at).to_le_bytes();
                    if page[PAGE_CHECKSUM] == found { Seal::Forged } else { Seal::Broken }
                }
                None => Seal::Broken,
            };
            if page == Seal::Broken {
                return Seal::Broken;
            }
            match extent(file, &layout, block) {
                None if page == Seal::Whole && extent(whole, &layout, block).is_some() => Seal::Broken,
                None => page,
                Some(extent) if file[extent.clone()] == *whole.get(extent.clone()).unwrap_or(&[]) => page,
                Some(extent) => {
                    let found = extent_checksum(file, &layout, seed, &extent).to_le_bytes();
                    if file[extent][..4] == found { Seal::Forged } else { Seal::Broken }
                }
            }
        };
        Seals { header, blocks: (0..layout.pages * PAGE_ENTRIES).map(block).collect() }
    }

    /// Returns whether any part is forged, so that the table may give wrong answers.
    #[must_use]
    pub fn forged(&self) -> bool {
        self.header == Seal::Forged || self.blocks.contains(&Seal::Forged)
    }
}

fn header_seal(file: &[u8], whole: &[u8]) -> Seal {
    let Some(end) = header_end(file) else { return Seal::Broken };
    if file[..end] == *whole.get(..end).unwrap_or(&[]) {
        return Seal::Whole;
    }
    let found = crc32(&[&file[..CHECKSUM.start], &file[PREAMBLE_LEN..end]]).to_le_bytes();
    if file[CHECKSUM] == found { Seal::Forged } else { Seal::Broken }
}
