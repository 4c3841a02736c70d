//! Doors files, limits and numbers of boards with doors.

use crate::support::code_of;
use dragnet_formats::{
    board::{Board, make, text},
    cell::{Cell, Side},
    container::Reader,
    doors::{Door, DoorBoard, DoorError, DoorPosition, DoorsText, Opening, Schedule},
    header::{GameHeader, GameHeaderError, HeaderError},
    rules::Rules,
};
use proptest::prelude::*;

fn board() -> Board {
    text::parse(b"P..#E\n.#...\n....T\n").unwrap().board
}

fn doors(toml: &str) -> Result<Vec<Door>, String> {
    let text: DoorsText = toml::from_str(toml).map_err(|error| error.to_string())?;
    Ok(text.doors)
}

fn game(toml: &str) -> Result<DoorBoard, String> {
    DoorBoard::new(board(), Rules::classic(), doors(toml)?).map_err(|error| error.to_string())
}

#[test]
fn faults_of_a_doors_file_are_told() {
    for (toml, told) in [
        ("", "expected 1 to 8 doors, found 0"),
        ("[[doors]]\n", "missing field `cell`"),
        ("[[doors]]\ncell = [1, 2]\n", "expected a key or a schedule for the door on 1,2, found neither"),
        ("[[doors]]\ncell = [1, 2]\nkey = [0, 0]\nschedule = \".\"\n", "found both"),
        ("[[doors]]\ncell = [1, 2]\nopen = true\nschedule = \".\"\n", "the word open, which is for keys"),
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
fn rules_of_graphs_are_refused_on_a_board_of_squares() {
    let doors = doors("[[doors]]\ncell = [1, 2]\nkey = [0, 0]\n").unwrap();
    assert!(matches!(DoorBoard::new(board(), Rules::cops(), doors), Err(DoorError::Rules(_))));
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
    let make = |doors| DoorBoard::new(large.clone(), Rules::classic(), doors).map(|game| game.positions());
    assert_eq!(make(planned(3)), Err(DoorError::Positions { found: 1680 * 2 * 90_000 * 90_000 }));
    assert_eq!(make(planned(5)), Err(DoorError::States { found: 240_240 }));
    let keyed = |number: u16| door(number, Opening::Key { cell: Cell::new(1, number), open: false });
    assert_eq!(make((0..9).map(keyed).collect()), Err(DoorError::Count { found: 9 }));
    let two = Rules { officers: 2, ..Rules::classic() };
    assert!(matches!(DoorBoard::new(board(), two, vec![]), Err(DoorError::Officers { found: 2 })));
}

#[test]
fn key_turns_its_doors_only_when_it_is_stepped_on() {
    let toml =
        "[[doors]]\ncell = [1, 3]\nkey = [0, 1]\n[[doors]]\ncell = [2, 1]\nkey = [0, 1]\nopen = true\n";
    let game = game(toml).unwrap();
    let start = DoorPosition::new(Cell::new(0, 0), Cell::new(2, 4), Side::Police);
    let open = |at: DoorPosition| [0, 1].map(|door| game.is_open(door, at.keys, at.phase));
    assert_eq!(open(start), [false, true]);
    let to = |at: DoorPosition, cell| {
        game.successors(at).find(|after| [after.police, after.thief].contains(&cell)).unwrap()
    };
    let on_key = to(start, Cell::new(0, 1));
    assert_eq!(open(on_key), [true, false]);
    let waited = DoorPosition { turn: Side::Police, ..on_key };
    assert_eq!(open(to(waited, Cell::new(0, 1))), [true, false], "staying on the key changes nothing");
    let away = to(waited, Cell::new(0, 0));
    let again = to(DoorPosition { turn: Side::Police, ..away }, Cell::new(0, 1));
    assert_eq!(open(again), [false, true]);
    // A piece in a doorway stays there when the door closes, and may leave; nobody comes in.
    let inside = DoorPosition { police: Cell::new(1, 3), ..start };
    assert!(!open(inside)[0]);
    assert!(game.successors(inside).any(|after| after.police == Cell::new(1, 2)));
    let beside = DoorPosition { police: Cell::new(1, 2), ..start };
    assert!(game.successors(beside).all(|after| after.police != Cell::new(1, 3)));
}

/// The golden table of a board with a door that a key turns and a door with a schedule.
const GOLDEN: &[u8] = include_bytes!("../golden/v1-doors.dtb");

fn golden_game() -> DoorBoard {
    let board = text::parse(b"P.#\n...\n.ET\n").unwrap().board;
    let doors = doors(
        "[[doors]]\ncell = [1, 2]\nkey = [0, 1]\nopen = true\n[[doors]]\ncell = [1, 0]\nschedule = \"..#\"\n",
    );
    DoorBoard::new(board, Rules::classic(), doors.unwrap()).unwrap()
}

/// The golden file is never made again: if this test fails, the reader is wrong.
#[test]
fn golden_file_keeps_its_board_and_values() {
    // The dump that `dump.py` makes of the file, by `FORMAT.md` alone, and checks against the moves.
    let dump = include_str!("../golden/v1-doors.txt");
    let reader = Reader::<&[u8], GameHeader>::open_as(GOLDEN).unwrap();
    let (header, game) = (reader.header(), golden_game());
    assert_eq!((header.name.as_str(), header.key), (GameHeader::DOORS, 0xE3E4_84C8_B70D_6F6B));
    assert_eq!(header.doors.as_deref(), Some(&game));
    let rows = dump.lines().filter_map(|line| line.strip_prefix("positions from ")?.split_once(':'));
    let codes: Vec<u32> = rows.flat_map(|(_, row)| row.split_whitespace().map(code_of)).collect();
    assert_eq!(codes.len(), 768);
    for (number, &code) in (0..).zip(&codes) {
        let at = reader.numbering().locate(number).unwrap();
        assert_eq!(reader.block(at.block).unwrap().code(at.slot), Ok(code), "position {number}");
    }
}

/// Returns the header of the golden table with the bytes from `at`, counted from its end, replaced.
fn altered(at: usize, by: &[u8]) -> Result<GameHeader, GameHeaderError> {
    let header = Reader::<&[u8], GameHeader>::open_as(GOLDEN).unwrap();
    let mut bytes = header.header().to_bytes().unwrap();
    let at = bytes.len() - at;
    bytes[at..at + by.len()].copy_from_slice(by);
    GameHeader::from_bytes(&bytes)
}

#[test]
fn every_check_of_a_header_with_doors_fires() {
    let doors = |error| GameHeaderError::Setting(HeaderError::Doors(error));
    assert!(altered(1, &[0]).is_ok());
    // A schedule of three plies with a fourth one, one of none, and one of seventeen.
    assert_eq!(altered(2, &[0b1000]), Err(doors(DoorError::Bits { period: 3, open: 8 })));
    assert_eq!(altered(3, &[0]), Err(doors(DoorError::Bits { period: 0, open: 3 })));
    assert_eq!(altered(3, &[17]), Err(doors(DoorError::Bits { period: 17, open: 3 })));
    // Another period has another number of positions.
    assert_eq!(altered(3, &[4]), Err(GameHeaderError::DoorsPositions { expected: 1024, found: 768 }));
    assert!(matches!(altered(7, &[2]), Err(GameHeaderError::Fields { .. })), "no such opening");
    let wall = DoorError::Place { what: "a door", cell: Cell::new(0, 2) };
    assert_eq!(altered(11, &[0, 0, 2]), Err(doors(wall)));
    let mut header = Reader::<&[u8], GameHeader>::open_as(GOLDEN).unwrap().header().clone();
    header.name = "graph".to_owned();
    assert_eq!(header.to_bytes(), Err(GameHeaderError::DoorsName { found: "graph".to_owned() }));
    header.doors = None;
    assert!(header.to_bytes().is_ok(), "a game table may have any positions");
}

#[test]
fn header_of_a_large_board_with_doors_takes_few_bytes_of_memory() {
    let door = |number| Door {
        cell: Cell::new(0, number),
        opening: Opening::Key { cell: Cell::new(1, 1), open: false },
    };
    let large = |doors: u16| {
        DoorBoard::new(make::open(1024, 1024).unwrap(), Rules::classic(), (0..doors).map(door).collect())
    };
    assert_eq!(large(3), Err(DoorError::Squares { doors: 3, found: 1 << 20 }));
    assert!(matches!(large(2), Err(DoorError::Positions { .. })), "all limits but the last hold");
}

#[test]
fn every_move_of_every_position_is_counted() {
    let game = golden_game();
    let positions = (0..game.positions()).map(|number| game.position(number).unwrap());
    assert_eq!(game.moves(), positions.map(|position| game.successors(position).count() as u64).sum::<u64>());
    for number in 0..game.positions() {
        assert_eq!(game.turn(number), game.position(number).unwrap().turn);
    }
}

proptest! {
    #[test]
    fn numbers_of_positions_are_the_inverse_of_their_positions(
        keys in prop::collection::vec((0u16..3, 0u16..5, 0u16..3, 0u16..5), 0..3),
        plans in prop::collection::vec((0u16..3, 0u16..5, "[.#]{1,16}"), 0..3),
    ) {
        let keyed = keys.into_iter().map(|(row, col, key_row, key_col)| Door {
            cell: Cell::new(row, col),
            opening: Opening::Key { cell: Cell::new(key_row, key_col), open: false },
        });
        let planned = plans.into_iter().map(|(row, col, plan)| Door {
            cell: Cell::new(row, col),
            opening: Opening::Schedule(Schedule::new(&plan).unwrap()),
        });
        if let Ok(game) = DoorBoard::new(board(), Rules::classic(), keyed.chain(planned).collect()) {
            for number in (0..game.positions()).step_by(97) {
                let position = game.position(number).unwrap();
                prop_assert_eq!(game.number(position), Some(number));
                for after in game.successors(position) {
                    prop_assert!(game.number(after).is_some_and(|number| number < game.positions()));
                }
            }
            prop_assert_eq!(game.position(game.positions()), None);
            prop_assert_eq!(game.position(u64::MAX), None);
            let start = game.position(0).unwrap();
            prop_assert_eq!(game.number(DoorPosition { phase: game.phases(), ..start }), None);
            prop_assert_eq!(game.number(DoorPosition { police: Cell::new(1, 1), ..start }), None);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in "(\\[\\[doors\\]\\]\n((cell|key|open|schedule) = (\\[[0-9]{1,6}, [0-9]\\]|true|\"[.#x]{0,20}\")\n){0,4}){0,9}|.{0,60}",
    ) {
        let _ = game(&text);
    }
}
