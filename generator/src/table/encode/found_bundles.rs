//! The bundles of a table that have been encoded before, or elsewhere.

use super::contents::{Content, DistinctContents};
use crate::{
    checkpoint::PacketHead,
    solution::BlockBundles,
    table::packets::{ContentHash, Record, records},
};
use dragnet_formats::container::WriteError;
use std::sync::atomic::AtomicU32;

/// The bundles that are being found in packets of an earlier run, or of a helper.
pub(super) struct FoundBundles<'a> {
    bundles: &'a dyn BlockBundles,
    known: &'a mut DistinctContents,
    of_blocks: &'a mut [AtomicU32],
    pub(super) found: Vec<RestoredBundle>,
}

impl<'a> FoundBundles<'a> {
    pub(super) fn new(
        bundles: &'a dyn BlockBundles,
        known: &'a mut DistinctContents,
        of_blocks: &'a mut [AtomicU32],
    ) -> FoundBundles<'a> {
        FoundBundles { bundles, known, of_blocks, found: vec![RestoredBundle::default(); bundles.count()] }
    }

    /// Takes the records `bytes` of a packet.
    pub(super) fn take(&mut self, head: &PacketHead, packet: u32, bytes: &[u8]) -> Result<(), WriteError> {
        let (number, first, blocks) = (head.bundle.get() as usize, head.first.get(), head.blocks.get());
        let Some(bundle) = self.found.get_mut(number) else { return Ok(()) };
        let Some(records) = records(packet, blocks, bytes) else { return Ok(()) };
        let follows = bundle.take(first, blocks.into());
        for (record, ordinal) in records.into_iter().zip(first..) {
            let (hash, content) = match record {
                Record::Known(hash) => (hash, Content::Missing),
                Record::Constant { slots, code } => {
                    (ContentHash::of_constant(slots, code), Content::Constant(code))
                }
                Record::Body(hash, place) => (hash, Content::Body(place)),
            };
            let (index, _) = self.known.index(hash)?;
            let place = &mut self.known.contents[index as usize];
            if let Content::Missing = place {
                *place = content;
            }
            let block = self.bundles.block(number, ordinal).filter(|_| follows);
            if let Some(of_block) = block.and_then(|block| self.of_blocks.get_mut(block as usize)) {
                *of_block.get_mut() = index;
            }
        }
        bundle.digest = head.digest.get();
        Ok(())
    }
}

/// The part of a bundle that the packets have which are found so far.
#[derive(Clone, Copy, Default)]
pub(super) struct RestoredBundle {
    /// How many blocks have come without a gap, from the bundle's first on; or [`RestoredBundle::GAP`].
    pub(super) blocks: u64,
    /// The digest in the last packet.
    pub(super) digest: u64,
}

impl RestoredBundle {
    /// Stands for a number of blocks if a packet is missing.
    const GAP: u64 = u64::MAX;

    /// Takes a packet with `blocks` blocks behind the first `first` ones. Returns whether none is missing
    /// before it. A run that has found a packet missing begins the bundle anew.
    fn take(&mut self, first: u64, blocks: u64) -> bool {
        let follows = first == 0 || first == self.blocks;
        self.blocks = if follows { first.saturating_add(blocks) } else { RestoredBundle::GAP };
        follows
    }
}
