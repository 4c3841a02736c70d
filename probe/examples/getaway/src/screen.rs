//! The screen: title, board, messages, and the popup over them.

mod board;
mod popup;
#[cfg(test)]
mod tests;

pub(crate) use board::{View, area as board_area};

use crate::{
    app::{App, Popup},
    words::{self, capital},
};
use board::{FOOTER, hint};
use dragnet_probe::{Side, Value};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect, Size},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::Paragraph,
};

/// The smallest terminal in which everything fits.
pub(crate) const SMALLEST: Size = Size { width: 80, height: 24 };

const BAR: Style = Style::new().fg(Color::Black).bg(Color::Gray);
const KEY: Style = Style::new().fg(Color::Black).bg(Color::Gray).add_modifier(Modifier::BOLD);

/// Draws the whole screen.
pub(crate) fn draw(frame: &mut Frame, app: &App) {
    let area = frame.area();
    if area.width < SMALLEST.width || area.height < SMALLEST.height {
        return draw_too_small(frame, area);
    }
    let [title, _, footer] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(FOOTER)])
            .areas(area);
    draw_title(frame, title, app);
    let view = View::new(board_area(area.as_size()), app.game.arena.table.board());
    view.draw(frame.buffer_mut(), app);
    draw_footer(frame, footer, app);
    if let Some(popup) = app.popup {
        popup::draw(frame, app, popup);
    }
}

fn draw_too_small(frame: &mut Frame, area: Rect) {
    let text = format!(
        "Getaway needs a window of {} by {}.\nThis one has {} by {}.\nPlease make it larger, or q to quit.",
        SMALLEST.width, SMALLEST.height, area.width, area.height
    );
    let top = area.height.saturating_sub(3) / 2;
    let place = Rect { y: area.y + top, height: area.height - top, ..area };
    frame.render_widget(Paragraph::new(text).alignment(Alignment::Center), place);
}

fn draw_title(frame: &mut Frame, area: Rect, app: &App) {
    let game = &app.game;
    let who = |side: Side| {
        let player = if side == game.human { "you" } else { app.settings.difficulty.name() };
        format!(" {side}: {player}   ")
    };
    let left = Line::from(vec![
        Span::styled(" GETAWAY ", KEY.add_modifier(Modifier::REVERSED)),
        format!("  {}", game.arena.map.title).into(),
        app.of_the_day.as_ref().map_or_else(String::new, |day| format!("  {day}")).into(),
    ]);
    let right = Line::from(vec![
        Span::styled(" P ", board::piece(Side::Police)),
        who(Side::Police).into(),
        Span::styled(" T ", board::piece(Side::Thief)),
        who(Side::Thief).into(),
        format!("ply {:<3} ", game.plies()).into(),
    ]);
    frame.render_widget(Paragraph::new(left).style(BAR), area);
    let width = right.width() as u16;
    let place = Rect { x: area.right().saturating_sub(width), width: width.min(area.width), ..area };
    frame.render_widget(Paragraph::new(right).style(BAR), place);
}

fn draw_footer(frame: &mut Frame, area: Rect, app: &App) {
    let message = Line::from(format!(" {}", app.message)).style(Style::new().add_modifier(Modifier::BOLD));
    let keys = [
        ("arrows", "step"),
        ("space", "stay"),
        ("U", "undo"),
        ("Tab", "hints"),
        ("E", "escape"),
        ("N", "new"),
        ("?", "help"),
        ("q", "quit"),
    ];
    let keys = keys.iter().flat_map(|&(key, what)| {
        [Span::styled(format!(" {key}"), KEY), Span::raw(format!(" {what} ")).style(BAR)]
    });
    let mut lines = vec![message, turn_line(app), moves_line(app)];
    if matches!(app.popup, Some(Popup::Menu { .. })) {
        // The menu is about a new game; lines about the old one would mislead.
        lines.fill(Line::default());
    }
    lines.push(Line::from_iter(keys).style(BAR));
    frame.render_widget(Paragraph::new(lines), area);
    // The bar of keys goes from edge to edge.
    let bar = Rect { y: area.bottom() - 1, height: 1, ..area };
    frame.buffer_mut().set_style(bar, Style::new().bg(Color::Gray));
}

/// Says which side is to move, and with hints which side wins.
fn turn_line(app: &App) -> Line<'static> {
    let mover = app.game.position().turn;
    let turn = if app.game.end().is_some() {
        words::outcome(&app.game)
    } else if mover == app.game.human {
        format!("Your turn, {mover}. {}", words::safety(&app.game))
    } else {
        format!("{} is to move ...", capital(words::side(mover)))
    };
    let mut spans = vec![Span::raw(format!(" {turn} "))];
    if app.hints && app.game.end().is_none() {
        let style = match app.game.value().outcome(mover) {
            outcome if outcome == app.game.human.into() => hint(Value::Win(0)),
            outcome if outcome == app.game.human.other().into() => hint(Value::Loss(0)),
            _ => hint(Value::Draw),
        };
        spans.push(Span::styled(format!(" {} ", words::prospect(&app.game)), style));
    }
    Line::from(spans)
}

/// Lists all moves by their worth, if hints are on.
fn moves_line(app: &App) -> Line<'static> {
    if !app.human_is_to_move() {
        return Line::default();
    }
    if !app.hints {
        let shown = match app.cone() {
            Some(cone) => words::cone(&cone),
            None => "Tab shows what every move is worth, E where the thief still gets away.".to_owned(),
        };
        return Line::from(format!(" {shown}")).style(Style::new().fg(Color::DarkGray));
    }
    let mut spans = vec![Span::raw(" ")];
    for kind in [Value::Win(0), Value::Draw, Value::Loss(0)] {
        if let Some(list) = words::moves(&app.game, app.piece(), kind) {
            spans.push(Span::styled(list, hint(kind)));
        }
    }
    Line::from(spans)
}
