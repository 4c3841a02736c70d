//! The single steps on a board, forwards and backwards, and distances along them.

use crate::Table;
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    moves::Steps,
    rules::{Movement, Rules},
};

/// The number of a cell that is not open.
const WALL: u32 = u32::MAX;

/// The most single steps of a side for which distances are computed: enough for a king on a thousand by five
/// hundred squares. A forged table can have hundreds of times as many.
const MOST_STEPS: usize = 1 << 22;

/// The single steps of one side between open cells, each numbered in reading order.
#[derive(Debug)]
pub(super) struct StepGraph {
    /// Where the steps of each cell begin in `targets`, and where the last ones end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

/// One board under one set of rules, with its single steps.
#[derive(Debug)]
pub(super) struct Ground {
    board: Board,
    rules: Rules,
    /// The number of each square's cell, or [`WALL`].
    numbers: Vec<u32>,
    /// The numbers of the exits.
    pub(super) exits: Vec<u32>,
    /// The single steps of both sides; `None` if they are more than [`MOST_STEPS`].
    pub(super) steps: Option<StepGraphs>,
}

/// The single steps of both sides, as far as instinct needs them.
#[derive(Debug)]
pub(super) struct StepGraphs {
    /// The steps of an officer.
    pub(super) police: StepGraph,
    /// The steps of an officer, backwards.
    pub(super) police_back: StepGraph,
    /// The steps of the thief, backwards.
    pub(super) thief_back: StepGraph,
}

impl StepGraph {
    /// Creates the steps of `side`; returns `None` if they are too many.
    fn new(board: &Board, rules: &Rules, side: Side, numbers: &[u32]) -> Option<StepGraph> {
        let mut rules = rules.clone();
        let movement = match side {
            Side::Police => &mut rules.police,
            Side::Thief => &mut rules.thief,
        };
        *movement = Movement { steps: 1, reach: 1, ..movement.clone() };
        let steps = Steps::new(&rules, side);
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for from in board.open_cells() {
            let moves = steps.moves_from(board, from).into_iter().filter(|&to| to != from);
            targets.extend(moves.filter_map(|to| number_of(board, numbers, to)));
            if targets.len() > MOST_STEPS {
                return None;
            }
            starts.push(targets.len() as u32);
        }
        Some(StepGraph { starts, targets })
    }

    /// Returns the number of cells.
    fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the cells one step from `cell`.
    fn from(&self, cell: u32) -> &[u32] {
        let at = cell as usize;
        &self.targets[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Returns the steps backwards.
    fn reversed(&self) -> StepGraph {
        let mut starts = vec![0u32; self.cells() + 1];
        for &to in &self.targets {
            starts[to as usize + 1] += 1;
        }
        for cell in 0..self.cells() {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for from in 0..self.cells() as u32 {
            for &to in self.from(from) {
                targets[next[to as usize] as usize] = from;
                next[to as usize] += 1;
            }
        }
        StepGraph { starts, targets }
    }

    /// Returns how many steps each cell is away from the nearest of `sources`; the number of cells if there
    /// is no way.
    pub(super) fn distances(&self, sources: &[u32]) -> Vec<u32> {
        let away = self.cells() as u32;
        let mut distances = vec![away; self.cells()];
        for &source in sources {
            distances[source as usize] = 0;
        }
        let mut queue = sources.to_vec();
        let mut at = 0;
        while let Some(&cell) = queue.get(at) {
            at += 1;
            for &to in self.from(cell) {
                if distances[to as usize] == away {
                    distances[to as usize] = distances[cell as usize] + 1;
                    queue.push(to);
                }
            }
        }
        distances
    }

    /// Returns for each cell the greatest level of a source less the number of steps to it, where a source is
    /// a cell and its level from 0 to the number of cells; minus the number of cells if there is no way.
    pub(super) fn levels(&self, sources: &[(u32, u32)]) -> Vec<i64> {
        let none = -(self.cells() as i64);
        let mut levels = vec![none; self.cells()];
        let mut sources = sources.to_vec();
        sources.sort_unstable_by_key(|&(_, level)| std::cmp::Reverse(level));
        let mut sources = sources.into_iter().peekable();
        let mut layer: Vec<u32> = Vec::new();
        let mut level = sources.peek().map_or(none, |&(_, level)| i64::from(level));
        while level > none && (!layer.is_empty() || sources.peek().is_some()) {
            while let Some((cell, _)) = sources.next_if(|&(_, its)| i64::from(its) == level) {
                layer.push(cell);
            }
            layer.retain(|&cell| {
                let new = levels[cell as usize] == none;
                if new {
                    levels[cell as usize] = level;
                }
                new
            });
            layer = layer.iter().flat_map(|&cell| self.from(cell)).copied().collect();
            level -= 1;
        }
        levels
    }
}

impl Ground {
    /// Creates the ground of a table.
    pub(super) fn new(table: &Table) -> Ground {
        let (board, rules) = (table.board(), table.rules());
        let mut numbers = vec![WALL; board.squares().len()];
        let mut exits = Vec::new();
        for (number, cell) in (0..).zip(board.open_cells()) {
            if let Some(index) = board.index(cell) {
                numbers[index] = number;
            }
        }
        exits.extend(board.exits().filter_map(|exit| number_of(board, &numbers, exit)));
        let of_side = |side| StepGraph::new(board, rules, side, &numbers);
        let steps = of_side(Side::Police).zip(of_side(Side::Thief)).map(|(police, thief)| {
            let (police_back, thief_back) = (police.reversed(), thief.reversed());
            StepGraphs { police, police_back, thief_back }
        });
        Ground { board: board.clone(), rules: rules.clone(), numbers, exits, steps }
    }

    /// Returns whether this is the ground of `table`.
    pub(super) fn is_of(&self, table: &Table) -> bool {
        self.board == *table.board() && self.rules == *table.rules()
    }

    /// Returns the number of an open cell.
    pub(super) fn number(&self, cell: Cell) -> Option<u32> {
        number_of(&self.board, &self.numbers, cell)
    }
}

fn number_of(board: &Board, numbers: &[u32], cell: Cell) -> Option<u32> {
    let number = *numbers.get(board.index(cell)?)?;
    (number != WALL).then_some(number)
}
