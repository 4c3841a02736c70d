//! `dragnet probe` of a game table.

use super::{Probe, stream};
use crate::{
    commands::graph::show::{SolvedGraph, VertexValue, sentence},
    failure::Failure,
    input::graphs::NamedGame,
    output::{
        console::{output, print_json},
        json::PlayerResult,
    },
};
use dragnet_formats::value::Value;
use dragnet_generator::GamePlay;
use dragnet_probe::GameTable;
use dragnet_verify::AllValues;
use std::io::Write;

impl Probe {
    pub(super) fn game_table(&self, table: &GameTable) -> Result<(), Failure> {
        let in_table = |failure: Failure| failure.in_file(&self.table);
        if !self.position.is_empty() {
            let message = "the positions of this table are numbers, not cells of a board; expected --vertex";
            return Err(in_table(Failure::input(message)));
        }
        let game = self.graph.read()?;
        if let Some(game) = &game {
            game.check(table.header()).map_err(in_table)?;
        }
        if self.stdin {
            let parse = |line: &[u8]| {
                let name = String::from_utf8_lossy(line.trim_ascii());
                number(table, game.as_ref(), &name).map_err(Failure::input)
            };
            let values = |positions: &[u64]| table.values(positions);
            let line =
                |_: &u64, value: Value| self.line(PlayerResult::from(value).to_string(), None, value.dtw());
            return stream::answer(&self.table, parse, values, line);
        }
        let name =
            self.vertex.as_deref().ok_or_else(|| in_table(Failure::input("expected --vertex VERTEX")))?;
        let position = number(table, game.as_ref(), name)
            .map_err(|message| Failure::input(format!("--vertex: {message}")))?;
        let mut output = output();
        if let Some(NamedGame { game, names }) = &game {
            // The whole graph has been read, so the whole table may be.
            let values = AllValues::read(table).map_err(|error| in_table(error.into()))?;
            let play = GamePlay::new(game, |vertex| values.of(vertex));
            let shown = SolvedGraph { play, names };
            if self.json {
                return print_json(&shown.moves_json(position as u32));
            }
            shown.show_vertex(position as u32, &mut output)?;
        } else {
            let value = table.value(position).map_err(|error| in_table(error.into()))?;
            if self.json {
                return print_json(&VertexValue::new(name.to_owned(), value));
            }
            writeln!(output, "{}", sentence(name, value))?;
        }
        Ok(output.flush()?)
    }
}

/// Returns the number of the position with this name; without a graph the name is the number.
fn number(table: &GameTable, game: Option<&NamedGame>, name: &str) -> Result<u64, String> {
    if let Some(game) = game {
        return game.vertex(name).map(u64::from).map_err(|error| error.to_string());
    }
    let number = name.parse().ok().filter(|&number: &u64| number < table.positions());
    let last = table.positions() - 1;
    number.ok_or_else(|| {
        let shown: String = name.chars().take(80).collect();
        format!("expected a position from 0 to {last}, found {shown:?}")
    })
}
