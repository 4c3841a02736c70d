//! Games that a program gives.

use crate::errors::wrong;
use dragnet_formats::{
    game::{MoveRows, MoveTable, OfficerKind, Places, PursuitGame, terminal::TerminalRule},
    stored::StoredGame,
};
use pyo3::prelude::*;

/// The pieces of a side: the names of their layers, the numbers of the squares of their grid that are places,
/// and for each place of each world, world after world, the numbers of those to which a piece may move, and
/// whether the game ends there.
#[derive(FromPyObject)]
pub(crate) struct Pieces(Vec<String>, Vec<usize>, Vec<Vec<u32>>, Vec<bool>);

/// A kind of officers: its name, the number of its officers, and that of its layers, which follow those of
/// the kind before.
#[derive(FromPyObject)]
pub(crate) struct Kind(String, u8, usize);

/// A pursuit game that a program gives, as a table stores it.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Game(pub(crate) StoredGame);

#[pymethods]
impl Game {
    /// Creates a game on a board of so many rows and columns. `words` are how many officers move in a turn,
    /// what becomes of a side that has no move, for whom a draw counts, and what the thief is called.
    /// `pieces` are the officers of all kinds, and the thief. `captures` has for each place of an officer in
    /// each world the numbers of the thief's places that an officer there captures.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python calls it with names")]
    fn new(
        board: (u16, u16),
        worlds: u32,
        words: [String; 4],
        kinds: Vec<Kind>,
        pieces: [Pieces; 2],
        captures: Option<Vec<Vec<u32>>>,
        source: String,
        points: Vec<(i32, i32)>,
    ) -> PyResult<Game> {
        let [team, stuck, undecided, thief] = words;
        let [team, stuck, undecided] = [team, stuck, undecided].map(serde_json::Value::from);
        let [Pieces(mut officer_layers, officer_squares, officer_moves, arrivals), of_thief] = pieces;
        let Pieces(thief_layers, thief_squares, thief_moves, escapes) = of_thief;
        let places = |layers: &[String], squares: &[usize]| {
            let height = u16::try_from(usize::from(board.0) * layers.len()).map_err(wrong)?;
            let mut is_place = vec![false; usize::from(height) * usize::from(board.1)];
            squares.iter().for_each(|&square| is_place[square] = true);
            Ok::<_, PyErr>(Places::new(height, board.1, is_place))
        };
        let ends = TerminalRule::new(escapes, arrivals).with_worlds(worlds);
        let ends = match captures {
            Some(captures) => ends.with_captures(table(captures)?),
            None => ends,
        };
        let rows = |layers| u16::try_from(usize::from(board.0) * layers).map_err(wrong);
        let game = PursuitGame {
            kinds: (kinds.iter())
                .map(|&Kind(_, pieces, layers)| Ok(OfficerKind { pieces, rows: rows(layers)? }))
                .collect::<PyResult<_>>()?,
            team: serde_json::from_value(team).map_err(|error| wrong(format!("team: {error}")))?,
            stuck: serde_json::from_value(stuck).map_err(|error| wrong(format!("stuck: {error}")))?,
            worlds,
            places: [places(&officer_layers, &officer_squares)?, places(&thief_layers, &thief_squares)?],
            moves: [table(officer_moves)?, table(thief_moves)?],
            ends,
        };
        game.check().map_err(wrong)?;
        let undecided =
            serde_json::from_value(undecided).map_err(|error| wrong(format!("undecided: {error}")))?;
        let mut layers: Vec<Vec<String>> =
            kinds.iter().map(|&Kind(_, _, layers)| officer_layers.drain(..layers).collect()).collect();
        layers.push(thief_layers);
        let names = kinds.into_iter().map(|Kind(name, ..)| name).chain([thief]).collect();
        Ok(Game(StoredGame { game, names, layers, undecided, source, points }))
    }
}

/// Returns the moves of a piece from each place.
fn table(rows: Vec<Vec<u32>>) -> PyResult<MoveTable> {
    let mut moves = MoveRows::new(rows.len(), u32::MAX);
    for row in rows {
        moves.push(row).map_err(wrong)?;
    }
    Ok(moves.finish())
}
