//! The screen: a line about the game, the board, messages and keys.

use super::{keys::KEYS, state::Screen, table_view::TableView};
use crate::{commands::play::words, output::human};
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    value::Value,
};
use dragnet_probe::{Choice, Outcome, opponent::EscapeCone};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Rect, Size},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Padding, Paragraph, Wrap},
};

/// Lines under the board.
const FOOTER: u16 = 4;
/// The smallest terminal on which the game can be played.
const SMALLEST: Size = Size { width: 40, height: 13 };

const BAR: Style = Style::new().fg(Color::Black).bg(Color::Gray);

/// Returns the part of a screen of this size that is for the board.
pub(super) fn board_area(size: Size) -> Rect {
    Rect::new(0, 1, size.width, size.height.saturating_sub(1 + FOOTER))
}

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame, screen: &Screen) {
    let area = frame.area();
    if area.width < SMALLEST.width || area.height < SMALLEST.height {
        let text = format!(
            "the game needs a window of {} by {}, and this one has {} by {}; q quits",
            SMALLEST.width, SMALLEST.height, area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let game = &screen.game;
    let title = format!(
        " you: {}  {}: {}  ply {}  {}",
        game.human,
        game.human.other(),
        screen.opponent.name(),
        game.plies(),
        human::position(game.table.board(), &game.position())
    );
    frame.render_widget(Paragraph::new(title).style(BAR), Rect { height: 1, ..area });
    draw_board(frame, screen, board_area(area.as_size()));
    let footer = Rect { y: area.bottom() - FOOTER, height: FOOTER, ..area };
    let keys = " arrows step  space stay  U take back  Tab hints  ? help  q quit";
    let lines = vec![
        Line::from(format!(" {}", screen.message)),
        Line::from(format!(" {}", screen.turn())).style(Style::new().add_modifier(Modifier::BOLD)),
        hint_line(screen),
        Line::from(format!("{keys:<width$}", width = usize::from(area.width))).style(BAR),
    ];
    frame.render_widget(Paragraph::new(lines), footer);
    if screen.help {
        draw_help(frame);
    } else if !screen.review.is_empty() {
        draw_review(frame, &screen.review);
    }
}

/// Lists the moves by their worth, if hints are on.
fn hint_line(screen: &Screen) -> Line<'static> {
    if let Some(cone) = screen.cone.as_ref().filter(|_| !screen.hints) {
        return Line::from(format!(" {}", words::cone(cone)));
    }
    if !screen.hints || !screen.game.is_humans_turn() {
        return Line::default();
    }
    let mut spans = vec![Span::raw(" ")];
    // More than these fit on no screen.
    for choice in screen.game.choices().iter().take(40) {
        spans.push(Span::styled(format!("{} {}", choice.to, words::worth(choice)), hint(choice.worth())));
        spans.push(Span::raw(" "));
    }
    Line::from(spans)
}

fn draw_board(frame: &mut Frame, screen: &Screen, area: Rect) {
    let game = &screen.game;
    let (board, position) = (game.table.board(), game.position());
    let view = TableView::new(area, board, screen.focus());
    for cell in view.cells() {
        let (mut text, mut style) = match board.square(cell) {
            Some(Square::Exit) => ("E".to_owned(), Style::new().fg(Color::Black).bg(Color::White)),
            Some(Square::Open) => ("·".to_owned(), Style::new().fg(Color::DarkGray)),
            Some(Square::Wall) | None => ("█".to_owned(), Style::new().fg(Color::DarkGray)),
        };
        if let Some(before) = game.before()
            && before.mover().contains(&cell)
        {
            (text, style) = ("∙".to_owned(), style.fg(paper(before.turn)));
        }
        if let Some(outcome) = screen.cone.as_ref().and_then(|cone| cone.outcome(cell)) {
            if text == "·" {
                text = EscapeCone::sign(outcome).to_string();
            }
            style = style.fg(Color::White).bg(prospect(outcome));
        }
        if let Some(choice) = hint_at(screen, cell) {
            text = choice.worth().dtw().map_or_else(|| "=".to_owned(), |dtw| format!("{dtw}"));
            style = hint(choice.worth());
        }
        let piece = |side| Style::new().fg(Color::White).bg(paper(side)).add_modifier(Modifier::BOLD);
        if position.thief == cell {
            (text, style) = ("T".to_owned(), piece(Side::Thief));
        }
        if position.police.contains(&cell) {
            text = if position.thief == cell { "X" } else { "P" }.to_owned();
            style = piece(Side::Police);
            if position.police.len() > 1 && screen.piece() == Some(cell) {
                style = style.add_modifier(Modifier::REVERSED);
            }
        }
        if let Some(officer) = screen.chosen.iter().position(|&chosen| chosen == cell) {
            text = (officer + 1).to_string();
            style = style.bg(Color::Cyan).fg(Color::Black);
        }
        if screen.cursor == Some(cell) {
            style = style.bg(Color::Yellow).fg(Color::Black);
        }
        if let Some(place) = view.place(cell) {
            fill(frame, place, &text, style);
        }
    }
}

/// Writes the text of a cell into the middle line of its place; a wall fills all of it.
fn fill(frame: &mut Frame, place: Rect, text: &str, style: Style) {
    let buffer = frame.buffer_mut();
    buffer.set_style(place, style);
    let width = usize::from(place.width);
    if text == "█" {
        for row in place.rows() {
            buffer.set_string(row.x, row.y, text.repeat(width), style);
        }
        return;
    }
    // A distance that does not fit is in the list under the board.
    let text = if text.chars().count() > width { "+" } else { text };
    let left = (width - text.chars().count()) / 2;
    buffer.set_string(place.x + left as u16, place.y + (place.height - 1) / 2, text, style);
}

fn paper(side: Side) -> Color {
    match side {
        Side::Police => Color::Blue,
        Side::Thief => Color::Magenta,
    }
}

/// Returns the colour behind a cell from which the thief comes to this outcome.
fn prospect(outcome: Outcome) -> Color {
    match outcome {
        Outcome::Thief => Color::Indexed(28),
        Outcome::Draw => Color::Indexed(100),
        Outcome::Police => Color::Indexed(52),
    }
}

/// Returns the colours of a move of this worth.
fn hint(worth: Value) -> Style {
    let paper = match worth {
        Value::Win(_) => Color::Green,
        Value::Draw => Color::Yellow,
        Value::Loss(_) => Color::Red,
    };
    Style::new().fg(Color::Black).bg(paper)
}

/// Returns the move to `cell`, if hints are on and the human has a single piece to move there.
fn hint_at<'a>(screen: &'a Screen, cell: Cell) -> Option<&'a Choice> {
    if !screen.hints || !screen.game.is_humans_turn() || screen.game.position().mover().len() > 1 {
        return None;
    }
    screen.game.choices().iter().find(|choice| choice.to.cell() == cell)
}

/// Shows what the human's moves cost, under the title.
fn draw_review(frame: &mut Frame, review: &[String]) {
    let width = review.iter().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4;
    let screen = frame.area();
    let area = Rect {
        y: 1,
        height: review.len() as u16 + 2,
        ..screen.centered_horizontally(Constraint::Length(width))
    };
    let block = Block::bordered().title(" Your moves ").padding(Padding::horizontal(1));
    let lines: Vec<Line> = review.iter().map(|line| Line::from(line.as_str())).collect();
    frame.render_widget(Clear, area.intersection(screen));
    frame.render_widget(Paragraph::new(lines).block(block), area.intersection(screen));
}

fn draw_help(frame: &mut Frame) {
    let widest = KEYS.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let mut lines: Vec<Line> =
        KEYS.iter().map(|(key, what)| Line::from(format!("{key:<widest$}  {what}"))).collect();
    for line in ["several officers: each in turn", "green wins, yellow draws, red loses,", "in so many plies"]
    {
        lines.push(Line::from(line));
    }
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let area = frame.area().centered(Constraint::Length(width), Constraint::Length(height));
    let block = Block::bordered().title(" Keys ").padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).alignment(Alignment::Left).block(block), area);
}
