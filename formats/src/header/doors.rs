//! A board with doors as the header of its game table stores it (`FORMAT.md` §12).

use super::{
    error::HeaderError,
    setting::{self, MoreRuleFields, SettingFields},
};
use crate::{
    cell::Cell,
    doors::{Door, DoorBoard, Opening, Schedule},
};
use serde::{Deserialize, Serialize};

/// The fields behind those of game 1.
#[derive(Serialize, Deserialize)]
pub(super) struct DoorBoardFields {
    setting: SettingFields,
    rules: MoreRuleFields,
    doors: Vec<DoorFields>,
}

#[derive(Serialize, Deserialize)]
struct DoorFields {
    cell: (u16, u16),
    opening: OpeningFields,
}

#[derive(Serialize, Deserialize)]
enum OpeningFields {
    Key { cell: (u16, u16), open: bool },
    Schedule { period: u8, open: u16 },
}

impl DoorBoardFields {
    /// Returns the fields of this game.
    pub(super) fn of(game: &DoorBoard) -> DoorBoardFields {
        let (setting, more) = setting::pack(game.board(), game.rules());
        let pair = |cell: Cell| (cell.row, cell.col);
        let door = |door: &Door| {
            let opening = match &door.opening {
                Opening::Key { cell, open } => OpeningFields::Key { cell: pair(*cell), open: *open },
                Opening::Schedule(schedule) => {
                    OpeningFields::Schedule { period: schedule.period(), open: schedule.bits() }
                }
            };
            DoorFields { cell: pair(door.cell), opening }
        };
        DoorBoardFields { setting, rules: more, doors: game.doors().iter().map(door).collect() }
    }

    /// Returns the game that these fields say.
    pub(super) fn game(self) -> Result<DoorBoard, HeaderError> {
        let (board, rules) = setting::unpack(self.setting, self.rules)?;
        let cell = |(row, col)| Cell::new(row, col);
        let mut doors = Vec::with_capacity(self.doors.len());
        for door in self.doors {
            let opening = match door.opening {
                OpeningFields::Key { cell: key, open } => Opening::Key { cell: cell(key), open },
                OpeningFields::Schedule { period, open } => {
                    Opening::Schedule(Schedule::of_bits(period, open)?)
                }
            };
            doors.push(Door { cell: cell(door.cell), opening });
        }
        Ok(DoorBoard::new(board, rules, doors)?)
    }
}
