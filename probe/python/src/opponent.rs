//! Opponents, the strength that wins a share of games, and the rating of games.

use crate::{
    arguments::{SideArgument, integer},
    convert,
    table::Table,
};
use dragnet_probe::{
    Position,
    opponent::{self, CalibrationError, RangeError, Replier, ReviewError},
};
use pyo3::{
    Borrowed,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyString, PyTuple},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A position in an argument: a tuple of the police, the thief and the side to move, and perhaps the world.
pub(crate) struct PositionArgument<'py>(Bound<'py, PyAny>, Bound<'py, PyAny>, SideArgument, i64);

impl<'py> FromPyObject<'_, 'py> for PositionArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionArgument<'py>> {
        let (police, thief, turn, world) = match object.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 4 => {
                let (police, thief, turn, world): (_, _, _, Bound<'_, PyAny>) = object.extract()?;
                (police, thief, turn, integer(&world)?)
            }
            _ => {
                let (police, thief, turn) = object.extract()?;
                (police, thief, turn, 0)
            }
        };
        Ok(PositionArgument(police, thief, turn, world))
    }
}

/// The parameters of a strength, in the order of `dragnet_probe.Strength`.
pub(crate) type StrengthTuple = (u16, u16, u32, u8, u32, u8);

fn range_error(error: RangeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the strength in an argument: a `Strength`, the name of a preset, or a level of the dial.
fn strength(object: &Bound<'_, PyAny>) -> PyResult<opponent::Strength> {
    if let Ok(name) = object.cast::<PyString>() {
        let name = name.to_cow()?;
        return opponent::Strength::preset(&name).ok_or_else(|| {
            let known = opponent::Strength::PRESETS.map(|(name, _)| name).join(" or ");
            PyValueError::new_err(format!("expected the name of a strength, {known}, found {name:?}"))
        });
    }
    if let Ok(level) = object.extract() {
        return opponent::Strength::level(level).map_err(range_error);
    }
    let expected = |_| {
        let found = object.repr().map_or_else(|error| error.to_string(), |text| text.to_string());
        let message =
            format!("expected a Strength, the name of one, or a level from 0 to 1000, found {found}");
        PyTypeError::new_err(message)
    };
    let (errors, blunders, plies, drop, horizon, reaction): StrengthTuple =
        object.extract().map_err(expected)?;
    let strength = opponent::Strength { errors, blunders, plies, drop, horizon, reaction };
    strength.check().map_err(range_error)?;
    Ok(strength)
}

/// Returns the style in an argument: "longest", "trickiest", or the strength of the enemy to trick.
fn style(object: &Bound<'_, PyAny>) -> PyResult<opponent::Style> {
    match object.cast::<PyString>() {
        Ok(word) if word == "longest" => Ok(opponent::Style::Longest),
        Ok(word) if word == "trickiest" => Ok(opponent::Style::Trickiest(Replier::Uniform)),
        Ok(word) => {
            let message =
                format!("expected 'longest', 'trickiest' or a Strength as style, found '{}'", word.to_cow()?);
            Err(PyValueError::new_err(message))
        }
        Err(_) => Ok(opponent::Style::Trickiest(Replier::Erring(strength(object)?))),
    }
}

fn style_or_longest(object: Option<&Bound<'_, PyAny>>) -> PyResult<opponent::Style> {
    object.map_or(Ok(opponent::Style::Longest), style)
}

fn tuple_of(strength: &opponent::Strength) -> StrengthTuple {
    let opponent::Strength { errors, blunders, plies, drop, horizon, reaction } = *strength;
    (errors, blunders, plies, drop, horizon, reaction)
}

/// Returns the parameters of a preset.
#[pyfunction]
pub(crate) fn _strength_preset(name: &Bound<'_, PyString>) -> PyResult<StrengthTuple> {
    Ok(tuple_of(&strength(name)?))
}

/// Returns the parameters at a level of the dial.
#[pyfunction]
pub(crate) fn _strength_level(level: u16) -> PyResult<StrengthTuple> {
    Ok(tuple_of(&opponent::Strength::level(level).map_err(range_error)?))
}

/// A player for either side or both, whose moves depend on the table, its parameters, its seed and nothing
/// else: the same seed gives the same moves in every language.
///
/// strength: a Strength, the name of one, from "easy" to "perfect", or a level from 0, which errs in every
/// turn, to 1000, which is perfect. style: what it does in positions that it cannot win: "longest" holds out,
/// "trickiest" sets traps, a Strength sets traps for an enemy of that strength.
///
/// >>> thief = Opponent("easy", seed=7)
/// >>> thief.choose(table, (3, 4), (2, 2), "thief").side
/// 'thief'
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Opponent(Mutex<opponent::Opponent>);

impl Opponent {
    fn lock(&self) -> MutexGuard<'_, opponent::Opponent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Opponent {
    #[new]
    #[pyo3(signature = (strength, *, style = None, seed = 0))]
    fn new(strength: &Bound<'_, PyAny>, style: Option<&Bound<'_, PyAny>>, seed: u64) -> PyResult<Opponent> {
        let (strength, style) = (self::strength(strength)?, style_or_longest(style)?);
        let made = opponent::Opponent::new(strength, style, seed).map_err(range_error)?;
        Ok(Opponent(Mutex::new(made)))
    }

    /// Chooses a move for the side to move, or returns None if there is no move. To be called once for each
    /// turn, as every call draws lots and remembers the position.
    #[pyo3(signature = (table, police, thief, turn, *, world = 0))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        police: &Bound<'py, PyAny>,
        thief: &Bound<'py, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let position = table.position(police, thief, turn, world)?;
        let chosen = self.lock().choose(table.native(), position).map_err(|error| table.failed(error))?;
        chosen.map(|choice| convert::move_to(py, choice.position, choice.value, table.named())).transpose()
    }

    /// The number that continues the lots as a seed, for a saved game.
    #[getter]
    fn state(&self) -> u64 {
        self.lock().state()
    }

    /// Begins a new game with lots from a seed.
    fn restart(&self, seed: u64) {
        self.lock().restart(seed);
    }

    /// Forgets where the enemy stood, as after moves were taken back.
    fn forget(&self) {
        self.lock().forget();
    }

    /// Returns an opponent that goes on as this one would.
    fn copy(&self) -> Opponent {
        Opponent(Mutex::new(self.lock().clone()))
    }
}

fn positions(table: &Table, given: Vec<PositionArgument<'_>>) -> PyResult<Vec<Position>> {
    given
        .into_iter()
        .map(|PositionArgument(police, thief, turn, world)| table.position(&police, &thief, turn, world))
        .collect()
}

/// Finds the level of the dial at which an opponent on `side` wins `share` per mille of the games from
/// `starts`, positions as (police, thief, turn) or (police, thief, turn, world). `against` is the other
/// side's player, which stays as it is; a perfect one by default.
///
/// >>> found = calibrate(table, [((3, 4), (2, 2), "police")], "police", 500, games=20)
/// >>> found.games
/// 20
#[pyfunction]
#[pyo3(signature = (table, starts, side, share, *, games = 200, seed = 0, style = None, against = None))]
#[expect(clippy::too_many_arguments, reason = "all but four are named options")]
pub(crate) fn calibrate<'py>(
    py: Python<'py>,
    table: &Table,
    starts: Vec<PositionArgument<'py>>,
    side: SideArgument,
    share: u16,
    games: u32,
    seed: u64,
    style: Option<&Bound<'py, PyAny>>,
    against: Option<&Opponent>,
) -> PyResult<Bound<'py, PyAny>> {
    let against = against.map_or_else(|| opponent::Opponent::perfect(0), |other| other.lock().clone());
    let style = style_or_longest(style)?;
    let target = opponent::Target { side: side.0, share, style, against, games, seed };
    let starts = positions(table, starts)?;
    let found = py.detach(|| opponent::Opponent::calibrate(table.native(), &starts, &target));
    let found = found.map_err(|error| match error {
        CalibrationError::Probe(error) => table.failed(error),
        error => PyValueError::new_err(error.to_string()),
    })?;
    convert::calibration(py, &found, tuple_of(&found.strength))
}

/// Rates the moves of `side` in a game: its start and the position after each ply, as (police, thief, turn)
/// or (police, thief, turn, world).
///
/// >>> review(table, [((3, 4), (2, 2), "police"), ((3, 0), (2, 2), "thief")], "police").plies_lost
/// 2
#[pyfunction]
pub(crate) fn review<'py>(
    py: Python<'py>,
    table: &Table,
    game: Vec<PositionArgument<'py>>,
    side: SideArgument,
) -> PyResult<Bound<'py, PyAny>> {
    let game = positions(table, game)?;
    let found = py.detach(|| opponent::Review::new(table.native(), &game, side.0));
    let found = found.map_err(|error| match error {
        ReviewError::Probe(error) => table.failed(error),
        error => PyValueError::new_err(error.to_string()),
    })?;
    convert::review(py, &found, table.named())
}
