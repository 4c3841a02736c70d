//! Game tables on boards with doors, asked by positions on the board.

use crate::{
    border::{Handle, In, Out},
    convert::{one_side, side_number, stuck_number, undecided_number},
    failure::{Failure, guard},
    types::{Cell, Door, DoorBoard, DoorMove, DoorPosition, Status, Value},
};
use dragnet_probe::{Choice, DoorTable, GameTable, Opening};
use std::cell::RefCell;

thread_local! {
    /// Room for the moves of a position.
    static CHOICES: RefCell<Vec<Choice<dragnet_probe::DoorPosition>>> = const { RefCell::new(Vec::new()) };
}

fn with_doors(table: Handle<GameTable>) -> Result<DoorTable, Failure> {
    Ok(DoorTable::new(table.share("table")?)?)
}

fn read(position: In<DoorPosition>) -> Result<dragnet_probe::DoorPosition, Failure> {
    position.get("position")?.try_into()
}

/// Writes the sizes of the board and its doors, and how games end.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_board_of(table: Handle<GameTable>, board: Out<DoorBoard>) -> Status {
    guard(|| {
        let (table, board) = (with_doors(table)?, board.single("board")?);
        let game = table.game();
        board.write(DoorBoard {
            height: game.board().height() as u32,
            width: game.board().width() as u32,
            doors: game.doors().len() as u32,
            keys: game.keys().len() as u32,
            phases: game.phases(),
            stuck: stuck_number(game.rules().stuck),
            undecided: undecided_number(game.rules().undecided),
        });
        Ok(())
    })
}

/// Writes the squares of the board.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_squares(
    table: Handle<GameTable>,
    squares: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (with_doors(table)?, count.single("count")?);
        let found = table.game().board().squares();
        squares.buffer(capacity, "squares")?.fill(found.iter().map(|square| square.byte()));
        count.write(found.len());
        Ok(())
    })
}

/// Writes the doors.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_doors(
    table: Handle<GameTable>,
    doors: Out<Door>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (with_doors(table)?, count.single("count")?);
        let found = table.game().doors();
        doors.buffer(capacity, "doors")?.fill(found.iter().map(Door::from));
        count.write(found.len());
        Ok(())
    })
}

/// Writes the cells of the keys.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_keys(
    table: Handle<GameTable>,
    keys: Out<Cell>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (with_doors(table)?, count.single("count")?);
        let found = table.game().keys();
        keys.buffer(capacity, "keys")?.fill(found.iter().copied().map(Cell::from));
        count.write(found.len());
        Ok(())
    })
}

/// Writes whether a door is open in a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_is_open(
    table: Handle<GameTable>,
    door: usize,
    position: In<DoorPosition>,
    open: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, open) = (with_doors(table)?, read(position)?, open.single("open")?);
        table.winner(position)?;
        let doors = table.game().doors().len();
        if door >= doors {
            let last = doors - 1;
            return Err(Failure::argument(format_args!("door: expected 0 to {last}, found {door}")));
        }
        open.write(table.game().is_open(door, position.keys, position.phase).into());
        Ok(())
    })
}

/// Writes the number of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_number(
    table: Handle<GameTable>,
    position: In<DoorPosition>,
    number: Out<u64>,
) -> Status {
    guard(|| {
        let (table, position, number) = (with_doors(table)?, read(position)?, number.single("number")?);
        table.winner(position)?;
        number.write(table.game().number(position).expect("a position that exists has a number"));
        Ok(())
    })
}

/// Writes the value of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_value(
    table: Handle<GameTable>,
    position: In<DoorPosition>,
    value: Out<Value>,
) -> Status {
    guard(|| {
        let (table, position, value) = (with_doors(table)?, read(position)?, value.single("value")?);
        value.write(Value::of(table.value(position)?, position.turn));
        Ok(())
    })
}

/// Writes every legal move, best first.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_moves(
    table: Handle<GameTable>,
    position: In<DoorPosition>,
    moves: Out<DoorMove>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position, count) = (with_doors(table)?, read(position)?, count.single("count")?);
        let moves = moves.buffer(capacity, "moves")?;
        CHOICES.with_borrow_mut(|choices| {
            table.best_moves_into(position, choices)?;
            moves.fill(choices.iter().map(DoorMove::from));
            count.write(choices.len());
            Ok(())
        })
    })
}

/// Writes the side that has won a terminal position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_door_winner(
    table: Handle<GameTable>,
    position: In<DoorPosition>,
    winner: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, winner) = (with_doors(table)?, read(position)?, winner.single("winner")?);
        winner.write(side_number(table.winner(position)?));
        Ok(())
    })
}

impl TryFrom<DoorPosition> for dragnet_probe::DoorPosition {
    type Error = Failure;

    fn try_from(position: DoorPosition) -> Result<dragnet_probe::DoorPosition, Failure> {
        let cell = |cell: Cell| dragnet_probe::Cell::new(cell.row, cell.col);
        let keys = u8::try_from(position.keys).map_err(|_| {
            Failure::argument(format_args!("keys: expected at most {}, found {}", u8::MAX, position.keys))
        })?;
        let turn = one_side(position.turn, "turn")?;
        let (police, thief, phase) = (cell(position.police), cell(position.thief), position.phase);
        Ok(dragnet_probe::DoorPosition { police, thief, turn, keys, phase })
    }
}

impl From<&Choice<dragnet_probe::DoorPosition>> for DoorMove {
    fn from(choice: &Choice<dragnet_probe::DoorPosition>) -> DoorMove {
        let after = choice.position;
        let position = DoorPosition {
            police: after.police.into(),
            thief: after.thief.into(),
            turn: side_number(Some(after.turn)),
            keys: after.keys.into(),
            phase: after.phase,
        };
        DoorMove { after: position, value: Value::of(choice.value, after.turn) }
    }
}

impl From<&dragnet_probe::Door> for Door {
    fn from(door: &dragnet_probe::Door) -> Door {
        let (key, open, period, schedule) = match door.opening {
            Opening::Key { cell, open } => (cell.into(), open, 0, 0),
            Opening::Schedule(schedule) => (
                Cell { row: 0, col: 0 },
                schedule.is_open(0),
                schedule.period().into(),
                schedule.bits().into(),
            ),
        };
        Door { cell: door.cell.into(), key, open: open.into(), period, schedule }
    }
}
