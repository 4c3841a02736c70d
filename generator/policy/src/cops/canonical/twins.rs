//! Twins: vertices that have the same neighbours and so may be exchanged. A search for a canonical form would
//! try all their orders, as in a complete graph; here they become one vertex.

use dragnet_formats::graph::Graph;
use std::collections::{BTreeMap, BTreeSet};

/// A graph in which twins are one vertex, again and again until there are none.
pub(super) struct Quotient {
    /// For each vertex a number that tells how it was made; the same one in isomorphic graphs.
    pub(super) colours: Vec<u64>,
    pub(super) successors: Vec<Vec<u32>>,
    pub(super) predecessors: Vec<Vec<u32>>,
    /// For each vertex the vertices of the graph that it stands for. In isomorphic graphs their order
    /// corresponds.
    pub(super) members: Vec<Vec<u32>>,
}

/// How the members of a vertex were made one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// There is one member.
    Single,
    /// No edges between them.
    Apart,
    /// Edges both ways between all of them.
    Joined,
}

impl Quotient {
    /// Returns the quotient of a graph without loops.
    pub(super) fn new(graph: &Graph) -> Quotient {
        let n = graph.vertices();
        let mut predecessors = vec![Vec::new(); n as usize];
        let mut successors = vec![Vec::new(); n as usize];
        for from in 0..n {
            let targets: BTreeSet<u32> = graph.successors(from).iter().copied().collect();
            targets.iter().for_each(|&to| predecessors[to as usize].push(from));
            successors[from as usize].extend(targets);
        }
        let colours = vec![0; n as usize];
        let members = (0..n).map(|vertex| vec![vertex]).collect();
        let mut quotient = Quotient { colours, successors, predecessors, members };
        while quotient.merge_twins() {}
        quotient
    }

    /// Makes all twins of the same colour one vertex. Returns whether there were any.
    fn merge_twins(&mut self) -> bool {
        let n = self.colours.len();
        let mut kinds = vec![Kind::Single; n];
        // For each vertex the first of its twins. A vertex cannot have twins of both kinds.
        let mut first: Vec<usize> = (0..n).collect();
        for kind in [Kind::Apart, Kind::Joined] {
            let mut known: BTreeMap<(u64, [Vec<u32>; 2]), usize> = BTreeMap::new();
            for vertex in 0..n {
                let around = [&self.successors, &self.predecessors].map(|rows| {
                    let mut row = rows[vertex].clone();
                    if kind == Kind::Joined {
                        row.insert(row.partition_point(|&other| other < vertex as u32), vertex as u32);
                    }
                    row
                });
                let twin = *known.entry((self.colours[vertex], around)).or_insert(vertex);
                if twin != vertex {
                    first[vertex] = twin;
                    (kinds[vertex], kinds[twin]) = (kind, kind);
                }
            }
        }
        let kept: Vec<usize> = (0..n).filter(|&vertex| first[vertex] == vertex).collect();
        if kept.len() == n {
            return false;
        }
        let mut sizes = vec![0u64; n];
        let members = std::mem::take(&mut self.members);
        let mut merged = vec![Vec::new(); n];
        for (vertex, members) in members.into_iter().enumerate() {
            sizes[first[vertex]] += 1;
            merged[first[vertex]].extend(members);
        }
        let made = |vertex: usize| (self.colours[vertex], kinds[vertex], sizes[vertex]);
        let ways: BTreeSet<_> = kept.iter().map(|&vertex| made(vertex)).collect();
        let colour: BTreeMap<_, u64> = ways.into_iter().zip(0..).collect();
        let colours = kept.iter().map(|&vertex| colour[&made(vertex)]).collect();
        let number: BTreeMap<u32, u32> = kept.iter().map(|&vertex| vertex as u32).zip(0..).collect();
        let among_kept = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> {
            let row =
                |&vertex: &usize| rows[vertex].iter().filter_map(|to| number.get(to).copied()).collect();
            kept.iter().map(row).collect()
        };
        let (successors, predecessors) = (among_kept(&self.successors), among_kept(&self.predecessors));
        let members = kept.iter().map(|&vertex| std::mem::take(&mut merged[vertex])).collect();
        *self = Quotient { colours, successors, predecessors, members };
        true
    }
}
