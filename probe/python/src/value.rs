//! The value of a position, and the numbers that stand for outcomes in arrays.

use dragnet_probe::{Outcome, Plies, Side};
use pyo3::{exceptions::PyValueError, intern, prelude::*, types::PyString};

/// Nobody wins.
pub(crate) const DRAW: i8 = 0;
/// The police wins, or is to move.
pub(crate) const POLICE: i8 = 1;
/// The thief wins, or is to move.
pub(crate) const THIEF: i8 = 2;
/// Nobody can stand there.
pub(crate) const WALL: i8 = -1;

/// The outcomes by their numbers.
pub(crate) const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Police, Outcome::Thief];

/// The number of an outcome.
pub(crate) fn code(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Draw => DRAW,
        Outcome::Police => POLICE,
        Outcome::Thief => THIEF,
    }
}

/// A position by number that nobody wins.
pub(crate) const DRAWN: i8 = 0;
/// One that is won for the player to move.
pub(crate) const WON: i8 = 1;
/// One that is lost for the player to move.
pub(crate) const LOST: i8 = 2;

/// The results by their numbers.
pub(crate) const RESULTS: [&str; 3] = ["drawn", "won", "lost"];

/// The number of how a position by number ends.
pub(crate) fn result_code(value: dragnet_probe::Value) -> i8 {
    match value {
        dragnet_probe::Value::Draw => DRAWN,
        dragnet_probe::Value::Win(_) => WON,
        dragnet_probe::Value::Loss(_) => LOST,
    }
}

/// A distance as arrays hold it.
pub(crate) fn distance(dtw: Option<Plies>) -> i32 {
    // Distances end at 2³⁰ − 1.
    dtw.map_or(-1, |dtw| dtw as i32)
}

/// The word for an outcome.
pub(crate) fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Police => "police",
        Outcome::Thief => "thief",
    }
}

/// The word for an outcome or a side, one object each.
pub(crate) fn word<'py>(py: Python<'py>, outcome: Outcome) -> &'py Bound<'py, PyString> {
    match outcome {
        Outcome::Draw => intern!(py, "draw"),
        Outcome::Police => intern!(py, "police"),
        Outcome::Thief => intern!(py, "thief"),
    }
}

/// The value of a position: who wins, and in how many plies.
///
/// >>> value = table.value((0, 0), (3, 4), "police")
/// >>> value.outcome, value.dtw
/// ('thief', 4)
/// >>> value == Value("thief", 4)
/// True
/// >>> match value:
/// ...     case Value("draw"):
/// ...         print("nobody wins")
/// ...     case Value(winner, plies):
/// ...         print(f"the {winner} wins in {plies}")
/// the thief wins in 4
#[pyclass(frozen, eq, hash, module = "dragnet_probe")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    outcome: Outcome,
    dtw: Option<Plies>,
}

impl Value {
    /// The value of a position with `turn` to move.
    pub(crate) fn new(value: dragnet_probe::Value, turn: Side) -> Value {
        Value { outcome: value.outcome(turn), dtw: value.dtw() }
    }
}

#[pymethods]
impl Value {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str) = ("outcome", "dtw");

    #[new]
    #[pyo3(signature = (outcome, dtw = None))]
    fn from_python(outcome: &str, dtw: Option<Plies>) -> PyResult<Value> {
        let Some(outcome) = OUTCOMES.into_iter().find(|&o| name(o) == outcome) else {
            let message = format!("expected the outcome 'police', 'thief' or 'draw', found {outcome:?}");
            return Err(PyValueError::new_err(message));
        };
        if (outcome == Outcome::Draw) != dtw.is_none() {
            return Err(PyValueError::new_err("expected plies for a win, and none for a draw"));
        }
        Ok(Value { outcome, dtw })
    }

    /// Who wins: "police", "thief" or "draw".
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> &'py Bound<'py, PyString> {
        word(py, self.outcome)
    }

    /// In how many plies; None for a draw.
    #[getter]
    fn dtw(&self) -> Option<Plies> {
        self.dtw
    }

    fn __repr__(&self) -> String {
        match self.dtw {
            Some(dtw) => format!("Value('{}', {dtw})", self.outcome),
            None => format!("Value('{}')", self.outcome),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Value>) -> (Bound<'py, PyAny>, (&'static str, Option<Plies>)) {
        let value = slf.get();
        (slf.get_type().into_any(), (name(value.outcome), value.dtw))
    }
}
