//! `dragnet probe` of a partial table.

use super::{Probe, print_json};
use crate::{
    failure::Failure,
    output::{console::print_line, human},
};
use dragnet_formats::header::Keep;
use dragnet_probe::{Outcome, PartialTable, ProbeError};

impl Probe {
    pub(super) fn partial(&self, table: &PartialTable) -> Result<(), Failure> {
        let in_table = |failure: Failure| failure.in_file(&self.table);
        if self.stdin || self.vertex.is_some() || !self.graph.is_empty() {
            let message = "a partial table answers one position at a time: expected --police and --thief";
            return Err(in_table(Failure::input(message)));
        }
        let position = self.position.position(table.board(), table.rules(), || None, |_| Ok(None))?;
        let sentence = human::position(table.board(), &position);
        let failed = |error: ProbeError| in_table(error.into());
        let mut answer = serde_json::json!({
            "turn": position.turn,
            "police": human::pieces_json(&position.police),
            "thief": [position.thief.row, position.thief.col],
        });
        match table.keep() {
            Keep::Outcomes => {
                let outcome = table.outcome(position).map_err(failed)?;
                if self.json {
                    answer["outcome"] = outcome.to_string().into();
                    return print_json(&answer);
                }
                let words = match outcome {
                    Outcome::Draw => "a draw".to_owned(),
                    winner => format!("the {winner} wins"),
                };
                print_line(&format!("{sentence}: {words}"))
            }
            Keep::MovesOf(_) => {
                let to = table.best_move(position).map_err(failed)?;
                if self.json {
                    answer["best_move"] = to.map_or(serde_json::Value::Null, |to| human::pieces_json(&to));
                    return print_json(&answer);
                }
                let words = match to {
                    Some(to) => format!("best move {}", human::pieces(table.board(), &to)),
                    None => "no move".to_owned(),
                };
                print_line(&format!("{sentence}: {words}"))
            }
        }
    }
}
