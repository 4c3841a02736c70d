//! Checks the contents of the screen at several sizes.

use super::*;
use crate::{
    app::Settings,
    daily::Day,
    difficulty::Difficulty,
    game::Game,
    keys::Command,
    maps::{Arena, MAPS},
    start::Start,
};
use dragnet_probe::{Cell, Outcome, Position, Square, opponent::Lots};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Position as Place};

fn picture(app: &App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, app)).unwrap();
    terminal.backend().buffer().clone()
}

fn rows(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    (0..area.height).map(|y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>()).collect()
}

fn settings(map: usize, side: Side) -> Settings {
    Settings { map, side, difficulty: Difficulty::Perfect, start: Start::Marked }
}

/// Returns the colour behind the first column of `cell`.
fn behind(app: &App, buffer: &Buffer, cell: Cell) -> Color {
    let place = View::new(board_area(buffer.area.as_size()), app.game.arena.table.board()).place(cell);
    buffer[(place.x, place.y)].bg
}

#[test]
fn everything_is_there_at_80_by_24() {
    let arenas = Arena::all().unwrap();
    for (number, map) in MAPS.iter().enumerate() {
        let mut app = App::new(&arenas, settings(number, Side::Police), Lots::new(1)).unwrap();
        app.hints = true;
        let buffer = picture(&app, SMALLEST.width, SMALLEST.height);
        let rows = rows(&buffer);
        assert!(rows[0].starts_with(&format!(" GETAWAY   {} ", map.title)), "{}", rows[0]);
        assert!(rows[0].trim_end().ends_with("P  police: you    T  thief: perfect   ply 0"), "{}", rows[0]);
        assert!(rows[20].contains("Catch the thief"), "{}", rows[20]);
        assert!(rows[21].contains("Your turn, police."), "{}", rows[21]);
        assert!(rows[22].starts_with("  ") && rows[22].contains("stay"), "{}", rows[22]);
        assert!(rows[23].trim_end().ends_with("q quit"), "{}", rows[23]);
        let board = app.game.arena.table.board();
        let view = View::new(board_area(SMALLEST), board);
        for (cell, square) in board.cells() {
            let place = view.place(cell);
            assert_eq!((place.width, place.height), (2, 1), "{cell} is cut off");
            assert_eq!(view.cell_at(Place::new(place.x + 1, place.y)), Some(cell));
            let seen = buffer[(place.x, place.y)].symbol();
            assert_eq!(seen == "█", square == Square::Wall, "{cell}: {seen:?}");
        }
        assert_eq!(view.cell_at(Place::new(0, 0)), None);
    }
}

#[test]
fn hints_colour_each_move_by_its_worth() {
    let arenas = Arena::all().unwrap();
    let mut app = App::new(&arenas, settings(1, Side::Police), Lots::new(1)).unwrap();
    let plain = picture(&app, SMALLEST.width, SMALLEST.height);
    app.obey(Command::Hints).unwrap();
    let hinted = picture(&app, SMALLEST.width, SMALLEST.height);
    let mut colours = Vec::new();
    for choice in app.game.choices() {
        let expected = match choice.worth() {
            Value::Win(_) => Color::Green,
            Value::Draw => Color::Yellow,
            Value::Loss(_) => Color::Red,
        };
        assert_eq!(behind(&app, &hinted, choice.to.cell()), expected, "{}", choice.to.cell());
        assert_ne!(behind(&app, &plain, choice.to.cell()), expected, "{}", choice.to.cell());
        colours.push(expected);
    }
    assert!(colours.contains(&Color::Green) && colours.contains(&Color::Red));
    let row = rows(&hinted).swap_remove(22);
    assert!(row.contains("wins: ↖59 ←59 ↙59 stay 115") && row.contains("loses: →62 ↘62"), "{row}");
}

#[test]
fn the_longest_list_of_hints_fits() {
    for arena in Arena::all().unwrap() {
        let open: Vec<Cell> = arena.table.board().open_cells().collect();
        let officers = arena.marked.police;
        for &police in &open {
            for thief in open.iter().copied().step_by(7) {
                let game = Game::new(
                    &arena,
                    Side::Police,
                    Position::new(officers.with(0, police), thief, Side::Police),
                )
                .unwrap();
                let kinds = [Value::Win(0), Value::Draw, Value::Loss(0)];
                let width: usize = kinds
                    .iter()
                    .filter_map(|&kind| words::moves(&game, game.position().mover().cell(), kind))
                    .map(|list| list.chars().count())
                    .sum();
                assert!(width < usize::from(SMALLEST.width), "{width} columns at {police} {thief}");
            }
        }
    }
}

#[test]
fn a_larger_screen_has_larger_cells_and_a_smaller_one_a_polite_word() {
    let arenas = Arena::all().unwrap();
    let app = App::new(&arenas, settings(0, Side::Thief), Lots::new(1)).unwrap();
    let board = app.game.arena.table.board();
    let place = |width, height| View::new(board_area(Size { width, height }), board).place(Cell::new(0, 0));
    assert_eq!((place(160, 50).width, place(160, 50).height), (4, 2));
    assert_eq!((place(160, 30).width, place(160, 30).height), (2, 1));
    for (width, height) in [(79, 24), (80, 23), (40, 5), (3, 2), (1, 1)] {
        let rows = rows(&picture(&app, width, height));
        assert!(width < 40 || rows.concat().contains("Getaway needs a window of 80 by 24."), "{rows:?}");
    }
    for (width, height) in [(81, 24), (200, 60), (400, 100)] {
        picture(&app, width, height);
    }
}

#[test]
fn escape_colours_every_cell_by_what_becomes_of_a_thief_there() {
    let arenas = Arena::all().unwrap();
    for map in 0..arenas.len() {
        let mut app = App::new(&arenas, settings(map, Side::Thief), Lots::new(1)).unwrap();
        let plain = picture(&app, SMALLEST.width, SMALLEST.height);
        app.obey(Command::Escape).unwrap();
        let coloured = picture(&app, SMALLEST.width, SMALLEST.height);
        let position = app.game.position();
        let (table, view) = (&arenas[map].table, View::new(board_area(SMALLEST), arenas[map].table.board()));
        let mut counts = [0; 3];
        for cell in table.board().open_cells() {
            let placed = Position { thief: cell, ..app.game.position() };
            let value = table.value(placed).unwrap();
            let (at, sign, colour) = match value.outcome(position.turn) {
                Outcome::Thief => (0, "+", Color::Indexed(28)),
                Outcome::Draw => (1, "=", Color::Indexed(100)),
                Outcome::Police => (2, "-", Color::Indexed(52)),
            };
            counts[at] += 1;
            if cell == position.thief || position.police.contains(&cell) {
                continue;
            }
            assert_eq!(behind(&app, &coloured, cell), colour, "{cell}");
            assert_ne!(behind(&app, &plain, cell), colour, "{cell}");
            let place = view.place(cell);
            let is_exit = table.board().square(cell) == Some(Square::Exit);
            if app.game.doors().any(|(door, _)| door == cell) || app.game.switches().contains(&cell) {
                continue;
            }
            assert_eq!(coloured[(place.x, place.y)].symbol(), if is_exit { "E" } else { sign }, "{cell}");
        }
        assert!(counts[0] > 0 && counts[2] > 0, "{counts:?}");
        app.obey(Command::Escape).unwrap();
        assert_eq!(picture(&app, SMALLEST.width, SMALLEST.height), plain);
    }
}

#[test]
fn title_of_a_game_of_the_day_is_its_date() {
    let arenas = Arena::all().unwrap();
    let day: Day = "2026-11-23".parse().unwrap();
    let show = || {
        let (settings, lots) = day.level(Difficulty::Hard);
        let mut app = App::new(&arenas, settings, lots).unwrap();
        app.of_the_day = Some(day.to_string());
        for _ in 0..6 {
            let wait = app.piece();
            app.point_at(wait).unwrap();
        }
        rows(&picture(&app, SMALLEST.width, SMALLEST.height))
    };
    assert!(show()[0].contains("  2026-11-23 ") && show()[0].contains("hard"), "{}", show()[0]);
    assert_eq!(show(), show());
}
