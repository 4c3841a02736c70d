//! The cells of the thief in one overlay, and his moves as word operations.

use super::{super::words::Cross, overlay::CellBit};
use dragnet_formats::game::MoveTable;
use std::ops::Range;

/// Moves of the thief from cells of one overlay into one overlay, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    /// The overlay into which the moves lead.
    pub(crate) overlay: u32,
    /// The bit number there less the bit number here.
    pub(crate) by: i32,
    /// The cells here that have the move.
    pub(crate) mask: u64,
}

impl Shift {
    /// Returns the cells to which the moves lead.
    fn reached(&self) -> u64 {
        if self.by >= 0 { self.mask << self.by } else { self.mask >> -self.by }
    }

    /// Adds to `all`, thief cells of one police row, those with one of these moves into `source`, the word of
    /// the row in the target overlay. Without `WINS` it removes those with a move that leads elsewhere.
    #[inline(always)]
    pub(crate) fn add<const WINS: bool>(&self, all: u64, source: u64) -> u64 {
        // For each cell here the bit to which the move leads; bits outside the mask have no meaning.
        let look = source.rotate_right(self.by as u32 % u64::BITS);
        if WINS { all | look & self.mask } else { all & (look | !self.mask) }
    }
}

/// The thief cells of one world that are the bits of the same words.
#[derive(Debug)]
pub(crate) struct Overlay {
    pub(crate) world: u32,
    /// The bits of the cells.
    pub(crate) open: u64,
    /// The bits of the cells where the thief has escaped.
    pub(crate) escapes: u64,
    /// The bits of the cells without a move.
    pub(crate) stuck: u64,
    /// The thief's moves, sorted by the overlays into which they lead.
    pub(crate) shifts: Vec<Shift>,
    /// The overlays into which the thief's moves lead.
    pub(crate) targets: Vec<TargetOverlay>,
    /// The overlays from which the thief's moves lead into this one.
    pub(crate) before: Vec<u32>,
    /// The overlay into which turns of the police lead: that of the same cells in the world after them.
    pub(crate) police_target: u32,
    /// The overlays from which turns of the police lead into this one.
    pub(crate) police_before: Vec<u32>,
}

/// An overlay into which moves of the thief lead from one overlay, perhaps itself.
#[derive(Clone, Debug)]
pub(crate) struct TargetOverlay {
    pub(crate) overlay: u32,
    /// The moves: a part of [`Overlay::shifts`].
    pub(crate) shifts: Range<usize>,
    /// Where the cells lie to which the moves lead.
    pub(crate) cross: Cross,
}

/// Returns the cells to which these moves lead.
fn reached(shifts: &[Shift]) -> u64 {
    shifts.iter().fold(0, |cells, shift| cells | shift.reached())
}

impl Overlay {
    /// Creates the overlay of the cells with these numbers in reading order, world after world. `moves` and
    /// `escapes` are by such numbers, and so is `bits`.
    pub(crate) fn new(
        (world, police_target): (u32, u32),
        numbers: &[u32],
        moves: &MoveTable,
        escapes: &[bool],
        bits: &[CellBit],
    ) -> Overlay {
        let mut overlay = Overlay {
            world,
            open: 0,
            escapes: 0,
            stuck: 0,
            shifts: Vec::new(),
            targets: Vec::new(),
            before: Vec::new(),
            police_target,
            police_before: Vec::new(),
        };
        for number in numbers.iter().map(|&number| number as usize) {
            let bit = bits[number].bit;
            let mask = 1 << bit;
            overlay.open |= mask;
            if escapes[number] {
                overlay.escapes |= mask;
            }
            if moves.of(number).is_empty() {
                overlay.stuck |= mask;
            }
            let there = moves.of(number).iter().map(|&to| bits[to as usize]);
            let shift =
                |there: CellBit| Shift { overlay: there.overlay, by: there.bit as i32 - bit as i32, mask };
            overlay.shifts.extend(there.map(shift));
        }
        // The moves of a kind share a shift.
        overlay.shifts.sort_unstable_by_key(|shift| (shift.overlay, shift.by));
        overlay.shifts.dedup_by(|shift, first| {
            let same = (shift.overlay, shift.by) == (first.overlay, first.by);
            if same {
                first.mask |= shift.mask;
            }
            same
        });
        overlay.shifts.shrink_to_fit();
        let mut start = 0;
        for shifts in overlay.shifts.chunk_by(|a, b| a.overlay == b.overlay) {
            let end = start + shifts.len();
            let cross = Cross::of(reached(shifts));
            overlay.targets.push(TargetOverlay { overlay: shifts[0].overlay, shifts: start..end, cross });
            start = end;
        }
        overlay
    }

    /// Returns the cells of a target overlay to which moves lead.
    pub(crate) fn reached(&self, target: &TargetOverlay) -> u64 {
        reached(&self.shifts[target.shifts.clone()])
    }

    /// Gives the overlays into which moves lead, and those from which moves lead into this one, the numbers
    /// that `places` has for them.
    pub(crate) fn renumber(&mut self, places: &[u32]) {
        let targets = self.targets.iter_mut().map(|target| &mut target.overlay);
        let shifts = self.shifts.iter_mut().map(|shift| &mut shift.overlay);
        let of_police = self.police_before.iter_mut().chain([&mut self.police_target]);
        let numbers = targets.chain(shifts).chain(&mut self.before).chain(of_police);
        numbers.for_each(|number| *number = places[*number as usize]);
    }

    /// Fills in the overlays from which moves lead into each.
    pub(crate) fn link(overlays: &mut [Overlay]) {
        for number in 0..overlays.len() {
            for target in overlays[number].targets.clone() {
                overlays[target.overlay as usize].before.push(number as u32);
            }
            let target = overlays[number].police_target as usize;
            overlays[target].police_before.push(number as u32);
        }
    }
}
