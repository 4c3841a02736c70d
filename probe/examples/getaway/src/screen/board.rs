//! The board on the screen.

use super::{hint, hint_at};
use crate::app::App;
use dragnet_probe::{Board, Cell, Side, Square, Value};
use ratatui::{
    buffer::Buffer,
    layout::{Position as Place, Rect},
    style::{Color, Modifier, Style},
};

/// Where each cell of a board is on the screen. A cell is twice as many columns wide as it is rows high, which is nearly
/// square on most terminals, and as large as fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    area: Rect,
    rows: u16,
}

/// The colours of a piece.
#[must_use]
pub(super) fn piece(side: Side) -> Style {
    let colour = match side {
        Side::Police => Color::Blue,
        Side::Thief => Color::Magenta,
    };
    Style::new().fg(Color::White).bg(colour).add_modifier(Modifier::BOLD)
}

impl View {
    /// The board in the middle of `area`.
    #[must_use]
    pub(crate) fn new(area: Rect, board: &Board) -> View {
        let rows = (area.height / board.height()).min(area.width / (2 * board.width())).max(1);
        let (height, width) = (rows * board.height(), 2 * rows * board.width());
        let left = area.x + area.width.saturating_sub(width) / 2;
        let top = area.y + area.height.saturating_sub(height) / 2;
        View { area: Rect::new(left, top, width, height).intersection(area), rows }
    }

    /// The place of `cell`.
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

    /// The cell at a place of the screen.
    #[must_use]
    pub(crate) fn cell_at(&self, place: Place) -> Option<Cell> {
        self.area.contains(place).then(|| {
            Cell::new((place.y - self.area.y) / self.rows, (place.x - self.area.x) / (2 * self.rows))
        })
    }

    /// Draws squares, hints, pieces and where the opponent came from.
    pub(super) fn draw(&self, buffer: &mut Buffer, app: &App) {
        let game = &app.game;
        let position = game.position();
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
            if let Some(before) = game.before()
                && before.mover().cell() == cell
            {
                text = "∙ ".to_owned();
                style = Style::new()
                    .fg(piece(before.turn).bg.unwrap_or(Color::Gray))
                    .add_modifier(Modifier::BOLD);
            }
            let hinted = hint_at(app, cell);
            if let Some((worth, best)) = hinted {
                text = distance(worth);
                style = hint(worth);
                if best {
                    style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
                }
            }
            for (side, at, letter) in
                [(Side::Thief, position.thief, "T"), (Side::Police, position.police.cell(), "P")]
            {
                if at == cell {
                    text = format!("{letter} ");
                    style = if hinted.is_some() { style } else { piece(side) };
                }
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

/// The distance of a move in two columns. A longer one stands in the list under the board only.
fn distance(worth: Value) -> String {
    match worth.dtw() {
        None => "==".to_owned(),
        Some(dtw) if dtw < 100 => format!("{dtw:>2}"),
        Some(_) => "++".to_owned(),
    }
}
