//! Opponents, duels, reviews and escape cones on a board with doors.

use dragnet_probe::{
    Cell, DoorPosition, DoorTable, Side, Value,
    opponent::{Duel, EscapeCone, Opponent, Review, Strength, Style, Target},
};

fn table() -> DoorTable {
    DoorTable::from_bytes(&include_bytes!("../../../formats/tests/golden/v1-doors.dtb")[..]).unwrap()
}

#[test]
fn perfect_opponents_play_every_position_to_its_value() {
    let table = table();
    let game = table.game();
    let (mut police, mut thief) = (Opponent::perfect(3), Opponent::perfect(4));
    for number in 0..game.positions() {
        let start = game.position(number).unwrap();
        let duel = Duel::play(&table, start, &mut police, &mut thief).unwrap();
        let value = table.value(start).unwrap();
        assert_eq!(duel.winner, value.outcome(start.turn).winner(), "{start:?}");
        if let Some(dtw) = value.dtw() {
            assert_eq!(duel.plies(), dtw as usize, "{start:?}");
        }
        let review = Review::new(&table, &duel.positions, Side::Thief).unwrap();
        assert_eq!((review.errors, review.plies_lost), (0, 0), "{start:?}");
    }
}

#[test]
fn every_opponent_makes_legal_moves_and_pays_for_errors() {
    let table = table();
    let game = table.game();
    let mut errors = 0;
    for strength in [Strength::EASY, Strength::NORMAL, Strength::HARD] {
        let mut police = Opponent::new(strength, Style::Longest, 5).unwrap();
        let mut thief = Opponent::new(strength, Style::Longest, 6).unwrap();
        for number in (0..game.positions()).step_by(7) {
            let start = game.position(number).unwrap();
            police.restart(number);
            thief.restart(!number);
            let duel = Duel::play(&table, start, &mut police, &mut thief).unwrap();
            // A review refuses a game with an illegal move, or with doors in another state.
            for side in Side::BOTH {
                errors += Review::new(&table, &duel.positions, side).unwrap().errors;
            }
        }
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn an_escape_cone_has_the_outcome_of_each_cell_in_this_state_of_the_doors() {
    let table = table();
    let cells: Vec<Cell> = table.game().board().open_cells().collect();
    let (mut differ, mut seen) = (0, [0; 3]);
    for &police in &cells {
        let cones = [(0, 0), (1, 0), (0, 1), (0, 2)].map(|(keys, phase)| {
            let start = DoorPosition::new(police, cells[0], Side::Thief);
            let position = DoorPosition { keys, phase, ..start };
            let cone = EscapeCone::new(&table, position).unwrap();
            assert_eq!(cone.cells().count(), cells.len());
            for (thief, outcome) in cone.cells() {
                let value = table.value(DoorPosition { thief, ..position }).unwrap();
                assert_eq!(outcome, value.outcome(Side::Thief), "{thief} {position:?}");
                seen[outcome as usize] += 1;
            }
            cone
        });
        differ += u32::from(cones.iter().any(|cone| *cone != cones[0]));
    }
    assert!(differ > 0 && seen.iter().all(|&count| count > 0), "{differ} {seen:?}");
}

#[test]
fn a_level_of_the_dial_is_found_on_a_board_with_doors() {
    let table = table();
    let game = table.game();
    let won = |&position: &DoorPosition| {
        position.turn == Side::Police && matches!(table.value(position).unwrap(), Value::Win(2..))
    };
    let starts: Vec<DoorPosition> =
        (0..game.positions()).map(|number| game.position(number).unwrap()).filter(won).collect();
    assert!(starts.len() > 50, "{}", starts.len());
    let target = Target { games: 60, ..Target::new(Side::Police, 700) };
    let found = Opponent::calibrate(&table, &starts, &target).unwrap();
    assert_eq!(found, Opponent::calibrate(&table, &starts, &target).unwrap());
    assert!(found.highest == 60 && found.lowest < 60, "{found:?}");
}
