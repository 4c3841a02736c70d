//! One player who moves for both: not a game of labels but of walks.
//!
//! Two players move a piece along the edges of a graph in turn, and who cannot move loses. If the second
//! sleeps and the first moves for both, he wins if some walk of odd length leads to a vertex without an edge;
//! else he draws if he can walk for ever; else he loses. (The "Sleepy Game" of Codeforces Round 467. Labels
//! of positions give other answers: they let the second player defend himself.)

use dragnet_formats::graph::{Graph, Vertex};

/// The result of one player's walk for both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solo {
    /// The shortest walk that wins: the start, the vertices on the way, and one without an edge.
    Win(Vec<Vertex>),
    /// An endless walk, and no winning one.
    Draw,
    /// Every walk ends after an even number of moves.
    Loss,
}

/// The vertex before a state that no step has reached.
const UNSEEN: Vertex = Graph::MAX_VERTICES;

/// Returns the best result of a walk from `start`, in time proportional to vertices and edges. Takes up to 40
/// bytes per vertex.
///
/// # Panics
/// If there is no such vertex.
#[must_use]
pub fn solo(graph: &Graph, start: Vertex) -> Solo {
    // A state is a vertex and whether the number of moves so far is odd. Breadth first finds the shortest
    // walk; `before` has the vertex before each state.
    let state = |vertex: Vertex, odd: bool| 2 * vertex as usize + usize::from(odd);
    let mut before = vec![UNSEEN; 2 * graph.vertices() as usize];
    before[state(start, false)] = start;
    let mut queue = std::collections::VecDeque::from([(start, false)]);
    while let Some((vertex, odd)) = queue.pop_front() {
        let successors = graph.successors(vertex);
        if successors.is_empty() && odd {
            let mut walk = vec![vertex];
            let mut at = (vertex, odd);
            while at != (start, false) {
                at = (before[state(at.0, at.1)], !at.1);
                walk.push(at.0);
            }
            walk.reverse();
            return Solo::Win(walk);
        }
        for &to in successors {
            let known = &mut before[state(to, !odd)];
            if *known == UNSEEN {
                *known = vertex;
                queue.push_back((to, !odd));
            }
        }
    }
    if cycle_ahead(graph, start) { Solo::Draw } else { Solo::Loss }
}

/// Returns whether some walk from `start` visits a vertex twice. Searches depth first, with the walk on the
/// heap.
fn cycle_ahead(graph: &Graph, start: Vertex) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        OnWalk,
        Done,
    }
    let mut states = vec![State::Unseen; graph.vertices() as usize];
    let mut walk = vec![(start, 0usize)];
    states[start as usize] = State::OnWalk;
    while let Some((vertex, edge)) = walk.last_mut() {
        let Some(&to) = graph.successors(*vertex).get(*edge) else {
            states[*vertex as usize] = State::Done;
            walk.pop();
            continue;
        };
        *edge += 1;
        match states[to as usize] {
            State::OnWalk => return true,
            State::Done => {}
            State::Unseen => {
                states[to as usize] = State::OnWalk;
                walk.push((to, 0));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::graph::GraphBuilder;
    use proptest::prelude::*;

    fn graph(vertices: u32, edges: &[(u64, u64)]) -> Graph {
        let mut builder = GraphBuilder::new();
        edges.iter().for_each(|&(from, to)| builder.add(from, to).unwrap());
        builder.build_with(vertices)
    }

    /// Returns the shortest odd length of a walk to a vertex without an edge, and whether some walk goes on
    /// for ever, found by sets of vertices.
    fn by_sets(graph: &Graph, start: Vertex) -> (Option<usize>, bool) {
        let mut here = vec![false; graph.vertices() as usize];
        here[start as usize] = true;
        let mut shortest = None;
        let bound = 2 * here.len() + 1;
        for length in 1..=bound {
            let mut next = vec![false; here.len()];
            for vertex in (0..graph.vertices()).filter(|&v| here[v as usize]) {
                graph.successors(vertex).iter().for_each(|&to| next[to as usize] = true);
            }
            here = next;
            let ends = (0..graph.vertices()).any(|v| here[v as usize] && graph.successors(v).is_empty());
            if ends && length % 2 == 1 {
                shortest = shortest.or(Some(length));
            }
        }
        (shortest, here.contains(&true))
    }

    proptest! {
        #[test]
        fn walks_are_the_shortest_and_draws_go_on(
            (vertices, edges, start) in (1u32..12).prop_flat_map(|n| {
                let vertex = 0..u64::from(n);
                (Just(n), prop::collection::vec((vertex.clone(), vertex), 0..20), 0..n)
            }),
        ) {
            let graph = graph(vertices, &edges);
            let (shortest, goes_on) = by_sets(&graph, start);
            match solo(&graph, start) {
                Solo::Win(walk) => {
                    prop_assert_eq!(Some(walk.len() - 1), shortest);
                    prop_assert_eq!(walk[0], start);
                    prop_assert!(walk.windows(2).all(|two| graph.successors(two[0]).contains(&two[1])));
                    prop_assert!(graph.successors(walk[walk.len() - 1]).is_empty());
                }
                Solo::Draw => prop_assert_eq!((shortest, goes_on), (None, true)),
                Solo::Loss => prop_assert_eq!((shortest, goes_on), (None, false)),
            }
        }
    }

    #[test]
    fn long_walks_need_no_stack() {
        let line: Vec<_> = (0..300_000).map(|v| (v, v + 1)).collect();
        assert_eq!(solo(&graph(0, &line), 0), Solo::Loss);
        assert!(matches!(solo(&graph(0, &line), 1), Solo::Win(walk) if walk.len() == 300_000));
    }
}
