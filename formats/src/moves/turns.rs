//! Turns of several steps, from all cells: which cells they reach.

use crate::game::MoveTable;

/// The cells that turns of several steps reach, found for one cell after another.
pub(super) struct Turns<'a> {
    /// The most steps of a turn.
    steps: u8,
    /// The cells to which single steps lead.
    singles: &'a MoveTable,
    /// For each cell the number of its row in `rows`; [`NO_ROW`] if it has fewer single steps than a row has
    /// words, so that their list is read sooner.
    row_of: Vec<u32>,
    /// The single steps of cells as bit sets, one row after another.
    rows: Vec<u64>,
    /// For each cell the number of cells that steps in either direction connect it to: no turn reaches more.
    most: Vec<u32>,
    /// The bit set of the cells that are found; empty between two calls.
    known: Vec<u64>,
    /// The cells that are found, in the order in which they are.
    found: Vec<u32>,
}

const NO_ROW: u32 = u32::MAX;

impl<'a> Turns<'a> {
    /// Prepares the turns of up to `steps` steps, of which `singles` has each single one.
    pub(super) fn new(steps: u8, singles: &'a MoveTable) -> Turns<'a> {
        let cells = singles.places();
        let words = cells.div_ceil(64);
        let (mut row_of, mut rows) = (vec![NO_ROW; cells], Vec::new());
        for (from, row_of) in row_of.iter_mut().enumerate() {
            let singles = singles.of(from);
            if singles.len() > words {
                *row_of = (rows.len() / words) as u32;
                rows.resize(rows.len() + words, 0);
                let row = rows.len() - words;
                singles.iter().for_each(|&to| rows[row + to as usize / 64] |= 1 << (to % 64));
            }
        }
        let most = connected(singles);
        Turns { steps, singles, row_of, rows, most, known: vec![0; words], found: Vec::new() }
    }

    /// Returns the cells that turns from `from` reach, rising, `from` among them.
    pub(super) fn cells_from(&mut self, from: u32) -> &[u32] {
        self.found.clear();
        self.found.push(from);
        self.known[from as usize / 64] |= 1 << (from % 64);
        let most = self.most[from as usize] as usize;
        let mut next = 0;
        for _ in 0..self.steps {
            let layer = next..self.found.len();
            next = layer.end;
            for i in layer {
                if self.found.len() == most {
                    break;
                }
                self.step(self.found[i]);
            }
            if next == self.found.len() {
                break;
            }
        }
        self.sort();
        &self.found
    }

    /// Adds the cells that a single step from `here` reaches.
    fn step(&mut self, here: u32) {
        let here = here as usize;
        if self.row_of[here] == NO_ROW {
            for &to in self.singles.of(here) {
                let (word, bit) = (&mut self.known[to as usize / 64], 1 << (to % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    self.found.push(to);
                }
            }
        } else {
            let row = self.row_of[here] as usize * self.known.len();
            for (at, (known, row)) in (0..).zip(self.known.iter_mut().zip(&self.rows[row..])) {
                let new = row & !*known;
                *known |= new;
                push_bits(at, new, &mut self.found);
            }
        }
    }

    /// Sorts the cells that are found, and empties the bit set.
    fn sort(&mut self) {
        if self.found.len() > self.known.len() {
            self.found.clear();
            for (at, word) in (0..).zip(&mut self.known) {
                push_bits(at, std::mem::take(word), &mut self.found);
            }
        } else {
            self.found.sort_unstable();
            self.found.iter().for_each(|&cell| self.known[cell as usize / 64] = 0);
        }
    }
}

/// Appends the cells whose bits are set in word `at` of a bit set.
fn push_bits(at: u32, mut word: u64, cells: &mut Vec<u32>) {
    while word != 0 {
        cells.push(at * 64 + word.trailing_zeros());
        word &= word - 1;
    }
}

/// Returns for each cell the number of cells that steps in either direction connect it to, itself included.
fn connected(singles: &MoveTable) -> Vec<u32> {
    // A forest: each cell has the number of another cell of its tree, a root its own.
    let mut parent: Vec<u32> = (0..singles.places() as u32).collect();
    for from in 0..parent.len() {
        for &to in singles.of(from) {
            let (from, to) = (root(&mut parent, from as u32), root(&mut parent, to));
            parent[from.max(to) as usize] = from.min(to);
        }
    }
    let roots: Vec<u32> = (0..parent.len() as u32).map(|cell| root(&mut parent, cell)).collect();
    let mut sizes = vec![0; parent.len()];
    roots.iter().for_each(|&root| sizes[root as usize] += 1);
    roots.into_iter().map(|root| sizes[root as usize]).collect()
}

/// Returns the root of a cell's tree, and shortens the way to it.
fn root(parent: &mut [u32], mut cell: u32) -> u32 {
    while parent[cell as usize] != cell {
        let up = parent[cell as usize];
        parent[cell as usize] = parent[up as usize];
        cell = parent[cell as usize];
    }
    cell
}
