//! The class `Value`, and the numbers that stand for outcomes and results in arrays.

use dragnet_probe::{Outcome, Plies, Side};
use pyo3::{exceptions::PyValueError, intern, prelude::*, types::PyString};

/// The number of a draw.
pub(crate) const DRAW: i8 = 0;
/// The number of a win of the police, and of the police as the side to move.
pub(crate) const POLICE: i8 = 1;
/// The number of a win of the thief, and of the thief as the side to move.
pub(crate) const THIEF: i8 = 2;
/// The number at walls.
pub(crate) const WALL: i8 = -1;

/// The outcomes in the order of their numbers.
pub(crate) const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Police, Outcome::Thief];

/// Returns the number of an outcome.
pub(crate) fn outcome_code(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Draw => DRAW,
        Outcome::Police => POLICE,
        Outcome::Thief => THIEF,
    }
}

/// The number of a drawn position of a game table.
pub(crate) const DRAWN: i8 = 0;
/// The number of a position of a game table that is won for the player to move.
pub(crate) const WON: i8 = 1;
/// The number of a position of a game table that is lost for the player to move.
pub(crate) const LOST: i8 = 2;

/// The words for results in the order of their numbers.
pub(crate) const RESULTS: [&str; 3] = ["drawn", "won", "lost"];

/// Returns the number of the result of a value.
pub(crate) fn result_code(value: dragnet_probe::Value) -> i8 {
    match value {
        dragnet_probe::Value::Draw => DRAWN,
        dragnet_probe::Value::Win(_) => WON,
        dragnet_probe::Value::Loss(_) => LOST,
    }
}

/// Returns a distance as arrays hold it: -1 for a draw.
pub(crate) fn distance(dtw: Option<Plies>) -> i32 {
    // The greatest distance is 2³⁰ − 1.
    dtw.map_or(-1, |dtw| dtw as i32)
}

/// Returns the word for an outcome.
pub(crate) fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Police => "police",
        Outcome::Thief => "thief",
    }
}

/// Returns the word for an outcome as a Python string, which is created only once.
pub(crate) fn word<'py>(py: Python<'py>, outcome: Outcome) -> &'py Bound<'py, PyString> {
    match outcome {
        Outcome::Draw => intern!(py, "draw"),
        Outcome::Police => intern!(py, "police"),
        Outcome::Thief => intern!(py, "thief"),
    }
}

/// The value of a position: the outcome and the distance to win in plies.
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
    /// Converts the value of a position with `turn` to move.
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
        match (outcome, dtw) {
            (Outcome::Draw, Some(dtw)) => {
                let message = format!("expected the dtw None for a draw, found {dtw}");
                Err(PyValueError::new_err(message))
            }
            (Outcome::Police | Outcome::Thief, None) => {
                Err(PyValueError::new_err("expected the dtw of a win in plies, found None"))
            }
            _ => Ok(Value { outcome, dtw }),
        }
    }

    /// The outcome: "police", "thief" or "draw".
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> &'py Bound<'py, PyString> {
        word(py, self.outcome)
    }

    /// The distance to win in plies; None for a draw.
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
