//! Damage to a table, chosen by bytes.

use crate::{
    bytes::Choices,
    sealed::{extent, layout, reseal},
};
use dragnet_formats::container::layout::{ENTRY_LEN, Layout, PAGE_LEN};
use std::ops::Range;

/// The most changes to one table.
const CHANGES: usize = 8;
/// The most bytes to which a table grows by copies of its parts.
const LONGEST: usize = 1 << 14;
/// The most bytes in a zstd frame whose contents are altered.
const LONGEST_PLAIN: usize = 1 << 12;

/// Returns `whole` after the changes that `choices` ask for: bits flipped, bytes replaced, taken out,
/// repeated or spliced in from `donor`, the end cut off, index entries and blocks exchanged, zstd contents
/// altered. Every checksum is corrected if `choices` ask for that.
pub(crate) fn mutate(whole: &[u8], donor: &[u8], choices: &mut Choices) -> Vec<u8> {
    let mut file = whole.to_vec();
    let first = choices.byte();
    // Every second table has a single change: readers get further than in one that is wrong in many places.
    let changes = if first & 2 == 0 { 1 } else { CHANGES };
    for _ in 0..changes {
        if choices.is_empty() {
            break;
        }
        match choices.byte() % 4 {
            0 => change_entry(&mut file, choices),
            1 => change_block(&mut file, choices),
            _ => change_bytes(&mut file, donor, choices),
        }
        if file.is_empty() || file.len() > LONGEST {
            break;
        }
    }
    if first & 1 == 1 {
        reseal(&mut file);
    }
    file
}

/// Chooses a stretch of the file, often within one part, since most of a small file are the zeros before the
/// index.
fn stretch(file: &[u8], choices: &mut Choices) -> Range<usize> {
    let parts = layout(file).map(|(layout, _)| layout);
    let (begin, end) = match (choices.byte() % 4, parts) {
        (1, Some(Layout { header_end, .. })) => (0, header_end),
        (2, Some(Layout { index, data, .. })) => (index, data),
        (3, Some(Layout { data, .. })) => (data, file.len() as u64),
        _ => (0, file.len() as u64),
    };
    let (begin, end) = (begin as usize, (end as usize).min(file.len()));
    let from = (begin + choices.below(end.saturating_sub(begin))).min(file.len() - 1);
    let len = 1 + usize::from(choices.byte() & 0x3F);
    from..(from + len).min(file.len())
}

fn change_bytes(file: &mut Vec<u8>, donor: &[u8], choices: &mut Choices) {
    let at = stretch(file, choices);
    match choices.byte() % 10 {
        0 | 1 => file[at.start] ^= 1 << (choices.byte() & 7),
        2 => file[at.start] = choices.byte(),
        3 => {
            let word = choices.word().to_le_bytes();
            file[at].iter_mut().zip(word).for_each(|(byte, by)| *byte = by);
        }
        4 => {
            let by = [0, 0xFF][choices.below(2)];
            file[at].fill(by);
        }
        5 => {
            let to = stretch(file, choices).start;
            let len = at.len().min(file.len() - to);
            file.copy_within(at.start..at.start + len, to);
        }
        6 => {
            let end = at.end.min(donor.len());
            if at.start < end {
                file[at.start..end].copy_from_slice(&donor[at.start..end]);
            }
        }
        7 => drop(file.drain(at)),
        8 => {
            let copy = file[at.clone()].to_vec();
            drop(file.splice(at.start..at.start, copy));
        }
        _ => file.truncate(at.start),
    }
}

/// Returns the offset of every entry of the index.
fn entries(layout: &Layout) -> Vec<usize> {
    let page = |page: u64| (layout.index + page * PAGE_LEN as u64) as usize;
    (0..layout.pages)
        .flat_map(|number| (page(number)..page(number + 1) - ENTRY_LEN).step_by(ENTRY_LEN))
        .collect()
}

fn entry(file: &[u8], at: usize) -> u64 {
    file.get(at..at + ENTRY_LEN).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

fn set_entry(file: &mut [u8], at: usize, entry: u64) {
    if let Some(place) = file.get_mut(at..at + ENTRY_LEN) {
        place.copy_from_slice(&entry.to_le_bytes());
    }
}

/// Replaces an entry of the index by another one, or changes it a little.
fn change_entry(file: &mut [u8], choices: &mut Choices) {
    let Some((layout, _)) = layout(file) else { return };
    let places = entries(&layout);
    // Most entries of a page are unused.
    let near = places.len().min(1 + usize::from(choices.byte()));
    let at = places[choices.below(near)];
    let old = entry(file, at);
    let small = u64::from(choices.byte());
    let new = match choices.byte() % 7 {
        0 => entry(file, places[choices.below(places.len())]),
        1 => small,
        2 => old.wrapping_add(small),
        3 => old.wrapping_sub(small),
        4 => old.wrapping_add(small << 40),
        5 => old ^ (1 + small % 3) << 62,
        _ => choices.word(),
    };
    set_entry(file, at, new);
}

/// Replaces the bytes of a block by those of another block, or alters its contents. Moves the blocks behind
/// it along.
fn change_block(file: &mut Vec<u8>, choices: &mut Choices) {
    let Some((layout, _)) = layout(file) else { return };
    let places = entries(&layout);
    let extents: Vec<_> = (0..).zip(&places).filter_map(|(block, _)| extent(file, &layout, block)).collect();
    if extents.is_empty() {
        return;
    }
    let at = extents[choices.below(extents.len())].clone();
    let other = extents[choices.below(extents.len())].clone();
    let by = match choices.byte() % 2 {
        0 => file[other].to_vec(),
        _ => [&file[at.start..at.start + 4], &altered(&file[at.start + 4..at.end], choices)].concat(),
    };
    let (old, new) = (at.len() as u64, by.len() as u64);
    let offset = at.start as u64 - layout.data;
    drop(file.splice(at, by));
    for place in places {
        let entry = entry(file, place);
        let begin = entry & ((1 << 40) - 1);
        if entry >> 62 != 0 && begin == offset {
            set_entry(file, place, entry & !(((1 << 22) - 1) << 40) | new << 40);
        } else if entry >> 62 != 0 && begin > offset {
            set_entry(file, place, entry.wrapping_add(new).wrapping_sub(old));
        }
    }
}

/// Returns the body with a byte altered, inserted or removed. The byte of a zstd frame is one of its
/// contents.
fn altered(body: &[u8], choices: &mut Choices) -> Vec<u8> {
    let plain = zstd::bulk::decompress(body, LONGEST_PLAIN);
    let mut bytes = plain.as_deref().unwrap_or(body).to_vec();
    let at = choices.below(bytes.len());
    match (choices.byte() % 3, bytes.get_mut(at)) {
        (0, Some(byte)) => *byte = byte.wrapping_add(choices.byte()),
        (1, Some(_)) => drop(bytes.remove(at)),
        _ => bytes.insert(at, choices.byte()),
    }
    match plain {
        Ok(_) => zstd::bulk::compress(&bytes, 1).unwrap_or_default(),
        Err(_) => bytes,
    }
}
