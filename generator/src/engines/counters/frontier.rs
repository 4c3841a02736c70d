//! Lists of positions that were decided in one level.

/// Positions of a full chunk: 16 KiB, so that a bin that grows copies nothing and wastes little.
const CHUNK: usize = 4096;

/// Positions of one lane that share their upper 32 bits and their outcome.
#[derive(Debug, Default)]
struct Bin {
    full: Vec<Box<[u32]>>,
    begun: Vec<u32>,
}

impl Bin {
    /// Moves the chunk that has just become full to the others.
    #[cold]
    fn close_chunk(&mut self) {
        self.full.push(self.begun.as_slice().into());
        self.begun.clear();
    }
}

/// How positions are sorted into bins.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierShape {
    /// Lanes of the game, at least 1.
    lanes: usize,
    /// Different upper halves of position numbers.
    uppers: usize,
}

impl FrontierShape {
    pub(super) fn new(lanes: usize, positions: u64) -> FrontierShape {
        FrontierShape { lanes, uppers: (positions >> 32) as usize + 1 }
    }

    /// Returns the number of lanes.
    pub(super) fn lanes(self) -> usize {
        self.lanes
    }
}

/// One thread's part of a frontier.
///
/// Keeps its memory from level to level, but for full chunks. Aligned to its own cache lines: parts of
/// different threads stand side by side, and each counts its pushes.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Part {
    shape: FrontierShape,
    /// Indexed by lane, upper half and outcome.
    bins: Vec<Bin>,
    len: u64,
}

/// Some positions of a frontier with the same outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice<'a> {
    upper: u64,
    lower: &'a [u32],
    /// Whether the positions are won for their side to move, or lost.
    pub(super) wins: bool,
}

impl<'a> Slice<'a> {
    /// Returns the positions.
    #[inline]
    pub(super) fn positions(self) -> impl Iterator<Item = u64> + 'a {
        self.lower.iter().map(move |&lower| self.upper | u64::from(lower))
    }
}

impl Part {
    /// Creates an empty part.
    pub(super) fn new(shape: FrontierShape) -> Part {
        let bins = shape.lanes * shape.uppers * 2;
        Part { shape, bins: (0..bins).map(|_| Bin::default()).collect(), len: 0 }
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Adds a position of this lane.
    #[inline]
    pub(super) fn push(&mut self, position: u64, lane: usize, wins: bool) {
        let upper = (position >> 32) as usize;
        let bin = &mut self.bins[(lane * self.shape.uppers + upper) * 2 + usize::from(wins)];
        bin.begun.push(position as u32);
        self.len += 1;
        if bin.begun.len() == CHUNK {
            bin.close_chunk();
        }
    }

    /// Removes all positions.
    pub(super) fn clear(&mut self) {
        if self.len == 0 {
            return;
        }
        for bin in &mut self.bins {
            bin.full.clear();
            bin.begun.clear();
        }
        self.len = 0;
    }

    /// Returns the positions of one lane.
    pub(super) fn slices(&self, lane: usize) -> impl Iterator<Item = Slice<'_>> {
        let per_lane = self.shape.uppers * 2;
        self.bins[lane * per_lane..][..per_lane].iter().enumerate().flat_map(|(i, bin)| {
            let (upper, wins) = (((i / 2) as u64) << 32, i % 2 == 1);
            let full = bin.full.iter().map(|lower| &lower[..]);
            let begun = (!bin.begun.is_empty()).then_some(&bin.begun[..]);
            full.chain(begun).map(move |lower| Slice { upper, lower, wins })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_returns_every_position_that_was_pushed() {
        let mut part = Part::new(FrontierShape::new(3, 3 << 32));
        for round in 0..2 {
            let mut expected = Vec::new();
            for i in 0..3 * CHUNK as u64 * 7 + 5 {
                let (position, lane, wins) =
                    (i * 613_566_757 % (3 << 32), (i % 3) as usize, i % 5 < 2 + round);
                part.push(position, lane, wins);
                expected.push((lane, wins, position));
            }
            assert_eq!(part.len(), expected.len() as u64);
            let slices = (0..3).flat_map(|lane| part.slices(lane).map(move |slice| (lane, slice)));
            let mut found: Vec<_> = slices
                .flat_map(|(lane, slice)| {
                    slice.positions().map(|p| (lane, slice.wins, p)).collect::<Vec<_>>()
                })
                .collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            part.clear();
        }
    }
}
