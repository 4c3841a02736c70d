//! Commands, and what becomes of them.

use super::*;

fn settings(side: Side, start: Start) -> Settings {
    Settings { map: 1, side, difficulty: Difficulty::Perfect, start }
}

#[test]
fn a_game_is_played_to_its_end_and_once_more() {
    let arenas = Arena::all().unwrap();
    let mut app = App::new(&arenas, settings(Side::Police, Start::Won), Lots::new(1)).unwrap();
    let start = app.game.start();
    let (_, dtw) = app.game.par();
    while app.popup.is_none() {
        let best = app.game.choices()[0].position;
        app.point_at(words::moved(app.game.position(), best).1).unwrap();
        app.opponent_moves().unwrap();
    }
    assert_eq!((app.popup, app.won()), (Some(Popup::Over), Some(true)));
    assert_eq!(app.game.plies(), dtw.unwrap() as usize);
    app.obey(Command::Undo).unwrap();
    assert_eq!((app.popup, app.won()), (None, None));
    app.obey(Command::Redo).unwrap();
    assert_eq!(app.popup, Some(Popup::Over));
    app.obey(Command::Confirm).unwrap();
    assert_eq!((app.popup, app.game.start(), app.game.plies()), (None, start, 0));
}

#[test]
fn the_menu_changes_the_next_game_and_only_that() {
    let arenas = Arena::all().unwrap();
    let mut app = App::new(&arenas, settings(Side::Police, Start::Marked), Lots::new(1)).unwrap();
    let playing = app.settings;
    let orders = [(0, 1), (1, 0), (0, 1), (1, 0), (0, -1), (1, 0), (0, -1)];
    app.obey(Command::New).unwrap();
    for (down, right) in orders {
        app.obey(Command::Step(down, right)).unwrap();
    }
    assert_eq!((app.settings, app.game.plies()), (playing, 0));
    app.obey(Command::Help).unwrap();
    app.obey(Command::Help).unwrap();
    assert!(matches!(app.popup, Some(Popup::Menu { row: 3, .. })), "the help gives the menu back");
    app.obey(Command::Confirm).unwrap();
    let chosen = Settings { map: 2, side: Side::Thief, difficulty: Difficulty::Hard, start: Start::Lost };
    assert_eq!((app.settings, app.popup), (chosen, None));
    assert_eq!(app.game.arena.map.name, "harbour");
    assert!(app.opponent_is_to_move(), "the police begins");
}

#[test]
fn a_step_does_not_wait_for_the_opponent_and_a_wrong_one_says_why() {
    let arenas = Arena::all().unwrap();
    let mut app = App::new(&arenas, settings(Side::Thief, Start::Marked), Lots::new(1)).unwrap();
    app.obey(Command::Step(0, 1)).unwrap();
    assert_eq!(app.game.plies(), 2);
    app.obey(Command::Step(-1, 1)).unwrap();
    assert_eq!(app.game.plies(), 3, "the opponent's alone");
    assert!(!app.message.is_empty());
    app.obey(Command::Confirm).unwrap();
    assert_eq!(app.game.plies(), 4);
    app.obey(Command::Quit).unwrap();
    assert!(app.quit);
}

#[test]
fn of_two_officers_the_keys_move_one_and_the_mouse_any() {
    let arenas = Arena::all().unwrap();
    let settings = Settings { map: 3, ..settings(Side::Police, Start::Marked) };
    let mut app = App::new(&arenas, settings, Lots::new(1)).unwrap();
    let start = app.game.position().police;
    assert_eq!((start.cells(), app.piece()), (&[Cell::new(1, 1), Cell::new(7, 10)][..], Cell::new(1, 1)));
    app.obey(Command::Officer).unwrap();
    assert_eq!(app.piece(), Cell::new(7, 10));
    app.obey(Command::Step(0, -1)).unwrap();
    assert_eq!(app.game.position().police.cells(), [Cell::new(1, 1), Cell::new(7, 9)]);
    app.opponent_moves().unwrap();
    assert_eq!(app.piece(), Cell::new(7, 9), "the keys go on with the officer that moved");
    app.point_at(Cell::new(1, 2)).unwrap();
    assert_eq!(app.game.position().police.cells(), [Cell::new(1, 2), Cell::new(7, 9)]);
    app.opponent_moves().unwrap();
    app.obey(Command::Officer).unwrap();
    assert_eq!(app.piece(), Cell::new(7, 9));
    app.obey(Command::Undo).unwrap();
    app.obey(Command::Undo).unwrap();
    assert_eq!(app.game.position().police, start);
    app.obey(Command::Confirm).unwrap();
    assert_eq!((app.game.plies(), app.game.position().police), (1, start), "waiting is a move");
}
