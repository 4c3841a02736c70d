//! The harness of the texts from which games are made.

use dragnet_formats::{board::Board, cell::Cell, doors::Doors, setting::Setting};

/// Checks that any text is a setting or an error, and that a setting comes back from its text. The pieces
/// start on open cells, and what doors and keys there are leads from world to world.
///
/// # Panics
/// Panics if a promise is broken.
pub fn setting(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Setting::from_source(text) {
        Ok(setting) => {
            for &start in setting.police.iter().chain(&setting.thief) {
                assert_eq!(setting.board.require_open(start), Ok(start));
            }
            setting.rules.check_on(&setting.board).expect("rules that can be played");
            let source = setting.to_source();
            let again = Setting::from_source(&source).unwrap_or_else(|error| panic!("{error}: {source}"));
            assert_eq!((&again.board, &again.rules), (&setting.board, &setting.rules), "{source}");
            assert_eq!(again.doors, setting.doors, "{source}");
            doors(&setting.doors, &setting.board);
            assert_eq!(again.to_source(), source);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn doors(doors: &Doors, board: &Board) {
    assert!((1..=Doors::MAX_WORLDS).contains(&doors.worlds()));
    for door in doors.list() {
        assert_eq!(board.require_open(door.cell), Ok(door.cell));
        assert!(door.key().is_none_or(|key| doors.keys().contains(&key)));
    }
    for world in [0, doors.worlds() / 2, doors.worlds() - 1] {
        let closed: Vec<Cell> = doors.closed(world).collect();
        assert_eq!(doors.board_in(world, board).open_count() + closed.len(), board.open_count());
        for to in doors.keys().iter().copied().chain(board.open_cells().take(3)) {
            let (stays, goes) = (doors.world_after(world, to, true), doors.world_after(world, to, false));
            assert!(stays < doors.worlds() && goes < doors.worlds());
            assert_eq!(stays != goes, doors.keys().contains(&to), "world {world}, {to}");
        }
    }
}
