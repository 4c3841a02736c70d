//! The cells that officers and guards capture.

use super::stage::{NO_PLACE, Stage, StageKind, numbers};
use crate::{
    board::Board,
    cell::Cell,
    game::{MoveRows, MoveTable},
    look::Direction,
    moves::{MoveTableError, Steps},
    rules::{Capture, CaptureBy, CaptureWord, Cover, Letter, Movement, Rules, Sight},
    setting::Setting,
    sight::View,
    stop::StopCheck,
};

/// The board in a world, with walls for closed doors.
pub(super) struct BoardIn<'a> {
    pub(super) closed: &'a Board,
    pub(super) open: &'a Board,
}

impl<'a> BoardIn<'a> {
    /// Returns the board as it is seen.
    fn view(&self, setting: &'a Setting, sight: Sight) -> View<'a> {
        View::new(if sight.doors { self.closed } else { self.open }, &setting.rules.opaque)
    }
}

/// Returns whether an officer captures on the officer's own cell and nowhere else, so that no list is needed.
pub(super) fn is_own_cell(setting: &Setting, stage: &Stage) -> bool {
    let rules = &setting.rules;
    let [officer] = &stage.officers[..] else { return false };
    let captures = officer.movement.is_none_or(|movement| rules.capture_of(movement).is_some());
    !captures
        && rules.cover.is_empty()
        && setting.guards.list().is_empty()
        && officer.places == stage.thief.places
        && stage.thief.layers.count() == 1
}

/// The cells that officers of a kind capture from each cell and direction, and those that guards see.
pub(super) struct Captures<'a> {
    setting: &'a Setting,
    /// How officers capture, beside on their own cell.
    reach: Option<Reach>,
    directions: u16,
}

/// A capture beside that on an officer's own cell.
enum Reach {
    /// Where these steps lead.
    Steps(Steps),
    /// As near as so many squares.
    Squares(u32),
    /// In sight.
    Seen(Sight),
}

impl<'a> Captures<'a> {
    pub(super) fn new(setting: &'a Setting, kind: &StageKind<'a>) -> Captures<'a> {
        let rules = &setting.rules;
        let capture = kind.movement.and_then(|movement| Some((movement, rules.capture_of(movement)?)));
        let reach = capture.map(|(movement, capture)| match capture {
            Capture::Near { by: CaptureBy::Word(CaptureWord::Squares), distance } => {
                Reach::Squares((*distance).into())
            }
            Capture::Near { by, distance } => Reach::Steps(steps(rules, movement, by, *distance)),
            Capture::Seen(sight) => Reach::Seen(*sight),
        });
        Captures { setting, reach, directions: kind.layers.states }
    }

    /// Returns the cells that an officer captures who is on `from` and looks in direction number `state` of
    /// those of the kind, rising.
    pub(super) fn of_officer(&self, board: &BoardIn<'_>, from: Cell, state: u16) -> Vec<Cell> {
        let cells = match &self.reach {
            None => vec![from],
            Some(Reach::Steps(steps)) => {
                [from].into_iter().chain(steps.moves_from(board.closed, from)).collect()
            }
            Some(Reach::Squares(distance)) => {
                let is_near = |cell: &Cell| {
                    let [down, right] =
                        [cell.row.abs_diff(from.row), cell.col.abs_diff(from.col)].map(u32::from);
                    down + right <= *distance && same_floor(&self.setting.board, from, *cell)
                };
                self.setting.board.open_cells().filter(is_near).collect()
            }
            Some(Reach::Seen(sight)) => {
                let look = match self.directions {
                    1 => None,
                    directions => Some(Direction::ALL[usize::from(state * (8 / directions))]),
                };
                board.view(self.setting, *sight).seen(from, *sight, look)
            }
        };
        uncovered(self.setting, from, cells)
    }

    /// Returns the cells that guards see after so many turns, perhaps more than once.
    pub(super) fn of_guards(&self, board: &BoardIn<'_>, tick: u32) -> Vec<Cell> {
        seen_by_guards(self.setting, board, tick).flatten().collect()
    }
}

/// Returns the cells on which each guard sees a thief after so many turns, rising.
pub(super) fn seen_by_guards<'a>(
    setting: &'a Setting,
    board: &'a BoardIn<'_>,
    tick: u32,
) -> impl Iterator<Item = Vec<Cell>> + 'a {
    setting.guards.at(tick).map(|(guard, post)| {
        let seen = match guard.sight {
            None => vec![post.cell],
            Some(sight) => board.view(setting, sight).seen(post.cell, sight, post.look),
        };
        uncovered(setting, post.cell, seen)
    })
}

/// Returns those of the cells on which a thief can be captured from `from`, rising.
fn uncovered(Setting { board, rules, .. }: &Setting, from: Cell, mut cells: Vec<Cell>) -> Vec<Cell> {
    if !cells.is_sorted() {
        cells.sort_unstable();
    }
    cells.dedup();
    if !rules.cover.is_empty() {
        let beside = |cell: Cell| {
            cell.row.abs_diff(from.row) <= 1
                && cell.col.abs_diff(from.col) <= 1
                && same_floor(board, from, cell)
        };
        cells.retain(|&cell| match board.letter(cell).and_then(|letter| rules.cover.get(&Letter(letter))) {
            None => true,
            Some(Cover::Beside) => beside(cell),
            Some(Cover::Full) => false,
        });
    }
    cells
}

fn same_floor(board: &Board, one: Cell, other: Cell) -> bool {
    one.row / board.floor_height() == other.row / board.floor_height()
}

/// Returns the steps by which officers capture, which exits do not bar.
fn steps(rules: &Rules, movement: &Movement, by: &CaptureBy, distance: u8) -> Steps {
    match by {
        CaptureBy::Steps(by) => {
            let one = Movement { ground: movement.ground.clone(), ..Movement::new(by.clone()) };
            Steps::of(rules, &Movement { steps: distance, ..one }, false)
        }
        CaptureBy::Word(_) => {
            let turns = movement.steps.saturating_mul(distance);
            Steps::of(rules, &Movement { steps: turns, may_pass: true, ..movement.clone() }, false)
        }
    }
}

/// Collects the rows of captures of a kind: for each place of each world places of the thief.
pub(super) struct CaptureRows<'a> {
    stage: &'a Stage<'a>,
    width: usize,
    board_squares: usize,
    /// The number of the thief's place on each square of his grid.
    numbers: Vec<u32>,
    rows: MoveRows,
    row: Vec<u32>,
}

impl<'a> CaptureRows<'a> {
    pub(super) fn new(
        setting: &Setting,
        stage: &'a Stage<'a>,
        kind: &StageKind<'_>,
        worlds: u32,
    ) -> CaptureRows<'a> {
        CaptureRows {
            stage,
            width: setting.board.width().into(),
            board_squares: setting.board.squares().len(),
            numbers: numbers(&stage.thief.places),
            rows: MoveRows::new(worlds as usize * kind.places.count(), u32::MAX),
            row: Vec::new(),
        }
    }

    /// Adds the row of a place from which a thief on these cells, which rise, is captured.
    pub(super) fn push(&mut self, cells: &[Cell], check: &mut StopCheck) -> Result<(), MoveTableError> {
        self.row.clear();
        for layer in 0..usize::from(self.stage.thief.layers.count()) {
            let number = |cell: &Cell| {
                self.numbers
                    [layer * self.board_squares + usize::from(cell.row) * self.width + usize::from(cell.col)]
            };
            self.row.extend(cells.iter().map(number).filter(|&number| number != NO_PLACE));
        }
        check.steps(8 * self.row.len())?;
        self.rows.push(self.row.iter().copied())?;
        Ok(())
    }

    pub(super) fn finish(self) -> MoveTable {
        self.rows.finish()
    }
}
