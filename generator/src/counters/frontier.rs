//! Lists of positions that were decided in one level.

/// Positions of a chunk: small enough that two threads share a level of some ten thousand positions evenly, large
/// enough that handing a chunk over costs nothing. 1,024 and 16,384 were no quicker on 64×64 boards.
const CHUNK: usize = 4096;

/// Positions that share their upper 32 bits and their outcome.
#[derive(Debug)]
pub(super) struct Chunk {
    upper: u64,
    /// Whether the positions are won for their side to move, or lost.
    pub(super) wins: bool,
    lower: Vec<u32>,
}

impl Chunk {
    /// The positions.
    #[inline]
    pub(super) fn positions(&self) -> impl Iterator<Item = u64> + '_ {
        self.lower.iter().map(|&lower| self.upper | u64::from(lower))
    }
}

/// One thread's part of a frontier in the making.
#[derive(Debug, Default)]
pub(super) struct Part {
    full: Vec<Chunk>,
    /// For each value of the upper 32 bits the positions lost and won that do not fill a chunk yet.
    begun: Vec<[Vec<u32>; 2]>,
    len: u64,
}

impl Part {
    #[inline]
    pub(super) fn push(&mut self, position: u64, wins: bool) {
        let upper = (position >> 32) as usize;
        if upper >= self.begun.len() {
            self.begun.resize_with(upper + 1, Default::default);
        }
        let begun = &mut self.begun[upper][usize::from(wins)];
        begun.push(position as u32);
        if begun.len() == CHUNK {
            let lower = std::mem::replace(begun, Vec::with_capacity(CHUNK));
            self.full.push(Chunk { upper: (upper as u64) << 32, wins, lower });
        }
        self.len += 1;
    }

    /// The finished part as a frontier.
    pub(super) fn close(mut self) -> Frontier {
        for (upper, begun) in (0u64..).zip(self.begun) {
            for (wins, mut lower) in [false, true].into_iter().zip(begun) {
                if !lower.is_empty() {
                    lower.shrink_to_fit();
                    self.full.push(Chunk { upper: upper << 32, wins, lower });
                }
            }
        }
        Frontier { chunks: self.full, len: self.len }
    }
}

/// The positions of one level.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    pub(super) chunks: Vec<Chunk>,
    pub(super) len: u64,
}

impl Frontier {
    /// Both frontiers together.
    pub(super) fn join(mut self, other: Frontier) -> Frontier {
        self.chunks.extend(other.chunks);
        self.len += other.len;
        self
    }
}
