//! The popups over the board: the menu, the help, the result.

use super::board::{self, CLOSED_DOOR, OPEN_DOOR, SWITCH, View};
use crate::{
    app::{App, Popup, Settings},
    game::Game,
    review, words,
};
use dragnet_probe::Side;
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Margin},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, BorderType, Clear, Padding, Paragraph},
};

/// The width of every popup, in columns.
const WIDTH: u16 = 70;

const DIM: Style = Style::new().fg(Color::Gray);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// Draws `popup` over the board.
pub(super) fn draw(frame: &mut Frame, app: &App, popup: Popup) {
    let (title, lines) = contents(app, popup);
    let place = board::area(frame.area().as_size());
    let height = lines.len() as u16 + 2;
    let mut area = place.centered(Constraint::Length(WIDTH), Constraint::Length(height));
    if popup == Popup::Over {
        // The popup must not hide the end of the chase.
        let thief = View::new(place, app.game.arena.table.board()).place(app.game.position().thief);
        let high = thief.y < place.y + place.height / 2;
        area.y = if high { place.bottom().saturating_sub(height) } else { place.y };
    }
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .title(title)
        .title_style(BOLD)
        .padding(Padding::horizontal(2));
    // A free column on either side separates the popup from walls.
    frame.render_widget(Clear, area.outer(Margin::new(1, 0)).intersection(frame.area()));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn contents(app: &App, popup: Popup) -> (&'static str, Vec<Line<'static>>) {
    match popup {
        Popup::Menu { row, settings } => (" New game ", menu(app, row, settings)),
        Popup::Help => (" Help ", help(&app.game)),
        Popup::Over => (" The end ", over(app)),
    }
}

fn menu(app: &App, row: usize, settings: Settings) -> Vec<Line<'static>> {
    let difficulty = settings.difficulty;
    let arena = &app.arenas[settings.map.min(app.arenas.len() - 1)];
    let values = [
        ("Map", arena.map.title.to_owned(), String::new()),
        ("You are", words::side(settings.side).to_owned(), String::new()),
        ("Opponent", difficulty.name().to_owned(), difficulty.about()),
        ("Start", settings.start.name().to_owned(), String::new()),
    ];
    let mut lines = vec![
        Line::from("A thief runs for an exit, an officer runs after him."),
        Line::from("Your opponent knows who wins from every position."),
        Line::default(),
    ];
    for (i, (name, value, more)) in values.into_iter().enumerate() {
        let (mark, style) = if i == row {
            ("> ", Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED))
        } else {
            ("  ", Style::new())
        };
        lines.push(Line::from(vec![
            Span::raw(format!("{mark}{name:<10}")),
            Span::styled(format!(" < {value} > "), style),
            Span::styled(format!("  {more}"), DIM),
        ]));
    }
    let [police, thief] = arena.shares();
    lines.extend([
        Line::default(),
        Line::from(arena.map.about).style(DIM),
        Line::from(format!("From {police} % of its positions the police wins, from {thief} % the thief."))
            .style(DIM),
        Line::default(),
        keys(&[("↑↓", "choose"), ("←→", "change"), ("Enter", "play"), ("?", "help"), ("q", "quit")]),
    ]);
    lines
}

fn help(game: &Game) -> Vec<Line<'static>> {
    let rules = game.arena.rules();
    let doors = match game.doors().next() {
        Some(_) => format!("   {OPEN_DOOR} an open door, {CLOSED_DOOR} a closed one, {SWITCH}turns a door."),
        None => String::new(),
    };
    let piece = |side: Side, letter: &'static str| {
        let gait = format!(" {}: {}", words::side(side), words::gait(rules, side));
        Line::from(vec![Span::styled(letter, board::piece(side)), Span::raw(gait)])
    };
    let key = |key: &'static str, what: &'static str| {
        Line::from(vec![Span::styled(format!("{key:<17}"), BOLD), Span::raw(what)])
    };
    vec![
        piece(Side::Police, "P "),
        Line::from(words::corners(rules)),
        piece(Side::Thief, "T "),
        Line::from("   On a cell with the police he is caught, on an exit (EX) free."),
        Line::from("   The police begins. The third time the same position: a draw."),
        Line::from(doors),
        key("arrows, hjkl", "step; so do the numbers of the keypad"),
        key("yubn", "diagonal steps; also Home, PgUp, End, PgDn"),
        key("space, Enter, 5", "stay where you are"),
        key("mouse", "click the cell to go to, or yourself to stay"),
        key("Tab, H", "hints: green wins, yellow draws, red loses;"),
        key("", "numbers are plies to the end, ++ over 99"),
        key("U, Backspace", "take back (a capital U); R makes it again"),
        key("E", "escape: from green cells the thief gets away"),
        key("O", "the other officer, if you have two"),
        key("N / q, Ctrl-C", "new game (a capital N) / quit"),
        Line::from("A ply is one move of one side. Any key closes this page.").style(DIM),
    ]
}

fn over(app: &App) -> Vec<Line<'static>> {
    let (heading, said) = words::ending(&app.game, app.hinted);
    let colour = match app.won() {
        Some(true) => Color::Green,
        Some(false) => Color::Red,
        None => Color::Yellow,
    };
    let heading_line =
        Line::styled(heading, Style::new().fg(Color::Black).bg(colour).add_modifier(Modifier::BOLD));
    let mut lines = vec![heading_line.alignment(Alignment::Center), Line::default()];
    lines.extend(said.into_iter().map(Line::from));
    lines.push(Line::default());
    if let Some(rated) = &app.review {
        lines.extend(review::lines(rated).into_iter().map(Line::from));
        lines.push(Line::default());
    }
    lines.push(keys(&[("Enter", "same start"), ("U", "take back"), ("N", "new game"), ("Esc", "look")]));
    lines
}

fn keys(keys: &[(&'static str, &'static str)]) -> Line<'static> {
    Line::from_iter(
        keys.iter()
            .flat_map(|&(key, what)| [Span::styled(key, BOLD), Span::styled(format!(" {what}   "), DIM)]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{difficulty::Difficulty, maps::Arena, screen, start::Start};
    use dragnet_probe::opponent::Lots;

    /// The columns that frame and padding take on both sides.
    const AROUND: usize = 6;

    #[test]
    fn every_popup_fits_over_the_board() {
        let arenas = Arena::all().unwrap();
        let room = usize::from(board::area(screen::SMALLEST).height);
        for map in 0..arenas.len() {
            for side in Side::BOTH {
                for difficulty in Difficulty::ALL {
                    for start in Start::ALL {
                        let settings = Settings { map, side, difficulty, start };
                        let app = App::new(&arenas, settings, Lots::new(6)).unwrap();
                        for popup in [Popup::Menu { row: 0, settings }, Popup::Help, Popup::Over] {
                            let (title, lines) = contents(&app, popup);
                            assert!(lines.len() + 2 <= room, "{title} has {} lines", lines.len());
                            for line in lines {
                                assert!(line.width() <= usize::from(WIDTH) - AROUND, "{title} {line}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_end_of_a_bad_game_fits_with_its_review() {
        let mut most = 0;
        let arenas = Arena::all().unwrap();
        let room = usize::from(board::area(screen::SMALLEST).height);
        for map in 0..arenas.len() {
            for side in Side::BOTH {
                let settings = Settings { map, side, difficulty: Difficulty::Easy, start: Start::Won };
                let mut app = App::new(&arenas, settings, Lots::new(3)).unwrap();
                let mut lots = Lots::new(4);
                app.hinted = true;
                app.game.taken_back = 10;
                while app.popup.is_none() {
                    app.opponent_moves().unwrap();
                    if app.popup.is_some() {
                        break;
                    }
                    let choices = app.game.choices();
                    let by_lot = choices[Lots::scale(lots.draw(), choices.len() as u64) as usize];
                    app.point_at(words::moved(app.game.position(), by_lot.position).1).unwrap();
                }
                let (_, lines) = contents(&app, Popup::Over);
                let texts: Vec<String> = lines.iter().map(ToString::to_string).collect();
                let named = texts.iter().filter(|text| text.starts_with("  ply ")).count();
                assert_eq!(named, app.review.as_ref().unwrap().errors.min(3), "{texts:?}");
                most = most.max(named);
                assert!(lines.len() + 2 <= room, "{} lines", lines.len());
                assert!(lines.iter().all(|line| line.width() <= usize::from(WIDTH) - AROUND), "{texts:?}");
            }
        }
        assert_eq!(most, 3);
    }
}
