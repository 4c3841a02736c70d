//! Conversions between the types of the probe library and the Python classes of `dragnet_probe.results` and
//! `dragnet_probe.rules`.

use crate::{
    nodes::Nodes,
    value::{Value, word},
};
use dragnet_formats::board::{Scenario, text};
use dragnet_probe::{
    Board, Cell, Choice, Counts, Door, DoorPosition, GameSummary, Line, LineEnd, Longest, MoveSet, Movement,
    Opening, Pieces, PoliceOnExit, Position, Rules, Side, Stuck, Team, Undecided, Wrap,
    opponent::{Calibration, Review, ReviewedMove},
};
use numpy::{PyArray, PyArrayDyn, prelude::*};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyTuple, PyType},
};

const RESULTS: &str = "dragnet_probe.results";
const RULES: &str = "dragnet_probe.rules";
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

/// Returns a `Move`: the pieces of `turn` move to `to`, and the position after that has `value` for the other
/// side.
pub(crate) fn move_to<'py>(
    py: Python<'py>,
    turn: Side,
    to: Pieces,
    value: dragnet_probe::Value,
    nodes: Option<&Nodes>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let outcome = word(py, value.outcome(turn.other()));
    let to = pieces(py, to.cells(), nodes)?;
    CLASS.import(py, RESULTS, "Move")?.call1((word(py, turn.into()), to, outcome, value.dtw()))
}

/// Returns a `Line`; `winner` is the winner of the position at the end of the line, if that position is
/// terminal.
pub(crate) fn line<'py>(
    py: Python<'py>,
    line: &Line,
    winner: Option<Side>,
    nodes: Option<&Nodes>,
) -> PyResult<Bound<'py, PyAny>> {
    let Position { police, thief, .. } = line.moves.last().map_or(line.start, |last| last.position);
    static CLASS: Class = PyOnceLock::new();
    let moves: Vec<_> =
        line.moves.iter().map(|m| move_to(py, m.side, m.to, m.value, nodes)).collect::<PyResult<_>>()?;
    let end = match (line.end, winner) {
        (LineEnd::Repetition, _) => "repetition",
        (LineEnd::Won(_), Some(Side::Police)) if police.contains(&thief) => "caught",
        (LineEnd::Won(_), Some(Side::Police)) => "arrived",
        (LineEnd::Won(_), Some(Side::Thief)) => "escaped",
        (LineEnd::Won(_), None) => "stuck",
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
            [rated.played, rated.best].map(|choice| move_to(py, found.side, choice.to, choice.value, nodes));
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

/// Returns a `Door`.
pub(crate) fn door<'py>(py: Python<'py>, door: &Door) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let (key, schedule, open) = match door.opening {
        Opening::Key { cell, open } => (Some(pair(cell)), None, open),
        Opening::Schedule(schedule) => (None, Some(schedule.to_string()), schedule.is_open(0)),
    };
    CLASS.import(py, RESULTS, "Door")?.call1((pair(door.cell), key, schedule, open))
}

/// Returns a `DoorPosition`.
pub(crate) fn door_position(py: Python<'_>, at: DoorPosition) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let turn = word(py, at.turn.into());
    CLASS.import(py, RESULTS, "DoorPosition")?.call1((
        pair(at.police),
        pair(at.thief),
        turn,
        at.keys,
        at.phase,
    ))
}

/// Returns a `DoorMove`.
pub(crate) fn door_move<'py>(py: Python<'py>, choice: &Choice<DoorPosition>) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let (after, value) = (choice.position, choice.value);
    let outcome = word(py, value.outcome(after.turn));
    CLASS.import(py, RESULTS, "DoorMove")?.call1((door_position(py, after)?, outcome, value.dtw()))
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

const SETS: [(&str, MoveSet); 5] = [
    ("king", MoveSet::King),
    ("orthogonal", MoveSet::Orthogonal),
    ("diagonal", MoveSet::Diagonal),
    ("knight", MoveSet::Knight),
    ("edges", MoveSet::Edges),
];
const WRAPS: [(&str, Wrap); 4] = [
    ("none", Wrap::None),
    ("horizontal", Wrap::Horizontal),
    ("vertical", Wrap::Vertical),
    ("both", Wrap::Both),
];
const STUCK: [(&str, Stuck); 2] = [("loses", Stuck::Loses), ("wins", Stuck::Wins)];
const TEAMS: [(&str, Team); 2] = [("all", Team::All), ("one", Team::One)];
const ON_EXIT: [(&str, PoliceOnExit); 3] =
    [("allowed", PoliceOnExit::Allowed), ("barred", PoliceOnExit::Barred), ("wins", PoliceOnExit::Wins)];
const UNDECIDED: [(&str, Undecided); 3] =
    [("draw", Undecided::Draw), ("police", Undecided::Police), ("thief", Undecided::Thief)];

/// Returns the name of a value in a list of all values.
fn name_of<T: PartialEq>(names: &[(&'static str, T)], wanted: &T) -> &'static str {
    names.iter().find(|(_, value)| value == wanted).map(|(name, _)| *name).expect("every value has a name")
}

/// Returns the value with the name in `object`.
fn value_of<T: Clone>(names: &[(&'static str, T)], object: &Bound<'_, PyAny>, what: &str) -> PyResult<T> {
    let word: String = object.extract()?;
    names.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        PyValueError::new_err(format!("expected {what} as one of {}, found {word:?}", names.join(", ")))
    })
}

/// Returns `Rules`.
pub(crate) fn rules<'py>(py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let fields = PyDict::new(py);
    fields.set_item("police", movement(py, &rules.police)?)?;
    fields.set_item("thief", movement(py, &rules.thief)?)?;
    fields.set_item("corner_cutting", rules.corner_cutting)?;
    fields.set_item("wrap", name_of(&WRAPS, &rules.wrap))?;
    fields.set_item("stuck", name_of(&STUCK, &rules.stuck))?;
    fields.set_item("officers", rules.officers)?;
    fields.set_item("team", name_of(&TEAMS, &rules.team))?;
    fields.set_item("police_on_exit", name_of(&ON_EXIT, &rules.police_on_exit))?;
    fields.set_item("undecided", name_of(&UNDECIDED, &rules.undecided))?;
    CLASS.import(py, RULES, "Rules")?.call((), Some(&fields))
}

fn movement<'py>(py: Python<'py>, movement: &Movement) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = PyOnceLock::new();
    let moves = match &movement.moves {
        MoveSet::Offsets(list) => PyTuple::new(py, list)?.into_any(),
        set => PyString::new(py, name_of(&SETS, set)).into_any(),
    };
    CLASS.import(py, RULES, "Movement")?.call1((moves, movement.may_pass, movement.steps, movement.reach))
}

/// Returns the rules in an argument: the name of a preset, or `Rules`.
pub(crate) fn rules_from(object: &Bound<'_, PyAny>) -> PyResult<Rules> {
    if let Ok(name) = object.extract::<String>() {
        return Rules::preset(&name).ok_or_else(|| {
            PyValueError::new_err(format!("expected rules {}, found {name:?}", Rules::PRESETS.join(" or ")))
        });
    }
    let class = object.py().import(RULES)?.getattr("Rules")?;
    if !object.is_instance(&class)? {
        let found = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected Rules or the name of a preset, found {found}")));
    }
    let rules = Rules {
        officers: object.getattr("officers")?.extract()?,
        police: movement_from(&object.getattr("police")?)?,
        thief: movement_from(&object.getattr("thief")?)?,
        corner_cutting: object.getattr("corner_cutting")?.extract()?,
        wrap: value_of(&WRAPS, &object.getattr("wrap")?, "wrap")?,
        stuck: value_of(&STUCK, &object.getattr("stuck")?, "stuck")?,
        team: value_of(&TEAMS, &object.getattr("team")?, "team")?,
        police_on_exit: value_of(&ON_EXIT, &object.getattr("police_on_exit")?, "police_on_exit")?,
        undecided: value_of(&UNDECIDED, &object.getattr("undecided")?, "undecided")?,
    };
    rules.check().map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(rules)
}

fn movement_from(object: &Bound<'_, PyAny>) -> PyResult<Movement> {
    let moves = object.getattr("moves")?;
    let moves = match moves.cast::<PyString>() {
        Ok(name) => value_of(&SETS, name, "moves")?,
        Err(_) => MoveSet::Offsets(moves.extract()?),
    };
    Ok(Movement {
        moves,
        may_pass: object.getattr("may_pass")?.extract()?,
        steps: object.getattr("steps")?.extract()?,
        reach: object.getattr("reach")?.extract()?,
    })
}
