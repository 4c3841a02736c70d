//! Canonical forms: one text for all isomorphic graphs.

mod twins;

use canonical_form::Canonize;
use dragnet_formats::graph::{Graph, GraphBuilder, nauty};
use std::{
    cell::Cell,
    cmp::Ordering,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};
use twins::Quotient;

/// The most vertices of a graph with a form, whose text has up to 90,000 characters.
const MOST_VERTICES: u32 = 1 << 10;

/// The most work of a search for a canonical form: for each numbering of the vertices that it tries, the
/// square of their number, which is about what refining on the way to it takes. That is some seconds. Random
/// graphs, trees, grids, tori and hypercubes need a few numberings.
const MOST_WORK: u64 = 1 << 28;

/// Returns a graph that is isomorphic to `graph` as [`nauty::write`] writes it, the same text for all
/// isomorphic graphs. Returns `None` if there are too many vertices, or if the search takes too much work; of
/// two isomorphic graphs near that bound perhaps only one has a form.
#[must_use]
pub fn canonical_form(graph: &Graph) -> Option<String> {
    if graph.vertices() > MOST_VERTICES {
        return None;
    }
    let quotient = Quotient::new(graph);
    let work = Cell::new(0);
    let numbered = Numbered {
        colours: quotient.colours,
        successors: quotient.successors,
        predecessors: quotient.predecessors,
        work: &work,
    };
    // Too much work ends the search by unwinding: the library has no other way out.
    let numbers = catch_unwind(AssertUnwindSafe(|| numbered.morphism_to_canonical()));
    let numbers = match numbers {
        Ok(numbers) => numbers,
        Err(cause) if cause.is::<TooMuchWork>() => return None,
        Err(cause) => resume_unwind(cause),
    };
    let mut order: Vec<(usize, Vec<u32>)> = numbers.into_iter().zip(quotient.members).collect();
    order.sort_unstable();
    let mut renumbered = vec![0; graph.vertices() as usize];
    for (new, old) in (0u64..).zip(order.into_iter().flat_map(|(_, members)| members)) {
        renumbered[old as usize] = new;
    }
    let mut builder = GraphBuilder::new();
    for from in 0..graph.vertices() {
        for &to in graph.successors(from) {
            // Cannot fail: these are the edges of a graph, numbered anew.
            builder.add(renumbered[from as usize], renumbered[to as usize]).expect("an edge of a graph");
        }
    }
    Some(nauty::write(&builder.build_with(graph.vertices())))
}

/// The search has taken more than [`MOST_WORK`].
struct TooMuchWork;

/// A graph with coloured vertices under some numbering of them.
#[derive(Clone)]
struct Numbered<'a> {
    colours: Vec<u64>,
    /// For each vertex the vertices to which its edges lead, rising.
    successors: Vec<Vec<u32>>,
    /// For each vertex the vertices from which edges lead to it; only in the graph that is searched.
    predecessors: Vec<Vec<u32>>,
    /// The work of the search so far.
    work: &'a Cell<u64>,
}

impl Canonize for Numbered<'_> {
    fn size(&self) -> usize {
        self.colours.len()
    }

    fn apply_morphism(&self, numbers: &[usize]) -> Self {
        self.work.set(self.work.get() + (self.size() * self.size()) as u64);
        if self.work.get() > MOST_WORK {
            // Unlike a panic this prints nothing.
            resume_unwind(Box::new(TooMuchWork));
        }
        let mut colours = vec![0; self.size()];
        let mut successors = vec![Vec::new(); self.size()];
        for (from, targets) in self.successors.iter().enumerate() {
            colours[numbers[from]] = self.colours[from];
            let row = &mut successors[numbers[from]];
            row.extend(targets.iter().map(|&to| numbers[to as usize] as u32));
            row.sort_unstable();
        }
        Numbered { colours, successors, predecessors: Vec::new(), work: self.work }
    }

    fn invariant_color(&self, vertex: usize) -> u64 {
        self.colours[vertex]
    }

    fn invariant_neighborhood(&self, vertex: usize) -> impl Iterator<Item = (usize, u64)> {
        let hints = |rows: &[Vec<u32>], hint: u64| {
            let row = rows.get(vertex).cloned().unwrap_or_default();
            row.into_iter().map(move |other| (other as usize, hint))
        };
        hints(&self.successors, 0).chain(hints(&self.predecessors, 1))
    }
}

impl PartialEq for Numbered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Numbered<'_> {}

impl PartialOrd for Numbered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Numbered<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.colours, &self.successors).cmp(&(&other.colours, &other.successors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cops::family::graph_of_family;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Returns the graph with its vertices in an order that follows from `lot`.
    fn shuffled(graph: &Graph, lot: u64) -> Graph {
        let mut lots = fastrand::Rng::with_seed(lot);
        let mut order: Vec<u64> = (0..graph.vertices().into()).collect();
        lots.shuffle(&mut order);
        let mut builder = GraphBuilder::new();
        for from in 0..graph.vertices() {
            for &to in graph.successors(from) {
                builder.add(order[from as usize], order[to as usize]).unwrap();
            }
        }
        builder.build_with(graph.vertices())
    }

    /// Returns the graph with the edges (from, to), both ways unless it is directed.
    fn graph(vertices: u32, edges: impl IntoIterator<Item = (u64, u64)>, directed: bool) -> Graph {
        let mut builder = GraphBuilder::new();
        let all: BTreeSet<(u64, u64)> =
            edges.into_iter().flat_map(|(a, b)| [(a, b), if directed { (a, b) } else { (b, a) }]).collect();
        all.into_iter().for_each(|(a, b)| builder.add(a, b).unwrap());
        builder.build_with(vertices)
    }

    proptest! {
        #[test]
        fn graphs_in_another_order_have_the_same_form(
            vertices in 1u32..14, edges in prop::collection::vec((0u64..14, 0u64..14), 0..50),
            directed in any::<bool>(), lot in any::<u64>(),
        ) {
            let n = u64::from(vertices);
            let edges = edges.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b);
            let graph = graph(vertices, edges, directed);
            let form = canonical_form(&graph).unwrap();
            prop_assert_eq!(canonical_form(&shuffled(&graph, lot)), Some(form.clone()));
            // The form is itself a graph of that form.
            let read = nauty::read(form.as_bytes(), 1, 14).unwrap();
            prop_assert_eq!(canonical_form(&read), Some(form));
        }
    }

    /// The numbers of graphs of n vertices are 1, 2, 4, 11, 34, those of digraphs 1, 3, 16, 218 (OEIS
    /// A000088, A000273).
    #[test]
    fn as_many_forms_as_there_are_graphs() {
        for (vertices, expected, directed) in
            [(1, 1, false), (2, 2, false), (3, 4, false), (4, 11, false), (5, 34, false)].into_iter().chain([
                (1, 1, true),
                (2, 3, true),
                (3, 16, true),
                (4, 218, true),
            ])
        {
            let pairs: Vec<(u64, u64)> = (0..vertices)
                .flat_map(|a| (0..vertices).map(move |b| (a, b)))
                .filter(|&(a, b)| if directed { a != b } else { a < b })
                .collect();
            let forms: BTreeSet<String> = (0u32..1 << pairs.len())
                .map(|bits| {
                    let edges = pairs.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                    canonical_form(&graph(vertices as u32, edges.map(|(_, &pair)| pair), directed)).unwrap()
                })
                .collect();
            assert_eq!(forms.len(), expected, "{vertices} vertices");
        }
    }

    #[test]
    fn graphs_of_great_symmetry_have_forms() {
        let names = [
            "petersen:5,2",
            "hypercube:6",
            "torus:3,3",
            "torus:4,4",
            "circulant:13,1,3,4",
            "complete:200",
            "bipartite:30,30",
            "tree:3,4",
            "cycle:64",
            "king:8,8",
            "petersen:10,2",
        ];
        for name in names {
            let graph = graph_of_family(name, MOST_VERTICES).unwrap();
            let form = canonical_form(&graph);
            assert!(form.is_some(), "{name}");
            assert_eq!(canonical_form(&shuffled(&graph, 7)), form, "{name}");
        }
        // Strongly regular with equal parameters, and not isomorphic: a rook's moves on 4x4, and the graph of
        // Shrikhande.
        let cells = || (0u64..16).flat_map(|a| (0..a).map(move |b| (a, b)));
        let rook = cells().filter(|(a, b)| a / 4 == b / 4 || a % 4 == b % 4);
        let steps = [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)];
        let shrikhande = cells().filter(|(a, b)| steps.contains(&((a / 4 + 4 - b / 4) % 4, (a + 4 - b) % 4)));
        let (rook, shrikhande) = (graph(16, rook, false), graph(16, shrikhande, false));
        assert_ne!(canonical_form(&rook), canonical_form(&shrikhande));
        for graph in [rook, shrikhande] {
            assert_eq!(canonical_form(&shuffled(&graph, 3)), canonical_form(&graph));
        }
        // Copies of one cycle beside each other.
        let copies =
            |count: u64| graph(5 * count as u32, (0..5 * count).map(|v| (v, v / 5 * 5 + (v + 1) % 5)), false);
        assert_eq!(canonical_form(&shuffled(&copies(6), 3)), canonical_form(&copies(6)));
        // The search for the form of so many copies would take very long.
        assert_eq!(canonical_form(&copies(200)), None);
        assert_eq!(canonical_form(&graph(MOST_VERTICES + 1, [], false)), None);
    }
}
