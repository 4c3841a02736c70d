//! Games to test with.

mod disk;
pub(crate) mod given;
mod random;

pub(crate) use disk::{PAGE, SmallDisk, starting};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    graph::GraphBuilder,
    moves::Steps,
    pieces::Pieces,
    rules::{Rules, Stuck, Team},
    value::Value,
};
use dragnet_generator::{Game, GraphGame, Start, VertexStart};
use proptest::prelude::*;
use random::winner;
pub(crate) use random::{board, on_schedule, pursuit, rules};
use std::collections::{BTreeSet, HashMap};

/// A pursuit game as the rules state it: every position a state, every choice of moves a move. Knows nothing
/// of numbers or partial turns.
pub(crate) struct Plain {
    board: Board,
    rules: Rules,
    states: Vec<(Pieces, Cell, Side)>,
    numbers: HashMap<(Pieces, Cell, Side), u64>,
}

impl Plain {
    pub(crate) fn new(board: &Board, rules: &Rules) -> Plain {
        let cells: Vec<Cell> = board.open_cells().collect();
        let mut teams: BTreeSet<Pieces> = cells.iter().map(|&cell| Pieces::one(cell)).collect();
        for _ in 1..rules.officers {
            let more =
                teams.iter().flat_map(|team| cells.iter().map(|&cell| [team.cells(), &[cell]].concat()));
            teams = more.map(|cells| Pieces::new(&cells).unwrap()).collect();
        }
        let mut states = Vec::new();
        for turn in Side::BOTH {
            for &team in &teams {
                states.extend(cells.iter().map(|&thief| (team, thief, turn)));
            }
        }
        let numbers = (0..).zip(&states).map(|(number, &state)| (state, number)).collect();
        Plain { board: board.clone(), rules: rules.clone(), states, numbers }
    }

    /// Returns the number of a position with the police to move.
    pub(crate) fn position(&self, officers: Pieces, thief: Cell) -> usize {
        self.numbers[&(officers, thief, Side::Police)] as usize
    }

    /// Returns all positions with the police to move.
    pub(crate) fn police_to_move(&self) -> impl Iterator<Item = (Pieces, Cell)> {
        let states = self.states.iter().filter(|(_, _, turn)| *turn == Side::Police);
        states.map(|&(officers, thief, _)| (officers, thief))
    }

    fn moves(&self, (officers, thief, turn): (Pieces, Cell, Side)) -> BTreeSet<u64> {
        let steps = |cell| Steps::new(&self.rules, turn).moves_from(&self.board, cell);
        let number = |officers, thief| self.numbers[&(officers, thief, turn.other())];
        if turn == Side::Thief {
            return steps(thief).into_iter().map(|to| number(officers, to)).collect();
        }
        let mut teams: Vec<Vec<Cell>> = vec![Vec::new()];
        if self.rules.team == Team::All {
            for &from in officers.iter() {
                let more = teams
                    .iter()
                    .flat_map(|team| steps(from).into_iter().map(|to| [&team[..], &[to]].concat()));
                teams = more.collect();
            }
        } else {
            let one = |i: usize| {
                let mut cells = officers.to_vec();
                steps(officers[i]).into_iter().map(move |to| {
                    cells[i] = to;
                    cells.clone()
                })
            };
            teams = (0..officers.len()).flat_map(one).collect();
        }
        teams.into_iter().map(|cells| number(Pieces::new(&cells).unwrap(), thief)).collect()
    }
}

impl Game for Plain {
    fn positions(&self) -> u64 {
        self.states.len() as u64
    }

    fn start(&self, position: u64) -> Start {
        let state = self.states[position as usize];
        let winner = winner(&self.board, &self.rules, &state.0, state.1);
        winner.map_or(Start::Open, |winner| Start::Known(Value::terminal(winner, state.2)))
    }

    fn stuck(&self, _: u64) -> Value {
        self.rules.stuck.value()
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.moves(self.states[position as usize]).into_iter().for_each(each);
    }
}

/// Returns the game on a graph with these edges.
pub(crate) fn graph_game(
    vertices: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
    stuck: Stuck,
    labels: &[(u32, VertexStart)],
) -> GraphGame {
    let mut builder = GraphBuilder::new();
    for (from, to) in edges {
        builder.add(from as u64, to as u64).unwrap();
    }
    GraphGame::new(builder.build_with(vertices as u32), stuck, labels.iter().copied())
}

/// Graphs with self-loops, parallel edges, several components, and values from outside.
pub(crate) fn graph() -> impl Strategy<Value = GraphGame> {
    let stuck = prop::sample::select(vec![Stuck::Loses, Stuck::Wins]);
    let start = prop::sample::select(vec![
        VertexStart::Open,
        VertexStart::Won,
        VertexStart::Lost,
        VertexStart::Drawn,
    ]);
    (1usize..40, stuck).prop_flat_map(move |(vertices, stuck)| {
        (
            prop::collection::vec((0..vertices, 0..vertices), 0..3 * vertices),
            prop::collection::vec((0..vertices as u32, start.clone()), 0..4),
        )
            .prop_map(move |(edges, labels)| graph_game(vertices, edges, stuck, &labels))
    })
}

/// A game in which positions p and p + n are mirror images. Has the starts, values without a move, kept turns
/// and moves of the first n.
#[derive(Clone, Debug)]
pub(crate) struct Mirrored {
    pub(crate) starts: Vec<Start>,
    pub(crate) stuck: Vec<Value>,
    pub(crate) keeps: Vec<bool>,
    pub(crate) moves: Vec<Vec<usize>>,
}

impl Game for Mirrored {
    fn positions(&self) -> u64 {
        2 * self.starts.len() as u64
    }

    fn start(&self, position: u64) -> Start {
        self.starts[self.canonical(position) as usize]
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        let first = self.canonical(position);
        for &to in &self.moves[first as usize] {
            each((to as u64 + position - first) % self.positions());
        }
    }

    fn stuck(&self, position: u64) -> Value {
        self.stuck[self.canonical(position) as usize]
    }

    fn keeps_turn(&self, position: u64) -> bool {
        self.keeps[self.canonical(position) as usize]
    }

    fn canonical(&self, position: u64) -> u64 {
        position % self.starts.len() as u64
    }
}

fn value() -> impl Strategy<Value = Value> {
    let dtw = prop_oneof![4 => Just(0), 8 => 0u32..12, 1 => 16_380u32..16_390, 1 => Just(40_000)];
    prop_oneof![dtw.clone().prop_map(Value::Win), dtw.prop_map(Value::Loss), Just(Value::Draw)]
}

/// Games with known values, illegal positions, symmetry, and moves that keep the turn.
pub(crate) fn mirrored() -> impl Strategy<Value = Mirrored> {
    let start = || {
        prop_oneof![
            12 => Just(Start::Open), 1 => value().prop_map(Start::Known), 1 => Just(Start::Illegal),
        ]
    };
    (1usize..24).prop_flat_map(move |n| {
        let moves = prop::collection::vec(prop::collection::vec(0..2 * n, 0..5), n);
        let keeps = prop_oneof![Just(0.0), 0.0..1.0]
            .prop_flat_map(move |often| prop::collection::vec(prop::bool::weighted(often), n));
        (prop::collection::vec(start(), n), prop::collection::vec(value(), n), keeps, moves)
            .prop_map(|(starts, stuck, keeps, moves)| Mirrored { starts, stuck, keeps, moves })
    })
}
