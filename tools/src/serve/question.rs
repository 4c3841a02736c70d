//! A question about a table: which one, about what, and what the client knows already.

use super::problem::Problem;
use axum::{
    extract::{FromRequestParts, Path},
    http::{HeaderMap, request::Parts},
};
use dragnet_probe::{Cell, Pieces, Position, Side};

/// A question about a table.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The name of the table.
    pub(super) name: String,
    pub(super) asked: Asked,
    pub(super) headers: HeaderMap,
}

impl<S: Send + Sync> FromRequestParts<S> for Question {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Question, Problem> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) = name.map_err(|error| Problem::bad_request(error.body_text()))?;
        let asked = Asked::read(parts.uri.query().unwrap_or(""))?;
        Ok(Question { name, asked, headers: parts.headers.clone() })
    }
}

/// The parameters of a question.
#[derive(Clone, Debug, Default, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// Row and column of the officer, as in 7,1; several officers are joined by ; or +.
    police: Option<String>,
    /// Row and column of the thief.
    thief: Option<String>,
    /// The side to move: police or thief; police if absent.
    turn: Option<String>,
    /// The world, 0 if it is left out.
    #[param(value_type = Option<u32>)]
    world: Option<String>,
    /// The number of a position, in a table of a game on a graph.
    #[param(value_type = Option<u64>)]
    vertex: Option<String>,
    /// The digest that the table must have. The answer may then be kept for ever.
    pub(super) digest: Option<String>,
}

impl Asked {
    fn read(query: &str) -> Result<Asked, Problem> {
        let mut asked = Asked::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let field = match name.as_ref() {
                "police" => &mut asked.police,
                "thief" => &mut asked.thief,
                "turn" => &mut asked.turn,
                "world" => &mut asked.world,
                "vertex" => &mut asked.vertex,
                "digest" => &mut asked.digest,
                other => {
                    let known = "police, thief, turn, world, vertex or digest";
                    return Err(Problem::bad_request(format!(
                        "expected a parameter {known}, found {other:?}"
                    )));
                }
            };
            if field.replace(value.into_owned()).is_some() {
                return Err(Problem::bad_request(format!("expected {name} once, found it again")));
            }
        }
        Ok(asked)
    }

    /// Returns the position of a pursuit game with this many officers.
    pub(super) fn position(&self, officers: u8) -> Result<Position, Problem> {
        if self.vertex.is_some() {
            return Err(Problem::bad_request("vertex: this table has police and thief"));
        }
        let missing = |name: &str| Problem::bad_request(format!("{name}: expected ROW,COL, found nothing"));
        let wrong =
            |name: &str, error: &dyn std::fmt::Display| Problem::bad_request(format!("{name}: {error}"));
        let police = self.police.as_deref().ok_or_else(|| missing("police"))?.replace([';', ' '], "+");
        let police: Pieces = police.parse().map_err(|error| wrong("police", &error))?;
        if police.cells().len() != usize::from(officers) {
            let found = police.cells().len();
            return Err(wrong(
                "police",
                &format!("expected the cells of {officers} officers, found {found}"),
            ));
        }
        let thief = self.thief.as_deref().ok_or_else(|| missing("thief"))?;
        let thief: Cell = thief.parse().map_err(|error| wrong("thief", &error))?;
        let turn = match self.turn.as_deref() {
            None => Side::Police,
            Some(turn) => turn.parse().map_err(|error| wrong("turn", &error))?,
        };
        let world = match self.world.as_deref() {
            None => 0,
            Some(world) => world.parse().map_err(|error| wrong("world", &error))?,
        };
        Ok(Position { world, police, thief, turn })
    }

    /// Returns the number of a position of a game on a graph.
    pub(super) fn vertex(&self) -> Result<u64, Problem> {
        let wrong = |found: &str| {
            Problem::bad_request(format!("vertex: expected the number of a position, found {found}"))
        };
        let number = self.vertex.as_deref().ok_or_else(|| wrong("nothing"))?;
        number.parse().map_err(|_| wrong(&format!("{number:?}")))
    }
}
