//! Conversions from the types of the probe library to the Python classes of `dragnet_probe.results`.

use crate::{
    nodes::Nodes,
    value::{Value, word},
};
use dragnet_formats::board::{Scenario, text};
use dragnet_probe::{
    Board, Cell, Counts, GameSummary, Line, LineEnd, Longest, Position, Stuck, Team, Undecided,
    opponent::{Calibration, Review, ReviewedMove},
};
use numpy::{PyArray, PyArrayDyn, prelude::*};
use pyo3::{exceptions::PyValueError, intern, prelude::*, sync::PyOnceLock, types::PyType};

const RESULTS: &str = "dragnet_probe.results";
const OPPONENTS: &str = "dragnet_probe.opponents";

type Class = PyOnceLock<Py<PyType>>;

/// Returns where pieces stand: the cell of one piece, or its node if vertices have nodes, or a `Team` of
/// several.
pub(crate) fn pieces<'py>(
    py: Python<'py>,
    cells: &[Cell],
    nodes: Option<&Nodes>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let one = |cell: Cell| match nodes {
        Some(nodes) => nodes.of(py, cell.col.into()),
        None => Ok(pair(cell).into_pyobject(py)?.into_any()),
    };
    match cells {
        [cell] => one(*cell),
        all => {
            let team = all.iter().map(|&cell| one(cell)).collect::<PyResult<Vec<_>>>()?;
            CLASS.import(py, RESULTS, "Team")?.call1((team,))
        }
    }
}

/// Returns a `Move`: the side that is not to move in `after` has moved, and the other side has `value` there.
pub(crate) fn move_to<'py>(
    py: Python<'py>,
    after: Position,
    value: dragnet_probe::Value,
    nodes: Option<&Nodes>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let side = word(py, after.turn.other().into());
    let outcome = word(py, value.outcome(after.turn));
    let to = pieces(py, after.moved().cells(), nodes)?;
    CLASS.import(py, RESULTS, "Move")?.call1((side, to, outcome, value.dtw(), after.world))
}

/// Returns a `KeptMove`, which leads to the position `after`.
pub(crate) fn kept_move(py: Python<'_>, after: Position) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let to = pieces(py, after.moved().cells(), None)?;
    CLASS.import(py, RESULTS, "KeptMove")?.call1((to, after.world))
}

/// Returns a `Line`.
pub(crate) fn line<'py>(py: Python<'py>, line: &Line, nodes: Option<&Nodes>) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let moves: Vec<_> =
        line.moves.iter().map(|m| move_to(py, m.position, m.value, nodes)).collect::<PyResult<_>>()?;
    let end = match line.end {
        LineEnd::Caught => "caught",
        LineEnd::Escaped => "escaped",
        LineEnd::Arrived => "arrived",
        LineEnd::Stuck(_) => "stuck",
        LineEnd::Repetition => "repetition",
    };
    CLASS.import(py, RESULTS, "Line")?.call1((Value::new(line.value, line.start.turn), moves, end))
}

/// Returns a `Calibration`, with the parameters of its strength.
pub(crate) fn calibration<'py>(
    py: Python<'py>,
    found: &Calibration,
    strength: (u16, u16, u32, u8, u32, u8),
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    static STRENGTH: Class = PyOnceLock::new();
    let strength = STRENGTH.import(py, OPPONENTS, "Strength")?.call1(strength)?;
    CLASS.import(py, OPPONENTS, "Calibration")?.call1((
        found.level,
        strength,
        found.games,
        found.wins,
        (found.from, found.to),
        found.reached,
        found.lowest,
        found.highest,
    ))
}

/// Returns a `Review`.
pub(crate) fn review<'py>(
    py: Python<'py>,
    found: &Review,
    nodes: Option<&Nodes>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    static MOVE: Class = PyOnceLock::new();
    let class = MOVE.import(py, OPPONENTS, "ReviewedMove")?;
    let one = |rated: &ReviewedMove| {
        let [played, best] =
            [rated.played, rated.best].map(|choice| move_to(py, choice.position, choice.value, nodes));
        class.call1((rated.ply, played?, best?, rated.cost.drop, rated.cost.plies))
    };
    let moves: Vec<_> = found.moves.iter().map(one).collect::<PyResult<_>>()?;
    CLASS.import(py, OPPONENTS, "Review")?.call1((
        moves,
        found.errors,
        found.blunders,
        found.drops,
        found.plies_lost,
    ))
}

/// Returns `Values` with both arrays in `shape`.
pub(crate) fn values<'py, const D: usize>(
    py: Python<'py>,
    (outcome, dtw): (Vec<i8>, Vec<i32>),
    shape: [usize; D],
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let outcome: Bound<'_, PyArrayDyn<i8>> = PyArray::from_vec(py, outcome).reshape(shape.to_vec())?;
    let dtw: Bound<'_, PyArrayDyn<i32>> = PyArray::from_vec(py, dtw).reshape(shape.to_vec())?;
    CLASS.import(py, RESULTS, "Values")?.call1((outcome, dtw))
}

/// Returns a `GameValue`.
pub(crate) fn game_value<'py>(py: Python<'py>, value: dragnet_probe::Value) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let result = match value {
        dragnet_probe::Value::Draw => intern!(py, "drawn"),
        dragnet_probe::Value::Win(_) => intern!(py, "won"),
        dragnet_probe::Value::Loss(_) => intern!(py, "lost"),
    };
    CLASS.import(py, RESULTS, "GameValue")?.call1((result, value.dtw()))
}

/// Returns `GameValues`.
pub(crate) fn game_values<'py>(
    py: Python<'py>,
    (result, dtw): (Vec<i8>, Vec<i32>),
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let arrays = (PyArray::from_vec(py, result), PyArray::from_vec(py, dtw));
    CLASS.import(py, RESULTS, "GameValues")?.call1(arrays)
}

/// Returns `GameCounts`.
pub(crate) fn game_counts<'py>(py: Python<'py>, summary: &GameSummary) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    CLASS.import(py, RESULTS, "GameCounts")?.call1((summary.won, summary.lost, summary.drawn))
}

/// Returns `GameLongest`.
pub(crate) fn game_longest<'py>(py: Python<'py>, summary: &GameSummary) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    CLASS.import(py, RESULTS, "GameLongest")?.call1((summary.longest_win, summary.longest_loss))
}

/// Returns `Counts`.
pub(crate) fn counts<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    CLASS.import(py, RESULTS, "Counts")?.call1((counts.police, counts.thief, counts.draw))
}

/// Returns `Longest`.
pub(crate) fn longest<'py>(py: Python<'py>, longest: &Longest) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    CLASS.import(py, RESULTS, "Longest")?.call1((longest.police, longest.thief))
}

/// Returns the text of a board, without a line break at its end.
pub(crate) fn board_text(board: &Board) -> PyResult<String> {
    let scenario = Scenario { board: board.clone(), police: Vec::new(), thief: None };
    let drawn = text::write(&scenario).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(drawn.trim_end_matches('\n').to_owned())
}

/// Returns a cell as a tuple.
pub(crate) fn pair(cell: Cell) -> (u16, u16) {
    (cell.row, cell.col)
}

/// Returns the name of who moves in a turn of the police.
pub(crate) fn team(team: Team) -> &'static str {
    match team {
        Team::All => "all",
        Team::One => "one",
    }
}

/// Returns the name of what becomes of a side that has no move.
pub(crate) fn stuck(stuck: Stuck) -> &'static str {
    match stuck {
        Stuck::Loses => "loses",
        Stuck::Wins => "wins",
    }
}

/// Returns the name of the outcome that a draw is said to be.
pub(crate) fn undecided(undecided: Undecided) -> &'static str {
    match undecided {
        Undecided::Draw => "draw",
        Undecided::Police => "police",
        Undecided::Thief => "thief",
    }
}
