//! Squares and edges as a header stores them.

use super::error::HeaderError;
use crate::{
    board::{Board, Square},
    cell::Cell,
    graph::{Graph, GraphBuilder},
};
use serde::{Deserialize, Serialize};

/// The edges of a graph.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct EdgeFields {
    degrees: Vec<u16>,
    targets: Vec<u16>,
}

pub(super) fn pack_edges(graph: &Graph) -> EdgeFields {
    let degree = |vertex| graph.successors(vertex).len() as u16;
    EdgeFields {
        degrees: (0..graph.vertices()).map(degree).collect(),
        targets: graph.targets().iter().map(|&to| to as u16).collect(),
    }
}

pub(super) fn unpack_edges(edges: &EdgeFields, height: usize, width: usize) -> Result<Graph, HeaderError> {
    let vertices = width as u32;
    let wrong = |what| HeaderError::Edges { vertices, what };
    if height != 1 {
        return Err(wrong("more than one row of vertices"));
    }
    let sum: u64 = edges.degrees.iter().map(|&degree| u64::from(degree)).sum();
    if edges.degrees.len() != width || sum != edges.targets.len() as u64 {
        return Err(wrong("too few or too many"));
    }
    let mut builder = GraphBuilder::new();
    let mut targets = edges.targets.iter();
    for (from, &degree) in (0..).zip(&edges.degrees) {
        let mut before = None;
        for &to in targets.by_ref().take(degree.into()) {
            if u32::from(to) >= vertices || u64::from(to) == from || before.is_some_and(|before| before >= to)
            {
                return Err(wrong("an edge that cannot stand there"));
            }
            before = Some(to);
            builder.add(from, to.into()).map_err(|_| wrong("too many"))?;
        }
    }
    Ok(builder.build_with(vertices))
}

/// Creates the board of a graph whose vertices are these squares.
pub(super) fn board_of_graph(squares: Vec<Square>, graph: &Graph) -> Result<Board, HeaderError> {
    if let Some(wall) = squares.iter().position(|&square| square == Square::Wall) {
        return Err(HeaderError::UnknownSquare { byte: wall / 4 });
    }
    let exits = (0..).zip(&squares).filter(|&(_, &square)| square == Square::Exit);
    let exits: Vec<Cell> = exits.map(|(col, _)| Cell::new(0, col)).collect();
    Ok(Board::of_graph(graph)?.with_exits(&exits)?)
}

pub(super) fn pack_squares(squares: &[Square]) -> Vec<u8> {
    squares.chunks(4).map(|four| four.iter().rev().fold(0, |byte, s| byte << 2 | s.byte())).collect()
}

pub(super) fn unpack_squares(bytes: &[u8], count: usize) -> Result<Vec<Square>, HeaderError> {
    let expected = count.div_ceil(4);
    if bytes.len() != expected {
        return Err(HeaderError::SquareBytes { expected, found: bytes.len() });
    }
    let mut squares = Vec::with_capacity(count);
    for (i, &four) in bytes.iter().enumerate() {
        for shift in [0, 2, 4, 6] {
            let square =
                Square::from_byte(four >> shift & 3).ok_or(HeaderError::UnknownSquare { byte: i })?;
            if squares.len() < count {
                squares.push(square);
            } else if square != Square::Wall {
                return Err(HeaderError::UnknownSquare { byte: i });
            }
        }
    }
    Ok(squares)
}
