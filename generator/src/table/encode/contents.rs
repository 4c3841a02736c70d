//! The different contents of a table's blocks.

use crate::table::packets::{BodyPlace, ContentHash};
use dragnet_formats::container::WriteError;
use std::collections::{HashMap, hash_map::Entry};

/// The index for a block that has not come.
pub(super) const NONE: u32 = u32::MAX;

/// The contents of one block or more.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A thread encodes them; or an earlier run has, and they are lost.
    Missing,
    /// Every slot has this code.
    Constant(u32),
    Body(BodyPlace),
}

/// The different contents found so far.
#[derive(Default)]
pub(super) struct DistinctContents {
    /// The index of each by its hash.
    pub(super) indices: HashMap<ContentHash, u32>,
    pub(super) contents: Vec<Content>,
}

impl DistinctContents {
    /// Returns the index of the contents with this hash, and whether they are new: then it is the caller's
    /// task to encode them.
    pub(super) fn index(&mut self, hash: ContentHash) -> Result<(u32, bool), WriteError> {
        let next = self.contents.len() as u32;
        match self.indices.entry(hash) {
            Entry::Occupied(index) => Ok((*index.get(), false)),
            Entry::Vacant(_) if next == NONE => Err(WriteError::TooMuchData),
            Entry::Vacant(place) => {
                place.insert(next);
                self.contents.push(Content::Missing);
                Ok((next, true))
            }
        }
    }
}
