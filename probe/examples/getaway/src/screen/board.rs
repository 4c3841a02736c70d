//! The board on the screen.

use crate::{app::App, words};
use dragnet_probe::{Board, Cell, Outcome, Side, Square, Value, opponent::EscapeCone};
use ratatui::{
    buffer::Buffer,
    layout::{Position as Place, Rect, Size},
    style::{Color, Modifier, Style},
};

/// Lines under the board.
pub(super) const FOOTER: u16 = 4;

/// Returns the part of a screen of this size that is for the board: between the title and the footer.
#[must_use]
pub(crate) fn area(size: Size) -> Rect {
    Rect::new(0, 1, size.width, size.height.saturating_sub(1 + FOOTER))
}

/// The mapping of the cells of a board to the screen. A cell has twice as many columns as rows, which is
/// nearly square on most terminals, and is as large as fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    area: Rect,
    rows: u16,
}

/// Returns the colours of a piece.
#[must_use]
pub(super) fn piece(side: Side) -> Style {
    let colour = match side {
        Side::Police => Color::Blue,
        Side::Thief => Color::Magenta,
    };
    Style::new().fg(Color::White).bg(colour).add_modifier(Modifier::BOLD)
}

/// An open door, a closed one, and a switch that turns doors, in two columns each.
pub(super) const OPEN_DOOR: &str = "[]";
pub(super) const CLOSED_DOOR: &str = "╫╫";
pub(super) const SWITCH: &str = "o ";

impl View {
    /// Puts the board into the middle of `area`.
    #[must_use]
    pub(crate) fn new(area: Rect, board: &Board) -> View {
        let rows = (area.height / board.height()).min(area.width / (2 * board.width())).max(1);
        let (height, width) = (rows * board.height(), 2 * rows * board.width());
        let left = area.x + area.width.saturating_sub(width) / 2;
        let top = area.y + area.height.saturating_sub(height) / 2;
        View { area: Rect::new(left, top, width, height).intersection(area), rows }
    }

    /// Returns the part of the screen for `cell`.
    #[must_use]
    pub(crate) fn place(&self, cell: Cell) -> Rect {
        let place = Rect {
            x: self.area.x.saturating_add(cell.col.saturating_mul(2 * self.rows)),
            y: self.area.y.saturating_add(cell.row.saturating_mul(self.rows)),
            width: 2 * self.rows,
            height: self.rows,
        };
        place.intersection(self.area)
    }

    /// Returns the cell at a place of the screen.
    #[must_use]
    pub(crate) fn cell_at(&self, place: Place) -> Option<Cell> {
        self.area.contains(place).then(|| {
            Cell::new((place.y - self.area.y) / self.rows, (place.x - self.area.x) / (2 * self.rows))
        })
    }

    /// Draws squares, hints, pieces and the cell that the last move left.
    pub(super) fn draw(&self, buffer: &mut Buffer, app: &App) {
        let game = &app.game;
        let position = game.position();
        let cone = app.cone();
        let doors: Vec<(Cell, bool)> = game.doors().collect();
        let door_style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        for (cell, square) in game.arena.table.board().cells() {
            let (mut text, mut style) = match square {
                Square::Wall => {
                    ("█".repeat(usize::from(2 * self.rows)), Style::new().fg(game.arena.map.walls))
                }
                Square::Open => ("· ".to_owned(), Style::new().fg(Color::DarkGray)),
                Square::Exit => {
                    let exit = Style::new().fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD);
                    ("EX".to_owned(), exit)
                }
            };
            if let Some(&(_, open)) = doors.iter().find(|&&(door, _)| door == cell) {
                text = if open { OPEN_DOOR } else { CLOSED_DOOR }.to_owned();
                style = door_style;
            } else if game.switches().contains(&cell) {
                text = SWITCH.to_owned();
                style = door_style;
            }
            if let Some(before) = game.before()
                && words::moved(before, position).0 == cell
            {
                text = "∙ ".to_owned();
                style = Style::new()
                    .fg(piece(before.turn).bg.unwrap_or(Color::Gray))
                    .add_modifier(Modifier::BOLD);
            }
            if let Some(outcome) = cone.as_ref().and_then(|cone| cone.outcome(cell)) {
                style = style.bg(prospect(outcome)).fg(Color::White);
                if square == Square::Open && text == "· " {
                    text = format!("{} ", EscapeCone::sign(outcome));
                }
            }
            let hinted = hint_at(app, cell);
            if let Some((worth, best)) = hinted {
                text = distance(worth);
                style = hint(worth);
                if best {
                    style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
                }
            }
            let on_cell = match (position.police.contains(&cell), position.thief == cell) {
                (true, _) => Some((Side::Police, "P")),
                (false, true) => Some((Side::Thief, "T")),
                (false, false) => None,
            };
            if let Some((side, letter)) = on_cell {
                // Of two officers the one that the keys move is pointed at.
                let pointed = side == game.human && position.police.len() > 1 && cell == app.piece();
                text = format!("{letter}{}", if pointed && side == Side::Police { "◂" } else { " " });
                style = if hinted.is_some() { style } else { piece(side) };
            }
            self.fill(buffer, cell, &text, style, square == Square::Wall);
        }
    }

    fn fill(&self, buffer: &mut Buffer, cell: Cell, text: &str, style: Style, wall: bool) {
        let place = self.place(cell);
        buffer.set_style(place, style.remove_modifier(Modifier::UNDERLINED));
        for row in place.rows() {
            if wall || row.y == place.y + (self.rows - 1) / 2 {
                let width = text.chars().count() as u16;
                buffer.set_string(row.x + row.width.saturating_sub(width) / 2, row.y, text, style);
            }
        }
    }
}

/// Returns the colours of a move of this worth, whatever its distance.
pub(super) fn hint(worth: Value) -> Style {
    let colour = match worth {
        Value::Win(_) => Color::Green,
        Value::Draw => Color::Yellow,
        Value::Loss(_) => Color::Red,
    };
    Style::new().fg(Color::Black).bg(colour)
}

/// Returns the colour behind a cell from which the thief comes to this outcome.
pub(super) fn prospect(outcome: Outcome) -> Color {
    match outcome {
        Outcome::Thief => Color::Indexed(28),
        Outcome::Draw => Color::Indexed(100),
        Outcome::Police => Color::Indexed(52),
    }
}

/// Returns the hint for a move to `cell`: its worth, and whether no move is better. Returns `None` if hints
/// are off, the human is not to move, or the move is not legal.
fn hint_at(app: &App, cell: Cell) -> Option<(Value, bool)> {
    if !app.hints || !app.human_is_to_move() {
        return None;
    }
    let (position, piece) = (app.game.position(), app.piece());
    let mover = position.mover();
    let to = mover.with(mover.iter().position(|&other| other == piece)?, cell);
    let choice = app.game.choices().iter().find(|choice| choice.to == to)?;
    Some((choice.worth(), choice.worth() == app.game.value()))
}

/// Formats the distance of a move in two columns: `==` for a draw, `++` if it is longer. The list under the
/// board has every distance in full.
fn distance(worth: Value) -> String {
    match worth.dtw() {
        None => "==".to_owned(),
        Some(dtw) if dtw < 100 => format!("{dtw:>2}"),
        Some(_) => "++".to_owned(),
    }
}
