//! Tables of boards with doors, asked by positions.

use dragnet_probe::{Cell, DoorPosition, DoorTable, GameTable, Outcome, ProbeError, Side, Table, Value};
use std::path::Path;

const GOLDEN: &[u8] = include_bytes!("../../../formats/tests/golden/v1-doors.dtb");

fn golden() -> DoorTable {
    DoorTable::from_bytes(GOLDEN).unwrap()
}

#[test]
fn every_value_is_that_of_the_best_move() {
    let table = golden();
    let (game, mut lost) = (table.game(), 0);
    for number in 0..game.positions() {
        let position = game.position(number).unwrap();
        let value = table.value(position).unwrap();
        assert_eq!(value, table.table().value(number).unwrap());
        let moves = table.best_moves(position).unwrap();
        assert_eq!(table.best_move(position).unwrap(), moves.first().copied());
        assert!(moves.is_sorted_by(|a, b| a.value.compare_for_mover(b.value).is_le()));
        let Some(winner) = game.winner(position) else {
            assert_eq!(moves[0].worth(), value, "{position:?}");
            assert_eq!(moves.len(), game.successors(position).count());
            for choice in moves {
                assert_eq!(table.value(choice.position).unwrap(), choice.value);
                let to = if position.turn == Side::Police {
                    choice.position.police
                } else {
                    choice.position.thief
                };
                assert_eq!(choice.to, to);
            }
            continue;
        };
        lost += u32::from(value == Value::Loss(0));
        assert_eq!((moves.len(), value), (0, Value::terminal(winner, position.turn)));
        assert_eq!(table.outcome(position).unwrap(), Outcome::from(winner));
    }
    assert!(lost > 20, "{lost}");
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let table = golden();
    let start = DoorPosition::new(Cell::new(0, 0), Cell::new(2, 2), Side::Police);
    assert_eq!(table.best_moves(start).unwrap().len(), 4);
    let message = |position| table.value(position).unwrap_err().to_string();
    for (position, told) in [
        (DoorPosition { police: Cell::new(0, 2), ..start }, "the police's cell 0,2"),
        (DoorPosition { thief: Cell::new(3, 0), ..start }, "the thief's cell 3,0"),
        (
            DoorPosition { keys: 2, ..start },
            "a state of 1 keys, one bit each, and a phase below 3, found the keys 0b10",
        ),
        (DoorPosition { phase: 3, ..start }, "and the phase 3"),
    ] {
        assert!(message(position).contains(told), "{}", message(position));
    }
}

#[test]
fn tables_of_other_games_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden");
    let error = DoorTable::open(folder.join("v1-graph.dtb")).unwrap_err();
    assert!(matches!(&error, ProbeError::NoDoors { name } if name == "graph"), "{error}");
    assert!(matches!(DoorTable::open(folder.join("v2-size.dtb")), Err(ProbeError::Table(_))));
    assert!(matches!(Table::from_bytes(GOLDEN), Err(ProbeError::Table(_))));
    assert_eq!(GameTable::from_bytes(GOLDEN).unwrap().positions(), 768);
}
