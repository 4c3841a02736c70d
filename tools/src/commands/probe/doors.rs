//! `dragnet probe` of a table on a board with doors.

use super::{Probe, print};
use crate::{
    failure::Failure,
    make::journal,
    output::{console::print_json, json::JsonCell},
    table::answers::PositionAnswer,
};
use dragnet_formats::{cell::Cell, doors::DoorPosition};
use dragnet_probe::{Choice, DoorTable, GameTable, ProbeError};
use schemars::JsonSchema;
use serde::Serialize;

/// A position on a board with doors, with the value of each move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DoorsAnswer {
    #[serde(flatten)]
    position: PositionAnswer,
    /// The doors, in reading order.
    doors: Vec<DoorAnswer>,
}

/// The state of a door.
#[derive(Serialize, JsonSchema)]
struct DoorAnswer {
    /// Where the door is.
    cell: JsonCell,
    /// Whether the door is open.
    open: bool,
}

impl Probe {
    pub(super) fn doors(&self, table: GameTable) -> Result<(), Failure> {
        let in_table = |error: ProbeError| Failure::from(error).in_file(&self.table);
        let refused = |message: &str| Err(Failure::input(message).in_file(&self.table));
        if self.vertex.is_some() || !self.graph.is_empty() {
            return refused(
                "--vertex and --graph are for graphs, and this table is of a board with doors; expected --police and --thief",
            );
        }
        if self.stdin {
            return refused("--stdin is for tables without doors; expected --police and --thief");
        }
        let table = DoorTable::new(table).map_err(in_table)?;
        let game = table.game();
        let marked = || journal::start_cells(&self.table, table.table().summary().digest);
        let given = self.position.position(game.board(), 1, marked, |_| Ok(None))?;
        if self.phase.is_some() && game.doors().iter().all(|door| door.schedule().is_none()) {
            return refused("--phase is for schedules, and no door of this board has one");
        }
        let position = DoorPosition {
            keys: self.turned_keys(game.keys())?,
            phase: self.phase.unwrap_or(0) % game.phases(),
            ..DoorPosition::new(given.police.cell(), given.thief, given.turn)
        };
        let value = table.value(position).map_err(in_table)?;
        let moves = table.best_moves(position).map_err(in_table)?;
        let moves: Vec<Choice> = (moves.iter())
            .map(|choice| Choice { to: choice.to, position: given.after(choice.to), value: choice.value })
            .collect();
        let doors = (game.doors().iter().enumerate())
            .map(|(number, door)| DoorAnswer {
                cell: door.cell.into(),
                open: game.is_open(number, position.keys, position.phase),
            })
            .collect::<Vec<_>>();
        let undecided = game.rules().undecided;
        if self.json {
            let position = PositionAnswer::new(given, value, &moves, undecided);
            return print_json(&DoorsAnswer { position, doors });
        }
        let state = |door: &DoorAnswer| {
            format!("door {} is {}", Cell::from(door.cell), if door.open { "open" } else { "closed" })
        };
        let states: Vec<String> = doors.iter().map(state).collect();
        print(game.board(), undecided, given, value, &moves, &[states.join(", ")])
    }

    /// Returns the keys of `--turned`, one bit each.
    fn turned_keys(&self, keys: &[Cell]) -> Result<u8, Failure> {
        self.turned.iter().try_fold(0, |turned, cell| match keys.binary_search(cell) {
            Ok(number) if turned >> number & 1 == 1 => {
                Err(Failure::input(format!("--turned: expected each key once, found {cell} twice")))
            }
            Ok(number) => Ok(turned | 1 << number),
            Err(_) => {
                let known: Vec<String> = keys.iter().map(Cell::to_string).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(" ") };
                Err(Failure::input(format!(
                    "--turned: expected the cell of a key, of which there are {known}, found {cell}"
                )))
            }
        })
    }
}
