//! Slices, the units of work: in one overlay the police tiles of one range. The ranges are the same in all
//! overlays.

use std::ops::Range;

/// Boards with at least so many overlays are not cut further: 16 threads have enough to share then. Each
/// slice has a log and sets of its own, which take memory. In unit tests small boards have many slices.
const ENOUGH: usize = if cfg!(test) { 1 << 10 } else { 128 };

/// The fewest police tiles that are worth a slice.
const FEWEST: usize = if cfg!(test) { 2 } else { 64 };

/// The number of a police tile in its slice, counted from the slice's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SliceTile(pub(crate) u32);

impl SliceTile {
    /// Returns the number as an index.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the police tiles are cut into ranges, all but the last of one length, which is a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// The exponent of the length.
    exponent: u32,
    tiles: u32,
}

impl Cut {
    /// Cuts `tiles` police tiles into ranges of one length: as many as make [`ENOUGH`] slices of so many
    /// overlays, but at most `most`, and with [`FEWEST`] tiles or more in each. The length is rounded down to
    /// a power of two, so there may be about twice as many.
    pub(crate) fn new(tiles: usize, overlays: usize, most: usize) -> Cut {
        let ranges = ENOUGH.div_ceil(overlays).min(most).min(tiles / FEWEST).max(1);
        // One range: a power of two that holds all tiles. Several: the greatest that makes so many or more.
        let length = if ranges == 1 { tiles.next_power_of_two() } else { tiles / ranges };
        Cut { exponent: length.ilog2(), tiles: tiles as u32 }
    }

    /// Returns the number of ranges.
    pub(crate) fn count(self) -> usize {
        self.tiles.div_ceil(1 << self.exponent).max(1) as usize
    }

    /// Returns the tiles of a range.
    pub(crate) fn tiles(self, range: usize) -> Range<u32> {
        let first = (range as u32) << self.exponent;
        first..self.tiles.min(first.saturating_add(1 << self.exponent))
    }

    /// Returns the range of a tile.
    #[inline(always)]
    pub(crate) fn range_of(self, tile: u32) -> usize {
        (tile >> self.exponent) as usize
    }

    /// Returns the number of a tile in its range.
    #[inline(always)]
    pub(crate) fn at(self, tile: u32) -> SliceTile {
        SliceTile(tile & ((1 << self.exponent) - 1))
    }
}
