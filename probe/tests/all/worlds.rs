//! Tables with several worlds: those of a board with doors, and of a game that a program gave.

use dragnet_probe::{
    Cell, Open, Outcome, Position, ProbeError, Side, Table, Value,
    opponent::{Duel, EscapeCone, Opponent, Review, Strength, Style, Target},
};

fn doors() -> Table {
    Open::bytes(&include_bytes!("../../../formats/tests/golden/v2-doors.dtb")[..]).pursuit().unwrap()
}

fn searchlights() -> Table {
    Open::bytes(&include_bytes!("../../../formats/tests/golden/v2-searchlights.dtb")[..]).pursuit().unwrap()
}

/// Returns every position of a table.
fn positions(table: &Table) -> Vec<Position> {
    let header = table.header();
    let thieves: Vec<Cell> = header.thief.places.cells().collect();
    let officers: Vec<Cell> = header.places(Side::Police).cells().collect();
    let mut all = Vec::new();
    for world in 0..header.worlds {
        for police in header.team_numbers().teams(&officers) {
            for &thief in &thieves {
                all.extend(Side::BOTH.map(|turn| Position::new(police, thief, turn).in_world(world)));
            }
        }
    }
    all
}

#[test]
fn every_value_is_that_of_the_best_move() {
    for table in [doors(), searchlights()] {
        let all = positions(&table);
        assert_eq!(all.len() as u64, table.header().positions());
        let values = table.values(&all).unwrap();
        let mut worlds = 0;
        for (&position, &value) in all.iter().zip(&values) {
            assert_eq!(table.value(position).unwrap(), value, "{position}");
            let moves = table.best_moves(position).unwrap();
            assert_eq!(table.best_move(position).unwrap(), moves.first().copied());
            assert!(moves.is_sorted_by(|a, b| a.value.compare_for_mover(b.value).is_le()));
            if let Some(winner) = table.winner(position).unwrap() {
                assert_eq!((moves.len(), value), (0, Value::terminal(winner, position.turn)));
                assert_eq!(table.outcome(position).unwrap(), Outcome::from(winner));
                continue;
            }
            assert_eq!(moves[0].worth(), value, "{position}");
            for choice in moves {
                assert_eq!(table.value(choice.position).unwrap(), choice.value);
                assert_eq!(
                    (choice.position.moved(), choice.position.turn),
                    (choice.to, position.turn.other())
                );
                worlds += u32::from(choice.position.world != position.world);
            }
        }
        assert!(worlds > 500, "{worlds}");
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let table = doors();
    let start = Position::new(Cell::new(0, 0), Cell::new(2, 2), Side::Police);
    assert_eq!(table.best_moves(start).unwrap().len(), 4);
    let message = |position| table.value(position).unwrap_err().to_string();
    let misplaced = Position { police: Cell::new(0, 2).into(), ..start };
    assert!(message(misplaced).contains("the police's cell 0,2"));
    for world in [6, u32::MAX] {
        assert_eq!(message(start.in_world(world)), format!("expected a world below 6, found {world}"));
        let refused = table.piece_moves(Side::Thief, world, start.thief);
        assert!(matches!(refused, Err(ProbeError::World { worlds: 6, found }) if found == world));
    }
}

#[test]
fn what_a_person_sees_of_doors_is_in_the_source() {
    let table = doors();
    let setting = table.setting().unwrap();
    assert_eq!((setting.doors.worlds(), setting.police.len()), (6, 1));
    let closed = |world| setting.doors.closed(world).collect::<Vec<_>>();
    let (by_key, by_schedule) = (Cell::new(1, 2), Cell::new(1, 0));
    assert_eq!((closed(0), closed(2), closed(5)), (vec![], vec![by_schedule], vec![by_key, by_schedule]));
    // The police steps onto the key, and the next ply begins.
    let start = Position::new(Cell::new(0, 0), Cell::new(2, 2), Side::Police);
    let on_key = table.best_moves(start).unwrap().into_iter().find(|choice| choice.to == Cell::new(0, 1));
    assert_eq!(on_key.unwrap().position.world, 3 + 1);
}

#[test]
fn perfect_opponents_play_every_position_to_its_value() {
    let table = doors();
    let (mut police, mut thief) = (Opponent::perfect(3), Opponent::perfect(4));
    for start in positions(&table) {
        let duel = Duel::play(&table, start, &mut police, &mut thief).unwrap();
        let value = table.value(start).unwrap();
        assert_eq!(duel.winner, value.outcome(start.turn).winner(), "{start}");
        if let Some(dtw) = value.dtw() {
            assert_eq!(duel.plies(), dtw as usize, "{start}");
        }
        let review = Review::new(&table, &duel.positions, Side::Thief).unwrap();
        assert_eq!((review.errors, review.plies_lost), (0, 0), "{start}");
    }
}

#[test]
fn every_opponent_makes_legal_moves_and_pays_for_errors() {
    let mut errors = 0;
    for table in [doors(), searchlights()] {
        let all = positions(&table);
        for strength in [Strength::EASY, Strength::NORMAL, Strength::HARD] {
            let mut police = Opponent::new(strength, Style::Longest, 5).unwrap();
            let mut thief = Opponent::new(strength, Style::Longest, 6).unwrap();
            for (number, &start) in (0..).zip(&all).step_by(all.len() / 100) {
                police.restart(number);
                thief.restart(!number);
                let duel = Duel::play(&table, start, &mut police, &mut thief).unwrap();
                // A review refuses a game with an illegal move, or with one into another world.
                for side in Side::BOTH {
                    errors += Review::new(&table, &duel.positions, side).unwrap().errors;
                }
            }
        }
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn an_escape_cone_has_the_outcome_of_each_cell_in_its_world() {
    let table = doors();
    let cells: Vec<Cell> = table.board().open_cells().collect();
    let (mut differ, mut seen) = (0, [0; 3]);
    for &police in &cells {
        let cones = [0, 1, 2, 3].map(|world| {
            let position = Position::new(police, cells[0], Side::Thief).in_world(world);
            let cone = EscapeCone::new(&table, position).unwrap();
            assert_eq!(cone.cells().count(), cells.len());
            for (thief, outcome) in cone.cells() {
                let value = table.value(Position { thief, ..position }).unwrap();
                assert_eq!(outcome, value.outcome(Side::Thief), "{thief} {position}");
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
    let table = doors();
    let won = |&position: &Position| {
        position.turn == Side::Police && matches!(table.value(position).unwrap(), Value::Win(2..))
    };
    let starts: Vec<Position> = positions(&table).into_iter().filter(won).collect();
    assert!(starts.len() > 50, "{}", starts.len());
    let target = Target { games: 60, ..Target::new(Side::Police, 700) };
    let found = Opponent::calibrate(&table, &starts, &target).unwrap();
    assert_eq!(found, Opponent::calibrate(&table, &starts, &target).unwrap());
    assert!(found.highest == 60 && found.lowest < 60, "{found:?}");
}
