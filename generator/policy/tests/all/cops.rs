//! Cop numbers and capture times that are known: published counts, formulas, and the tables of the engines.

use crate::random::pursuit;
use dragnet_formats::{
    board::{Board, Square, make},
    graph::GraphBuilder,
    numbering::TileSize,
    pieces::Pieces,
    rules::{MoveSet, Movement, Rules, Team},
    team_numbers::TeamNumbers,
    value::Value,
};
use dragnet_generator::{Pursuit, bitboard, solution::Solution};
use dragnet_policy::cops::{Capture, CopsError, capture};
use proptest::prelude::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Returns the board of the undirected graph with these edges.
fn graph(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Board {
    let mut builder = GraphBuilder::new();
    for (a, b) in edges {
        builder.add(a as u64, b as u64).unwrap();
        builder.add(b as u64, a as u64).unwrap();
    }
    Board::of_graph(&builder.build_with(vertices as u32)).unwrap()
}

fn officers(rules: Rules, officers: u8) -> Rules {
    Rules { officers, ..rules }
}

/// Returns the turns that so many officers need on a graph.
fn turns(board: &Board, cops: u8) -> Option<u32> {
    capture(board, &officers(Rules::cops(), cops), &()).unwrap().map(|capture| capture.moves)
}

/// Returns rules under which both sides move like this, and may stay.
fn both(moves: MoveSet) -> Rules {
    let movement = Movement::new(moves);
    Rules { police: movement.clone(), thief: movement, ..Rules::classic() }
}

/// Calls the function for all pairs with 1 ≤ m ≤ n ≤ 12, in parallel.
fn for_all_sizes(check: impl Fn(usize, usize) + Sync) {
    let pairs: Vec<(usize, usize)> = (1..=12).flat_map(|n| (1..=n).map(move |m| (m, n))).collect();
    pairs.into_par_iter().for_each(|(m, n)| check(m, n));
}

#[test]
fn grids_are_caught_by_two_in_half_their_size() {
    for_all_sizes(|m, n| {
        let board = make::open(m, n).unwrap();
        let with = |cops| capture(&board, &officers(both(MoveSet::Orthogonal), cops), &()).unwrap();
        if m > 1 {
            assert_eq!(with(1), None, "{m}x{n}");
            assert_eq!(with(2).unwrap().moves as usize, (m + n) / 2 - 1, "{m}x{n}");
        } else {
            assert_eq!(with(1).unwrap().moves as usize, n / 2, "a path");
        }
    });
}

#[test]
fn kings_are_caught_by_one_in_half_the_longer_side() {
    for_all_sizes(|m, n| {
        let found = capture(&make::open(m, n).unwrap(), &both(MoveSet::King), &()).unwrap().unwrap();
        assert_eq!(found.moves as usize, n / 2, "{m}x{n}");
    });
}

#[test]
fn knights_need_two_on_small_boards_and_three_on_others() {
    (4..=10usize).into_par_iter().for_each(|n| {
        let board = make::open(n, n).unwrap();
        let number = (1..=3)
            .find(|&cops| capture(&board, &officers(both(MoveSet::Knight), cops), &()).unwrap().is_some());
        assert_eq!(number, Some(if n <= 6 { 2 } else { 3 }), "{n}");
    });
}

#[test]
fn tori_need_three() {
    for_all_sizes(|m, n| {
        // The search with three officers takes most of the time.
        if m < 4 || n > 10 {
            return;
        }
        let at = |i: usize, j: usize| (i % m) * n + j % n;
        let cells = (0..m).flat_map(|i| (0..n).map(move |j| (i, j)));
        let edges = cells.flat_map(|(i, j)| [(at(i, j), at(i + 1, j)), (at(i, j), at(i, j + 1))]);
        let board = graph(m * n, edges);
        assert_eq!(turns(&board, 2), None, "{m}x{n}");
        assert!(turns(&board, 3).is_some(), "{m}x{n}");
    });
}

#[test]
fn cycles_are_caught_by_two_in_a_quarter_of_their_length() {
    for n in 4..=48 {
        let board = graph(n, (0..n).map(|i| (i, (i + 1) % n)));
        assert_eq!(turns(&board, 1), None, "{n}");
        assert_eq!(turns(&board, 2), Some((n as u32 - 2).div_ceil(4)), "{n}");
    }
}

/// Returns the distance from a vertex to the farthest one.
fn eccentricity(board: &Board, from: u32) -> u32 {
    let graph = board.graph().unwrap();
    let mut distance = BTreeMap::from([(from, 0)]);
    let mut queue = vec![from];
    for i in 0.. {
        let Some(&here) = queue.get(i) else { break };
        for &to in graph.successors(here) {
            if !distance.contains_key(&to) {
                distance.insert(to, distance[&here] + 1);
                queue.push(to);
            }
        }
    }
    distance.values().copied().max().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_are_caught_by_one_in_their_radius(parents in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let edges = parents.iter().enumerate().map(|(i, parent)| (parent.index(i + 1), i + 1));
        let board = graph(parents.len() + 1, edges);
        let radius = (0..=parents.len() as u32).map(|vertex| eccentricity(&board, vertex)).min().unwrap();
        prop_assert_eq!(turns(&board, 1), Some(radius));
    }

    /// The engine's whole tables agree with the search for a placement.
    #[test]
    fn a_capture_time_is_that_of_the_best_row_of_the_table((board, rules) in pursuit()) {
        let board = board.with_exits(&[]).unwrap();
        prop_assume!(board.open_count() > 0);
        let tile = TileSize::ONE;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let game = Pursuit::compile(&board, &rules, tile, tile, &()).unwrap();
        let solved = bitboard::solve(game, &pool, &()).unwrap();
        let cells: Vec<_> = board.open_cells().collect();
        let mut best: Option<Capture> = None;
        for team in TeamNumbers::new([(cells.len() as u32, rules.officers)]).teams(&cells) {
            let mut moves = 0;
            let all = cells.iter().all(|&thief| match solved.value(0, &team, thief) {
                Some(Value::Win(dtw)) => {
                    moves = moves.max(dtw.div_ceil(2));
                    true
                }
                _ => false,
            });
            if !all {
                continue;
            }
            let ordered = orders(&team);
            match &mut best {
                Some(best) if best.moves == moves => best.placements = best.placements.map(|n| n + ordered),
                Some(best) if best.moves < moves => {}
                best => *best = Some(Capture { moves, placement: team.to_vec(), placements: Some(ordered) }),
            }
        }
        prop_assert_eq!(capture(&board, &rules, &()), Ok(best));
    }
}

/// Returns in how many ways distinguishable officers can be placed as this team.
fn orders(team: &Pieces) -> u64 {
    let mut left: Vec<_> = team.to_vec();
    let mut orders = HashSet::from([left.clone()]);
    // Adjacent exchanges lead from one order to every other.
    let mut queue = vec![std::mem::take(&mut left)];
    while let Some(order) = queue.pop() {
        for i in 1..order.len() {
            let mut other = order.clone();
            other.swap(i - 1, i);
            if orders.insert(other.clone()) {
                queue.push(other);
            }
        }
    }
    orders.len() as u64
}

#[test]
fn boards_with_exits_and_unplayable_games_are_refused() {
    let board = make::open(2, 2).unwrap();
    let exit = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    assert_eq!(capture(&exit, &Rules::classic(), &()), Err(CopsError::Exits { found: 1 }));
    assert!(matches!(capture(&board, &Rules::cops(), &()), Err(CopsError::Pursuit(_))));
    let walls = Board::new(1, 1, vec![Square::Wall]).unwrap();
    assert!(matches!(capture(&walls, &Rules::classic(), &()), Err(CopsError::Pursuit(_))));
    let one_at_a_time = Rules { team: Team::One, officers: 2, ..Rules::cops() };
    let square = graph(4, [(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert_eq!(capture(&square, &one_at_a_time, &()).unwrap().unwrap().moves, 1);
}

/// A graph of up to 8 vertices: for each vertex the bits of its neighbours.
type Small = [u8; 8];

/// Returns one graph for all isomorphic ones: the least over all numberings of the vertices in an order that
/// their degrees and the degrees of their neighbours allow.
fn canonical(graph: &Small, n: usize) -> u64 {
    // Colours that isomorphism keeps, refined until they split no more.
    let mut colours = [0u64; 8];
    for _ in 0..3 {
        let mut next = [0u64; 8];
        for v in 0..n {
            let mut around: Vec<u64> =
                (0..n).filter(|&w| graph[v] >> w & 1 == 1).map(|w| colours[w]).collect();
            around.sort_unstable();
            next[v] = around.iter().fold(colours[v].wrapping_mul(31) + 7, |hash, &colour| {
                (hash ^ colour).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17)
            });
        }
        colours = next;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&v| colours[v]);
    let mut best = u64::MAX;
    arrange(graph, &colours, &mut order, 0, 0, &mut best);
    best
}

/// Tries all orders of the vertices from `at` on within their colours. `code` has the edges among those
/// before.
fn arrange(graph: &Small, colours: &[u64; 8], order: &mut [usize], at: usize, code: u64, best: &mut u64) {
    if at == order.len() {
        *best = code.min(*best);
        return;
    }
    for i in at..order.len() {
        if colours[order[i]] != colours[order[at]] {
            break;
        }
        order.swap(at, i);
        let row = (0..at).fold(0, |row, j| row << 1 | u64::from(graph[order[at]] >> order[j] & 1));
        let next = code << at | row;
        let left = (at + 1..order.len()).sum::<usize>();
        // Codes grow at their end: a prefix that is greater stays so.
        if next <= *best >> left {
            arrange(graph, colours, order, at + 1, next, best);
        }
        order.swap(at, i);
    }
}

/// Returns all graphs with `n` vertices, connected or not, each once, by adding a vertex to each graph of
/// `before` in every way.
fn extended(before: &[Small], n: usize) -> Vec<Small> {
    let all: Vec<(u64, Small)> = before
        .par_iter()
        .flat_map_iter(|graph| {
            (0..1u8 << (n - 1)).map(move |row| {
                let mut graph = *graph;
                for v in (0..n - 1).filter(|v| row >> v & 1 == 1) {
                    graph[v] |= 1 << (n - 1);
                }
                graph[n - 1] = row;
                (canonical(&graph, n), graph)
            })
        })
        .collect();
    let each: BTreeMap<u64, Small> = all.into_iter().collect();
    each.into_values().collect()
}

fn connected(graph: &Small, n: usize) -> bool {
    let mut reached = 1u8;
    for _ in 0..n {
        reached = (0..n).filter(|v| reached >> v & 1 == 1).fold(reached, |all, v| all | graph[v]);
    }
    reached.count_ones() as usize == n
}

/// The published numbers of cop-win graphs with 5 to 8 vertices are 16, 68, 403 and 3791. A search that
/// counts one move down twice finds 85 for 6.
#[test]
fn connected_graphs_have_the_published_cop_numbers() {
    // Connected graphs, those of cop number 1 and 2, and how many of cop number 1 have which capture time.
    let expected: [(usize, usize, usize, &[usize]); 8] = [
        (1, 1, 0, &[1]),
        (1, 1, 0, &[0, 1]),
        (2, 2, 0, &[0, 2]),
        (6, 5, 1, &[0, 4, 1]),
        (21, 16, 5, &[0, 11, 5]),
        (112, 68, 44, &[0, 34, 33, 1]),
        (853, 403, 450, &[0, 156, 238, 9]),
        (11117, 3791, 7326, &[0, 1044, 2577, 163, 7]),
    ];
    let mut graphs: Vec<Small> = vec![[0; 8]];
    for (n, expected) in (1..).zip(expected) {
        if n > 1 {
            graphs = extended(&graphs, n);
        }
        let found: Vec<(usize, u32)> = graphs
            .par_iter()
            .filter(|small| connected(small, n))
            .map(|small| {
                let edges = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
                let board = graph(n, edges.filter(|&(a, b)| small[a] >> b & 1 == 1));
                let cops = (1..=2).find_map(|cops| Some((usize::from(cops), turns(&board, cops)?)));
                cops.unwrap_or((3, 0))
            })
            .collect();
        let with = |cops| found.iter().filter(move |found| found.0 == cops);
        let times: Vec<usize> = (0..expected.3.len() as u32)
            .map(|time| with(1).filter(|found| found.1 == time).count())
            .collect();
        assert_eq!((found.len(), with(1).count(), with(2).count(), &times[..]), expected, "{n} vertices");
    }
}
