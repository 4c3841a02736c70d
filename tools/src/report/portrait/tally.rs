//! Sums over all values of a table with the police to move, each distinct block read once.

use super::Histogram;
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    numbering::TeamList,
    pieces::Pieces,
    rules::PoliceOnExit,
    value::{Plies, Value},
};
use dragnet_probe::{ProbeError, Table};
use rayon::prelude::*;
use std::{collections::BTreeMap, ops::AddAssign};

/// What the positions with one cell of the police come to.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// Cells of the thief that it wins against.
    pub(super) won: u64,
    /// The longest of these wins.
    pub(super) longest: Plies,
    /// The plies of all of them.
    pub(super) plies: u64,
}

impl Reach {
    /// Orders better cells first.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.won), self.longest, self.plies)
    }

    pub(super) fn add(&mut self, other: &Reach, times: u64) {
        self.won += other.won * times;
        self.longest = self.longest.max(other.longest);
        self.plies += other.plies * times;
    }
}

/// Codes below this are counted by place, which takes 8 MiB; those above, from chases of half a million plies, in a map.
const NEAR: usize = 1 << 20;

/// How many positions have each code.
#[derive(Default)]
pub(super) struct CodeCounts {
    near: Vec<u64>,
    far: BTreeMap<u32, u64>,
}

impl CodeCounts {
    /// Counts each of `codes` as often as `times` says.
    pub(super) fn add(&mut self, codes: &[u32], times: u64) {
        let highest = codes.iter().copied().max().unwrap_or(0) as usize;
        self.near.resize(self.near.len().max(NEAR.min(highest + 1)), 0);
        // Neighbours are often equal: one addition for all of them.
        for same in codes.chunk_by(|a, b| a == b) {
            let count = same.len() as u64 * times;
            match self.near.get_mut(same[0] as usize) {
                Some(near) => *near += count,
                None => *self.far.entry(same[0]).or_default() += count,
            }
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u64)> {
        let near = (0..).zip(&self.near).filter(|&(_, &count)| count > 0);
        near.map(|(code, &count)| (code, count)).chain(self.far.iter().map(|(&code, &count)| (code, count)))
    }

    pub(super) fn histogram(&self) -> Histogram {
        let values = || self.pairs().filter_map(|(code, count)| Some((Value::from_code(code)?, count)));
        let deepest = values().filter_map(|(value, _)| value.dtw()).max().unwrap_or(0);
        let step = Histogram::step_for(deepest);
        let buckets = (deepest / step) as usize + 1;
        let mut histogram = Histogram { step, police: vec![0; buckets], thief: vec![0; buckets], draws: 0 };
        for (value, count) in values() {
            match value {
                Value::Win(dtw) => histogram.police[(dtw / step) as usize] += count,
                Value::Loss(dtw) => histogram.thief[(dtw / step) as usize] += count,
                Value::Draw => histogram.draws += count,
            }
        }
        histogram
    }
}

impl AddAssign<CodeCounts> for CodeCounts {
    fn add_assign(&mut self, other: CodeCounts) {
        if self.near.len() < other.near.len() {
            self.near.resize(other.near.len(), 0);
        }
        self.near.iter_mut().zip(other.near).for_each(|(sum, count)| *sum += count);
        for (code, count) in other.far {
            *self.far.entry(code).or_default() += count;
        }
    }
}

/// A block to be read. In this order blocks of equal codes are neighbours, and among these the ones of a police tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    entry: u64,
    slots: u32,
    columns: u32,
    /// The block's own number plus 1 if some of its positions are over, whose codes have no meaning; else 0.
    alone: u64,
    block: u64,
}

impl Key {
    fn same_codes(&self, other: &Key) -> bool {
        (self.entry, self.slots, self.columns, self.alone)
            == (other.entry, other.slots, other.columns, other.alone)
    }
}

/// The open cells by their numbers in reading order.
struct OpenCells {
    /// Whether each is an exit.
    exit: Vec<bool>,
    /// The teams of the police, tile after tile.
    police: TeamList,
    /// Those of the thief, tile after tile.
    thief: Vec<u32>,
}

impl OpenCells {
    fn of(table: &Table) -> OpenCells {
        let squares = table.board().squares().iter().filter(|&&square| square != Square::Wall);
        OpenCells {
            exit: squares.map(|&square| square == Square::Exit).collect(),
            police: table.numbering().police().list(),
            thief: table.numbering().thief().order(),
        }
    }
}

/// Sums over all positions with the police to move.
pub(super) struct Tally {
    pub(super) codes: CodeCounts,
    /// For each team of the police, tile after tile.
    reach: Vec<Reach>,
}

impl Tally {
    fn new(teams: usize) -> Tally {
        Tally { codes: CodeCounts::default(), reach: vec![Reach::default(); teams] }
    }

    pub(super) fn of(table: &Table) -> Result<Tally, ProbeError> {
        let open = OpenCells::of(table);
        let teams = open.police.len();
        let mut keys = keys(table)?;
        keys.par_sort_unstable();
        let groups: Vec<&[Key]> = keys.chunk_by(Key::same_codes).collect();
        // A few shares per thread even out the work, and there are no more sums than these.
        let share = groups.len().div_ceil(8 * rayon::current_num_threads()).max(1);
        groups
            .par_chunks(share)
            .map(|groups| {
                let mut tally = Tally::new(teams);
                let mut codes = Vec::new();
                for group in groups {
                    tally.add(table, &open, group, &mut codes)?;
                }
                Ok(tally)
            })
            .try_reduce_with(|mut sum, part| {
                sum.codes += part.codes;
                sum.reach.iter_mut().zip(&part.reach).for_each(|(sum, part)| sum.add(part, 1));
                Ok(sum)
            })
            .unwrap_or_else(|| Ok(Tally::new(teams)))
    }

    /// Adds the blocks of `group`, which have the same codes.
    fn add(
        &mut self,
        table: &Table,
        open: &OpenCells,
        group: &[Key],
        codes: &mut Vec<u32>,
    ) -> Result<(), ProbeError> {
        let Some(first) = group.first() else { return Ok(()) };
        table.block_codes(first.block, codes)?;
        if first.alone > 0 {
            put_ends_right(table, open, first.block, codes);
        }
        self.codes.add(codes, group.len() as u64);
        let mut reach = vec![Reach::default(); first.columns as usize];
        for row in codes.chunks_exact(reach.len()) {
            for (reach, &code) in reach.iter_mut().zip(row) {
                if let Some(Value::Win(dtw)) = Value::from_code(code) {
                    reach.add(&Reach { won: 1, longest: dtw, plies: dtw.into() }, 1);
                }
            }
        }
        let numbering = table.numbering();
        let tile = |key: &Key| numbering.tiles(key.block).police;
        for same_tile in group.chunk_by(|a, b| tile(a) == tile(b)) {
            let sums = &mut self.reach[open.police.range_of(tile(&same_tile[0]))];
            sums.iter_mut().zip(&reach).for_each(|(sum, part)| sum.add(part, same_tile.len() as u64));
        }
        Ok(())
    }

    /// The best cells for the police; of equals the first in reading order.
    pub(super) fn best(&self, table: &Table) -> Option<Pieces> {
        let teams = table.numbering().police().list();
        let key = |&team: &usize| (self.reach[team].rank(), teams.number(team));
        let best = (0..self.reach.len()).min_by_key(key)?;
        let cells: Vec<Cell> = table.board().open_cells().collect();
        let team: Vec<Cell> = teams.cells(best).iter().map(|&number| cells[number as usize]).collect();
        Pieces::new(&team).ok()
    }
}

/// All blocks of the table, in their own order.
fn keys(table: &Table) -> Result<Vec<Key>, ProbeError> {
    let numbering = table.numbering();
    let (police, thief) = (numbering.police(), numbering.thief());
    // By tile of the thief: whether it has an exit, and the tiles in which the police may stand on one of its cells.
    let mut over = vec![(false, Vec::new()); thief.tile_count() as usize];
    for (cell, square) in table.board().cells() {
        if let (Some(p), Some(t)) = (police.tiling().place(cell), thief.place(cell)) {
            let (exit, tiles) = &mut over[t.tile as usize];
            *exit |= square == Square::Exit;
            if !tiles.contains(&p.tile) {
                tiles.push(p.tile);
            }
        }
    }
    let goal = table.rules().police_on_exit == PoliceOnExit::Wins;
    let key = |block| {
        let tiles = numbering.tiles(block);
        let (exit, meeting) = &over[tiles.thief as usize];
        let ends = *exit || goal || police.tiles_of(tiles.police).any(|tile| meeting.contains(&tile));
        Ok(Key {
            entry: table.block_entry(block)?.to_bits(),
            slots: numbering.slots(block),
            columns: police.size_of(tiles.police),
            alone: if ends { block + 1 } else { 0 },
            block,
        })
    };
    (0..numbering.block_count()).into_par_iter().map(key).collect()
}

/// Gives the positions of a block that are over the codes that they have by the rules.
fn put_ends_right(table: &Table, open: &OpenCells, block: u64, codes: &mut [u32]) {
    let numbering = table.numbering();
    let tiles = numbering.tiles(block);
    let teams = open.police.range_of(tiles.police);
    let thief = &open.thief[numbering.thief().range_of(tiles.thief)];
    let goal = table.rules().police_on_exit == PoliceOnExit::Wins;
    let caught = Value::terminal(Side::Police, Side::Police).code();
    for (row, &thief) in codes.chunks_exact_mut(teams.len()).zip(thief) {
        if open.exit[thief as usize] {
            row.fill(Value::terminal(Side::Thief, Side::Police).code());
        }
        for (code, team) in row.iter_mut().zip(teams.clone()) {
            let officers = open.police.cells(team);
            let arrived = || goal && officers.iter().any(|&cell| open.exit[cell as usize]);
            if officers.contains(&thief) || !open.exit[thief as usize] && arrived() {
                *code = caught;
            }
        }
    }
}
