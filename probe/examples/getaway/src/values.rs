//! The values of a map's positions, with doors or without.

use anyhow::{Context, bail};
use dragnet_probe::{
    AnyTable, Board, Choice, DoorBoard, DoorPosition, DoorTable, MoveTable, Plies, Position, ProbeError,
    Rules, Side, Stuck, Table, Undecided, Value, opponent::ValuedGame,
};

/// A position of a game: the pieces, the side to move, and the state of the doors, if the map has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FullPosition {
    /// The pieces and the side to move.
    pub(crate) pieces: Position,
    /// The switches that have been stepped on an odd number of times, one bit each.
    keys: u8,
    /// The plies since the schedules of doors began anew.
    phase: u32,
}

impl FullPosition {
    /// Creates a position in which no switch has been stepped on and the schedules begin.
    #[must_use]
    pub(crate) fn new(pieces: Position) -> FullPosition {
        FullPosition { pieces, keys: 0, phase: 0 }
    }

    fn behind_doors(self) -> DoorPosition {
        let Position { police, thief, turn } = self.pieces;
        DoorPosition { police: police.cell(), thief, turn, keys: self.keys, phase: self.phase }
    }
}

impl From<DoorPosition> for FullPosition {
    fn from(position: DoorPosition) -> FullPosition {
        let DoorPosition { police, thief, turn, keys, phase } = position;
        FullPosition { pieces: Position::new(police, thief, turn), keys, phase }
    }
}

/// The table of a map.
#[derive(Debug)]
pub(crate) enum Values {
    /// A table of a map without doors.
    Plain(Box<Table>),
    /// A table of a map with doors.
    Doors(Box<DoorTable>),
}

impl Values {
    /// Opens a table and checks all of it, which takes less than a frame. After that no probe can fail.
    ///
    /// # Errors
    /// Returns an error if the bytes are no table of a board, or a damaged one.
    pub(crate) fn open(bytes: &'static [u8]) -> anyhow::Result<Values> {
        Ok(match AnyTable::from_bytes_with(bytes, dragnet_probe::Options::default())? {
            AnyTable::Pursuit(table) => {
                table.check_sums(|_| {})?;
                table.setting().context("expected a table of a board")?;
                Values::Plain(table)
            }
            AnyTable::Game(table) => {
                table.check_sums(|_| {})?;
                Values::Doors(Box::new(DoorTable::new(*table).context("a map with doors")?))
            }
            AnyTable::Partial(_) => bail!("expected a table with all values"),
        })
    }

    /// Returns the board, with all doors open.
    #[must_use]
    pub(crate) fn board(&self) -> &Board {
        match self {
            Values::Plain(table) => table.board(),
            Values::Doors(table) => table.game().board(),
        }
    }

    /// Returns the rules.
    #[must_use]
    pub(crate) fn rules(&self) -> &Rules {
        match self {
            Values::Plain(table) => &table.setting().expect("checked when the table was opened").rules,
            Values::Doors(table) => table.game().rules(),
        }
    }

    /// Returns the board with its doors, if it has any.
    #[must_use]
    pub(crate) fn doors(&self) -> Option<&DoorBoard> {
        match self {
            Values::Plain(_) => None,
            Values::Doors(table) => Some(table.game()),
        }
    }

    /// Returns whether door number `door` is open.
    #[must_use]
    pub(crate) fn is_open(&self, door: usize, position: FullPosition) -> bool {
        self.doors().is_some_and(|game| game.is_open(door, position.keys, position.phase))
    }

    /// Returns how many per cent of all positions each side wins: the police, the thief.
    #[must_use]
    pub(crate) fn shares(&self) -> [u64; 2] {
        let percent = |part: u64, whole: u64| (part * 100 + whole / 2) / whole.max(1);
        match self {
            Values::Plain(table) => {
                let counts = table.header().summary.police_to_move;
                [counts.police, counts.thief].map(|wins| percent(wins, counts.total()))
            }
            // The header of a table with doors counts for the side to move: half the positions are enough.
            Values::Doors(table) => {
                let game = table.game();
                let mut wins = [0; 2];
                let every = (game.positions() / 20_000).max(1) | 1;
                let mut asked = 0;
                for number in (0..game.positions()).step_by(every as usize) {
                    let value = table.table().value(number).unwrap_or(Value::Draw);
                    if let Some(winner) = value.outcome(game.turn(number)).winner() {
                        wins[usize::from(winner == Side::Thief)] += 1;
                    }
                    asked += 1;
                }
                wins.map(|wins| percent(wins, asked))
            }
        }
    }

    /// Returns the length of the table in bytes.
    #[cfg(test)]
    pub(crate) fn file_len(&self) -> u64 {
        match self {
            Values::Plain(table) => table.file_len(),
            Values::Doors(table) => table.table().file_len(),
        }
    }
}

impl ValuedGame for Values {
    type Position = FullPosition;

    fn board(&self) -> &Board {
        self.board()
    }

    fn stuck(&self) -> Stuck {
        self.rules().stuck
    }

    fn undecided(&self) -> Undecided {
        self.rules().undecided
    }

    fn digest(&self) -> u64 {
        match self {
            Values::Plain(table) => ValuedGame::digest(&**table),
            Values::Doors(table) => ValuedGame::digest(&**table),
        }
    }

    fn moves(&self, side: Side, most: u32) -> Option<MoveTable> {
        match self {
            Values::Plain(table) => ValuedGame::moves(&**table, side, most),
            Values::Doors(table) => ValuedGame::moves(&**table, side, most),
        }
    }

    fn longest(&self) -> Plies {
        match self {
            Values::Plain(table) => table.longest(),
            Values::Doors(table) => table.longest(),
        }
    }

    fn pieces(position: FullPosition) -> Position {
        position.pieces
    }

    fn with_pieces(position: FullPosition, pieces: Position) -> FullPosition {
        FullPosition { pieces, ..position }
    }

    fn value(&self, position: FullPosition) -> Result<Value, ProbeError> {
        match self {
            Values::Plain(table) => table.value(position.pieces),
            Values::Doors(table) => table.value(position.behind_doors()),
        }
    }

    fn winner(&self, position: FullPosition) -> Result<Option<Side>, ProbeError> {
        match self {
            Values::Plain(table) => table.winner(position.pieces),
            Values::Doors(table) => table.winner(position.behind_doors()),
        }
    }

    fn best_moves_into(
        &self,
        position: FullPosition,
        choices: &mut Vec<Choice<FullPosition>>,
    ) -> Result<(), ProbeError> {
        choices.clear();
        match self {
            Values::Plain(table) => choices.extend(table.best_moves(position.pieces)?.into_iter().map(
                |Choice { to, position: pieces, value }| Choice {
                    to,
                    position: FullPosition { pieces, ..position },
                    value,
                },
            )),
            Values::Doors(table) => {
                choices.extend(
                    table.best_moves(position.behind_doors())?.into_iter().map(
                        |Choice { to, position, value }| Choice { to, position: position.into(), value },
                    ),
                );
            }
        }
        Ok(())
    }
}
