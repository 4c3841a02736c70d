//! Variants of cops and robbers, and more officers than tables have, against a solver that shares no code
//! with the search.

use dragnet_formats::{
    board::Board,
    graph::GraphBuilder,
    rules::{Movement, Rules, Team},
};
use dragnet_policy::cops::{CopsError, capture, family::graph_of_family, memory_needed};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The cells of a team, rising.
type Officers = Vec<usize>;

/// A variant of cops and robbers.
#[derive(Clone, Copy, Debug)]
struct Variant {
    officers: u8,
    lazy: bool,
    police_stays: bool,
    thief_stays: bool,
    speed: u8,
}

impl Variant {
    const USUAL: Variant =
        Variant { officers: 1, lazy: false, police_stays: true, thief_stays: true, speed: 1 };

    fn rules(self) -> Rules {
        let rules = Rules::cops();
        Rules {
            officers: self.officers,
            team: if self.lazy { Team::One } else { Team::All },
            police: Movement { may_pass: self.police_stays, ..rules.police },
            thief: Movement { may_pass: self.thief_stays, steps: self.speed, ..rules.thief },
            ..Rules::cops()
        }
    }
}

/// Returns the vertices to which a piece can move from each vertex.
fn moves(neighbours: &[BTreeSet<usize>], stays: bool, speed: u8) -> Vec<BTreeSet<usize>> {
    let reached = |from: usize| {
        let mut reached = BTreeSet::from([from]);
        for _ in 0..speed {
            reached = reached.iter().flat_map(|&at| neighbours[at].iter().copied().chain([at])).collect();
        }
        if !stays {
            reached.remove(&from);
        }
        reached
    };
    (0..neighbours.len()).map(reached).collect()
}

fn sorted(mut team: Officers) -> Officers {
    team.sort_unstable();
    team
}

/// Returns the teams that one turn of the police can make, found officer after officer.
fn turns(team: &Officers, moves: &[BTreeSet<usize>], lazy: bool) -> BTreeSet<Officers> {
    let moved = |before: &BTreeSet<Officers>, officer: usize| -> BTreeSet<Officers> {
        let one = |team: &Officers| {
            let (team, from) = (team.clone(), team[officer]);
            moves[from].iter().map(move |&to| {
                let mut team = team.clone();
                team[officer] = to;
                team
            })
        };
        before.iter().flat_map(one).collect()
    };
    let here = BTreeSet::from([team.clone()]);
    let after = if lazy {
        (0..team.len()).flat_map(|officer| moved(&here, officer)).collect()
    } else {
        (0..team.len()).fold(here, |teams, officer| moved(&teams, officer))
    };
    after.into_iter().map(sorted).collect()
}

/// Returns the capture time and the number of ordered placements that reach it, level by level over all
/// positions.
fn naive(neighbours: &[BTreeSet<usize>], variant: Variant) -> Option<(u32, u64)> {
    let n = neighbours.len();
    let police = moves(neighbours, variant.police_stays, 1);
    let thief = moves(neighbours, variant.thief_stays, variant.speed);
    // Each team with the number of its orders.
    let mut teams: BTreeMap<Officers, u64> = BTreeMap::from([(Vec::new(), 1)]);
    for _ in 0..variant.officers {
        let mut longer = BTreeMap::new();
        for (team, orders) in &teams {
            for cell in 0..n {
                let team = sorted(team.iter().copied().chain([cell]).collect());
                *longer.entry(team).or_insert(0) += orders;
            }
        }
        teams = longer;
    }
    let turns: BTreeMap<&Officers, BTreeSet<Officers>> =
        teams.keys().map(|team| (team, turns(team, &police, variant.lazy))).collect();
    let mut won: BTreeSet<(&Officers, usize)> =
        teams.keys().flat_map(|team| team.iter().map(move |&cell| (team, cell))).collect();
    for level in 0.. {
        let full = |team: &&Officers| (0..n).all(|cell| won.contains(&(*team, cell)));
        let best: u64 = teams.keys().filter(full).map(|team| teams[team]).sum();
        if best > 0 {
            return Some((level, best));
        }
        let lost = |team: &Officers, cell: usize| {
            team.contains(&cell) || thief[cell].iter().all(|&to| won.contains(&(team, to)))
        };
        let new: BTreeSet<(&Officers, usize)> = (teams.keys())
            .flat_map(|team| (0..n).map(move |cell| (team, cell)))
            .filter(|at| won.contains(at) || turns[at.0].iter().any(|team| lost(team, at.1)))
            .collect();
        if new.len() == won.len() {
            return None;
        }
        won = new;
    }
    unreachable!("the levels end")
}

fn board(neighbours: &[BTreeSet<usize>]) -> Board {
    let mut builder = GraphBuilder::new();
    for (from, targets) in neighbours.iter().enumerate() {
        targets.iter().for_each(|&to| builder.add(from as u64, to as u64).unwrap());
    }
    Board::of_graph(&builder.build_with(neighbours.len() as u32)).unwrap()
}

/// Returns the capture time and the number of placements that the search finds.
fn found(board: &Board, variant: Variant) -> Option<(u32, u64)> {
    let found = capture(board, &variant.rules(), &()).unwrap()?;
    assert_eq!(found.placement.len(), usize::from(variant.officers));
    Some((found.moves, found.placements.unwrap()))
}

fn graph() -> impl Strategy<Value = Vec<BTreeSet<usize>>> {
    (1usize..6, any::<bool>(), any::<u32>()).prop_map(|(n, directed, bits)| {
        let mut neighbours = vec![BTreeSet::new(); n];
        for (i, (a, b)) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).enumerate() {
            if a != b && bits >> i & 1 == 1 {
                neighbours[a].insert(b);
                if !directed {
                    neighbours[b].insert(a);
                }
            }
        }
        neighbours
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn captures_are_those_of_a_naive_solver(
        neighbours in graph(), officers in 1u8..9, lazy in any::<bool>(), police_stays in any::<bool>(),
        thief_stays in any::<bool>(), speed in 1u8..3,
    ) {
        let officers = if neighbours.len() > 3 { officers.min(3) } else { officers };
        let variant = Variant { officers, lazy, police_stays, thief_stays, speed };
        prop_assert_eq!(found(&board(&neighbours), variant), naive(&neighbours, variant));
    }
}

/// The officers cannot come from one part of a graph to another, so each part needs its own.
#[test]
fn parts_of_a_graph_need_the_sum_of_their_officers() {
    let apart = vec![BTreeSet::new(); 8];
    let with = |officers| Variant { officers, ..Variant::USUAL };
    assert_eq!(found(&board(&apart), with(7)), None);
    assert_eq!(found(&board(&apart), with(8)), Some((0, 40_320)));
    // Three cycles of four vertices and a single vertex: 2 + 2 + 2 + 1.
    let mut parts = vec![BTreeSet::new(); 13];
    for first in [0, 4, 8] {
        for i in 0..4 {
            parts[first + i].insert(first + (i + 1) % 4);
            parts[first + (i + 1) % 4].insert(first + i);
        }
    }
    let parts = board(&parts);
    assert_eq!(found(&parts, with(6)), None);
    // Any two vertices of a cycle, 6 pairs, have all of it in reach.
    assert_eq!(found(&parts, with(7)), Some((1, 6 * 6 * 6 * 5040)));
}

#[test]
fn placements_of_very_many_officers_are_counted_only_as_far_as_numbers_go() {
    let pair = board(&[BTreeSet::from([1]), BTreeSet::from([0])]);
    let with =
        |officers| capture(&pair, &Variant { officers, ..Variant::USUAL }.rules(), &()).unwrap().unwrap();
    // Everyone on one vertex is the only placement that leaves the other free.
    assert_eq!((with(20).moves, with(20).placements), (0, Some((1 << 20) - 2)));
    assert_eq!((with(200).moves, with(200).placements), (0, None));
    let rules = Variant { officers: 200, ..Variant::USUAL }.rules();
    let grid = Board::of_graph(&graph_of_family("grid:9,9", 1000).unwrap()).unwrap();
    assert_eq!(memory_needed(&grid, &rules), u64::MAX);
    assert_eq!(capture(&grid, &rules, &()), Err(CopsError::TooManyTeams { officers: 200, cells: 81 }));
    let none = Variant { officers: 0, ..Variant::USUAL }.rules();
    assert!(matches!(capture(&pair, &none, &()), Err(CopsError::Pursuit(_))));
}

/// B. Sullivan, N. Townsend and M. Werzanski, "The 3x3 rooks graph is the unique smallest graph with lazy cop
/// number 3", 2016.
#[test]
fn three_lazy_officers_are_needed_where_a_rook_moves_on_three_by_three() {
    let board = Board::of_graph(&graph_of_family("torus:3,3", 9).unwrap()).unwrap();
    let with = |officers, lazy| found(&board, Variant { officers, lazy, ..Variant::USUAL }).is_some();
    assert_eq!([1, 2, 3].map(|officers| with(officers, true)), [false, false, true]);
    assert_eq!([1, 2, 3].map(|officers| with(officers, false)), [false, true, true]);
}
