//! Work before a first level asks the observer, too, whether it is to stop.

use dragnet_formats::{
    board::{Board, make},
    graph::GraphBuilder,
    rules::{MoveSet, Movement, Rules},
};
use dragnet_generator::Observer;
use dragnet_policy::{
    Ground, PolicyError,
    cops::{CopsError, capture},
};

/// Wants the work to stop from the first question on, and does not expect any level.
struct AtOnce;

impl Observer for AtOnce {
    fn level(&self, level: u32, _: u64) {
        panic!("level {level} was solved before the observer was asked");
    }

    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn the_ground_of_many_moves_or_teams_is_not_made_for_an_observer_who_stops() {
    let far = Movement { steps: 255, reach: 255, ..Movement::new(MoveSet::King) };
    let far = Rules { police: far.clone(), thief: far, ..Rules::classic() };
    let many = Rules { officers: 5, ..Rules::classic() };
    for (board, rules) in [(make::open(100, 100).unwrap(), far), (make::open(8, 8).unwrap(), many)] {
        assert!(matches!(Ground::observed(board, rules, &AtOnce), Err(PolicyError::Stopped)));
    }
}

#[test]
fn a_search_for_captures_stops_before_its_first_level() {
    let mut ring = GraphBuilder::new();
    for vertex in 0..100 {
        ring.add(vertex, (vertex + 1) % 100).unwrap();
        ring.add((vertex + 1) % 100, vertex).unwrap();
    }
    let board = Board::of_graph(&ring.build()).unwrap();
    let found = capture(&board, &Rules { officers: 4, ..Rules::cops() }, &AtOnce);
    assert_eq!(found, Err(CopsError::Stopped));
}
