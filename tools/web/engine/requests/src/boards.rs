//! Boards that are read, written and made.

use crate::{
    answer::Answer,
    failure::Failure,
    ground::{Ground, GroundText},
    limit::Limit,
};
use dragnet_formats::{
    board::{Board, Scenario, contest, make, movingai, text},
    graph::names::VertexNames,
};
use serde::Deserialize;
use serde_json::json;

/// A request for what a board or graph is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRequest {
    ground: GroundText,
}

/// Describes a board or graph.
pub(crate) fn read(request: &ReadRequest) -> Result<Answer, Failure> {
    Answer::of(&request.ground.read(Limit::new(None))?.description()?)
}

/// A form in which a board is written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BoardForm {
    Text,
    Contest,
    Movingai,
    /// An edge list, for graphs alone.
    Edges,
}

/// A request for another form of a board or graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteRequest {
    ground: GroundText,
    to: BoardForm,
}

/// Writes a board or graph in another form.
pub(crate) fn write(request: &WriteRequest) -> Result<Answer, Failure> {
    let Ground { scenario, names } = request.ground.read(Limit::new(None))?;
    let written = match (request.to, scenario.board.graph()) {
        (BoardForm::Edges, Some(_)) => edges(&scenario.board, &names),
        (BoardForm::Edges, None) => {
            return Err(Failure::input("expected a graph to write as edges, found a board"));
        }
        (_, Some(_)) => {
            return Err(Failure::input("expected a board of squares, found a graph: write it as edges"));
        }
        (BoardForm::Text, None) => text::write(&scenario)?,
        (BoardForm::Contest, None) => contest::write(&scenario)?,
        (BoardForm::Movingai, None) => movingai::write(&scenario.board),
    };
    Answer::of(&json!({ "text": written }))
}

/// Returns an edge list, each edge one way: the number of vertices or a line with the name of each, then a
/// line for each edge.
fn edges(board: &Board, names: &VertexNames) -> String {
    let Some(graph) = board.graph() else { return String::new() };
    let mut text = match names.list() {
        Some(names) => names.iter().map(|name| format!("{name}\n")).collect(),
        None => format!("{}\n", graph.vertices()),
    };
    let name =
        |vertex: u32| names.list().map_or_else(|| vertex.to_string(), |names| names[vertex as usize].clone());
    for from in 0..graph.vertices() {
        for &to in graph.successors(from) {
            text += &format!("{} {}\n", name(from), name(to));
        }
    }
    text
}

/// A maker of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Maker {
    Open,
    Random,
    Maze,
    Rooms,
}

/// The seed of a board: a number, or its digits where a number of JavaScript would lose some.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Seed {
    Number(u64),
    Digits(String),
}

impl Seed {
    fn number(&self) -> Result<u64, Failure> {
        match self {
            Seed::Number(number) => Ok(*number),
            Seed::Digits(digits) => digits.parse().map_err(|_| {
                Failure::input(format!(
                    "seed: expected a whole number from 0 to {}, found {digits:?}",
                    u64::MAX
                ))
            }),
        }
    }
}

/// A request for a board that is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeRequest {
    kind: Maker,
    height: u32,
    width: u32,
    seed: Option<Seed>,
    /// Share of walls of a random board.
    density: Option<f64>,
    /// Passages of a maze beyond those that connect it.
    extra: Option<u32>,
    /// Whether the first open cell is the exit.
    #[serde(default)]
    exit: bool,
}

/// Share of walls of a random board unless something else is asked for.
const DENSITY: f64 = 0.2;

/// Makes a board and describes it.
pub(crate) fn make(request: &MakeRequest) -> Result<Answer, Failure> {
    let MakeRequest { kind, height, width, seed, density, extra, exit } = request;
    let unused = [
        ("seed", seed.is_some() && *kind == Maker::Open),
        ("density", density.is_some() && *kind != Maker::Random),
        ("extra", extra.is_some() && *kind != Maker::Maze),
    ];
    if let Some((name, _)) = unused.into_iter().find(|&(_, unused)| unused) {
        return Err(Failure::input(format!("{name} has no use for this kind of board")));
    }
    let seed = seed.as_ref().map_or(Ok(1), Seed::number)?;
    let (height, width) = (*height as usize, *width as usize);
    let board = match kind {
        Maker::Open => make::open(height, width)?,
        Maker::Random => make::random(height, width, density.unwrap_or(DENSITY), seed)?,
        Maker::Maze => make::maze(height, width, extra.unwrap_or(0) as usize, seed)?,
        Maker::Rooms => make::rooms(height, width, seed)?,
    };
    let exits: Vec<_> = board.open_cells().take(usize::from(*exit)).collect();
    let scenario = Scenario::from_board(board.with_exits(&exits)?);
    Answer::of(&Ground { scenario, names: VertexNames::numbered(0) }.description()?)
}
