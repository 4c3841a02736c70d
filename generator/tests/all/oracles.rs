//! The engine against two oracles of different kinds, on awkward graphs: `naive`, which sweeps over all
//! positions, and on graphs without a cycle a memoised depth-first search.

use dragnet_formats::{
    graph::{Graph, GraphBuilder, Vertex},
    rules::Stuck,
    value::{Successors, Value},
};
use dragnet_generator::{GraphGame, WithPredecessors, counters, counters::Tuning, naive};
use proptest::prelude::*;
use rayon::ThreadPool;
use std::sync::LazyLock;

static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
    (1..=8).map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()).collect()
});

/// The state of a vertex in a depth-first search.
#[derive(Clone, Copy)]
enum Known {
    Unseen,
    OnWalk,
    Value(Value),
}

/// Returns the value of every vertex by memoised search, or a vertex on a cycle, where such a search has no
/// answer.
fn depth_first(graph: &Graph, stuck: Stuck) -> Result<Vec<Value>, Vertex> {
    fn value(graph: &Graph, stuck: Stuck, vertex: Vertex, known: &mut [Known]) -> Result<Value, Vertex> {
        match known[vertex as usize] {
            Known::Value(value) => return Ok(value),
            Known::OnWalk => return Err(vertex),
            Known::Unseen => known[vertex as usize] = Known::OnWalk,
        }
        let mut successors = Successors::default();
        for &to in graph.successors(vertex) {
            successors.add(value(graph, stuck, to, known)?);
        }
        let found = successors.value(stuck);
        known[vertex as usize] = Known::Value(found);
        Ok(found)
    }
    let mut known = vec![Known::Unseen; graph.vertices() as usize];
    (0..graph.vertices()).map(|vertex| value(graph, stuck, vertex, &mut known)).collect()
}

fn graph(vertices: u32, edges: &[(u32, u32)]) -> Graph {
    let mut builder = GraphBuilder::new();
    edges.iter().for_each(|&(from, to)| builder.add(from.into(), to.into()).unwrap());
    builder.build_with(vertices)
}

/// Returns the values on which all agree.
fn solved(graph: &Graph, stuck: Stuck) -> Result<Vec<Value>, TestCaseError> {
    let game = WithPredecessors::new(GraphGame::new(graph.clone(), stuck, [])).unwrap();
    let expected = naive::solve(&game);
    for pool in POOLS.iter() {
        for shared_level in [0, 16] {
            let labels = counters::solve(&game, pool, Tuning { shared_level }, &()).unwrap();
            let found: Vec<Value> = (0..graph.vertices()).map(|v| labels.value(v.into())).collect();
            prop_assert_eq!(&found, &expected, "{} threads", pool.current_num_threads());
        }
    }
    if let Ok(values) = depth_first(graph, stuck) {
        prop_assert_eq!(&values, &expected);
        prop_assert!(!values.contains(&Value::Draw));
    }
    Ok(expected)
}

/// The awkward features of a graph.
#[derive(Clone, Copy, Debug)]
struct Features {
    /// Every edge leads to a lower vertex.
    acyclic: bool,
    loops: bool,
    parallel: bool,
    /// A vertex with an edge to each other, and one to which each has an edge.
    hub: bool,
    /// Vertices without any edge.
    isolated: u32,
    /// Copies beside each other without an edge between.
    components: u32,
    /// Every vertex has an edge.
    no_sinks: bool,
}

fn features() -> impl Strategy<Value = Features> {
    (any::<[bool; 4]>(), 0u32..4, 1u32..4, any::<bool>()).prop_map(
        |([acyclic, loops, parallel, hub], isolated, components, no_sinks)| Features {
            acyclic,
            loops: loops && !acyclic,
            parallel,
            hub,
            isolated,
            components,
            no_sinks: no_sinks && !acyclic,
        },
    )
}

fn awkward() -> impl Strategy<Value = (Features, Graph)> {
    (features(), 1u32..16).prop_flat_map(|(features, n)| {
        let edges = prop::collection::vec((0..n, 0..n), 0..3 * n as usize);
        (edges, any::<prop::sample::Index>()).prop_map(move |(mut edges, place)| {
            let hub = place.index(n as usize) as u32;
            if features.hub {
                edges.extend((0..n).flat_map(|vertex| [(hub, vertex), (vertex, hub)]));
            }
            if !features.loops {
                edges.retain(|&(from, to)| from != to);
            }
            if features.acyclic {
                edges = edges.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect();
            }
            if features.parallel {
                edges.extend(edges.clone());
            }
            if features.no_sinks {
                let stuck = |vertex: &u32| !edges.iter().any(|edge| edge.0 == *vertex);
                let more: Vec<_> = (0..n).filter(stuck).map(|vertex| (vertex, (vertex + 1) % n)).collect();
                edges.extend(more);
            }
            let copies = (0..features.components)
                .flat_map(|copy| edges.iter().map(move |&(from, to)| (from + copy * n, to + copy * n)));
            let edges: Vec<_> = copies.collect();
            (features, graph(n * features.components + features.isolated, &edges))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn awkward_graphs_agree_with_both_oracles(
        (features, graph) in awkward(), stuck in prop::sample::select(vec![Stuck::Loses, Stuck::Wins]),
    ) {
        let values = solved(&graph, stuck)?;
        prop_assert!(!features.acyclic || depth_first(&graph, stuck).is_ok());
        let isolated = values.iter().rev().take(features.isolated as usize);
        isolated.for_each(|&value| assert_eq!(value, stuck.value()));
        let n = (values.len() - features.isolated as usize) / features.components as usize;
        for copy in 1..features.components as usize {
            prop_assert_eq!(&values[..n], &values[copy * n..][..n]);
        }
        if features.no_sinks && features.isolated == 0 {
            prop_assert!(values.iter().all(|&value| value == Value::Draw));
        }
    }
}

#[test]
fn a_search_depth_first_refuses_cycles() {
    assert_eq!(depth_first(&graph(3, &[(0, 1), (1, 2), (2, 1)]), Stuck::Loses), Err(1));
    assert_eq!(depth_first(&graph(1, &[(0, 0)]), Stuck::Loses), Err(0));
    let path = depth_first(&graph(3, &[(0, 1), (1, 2), (0, 2)]), Stuck::Loses);
    assert_eq!(path, Ok(vec![Value::Win(1), Value::Win(1), Value::Loss(0)]));
}

#[test]
fn simple_graphs_have_their_obvious_values() {
    let only_sinks = solved(&graph(5, &[]), Stuck::Loses).unwrap();
    assert_eq!(only_sinks, [Value::Loss(0); 5]);
    let cycle: Vec<_> = (0..6).map(|vertex| (vertex, (vertex + 1) % 6)).collect();
    assert_eq!(solved(&graph(6, &cycle), Stuck::Wins).unwrap(), [Value::Draw; 6]);
    let star: Vec<_> = (1..1000).map(|vertex| (0, vertex)).collect();
    assert_eq!(solved(&graph(1000, &star), Stuck::Loses).unwrap()[0], Value::Win(1));
    let all_into_one: Vec<_> = (1..1000).map(|vertex| (vertex, 0)).collect();
    assert_eq!(solved(&graph(1000, &all_into_one), Stuck::Wins).unwrap()[999], Value::Loss(1));
    assert!(solved(&graph(0, &[]), Stuck::Loses).unwrap().is_empty());
}
