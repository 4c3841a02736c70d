//! Doors files, their limits, and the games of boards with doors.

use dragnet_formats::{
    board::{Board, Scenario, Square, make, text},
    cell::{Cell, Side},
    doors::{Door, DoorError, Doors, DoorsText, Opening, Schedule},
    game::PursuitGame,
    graph::GraphBuilder,
    rules::{Rules, Team},
    setting::Setting,
    stop::StopCheck,
};
use proptest::prelude::*;

fn board() -> Board {
    text::parse(b"P..#E\n.#...\n....T\n").unwrap().board
}

fn doors(toml: &str) -> Result<Vec<Door>, String> {
    let text: DoorsText = toml::from_str(toml).map_err(|error| error.to_string())?;
    Ok(text.doors)
}

fn game(toml: &str) -> Result<Doors, String> {
    Doors::new(doors(toml)?, &board(), &Rules::classic()).map_err(|error| error.to_string())
}

#[test]
fn faults_of_a_doors_file_are_told() {
    for (toml, told) in [
        ("[[doors]]\n", "missing field `cell`"),
        ("[[doors]]\ncell = [1, 2]\n", "expected a key or a schedule for the door on 1,2, found neither"),
        ("[[doors]]\ncell = [1, 2]\nkey = [0, 0]\nschedule = \".\"\n", "found both"),
        (
            "[[doors]]\ncell = [1, 2]\nopen = true\nschedule = \".\"\n",
            "the words open or once, which are for keys",
        ),
        ("[[doors]]\ncell = [1, 2]\nschedule = \"\"\n", "a schedule of 1 to 16 characters"),
        ("[[doors]]\ncell = [1, 2]\nschedule = \".....#...........\"\n", "a schedule of 1 to 16 characters"),
        ("[[doors]]\ncell = [1, 2]\nschedule = \".x\"\n", "'.' for open and '#' for closed, found \".x\""),
        ("[[doors]]\ncell = [1, 2]\nlock = 3\n", "unknown field `lock`"),
        ("[[doors]]\ncell = [1, 70000]\nkey = [0, 0]\n", "invalid value"),
        ("[[doors]]\ncell = [1, 1]\nkey = [0, 0]\n", "a door on an open cell that is no exit, found 1,1"),
        ("[[doors]]\ncell = [0, 4]\nkey = [0, 0]\n", "a door on an open cell that is no exit, found 0,4"),
        ("[[doors]]\ncell = [9, 9]\nkey = [0, 0]\n", "a door on an open cell that is no exit, found 9,9"),
        ("[[doors]]\ncell = [1, 2]\nkey = [0, 3]\n", "a key on an open cell that is no exit, found 0,3"),
    ] {
        let found = game(toml).unwrap_err();
        assert!(found.contains(told), "{toml}: {found}");
    }
    let twice = "[[doors]]\ncell = [1, 2]\nkey = [0, 0]\n".repeat(2);
    assert_eq!(game(&twice).unwrap_err(), "expected one door on 1,2, found two");
}

#[test]
fn limits_hold_before_anything_is_made() {
    let door = |number: u16, opening| Door { cell: Cell::new(0, number), opening };
    let periods = [16, 15, 14, 13, 11];
    let planned = |count: usize| {
        let of = |number: usize| Opening::Schedule(Schedule::new(&".".repeat(periods[number])).unwrap());
        (0..count).map(|number| door(number as u16, of(number))).collect::<Vec<_>>()
    };
    let large = make::open(300, 300).unwrap();
    let make = |doors| Doors::new(doors, &large, &Rules::classic()).map(|doors| doors.worlds());
    assert_eq!(make(vec![]), Ok(1));
    assert_eq!(make(planned(1)), Ok(16));
    assert_eq!(make(planned(3)), Err(DoorError::Squares { worlds: 1680, found: 90_000 }));
    assert_eq!(make(planned(5)), Err(DoorError::Worlds { found: 240_240 }));
    let keyed =
        |number: u16| door(number, Opening::Key { cell: Cell::new(1, number), open: false, once: false });
    assert_eq!(make((0..9).map(keyed).collect()), Err(DoorError::Count { found: 9 }));
    let two = |team| Rules { officers: 2, team, ..Rules::classic() };
    let of_two = |doors, team| Doors::new(doors, &large, &two(team));
    assert_eq!(of_two(vec![keyed(0)], Team::All), Err(DoorError::Officers { found: 2 }));
    assert!(of_two(vec![keyed(0)], Team::One).is_ok() && of_two(planned(1), Team::All).is_ok());
    let graph = Board::of_graph(&GraphBuilder::new().build_with(3)).unwrap();
    assert_eq!(Doors::new(vec![keyed(0)], &graph, &Rules::cops()), Err(DoorError::Graph));
}

#[test]
fn a_key_turns_its_doors_only_when_it_is_stepped_on() {
    let toml =
        "[[doors]]\ncell = [1, 3]\nkey = [0, 1]\n[[doors]]\ncell = [2, 1]\nkey = [0, 1]\nopen = true\n";
    let doors = game(toml).unwrap();
    let open = |world| [0, 1].map(|door| doors.is_open(door, world));
    assert_eq!((doors.worlds(), open(0), open(1)), (2, [false, true], [true, false]));
    let key = Cell::new(0, 1);
    assert_eq!((doors.world_after(0, key, false), doors.world_after(1, key, false)), (1, 0));
    assert_eq!(doors.world_after(1, key, true), 1, "staying on the key changes nothing");
    assert_eq!(doors.world_after(1, Cell::new(0, 0), false), 1);
    assert_eq!(doors.closed(0).collect::<Vec<_>>(), [Cell::new(1, 3)]);
    assert_eq!(doors.board_in(0, &board()).square(Cell::new(1, 3)), Some(Square::Wall));

    let setting = Setting::new(Scenario::from_board(board()), Rules::classic());
    let setting = setting.with_doors(doors.list().to_vec()).unwrap();
    let game = PursuitGame::of_setting(&setting, &mut StopCheck::never()).unwrap();
    assert_eq!(game.check(), Ok(()));
    let cells: Vec<Cell> = board().open_cells().collect();
    let to = |world: u32, from: Cell| {
        let from = cells.binary_search(&from).unwrap() + world as usize * cells.len();
        let row = game.moves(Side::Police).of(from).iter();
        row.map(|&to| (to / cells.len() as u32, cells[to as usize % cells.len()])).collect::<Vec<_>>()
    };
    assert!(to(0, Cell::new(0, 0)).contains(&(1, key)) && to(1, key).contains(&(1, key)));
    // A piece in a doorway stays there when the door closes, and may leave; nobody comes in.
    assert!(to(0, Cell::new(1, 3)).contains(&(0, Cell::new(1, 2))));
    assert!(to(0, Cell::new(1, 3)).contains(&(0, Cell::new(1, 3))));
    assert!(!to(0, Cell::new(1, 2)).contains(&(0, Cell::new(1, 3))));
    assert!(to(1, Cell::new(1, 2)).contains(&(1, Cell::new(1, 3))));
}

#[test]
fn doors_come_back_from_a_source() {
    let scenario = Scenario::from_board(board());
    let toml = "[[doors]]\ncell = [1, 3]\nkey = [0, 1]\nopen = true\n\n[[doors]]\ncell = [2, 1]\nschedule = \"..#\"\n";
    let setting = Setting::new(scenario, Rules::chase()).with_doors(doors(toml).unwrap()).unwrap();
    let source = setting.to_source();
    assert!(source.contains(toml), "{source}");
    assert_eq!(Setting::from_source(&source), Ok(setting));
    let refused = Setting::from_source(&source.replace("[1, 3]", "[1, 1]")).unwrap_err().to_string();
    assert_eq!(refused, "doors: expected a door on an open cell that is no exit, found 1,1");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(
        text in "(\\[\\[doors\\]\\]\n((cell|key|open|schedule) = (\\[[0-9]{1,6}, [0-9]\\]|true|\"[.#x]{0,20}\")\n){0,4}){0,9}|.{0,60}",
    ) {
        let _ = game(&text);
    }
}

#[test]
fn boards_that_would_be_too_large_in_layers_or_worlds_are_refused() {
    let board = |rows: usize| Board::new(rows, 4, vec![Square::Open; 4 * rows]).unwrap();
    let slow: Rules = toml::from_str("ground = { m = 8 }\n[police]\nlook = 8\n").unwrap();
    assert_eq!(slow.check_on(&board(1023)), Ok(()));
    let refused = slow.check_on(&board(1024)).unwrap_err().to_string();
    assert!(refused.contains("found 64 layers, 65536 rows"), "{refused}");
    let long: Rules = toml::from_str("limit = { plies = 4095, winner = 'thief' }\n").unwrap();
    let with = |rows| Setting::new(Scenario::from_board(board(rows)), long.clone()).with_guards(Vec::new());
    assert!(with(256).is_ok());
    let refused = with(257).unwrap_err().to_string();
    assert!(refused.contains("found 4096 worlds of 1028 squares"), "{refused}");
}

#[test]
fn a_closed_door_on_a_letter_is_drawn_as_a_wall() {
    let cell = Cell::new(0, 0);
    let board = text::parse(b"m.\n").unwrap().board;
    assert_eq!((board.character(cell), board.with_walls([cell]).character(cell)), (Some('m'), Some('#')));
}
