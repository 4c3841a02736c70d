use super::{
    super::opponent::Opponent,
    draw,
    keys::{Command, command},
    state::Screen,
};
use crate::commands::play::game::{End, Game};
use dragnet_formats::{
    board::{Scenario, text},
    cell::Side,
    pieces::Pieces,
    rules::Rules,
};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{Position, Table, opponent::Strength};
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};
use std::io::Cursor;

fn solved(text: &[u8], rules: Rules) -> (Table, Position) {
    let Scenario { board, police, thief } = text::parse(text).unwrap();
    let plan = Plan::new(board, rules, Encoding::default()).unwrap();
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    let (file, _) = blocks.write(&header, Cursor::new(Vec::new())).unwrap();
    let police = Pieces::new(&police).unwrap();
    let position = Position { police, thief: thief.unwrap(), turn: Side::Police };
    (Table::from_bytes(file.into_inner()).unwrap(), position)
}

/// Returns the lines of the screen on a terminal of this size.
fn shown(screen: &Screen, columns: u16, rows: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw::draw(frame, screen)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |row| (0..columns).map(|column| buffer[(column, row)].symbol()).collect();
    (0..rows).map(row).collect()
}

#[test]
fn officer_catches_the_thief_with_keys() {
    let (table, start) = solved(b"P..\n...\n..T\n", Rules::classic());
    let mut game = Game::new(&table, Side::Police, start).unwrap();
    let mut opponent = Opponent::new(Strength::PERFECT, Some(1));
    let mut screen = Screen::new(&mut opponent, &mut game, true);
    let lines = shown(&screen, 80, 13);
    assert!(lines[0].contains("police 0,0, thief 2,2, police to move"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains('P')) && lines.iter().any(|line| line.contains('T')));
    assert!(lines[11].contains("1,1 wins in 3"), "{lines:?}");
    let key = |code| command(KeyEvent::new(code, KeyModifiers::NONE)).unwrap();
    screen.obey(key(KeyCode::Up)).unwrap();
    assert_eq!((screen.game.plies(), screen.message.as_str()), (0, "there the board ends"));
    screen.obey(key(KeyCode::Char('n'))).unwrap();
    assert_eq!(screen.game.position().police.to_string(), "1,1");
    assert!(screen.game.is_opponents_turn());
    screen.reply().unwrap();
    screen.obey(key(KeyCode::Char('U'))).unwrap();
    assert_eq!(screen.game.plies(), 0);
    screen.obey(key(KeyCode::Char('n'))).unwrap();
    screen.reply().unwrap();
    let thief = screen.game.position().thief;
    screen.choose(thief).unwrap();
    assert_eq!(screen.game.end(), Some(End::Won(Side::Police)));
    let lines = shown(&screen, 80, 13);
    assert!(lines[9].contains("the thief is caught after 3 plies: you win"), "{lines:?}");
    assert!(lines[10].contains("at perfect play the police wins in 3 plies"), "{lines:?}");
    screen.obey(key(KeyCode::Char('q'))).unwrap();
    assert_eq!(screen.quit, Some(0));
}

#[test]
fn several_officers_choose_their_cells_in_turn() {
    let rules = Rules { officers: 2, ..Rules::classic() };
    let (table, start) = solved(b"P...\n....\nP..T\n", rules);
    let mut game = Game::new(&table, Side::Police, start).unwrap();
    let mut opponent = Opponent::new(Strength::PERFECT, Some(1));
    let mut screen = Screen::new(&mut opponent, &mut game, false);
    assert!(screen.turn().starts_with("officer 1 of 2, on 0,0"));
    screen.obey(Command::Step(1, 1)).unwrap();
    assert!(screen.turn().starts_with("officer 2 of 2, on 2,0"));
    screen.obey(Command::Undo).unwrap();
    screen.obey(Command::Step(0, 1)).unwrap();
    screen.obey(Command::Confirm).unwrap();
    assert_eq!(screen.game.position().police.to_string(), "0,1+2,0");
}

#[test]
fn cursor_chooses_far_cells() {
    let rules: Rules = toml::from_str("[police]\nmoves = \"knight\"\n").unwrap();
    let (table, start) = solved(b"P....\n.....\n.....\n....T\n", rules);
    let mut game = Game::new(&table, Side::Police, start).unwrap();
    let mut opponent = Opponent::new(Strength::PERFECT, Some(1));
    let mut screen = Screen::new(&mut opponent, &mut game, false);
    assert_eq!(screen.cursor, Some(start.police.cell()));
    for step in [(1, 0), (0, 1), (0, 1)] {
        screen.obey(Command::Step(step.0, step.1)).unwrap();
    }
    screen.obey(Command::Confirm).unwrap();
    assert_eq!(screen.game.position().police.to_string(), "1,2");
}

#[test]
fn every_size_of_terminal_is_drawn() {
    let (table, start) =
        solved(b"P.........................\n..........E..............T\n", Rules::classic());
    let mut game = Game::new(&table, Side::Thief, start).unwrap();
    let mut opponent = Opponent::new(Strength::PERFECT, Some(1));
    let mut screen = Screen::new(&mut opponent, &mut game, true);
    screen.reply().unwrap();
    for (columns, rows) in [(1, 1), (20, 5), (39, 24), (40, 12), (40, 13), (80, 24), (300, 100)] {
        let fits = columns >= 40 && rows >= 13;
        let lines = shown(&screen, columns, rows).join("\n");
        assert_eq!(lines.contains(" you: thief"), fits, "{columns} {rows}: {lines}");
        assert!(!fits || lines.matches('T').count() > 1, "the thief is in sight: {lines}");
        screen.help = true;
        let lines = shown(&screen, columns, rows).join("\n");
        assert!(!fits || lines.contains("what moves are worth ") && lines.contains("plies"), "{lines}");
        screen.help = false;
    }
}
