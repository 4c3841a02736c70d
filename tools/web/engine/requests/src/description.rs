//! Boards and graphs in answers.

use crate::{
    failure::Failure,
    ground::{Ground, NamedGraph},
};
use dragnet_formats::{
    board::text,
    cell::Cell,
    graph::{Graph, Vertex, names::VertexNames},
};
use serde_json::{Value, json};

/// The most edges that an answer lists: more than a page can draw.
const MOST_EDGES: u32 = 100_000;

/// Returns a cell as answers have it.
pub(crate) fn cell(cell: Cell) -> [u16; 2] {
    [cell.row, cell.col]
}

/// Returns the description of a graph. Its edges are pairs of vertices, one after another; `null` if there
/// are too many to draw.
fn graph(graph: &Graph, names: &VertexNames) -> Value {
    let edges = (graph.edges() <= MOST_EDGES).then(|| {
        let of = |from: Vertex| graph.successors(from).iter().flat_map(move |&to| [from, to]);
        (0..graph.vertices()).flat_map(of).collect::<Vec<Vertex>>()
    });
    json!({
        "vertices": graph.vertices(),
        "edge_count": graph.edges(),
        "edges": edges,
        "names": names.list(),
        "first": names.first().unwrap_or(0),
    })
}

impl NamedGraph {
    /// Returns the description of the graph.
    pub(crate) fn description(&self) -> Value {
        graph(&self.graph, &self.names)
    }
}

impl Ground {
    /// Returns the description of the board, with its text if it is a board of squares.
    pub(crate) fn description(&self) -> Result<Value, Failure> {
        let board = &self.scenario.board;
        let exits: Vec<[u16; 2]> = board.exits().map(cell).collect();
        if let Some(edges) = board.graph() {
            return Ok(
                json!({ "graph": graph(edges, &self.names), "exits": exits, "cells": board.open_count() }),
            );
        }
        Ok(json!({
            "text": text::write(&self.scenario)?,
            "height": board.height(),
            "width": board.width(),
            "cells": board.open_count(),
            "squares": board.cells().filter_map(|(cell, _)| board.character(cell)).collect::<String>(),
            "exits": exits,
            "police": self.scenario.police.iter().copied().map(cell).collect::<Vec<_>>(),
            "thief": self.scenario.thief.map(cell),
        }))
    }
}
