//! Games given by states and moves instead of numbers: all reachable states are found and numbered.

use crate::{GraphGame, VertexStart};
use dragnet_formats::{
    game::Stuck,
    graph::{Graph, GraphError, Vertex},
};
use std::{collections::HashMap, hash::Hash};

/// The states reachable from given ones, numbered from 0 in the order in which they were found, and the moves
/// between them.
#[derive(Clone, Debug)]
pub struct Explored<S> {
    states: Vec<S>,
    numbers: HashMap<S, Vertex>,
    graph: Graph,
}

/// Finds all states that can be reached from `starts`.
///
/// `moves` appends the state after each move of its first argument to its second, and none if the game has
/// ended. Searches breadth first, on the calling thread, and keeps each state twice.
///
/// # Errors
/// When there are more states or moves than a graph can have.
///
/// # Example
///
/// Tic-tac-toe. A state is the squares of the player who has just moved and of the player to move, bit 3·row
/// + column each.
///
/// ```
/// use dragnet_formats::{rules::Stuck, value::Value};
/// use dragnet_generator::{Generator, VertexStart, explore};
///
/// const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// let three = |side: u16| LINES.iter().any(|line| side & line == *line);
///
/// let found = explore([(0u16, 0u16)], |&(last, next), after| {
///     if !three(last) {
///         let free = (0..9).map(|square| 1 << square).filter(|square| (last | next) & square == 0);
///         after.extend(free.map(|square| (next | square, last)));
///     }
/// })?;
/// assert_eq!(found.states().len(), 5478);
///
/// // Who cannot move since the other has three in a row loses; a full board without is drawn.
/// let game = found.game(Stuck::Loses, |&(last, next)| match last | next {
///     0o777 if !three(last) => VertexStart::Drawn,
///     _ => VertexStart::Open,
/// });
/// let solution = Generator::new(2)?.solve_graph(game, &())?;
/// assert_eq!(solution.value(0), Some(Value::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore<S: Clone + Eq + Hash>(
    starts: impl IntoIterator<Item = S>,
    mut moves: impl FnMut(&S, &mut Vec<S>),
) -> Result<Explored<S>, GraphError> {
    let (mut states, mut numbers) = (Vec::new(), HashMap::new());
    let mut number = |state: S, states: &mut Vec<S>| {
        let next = states.len() as u64;
        let number = *numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            next as Vertex
        });
        if next >= Graph::MAX_VERTICES.into() && number == next as Vertex {
            return Err(GraphError::Vertices { found: next + 1, most: Graph::MAX_VERTICES });
        }
        Ok(number)
    };
    for state in starts {
        number(state, &mut states)?;
    }
    let (mut rows, mut targets, mut after) = (vec![0], Vec::new(), Vec::new());
    while let Some(state) = states.get(rows.len() - 1) {
        moves(state, &mut after);
        for state in after.drain(..) {
            targets.push(number(state, &mut states)?);
        }
        rows.push(u32::try_from(targets.len()).map_err(|_| GraphError::Edges { most: Graph::MAX_EDGES })?);
    }
    Ok(Explored { states, numbers, graph: Graph::from_rows(rows, targets)? })
}

impl<S: Clone + Eq + Hash> Explored<S> {
    /// Returns the states in the order of their numbers.
    #[must_use]
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// Returns the number of a state, which is its vertex, or `None` if the state cannot be reached.
    #[must_use]
    pub fn number(&self, state: &S) -> Option<Vertex> {
        self.numbers.get(state).copied()
    }

    /// Returns the graph of the moves.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the game on these states. `stuck` decides a state without a move, and `start` labels each
    /// state.
    #[must_use]
    pub fn game(&self, stuck: Stuck, start: impl Fn(&S) -> VertexStart) -> GraphGame {
        GraphGame::new(self.graph.clone(), stuck, (0..).zip(self.states.iter().map(start)))
    }
}
