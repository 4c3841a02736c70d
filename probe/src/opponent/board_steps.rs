//! The single steps on a board, forwards and backwards, and distances along them.

use crate::opponent::valued_game::ValuedGame;
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    game::MoveTable,
};

/// The number of a cell that is not open.
const WALL: u32 = u32::MAX;

/// The most single steps of a side for which distances are computed: enough for a king on a thousand by five
/// hundred squares. A forged table can have hundreds of times as many.
const MOST_STEPS: u32 = 1 << 22;

/// One board under one set of rules, with its single steps.
#[derive(Debug)]
pub(super) struct BoardSteps {
    board: Board,
    digest: u64,
    /// The number of each square's cell, or [`WALL`].
    numbers: Vec<u32>,
    /// The numbers of the exits.
    pub(super) exits: Vec<u32>,
    /// The single steps of both sides; `None` if they are more than [`MOST_STEPS`].
    pub(super) steps: Option<SingleSteps>,
}

/// The single steps of both sides, as far as instinct needs them.
#[derive(Debug)]
pub(super) struct SingleSteps {
    /// The steps of an officer.
    pub(super) police: MoveTable,
    /// The steps of an officer, backwards.
    pub(super) police_back: MoveTable,
    /// The steps of the thief, backwards.
    pub(super) thief_back: MoveTable,
}

/// Scratch for distances on a board. It is kept from turn to turn, so that a turn needs no new memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    /// The distance of each cell.
    of_cells: Vec<u32>,
    queue: Vec<u32>,
}

impl Distances {
    /// Returns how many of these steps each cell is away from the nearest of `sources`; the number of cells
    /// if there is no way.
    pub(super) fn measure(&mut self, steps: &MoveTable, sources: impl Iterator<Item = u32>) -> &[u32] {
        let away = steps.places() as u32;
        self.of_cells.clear();
        self.of_cells.resize(steps.places(), away);
        self.queue.clear();
        self.queue.extend(sources);
        for &source in &self.queue {
            self.of_cells[source as usize] = 0;
        }
        let mut at = 0;
        while let Some(&cell) = self.queue.get(at) {
            at += 1;
            for &to in steps.of(cell as usize) {
                if self.of_cells[to as usize] == away {
                    self.of_cells[to as usize] = self.of_cells[cell as usize] + 1;
                    self.queue.push(to);
                }
            }
        }
        &self.of_cells
    }
}

/// Scratch for levels on a board. It is kept from turn to turn, so that a turn needs no new memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The level of each cell.
    of_cells: Vec<i64>,
    sources: Vec<(u32, u32)>,
    layer: Vec<u32>,
    next: Vec<u32>,
}

impl Levels {
    /// Returns for each cell the greatest level of a source less the number of steps to it, where a source is
    /// a cell and its level from 0 to the number of cells; minus the number of cells if there is no way.
    pub(super) fn measure(&mut self, steps: &MoveTable, sources: impl Iterator<Item = (u32, u32)>) -> &[i64] {
        let none = -(steps.places() as i64);
        let Levels { of_cells: levels, sources: sorted, layer, next } = self;
        levels.clear();
        levels.resize(steps.places(), none);
        sorted.clear();
        sorted.extend(sources);
        sorted.sort_unstable_by_key(|&(_, level)| std::cmp::Reverse(level));
        let mut sources = sorted.iter().copied().peekable();
        layer.clear();
        let mut level = sources.peek().map_or(none, |&(_, level)| i64::from(level));
        while level > none && (!layer.is_empty() || sources.peek().is_some()) {
            while let Some((cell, _)) = sources.next_if(|&(_, its)| i64::from(its) == level) {
                layer.push(cell);
            }
            next.clear();
            for &cell in &*layer {
                if levels[cell as usize] == none {
                    levels[cell as usize] = level;
                    next.extend(steps.of(cell as usize));
                }
            }
            std::mem::swap(layer, next);
            level -= 1;
        }
        levels
    }
}

impl BoardSteps {
    /// Creates the steps of a game, those of all worlds together.
    pub(super) fn new(game: &impl ValuedGame) -> BoardSteps {
        let board = game.board();
        let mut numbers = vec![WALL; board.squares().len()];
        let mut exits = Vec::new();
        for (number, cell) in (0..).zip(board.open_cells()) {
            if let Some(index) = board.index(cell) {
                numbers[index] = number;
            }
        }
        exits.extend(board.exits().filter_map(|exit| number_of(board, &numbers, exit)));
        let of_side = |side| game.moves(side, MOST_STEPS);
        let steps = of_side(Side::Police).zip(of_side(Side::Thief)).map(|(police, thief)| SingleSteps {
            police_back: police.transposed(),
            thief_back: thief.transposed(),
            police,
        });
        BoardSteps { board: board.clone(), digest: game.digest(), numbers, exits, steps }
    }

    /// Returns whether this is the steps of `game`.
    pub(super) fn is_of(&self, game: &impl ValuedGame) -> bool {
        self.digest == game.digest() && self.board == *game.board()
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
