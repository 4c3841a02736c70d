//! The messages of ranks after a level: how the police-to-move sets have grown where a move of the thief
//! leads from one rank's overlays into another's.

use super::{
    super::{
        board::Grid,
        level::{Changed, Growth, Slice, Undecided},
        log::{LooseEntries, visit_loose_entries},
        sets::{Group, Set, SliceWords},
        words::{Cross, ROWS, first_bits, ones},
    },
    border::GrownLevel,
    packed_bits::PackedBits,
};
use crate::{
    log_error::LogError,
    pass_threads::WorkShares,
    ranks::{TransportError, open, seal},
    solve_error::SolveError,
};
use dragnet_formats::{cell::Side, value::Plies};
use multiversion::multiversion;
use std::collections::BTreeMap;

/// The police-to-move sets, by [`Group`].
const POLICE_SETS: [Set; 2] = [Set::PoliceWins, Set::PoliceLoses];

/// The thief-to-move sets, which no other rank reads: moves of the police stay within an overlay.
const THIEF_SETS: [Set; 2] = [Set::ThiefWins, Set::ThiefLoses];

/// The cells over which ranks see each other's overlays. All ranks find the same.
#[derive(Debug)]
pub(super) struct Views {
    /// The rank that owns each overlay, by its number on the whole board.
    pub(super) owners: Vec<usize>,
    /// The views that other ranks have of own slices.
    shown: Vec<View>,
    /// For each ghost overlay the cells that this rank sees.
    seen: Vec<PackedBits>,
    /// How the views are shared out among threads, and the ghosts of slices.
    shares: [WorkShares; 2],
}

/// The view that another rank has of a slice, and the entries that it gets after the level.
#[derive(Debug)]
struct View {
    slice: usize,
    /// The number of the rank.
    reader: usize,
    /// The cells that it sees.
    cells: PackedBits,
    entries: LooseEntries,
}

impl Views {
    /// Returns the views of the rank that numbers overlays like `grid`. `owners` has the rank of each overlay
    /// by its number on the whole board.
    pub(super) fn new(grid: &Grid, owners: Vec<usize>, rank: usize) -> Views {
        let mut cells: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (from, overlay) in grid.overlays.iter().enumerate() {
            let reader = owners[grid.order.numbers[from] as usize];
            for target in &overlay.targets {
                *cells.entry((target.overlay as usize, reader)).or_default() |= overlay.reached(target);
            }
        }
        let (own, ranges) = (grid.order.own, grid.cut.count());
        let of_others = cells.iter().filter(|&(&(overlay, reader), _)| overlay < own && reader != rank);
        let views = of_others.flat_map(|(&(overlay, reader), &cells)| {
            let slices = (0..ranges).map(move |range| grid.slice(overlay, range));
            slices.map(move |slice| View {
                slice,
                reader,
                cells: PackedBits::new(cells),
                entries: LooseEntries::default(),
            })
        });
        let shown: Vec<View> = views.collect();
        let seen = (own..grid.order.held).map(|ghost| PackedBits::new(cells[&(ghost, rank)])).collect();
        let equal_shares = |items: usize| {
            let items: Vec<u32> = (0..items as u32).collect();
            WorkShares::new(&items, rayon::current_num_threads(), |_| 0)
        };
        let shares = [shown.len(), grid.held_slices() - grid.own_slices()].map(equal_shares);
        Views { owners, shown, seen, shares }
    }

    /// Returns a message for each of so many ranks: by slice, the entries of the rank's view.
    pub(super) fn messages(&mut self, ranks: usize, grown: &mut GrownLevel) -> Vec<Vec<u8>> {
        let GrownLevel { undecided, level, ran, shared, threads, ref mut sets, ref changed } = *grown;
        let grid = undecided.grid;
        let (sets, _) = sets.split(grid, POLICE_SETS, THIEF_SETS);
        threads.sum(
            shared,
            &self.shares[0],
            self.shown.iter_mut(),
            |view| {
                for group in Group::BOTH.into_iter().filter(|&group| ran[group as usize]) {
                    let set = POLICE_SETS[group as usize];
                    let slice = Slice::new(grid, view.slice);
                    let words = &sets[group as usize][view.slice];
                    let changed = &changed[set as usize][view.slice];
                    add_to_view(view, slice, set.code(level), words, changed);
                }
            },
            |(), ()| (),
        );
        let mut messages = vec![Vec::new(); ranks];
        for View { slice, reader, entries, .. } in &mut self.shown {
            let (message, bytes): (&mut Vec<u8>, _) = (&mut messages[*reader], entries.as_bytes());
            if bytes.is_empty() {
                continue;
            }
            if message.is_empty() {
                message.extend_from_slice(&level.to_le_bytes());
            }
            message.extend_from_slice(&(grid.log_number(*slice) as u32).to_le_bytes());
            message.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            message.extend_from_slice(bytes);
            entries.clear();
        }
        messages.iter_mut().for_each(seal);
        messages
    }

    /// Adds to the ghosts what the other ranks' `messages` say.
    pub(super) fn take(&self, messages: &[Vec<u8>], grown: GrownLevel) -> Result<(), SolveError> {
        let GrownLevel { undecided, level, ran, shared, threads, sets, changed } = grown;
        let grid = undecided.grid;
        let own = grid.own_slices();
        let sections = self.sections(messages, grid, level)?;
        let ([mut wins, mut losses], _) = sets.split(grid, POLICE_SETS, THIEF_SETS);
        let [wins_changed, losses_changed] = changed
            .get_disjoint_mut(POLICE_SETS.map(|set| set as usize))
            .expect("two different sets")
            .map(|changed| &mut changed[own..]);
        let wins = wins[own..].iter_mut().zip(wins_changed);
        let ghosts = wins.zip(losses[own..].iter_mut().zip(losses_changed)).enumerate();
        let take = |(ghost, (wins, losses))| -> Option<SolveError> {
            let mut ghost_sets: [(&mut SliceWords, &mut Changed); 2] = [wins, losses];
            for ((_, changed), _) in ghost_sets.iter_mut().zip(ran).filter(|(_, ran)| *ran) {
                changed.0.clear();
            }
            let (rank, bytes): (usize, &[u8]) = sections[ghost];
            if bytes.is_empty() {
                return None;
            }
            let slice = Slice::new(grid, own + ghost);
            let cells = self.seen[slice.overlay - grid.order.own];
            match take_slice(undecided, (level, ran), slice, cells, bytes, &mut ghost_sets) {
                Ok(true) => None,
                Ok(false) => {
                    Some(TransportError::Message { rank, found: "damaged growth of a slice" }.into())
                }
                Err(refused) => Some(refused.into()),
            }
        };
        threads.sum(shared, &self.shares[1], ghosts, take, Option::or).map_or(Ok(()), Err)
    }

    /// Returns for each ghost slice the rank that owns it and its section of this rank's message.
    fn sections<'a>(
        &self,
        messages: &'a [Vec<u8>],
        grid: &Grid,
        level: Plies,
    ) -> Result<Vec<(usize, &'a [u8])>, TransportError> {
        let (own, ranges) = (grid.own_slices(), grid.cut.count());
        let owner = |slice: usize| self.owners[grid.order.numbers[slice / ranges] as usize];
        let mut sections: Vec<(usize, &[u8])> =
            (own..grid.held_slices()).map(|slice| (owner(slice), &[][..])).collect();
        for (rank, message) in messages.iter().enumerate().filter(|(_, message)| !message.is_empty()) {
            let mut message = open(message, rank)?;
            if message.u32()? != level {
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

/// Adds to a view what a level has changed in the `words` of one set. Of rows that have changed it gets all
/// bits on the cells where something may be new.
#[multiversion(targets = "simd")]
fn add_to_view(view: &mut View, slice: Slice, code: u32, words: &SliceWords, changed: &Changed) {
    for &Growth { tile, cross, rows } in &changed.0 {
        let cells = view.cells.mask() & cross.cells();
        if cells == 0 {
            continue;
        }
        let words = words.block(slice.at(tile));
        // To look at all rows takes a few vector instructions.
        let seen = (0..).zip(words).fold(0, |seen, (row, word)| seen | u64::from(word & cells != 0) << row);
        let seen = seen & rows;
        if seen == 0 {
            continue;
        }
        let (mut last, mut last_packed) = (0, 0);
        let packed = ones(seen).map(|row| {
            // Rows that follow one another mostly have the same word.
            let word = words[row] & cells;
            if word != last {
                (last, last_packed) = (word, view.cells.pack(word));
            }
            last_packed
        });
        view.entries.push(tile, code, seen, packed);
    }
}

/// Adds the entries of a ghost slice, of which this rank sees `cells`, to its sets. Returns false if they are
/// damaged.
#[multiversion(targets = "simd")]
fn take_slice(
    undecided: Undecided,
    (level, ran): (Plies, [bool; 2]),
    slice: Slice,
    cells: PackedBits,
    bytes: &[u8],
    ghost_sets: &mut [(&mut SliceWords, &mut Changed); 2],
) -> Result<bool, LogError> {
    let grid = undecided.grid;
    let tiles = grid.cut.tiles(slice.range);
    let rows_of = |tile: u32| tiles.contains(&tile).then(|| first_bits(grid.rows(tile)));
    let codes = POLICE_SETS.map(|set| set.code(level));
    let (mut known, mut refused, mut new) = (true, None, [0; ROWS]);
    let right = visit_loose_entries(bytes, rows_of, first_bits(cells.count()), |entry| {
        let Some(group) = codes.iter().position(|&code| code == entry.code).filter(|&group| ran[group])
        else {
            known = false;
            return;
        };
        // A block that nobody will read any more may be dropped.
        if !undecided.is_read(Side::Police, slice, entry.tile) {
            return;
        }
        let (set, changed) = &mut ghost_sets[group];
        let mut all = 0;
        entry.for_each_run(|rows, packed| {
            let word = cells.unpack(packed);
            ones(rows).for_each(|row| new[row] = word);
            all |= word;
        });
        let added = set.add_rows(slice.at(entry.tile), grid.rows(entry.tile), &new, entry.rows);
        ones(entry.rows).for_each(|row| new[row] = 0);
        refused = refused.take().or(added.err());
        changed.0.push(Growth { tile: entry.tile, cross: Cross::of(all), rows: entry.rows });
    });
    refused.map_or(Ok(right && known), Err)
}
