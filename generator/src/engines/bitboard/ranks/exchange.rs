//! What ranks tell each other after a level: how the police-to-move sets have grown where a move of the thief
//! leads from one rank's overlays into another's (`PROTOCOL.md` §13).

use super::super::{
    board::Grid,
    level::{Changed, Edge, Growth, Slice, SliceState, Undecided},
    log::visit_loose_entries,
    sets::{Set, SharedBlocks},
    words::{Cross, ROWS, first_bits, ones},
};
use crate::{
    log_error::LogError,
    pass_threads::{PassThreads, WorkShares},
    ranks::{TransportError, open, seal},
    solve_error::SolveError,
};
use dragnet_formats::{cell::Side, value::Plies};
use multiversion::multiversion;

/// The police-to-move sets, in the order of their groups.
pub(crate) const POLICE_SETS: [Set; 2] = [Set::PoliceWins, Set::PoliceLoses];

/// A level in which some groups have grown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrownLevel<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) level: Plies,
    /// Whether a pass over each group has run in this level, by [`Group`](super::super::sets::Group).
    pub(crate) ran: [bool; 2],
    /// Whether all threads add to the ghosts.
    pub(crate) shared: bool,
}

impl GrownLevel<'_> {
    /// Returns a message for each of so many ranks: by slice, the entries of the edge that the rank sees.
    /// Empties the edges.
    pub(crate) fn messages(&self, ranks: usize, slices: &mut [SliceState]) -> Vec<Vec<u8>> {
        let mut messages = vec![Vec::new(); ranks];
        for (slice, state) in slices.iter_mut().enumerate() {
            for Edge { reader, entries, .. } in &mut state.edges {
                let (message, bytes): (&mut Vec<u8>, _) = (&mut messages[*reader], entries.as_bytes());
                if bytes.is_empty() {
                    continue;
                }
                if message.is_empty() {
                    message.extend_from_slice(&self.level.to_le_bytes());
                }
                message.extend_from_slice(&(self.grid.log_number(slice) as u32).to_le_bytes());
                message.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
                message.extend_from_slice(bytes);
                entries.clear();
            }
        }
        messages.iter_mut().for_each(seal);
        messages
    }

    /// Adds to the ghosts what the other ranks' `messages` say. `shares`, `sets` and `changed` are those of
    /// the ghosts alone, the last two by [`POLICE_SETS`].
    pub(crate) fn take(
        &self,
        threads: &PassThreads,
        shares: &WorkShares,
        messages: &[Vec<u8>],
        undecided: Undecided,
        sets: [&mut [SharedBlocks]; 2],
        changed: [&mut [Changed]; 2],
    ) -> Result<(), SolveError> {
        let sections = self.sections(messages)?;
        let ([wins, losses], [wins_changed, losses_changed]) = (sets, changed);
        let ghosts = wins.iter_mut().zip(wins_changed).zip(losses.iter_mut().zip(losses_changed)).enumerate();
        let take = |(ghost, (wins, losses))| -> Option<SolveError> {
            let mut grown: [(&mut SharedBlocks, &mut Changed); 2] = [wins, losses];
            for ((_, changed), _) in grown.iter_mut().zip(self.ran).filter(|(_, ran)| *ran) {
                changed.0.clear();
            }
            let (rank, bytes): (usize, &[u8]) = sections[ghost];
            if bytes.is_empty() {
                return None;
            }
            match take_slice(*self, ghost, bytes, undecided, &mut grown) {
                Ok(true) => None,
                Ok(false) => {
                    Some(TransportError::Message { rank, found: "damaged growth of a slice" }.into())
                }
                Err(refused) => Some(refused.into()),
            }
        };
        threads.sum(self.shared, shares, ghosts, take, Option::or).map_or(Ok(()), Err)
    }

    /// Returns for each ghost slice the rank that owns it and its section of this rank's message.
    fn sections<'a>(&self, messages: &'a [Vec<u8>]) -> Result<Vec<(usize, &'a [u8])>, TransportError> {
        let (grid, ranges) = (self.grid, self.grid.cut.count());
        let own = grid.own_slices();
        let owner = |slice: usize| grid.order.owners[slice / ranges];
        let mut sections: Vec<(usize, &[u8])> =
            (own..grid.held_slices()).map(|slice| (owner(slice), &[][..])).collect();
        for (rank, message) in messages.iter().enumerate().filter(|(_, message)| !message.is_empty()) {
            let mut message = open(message, rank)?;
            if message.u32()? != self.level {
                return Err(message.wrong("one of another level"));
            }
            while !message.is_empty() {
                let (number, len) = (message.u32()?, message.u32()?);
                let bytes = message.bytes(len as usize)?;
                let slice = grid.slice_of_log(number as usize).and_then(|slice| slice.checked_sub(own));
                match slice.and_then(|slice| sections.get_mut(slice)) {
                    Some((owner, section)) if *owner == rank && section.is_empty() => *section = bytes,
                    _ => return Err(message.wrong("the growth of a strange slice")),
                }
            }
        }
        Ok(sections)
    }
}

/// Adds the entries of a ghost slice to its sets. Returns false if they are damaged.
#[multiversion(targets = "simd")]
fn take_slice(
    grown_level: GrownLevel,
    ghost: usize,
    bytes: &[u8],
    undecided: Undecided,
    grown: &mut [(&mut SharedBlocks, &mut Changed); 2],
) -> Result<bool, LogError> {
    let GrownLevel { grid, level, ran, .. } = grown_level;
    let slice = Slice::new(grid, grid.own_slices() + ghost);
    let bits = grid.edges.ghosts[slice.overlay - grid.order.own];
    let tiles = grid.cut.tiles(slice.range);
    let rows_of = |tile: u32| tiles.contains(&tile).then(|| first_bits(grid.rows(tile)));
    let codes = POLICE_SETS.map(|set| set.code(level));
    let (mut known, mut refused, mut new) = (true, None, [0; ROWS]);
    let right = visit_loose_entries(bytes, rows_of, first_bits(bits.count()), |entry| {
        let Some(at) = codes.iter().position(|&code| code == entry.code).filter(|&at| ran[at]) else {
            known = false;
            return;
        };
        // A block that nobody will read any more may be dropped.
        if !undecided.is_read(Side::Police, slice, entry.tile) {
            return;
        }
        let (set, changed) = &mut grown[at];
        let mut cells = 0;
        entry.for_each_run(|rows, pushed| {
            let word = bits.pull_apart(pushed);
            ones(rows).for_each(|row| new[row] = word);
            cells |= word;
        });
        let added = set.add_rows(entry.tile - slice.first, grid.rows(entry.tile), &new, entry.rows);
        ones(entry.rows).for_each(|row| new[row] = 0);
        refused = refused.take().or(added.err());
        changed.0.push(Growth { tile: entry.tile, cross: Cross::of(cells), rows: entry.rows });
    });
    refused.map_or(Ok(right && known), Err)
}
