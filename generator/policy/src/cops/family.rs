//! Families of undirected graphs, each graph named by the family and a few numbers.

use dragnet_formats::graph::{Graph, GraphBuilder, GraphError};

/// The most numbers after the name of a family.
const MOST_NUMBERS: usize = 8;

/// The most edges of a graph. They take half a gigabyte while it is built.
const MOST_EDGES: u32 = 1 << 25;

/// A family of graphs.
#[derive(Debug)]
pub struct Family {
    /// The name, which stands before the colon.
    pub name: &'static str,
    /// The numbers behind the colon, separated by commas.
    pub numbers: &'static str,
    /// The graphs of the family, and which numbers there are.
    pub meaning: &'static str,
    /// Returns the vertices and edges of a graph, or `None` if these numbers name none.
    edges: fn(&[u64]) -> Option<NumberedEdges>,
}

/// A number of vertices, and the edges, each once.
struct NumberedEdges(u64, Box<dyn Iterator<Item = (u64, u64)>>);

impl NumberedEdges {
    fn new(vertices: u64, edges: impl Iterator<Item = (u64, u64)> + 'static) -> Option<NumberedEdges> {
        Some(NumberedEdges(vertices, Box::new(edges)))
    }

    /// Returns the graph on `rows`×`cols` cells in reading order in which a piece can step by one of these
    /// offsets down and right. With `wraps` opposite borders are joined.
    fn of_cells(rows: u64, cols: u64, steps: &'static [(i64, i64)], wraps: bool) -> Option<NumberedEdges> {
        let step = move |cell: u64, &(down, right): &(i64, i64)| {
            let (row, col) = ((cell / cols) as i64 + down, (cell % cols) as i64 + right);
            let is_inside = (0..rows as i64).contains(&row) && (0..cols as i64).contains(&col);
            let (row, col) = (row.rem_euclid(rows as i64) as u64, col.rem_euclid(cols as i64) as u64);
            (is_inside || wraps).then_some((cell, row * cols + col))
        };
        let edges = (0..rows * cols).flat_map(move |cell| steps.iter().filter_map(move |by| step(cell, by)));
        (rows >= 1 && cols >= 1).then(|| NumberedEdges::new(rows * cols, edges))?
    }
}

/// The steps of a rook to the next cell, each edge once.
const ROOK: &[(i64, i64)] = &[(0, 1), (1, 0)];
/// The steps of a king, each edge once.
const KING: &[(i64, i64)] = &[(0, 1), (1, -1), (1, 0), (1, 1)];
/// The steps of a knight, each edge once.
const KNIGHT: &[(i64, i64)] = &[(1, -2), (1, 2), (2, -1), (2, 1)];

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "path",
        numbers: "N",
        meaning: "a path of N vertices",
        edges: |numbers| match *numbers {
            [n] if n >= 1 => NumberedEdges::new(n, (1..n).map(|v| (v - 1, v))),
            _ => None,
        },
    },
    Family {
        name: "cycle",
        numbers: "N",
        meaning: "a cycle of N vertices, 3 or more",
        edges: |numbers| match *numbers {
            [n] if n >= 3 => NumberedEdges::new(n, (0..n).map(move |v| (v, (v + 1) % n))),
            _ => None,
        },
    },
    Family {
        name: "complete",
        numbers: "N",
        meaning: "N vertices, each beside all others",
        edges: |numbers| match *numbers {
            [n] if n >= 1 => NumberedEdges::new(n, (0..n).flat_map(move |v| (v + 1..n).map(move |w| (v, w)))),
            _ => None,
        },
    },
    Family {
        name: "bipartite",
        numbers: "M,N",
        meaning: "M vertices, each beside all of N others",
        edges: |numbers| match *numbers {
            [m, n] if m >= 1 && n >= 1 => {
                NumberedEdges::new(m + n, (0..m).flat_map(move |v| (m..m + n).map(move |w| (v, w))))
            }
            _ => None,
        },
    },
    Family {
        name: "wheel",
        numbers: "N",
        meaning: "a cycle of N vertices, 3 or more, and one beside them all",
        edges: |numbers| match *numbers {
            [n] if n >= 3 => NumberedEdges::new(n + 1, (1..=n).flat_map(move |v| [(0, v), (v, v % n + 1)])),
            _ => None,
        },
    },
    Family {
        name: "tree",
        numbers: "B,D",
        meaning: "a tree with B children of each vertex, down to depth D",
        edges: |numbers| match *numbers {
            [b, d] if b >= 1 && d <= 64 => {
                let of_depth = |depth: u64| b.saturating_pow(depth as u32);
                let n = (0..=d).fold(0u64, |sum, depth| sum.saturating_add(of_depth(depth)));
                NumberedEdges::new(n, (1..n).map(move |v| ((v - 1) / b, v)))
            }
            _ => None,
        },
    },
    Family {
        name: "hypercube",
        numbers: "D",
        meaning: "2^D numbers, beside each other if they differ in one bit",
        edges: |numbers| match *numbers {
            [d] if d <= 32 => {
                let lower = move |v: u64| (0..d).map(move |bit| (v, v ^ 1 << bit)).filter(|(v, w)| v < w);
                NumberedEdges::new(1 << d, (0..1u64 << d).flat_map(lower))
            }
            _ => None,
        },
    },
    Family {
        name: "grid",
        numbers: "M,N",
        meaning: "M rows of N cells, steps to the four next ones",
        edges: |numbers| match *numbers {
            [m, n] => NumberedEdges::of_cells(m, n, ROOK, false),
            _ => None,
        },
    },
    Family {
        name: "torus",
        numbers: "M,N",
        meaning: "M rows of N cells, 3 or more, opposite borders joined",
        edges: |numbers| match *numbers {
            [m, n] if m >= 3 && n >= 3 => NumberedEdges::of_cells(m, n, ROOK, true),
            _ => None,
        },
    },
    Family {
        name: "king",
        numbers: "M,N",
        meaning: "M rows of N cells, steps of a king",
        edges: |numbers| match *numbers {
            [m, n] => NumberedEdges::of_cells(m, n, KING, false),
            _ => None,
        },
    },
    Family {
        name: "knight",
        numbers: "M,N",
        meaning: "M rows of N cells, steps of a knight",
        edges: |numbers| match *numbers {
            [m, n] => NumberedEdges::of_cells(m, n, KNIGHT, false),
            _ => None,
        },
    },
    Family {
        name: "petersen",
        numbers: "N,K",
        meaning: "generalized Petersen graphs, N from 3, K below half of N",
        edges: |numbers| match *numbers {
            [n, k] if n >= 3 && k >= 1 && 2 * k < n => {
                let edges = move |v: u64| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + k) % n)];
                NumberedEdges::new(2 * n, (0..n).flat_map(edges))
            }
            _ => None,
        },
    },
    Family {
        name: "circulant",
        numbers: "N,A,...",
        meaning: "N in a circle, each beside those A, ... further",
        edges: |numbers| match *numbers {
            [n, ref jumps @ ..]
                if !jumps.is_empty()
                    && jumps.is_sorted_by(|a, b| a < b)
                    && jumps.iter().all(|&jump| jump >= 1 && 2 * jump <= n) =>
            {
                let jumps = jumps.to_vec();
                let edges = move |v: u64| {
                    let to = jumps.clone().into_iter().map(move |jump| (v, (v + jump) % n, 2 * jump == n));
                    to.filter(|&(v, w, is_diameter)| !is_diameter || v < w).map(|(v, w, _)| (v, w))
                };
                NumberedEdges::new(n, (0..n).flat_map(edges))
            }
            _ => None,
        },
    },
];

/// Why a text names no graph of a family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// There is no family of this name.
    #[error("expected a family of graphs, one of {}; found {found:?}", names())]
    Name {
        /// The name.
        found: String,
    },
    /// The numbers name no graph of the family.
    #[error("expected {name}:{numbers}, {meaning}; found {found:?}")]
    Numbers {
        /// The name of the family.
        name: &'static str,
        /// The numbers that the family takes.
        numbers: &'static str,
        /// The graphs of the family.
        meaning: &'static str,
        /// The text.
        found: String,
    },
    /// The graph has more edges than are made.
    #[error("expected a graph of at most {MOST_EDGES} edges, found more in {found:?}")]
    Edges {
        /// The text.
        found: String,
    },
    /// The graph is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

fn names() -> String {
    FAMILIES.iter().map(|family| family.name).collect::<Vec<_>>().join(", ")
}

/// Returns the graph that a text such as `petersen:5,2` names, with each edge both ways.
///
/// ```
/// use dragnet_policy::cops::family::graph_of_family;
///
/// let petersen = graph_of_family("petersen:5,2", 1000)?;
/// assert_eq!((petersen.vertices(), petersen.edges()), (10, 2 * 15));
/// assert!(graph_of_family("petersen:5,3", 1000).is_err());
/// # Ok::<(), dragnet_policy::cops::family::FamilyError>(())
/// ```
///
/// # Errors
/// When there is no such family, the numbers name none of its graphs, or the graph has more than
/// `most_vertices` vertices or too many edges.
pub fn graph_of_family(text: &str, most_vertices: u32) -> Result<Graph, FamilyError> {
    let (name, numbers) = text.split_once(':').unwrap_or((text, ""));
    let family = FAMILIES.iter().find(|family| family.name == name);
    let family = family.ok_or_else(|| FamilyError::Name { found: name.to_owned() })?;
    let wrong = || FamilyError::Numbers {
        name: family.name,
        numbers: family.numbers,
        meaning: family.meaning,
        found: text.to_owned(),
    };
    // Numbers of 32 bits cannot overflow what is computed from them.
    let numbers: Result<Vec<u64>, _> =
        numbers.split(',').map(|number| number.parse::<u32>().map(u64::from)).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.len() <= MOST_NUMBERS).ok_or_else(wrong)?;
    let NumberedEdges(vertices, edges) = (family.edges)(&numbers).ok_or_else(wrong)?;
    if vertices > most_vertices.into() {
        return Err(GraphError::Vertices { found: vertices, most: most_vertices }.into());
    }
    let mut builder = GraphBuilder::new();
    for (from, to) in edges {
        if builder.edges() / 2 == MOST_EDGES {
            return Err(FamilyError::Edges { found: text.to_owned() });
        }
        builder.add(from, to)?;
        builder.add(to, from)?;
    }
    Ok(builder.build_with(vertices as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of edges and the degrees that occur, after checking that no edge is there twice and
    /// each leads both ways.
    fn shape(text: &str) -> (u32, u32, Vec<usize>) {
        let graph = graph_of_family(text, 1 << 16).unwrap();
        let mut degrees = Vec::new();
        for from in 0..graph.vertices() {
            let mut successors = graph.successors(from).to_vec();
            degrees.push(successors.len());
            successors.sort_unstable();
            assert!(successors.is_sorted_by(|a, b| a < b), "{text}: {from} has {successors:?}");
            for to in successors {
                assert!(to != from && graph.successors(to).contains(&from), "{text}: {from}, {to}");
            }
        }
        degrees.sort_unstable();
        degrees.dedup();
        (graph.vertices(), graph.edges() / 2, degrees)
    }

    #[test]
    fn graphs_have_the_vertices_edges_and_degrees_of_their_family() {
        for (text, vertices, edges, degrees) in [
            ("path:1", 1, 0, &[0][..]),
            ("path:7", 7, 6, &[1, 2]),
            ("cycle:3", 3, 3, &[2]),
            ("cycle:9", 9, 9, &[2]),
            ("complete:6", 6, 15, &[5]),
            ("bipartite:3,4", 7, 12, &[3, 4]),
            ("bipartite:1,5", 6, 5, &[1, 5]),
            ("wheel:3", 4, 6, &[3]),
            ("wheel:6", 7, 12, &[3, 6]),
            ("tree:2,3", 15, 14, &[1, 2, 3]),
            ("tree:1,4", 5, 4, &[1, 2]),
            ("tree:3,0", 1, 0, &[0]),
            ("hypercube:0", 1, 0, &[0]),
            ("hypercube:4", 16, 32, &[4]),
            ("grid:3,5", 15, 22, &[2, 3, 4]),
            ("torus:3,4", 12, 24, &[4]),
            ("king:3,3", 9, 20, &[3, 5, 8]),
            ("knight:8,8", 64, 168, &[2, 3, 4, 6, 8]),
            ("petersen:5,2", 10, 15, &[3]),
            ("petersen:20,3", 40, 60, &[3]),
            ("circulant:8,1,4", 8, 12, &[3]),
            ("circulant:13,1,3,4", 13, 39, &[6]),
        ] {
            assert_eq!(shape(text), (vertices, edges, degrees.to_vec()), "{text}");
        }
    }

    #[test]
    fn numbers_that_name_no_graph_are_refused() {
        for text in [
            "cycle:2",
            "path:0",
            "path",
            "path:",
            "path:x",
            "path:1,2",
            "path:-1",
            "path:99999999999",
            "petersen:6,3",
            "petersen:5,0",
            "torus:2,5",
            "grid:0,4",
            "circulant:8",
            "circulant:8,4,1",
            "circulant:8,5",
            "hypercube:33",
            "bipartite:0,3",
        ] {
            let error = graph_of_family(text, 1000).unwrap_err();
            assert!(matches!(error, FamilyError::Numbers { .. }), "{text}: {error}");
        }
        assert!(matches!(graph_of_family("moebius:3", 9), Err(FamilyError::Name { .. })));
        assert!(matches!(graph_of_family("complete:65535", 1 << 16), Err(FamilyError::Edges { .. })));
        for text in ["complete:1001", "hypercube:32", "tree:9,64", "grid:4000000000,4000000000"] {
            let error = graph_of_family(text, 1000).unwrap_err();
            assert!(matches!(error, FamilyError::Graph(GraphError::Vertices { .. })), "{text}: {error}");
        }
    }
}
