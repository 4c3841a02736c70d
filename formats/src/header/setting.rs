//! Board and rules as headers of games on boards store them (`FORMAT.md` §12).

use super::error::HeaderError;
use crate::{
    board::{Board, Square},
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
};
use serde::{Deserialize, Serialize};

/// The fields from the board's height to the rule for teams.
#[derive(Serialize, Deserialize)]
pub(super) struct SettingFields {
    height: u16,
    width: u16,
    squares: Vec<u8>,
    officers: u8,
    police: SideFields,
    thief: SideFields,
    corner_cutting: bool,
    wrap: Wrap,
    stuck: Stuck,
    team: Team,
}

/// The moves of a side.
#[derive(Serialize, Deserialize)]
struct SideFields {
    moves: MoveSet,
    may_pass: bool,
}

/// The other fields of the rules.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct MoreRuleFields {
    police_steps: u8,
    police_reach: u8,
    thief_steps: u8,
    thief_reach: u8,
    police_on_exit: PoliceOnExit,
    undecided: Undecided,
}

/// Returns the fields of this board and these rules.
pub(super) fn pack(board: &Board, rules: &Rules) -> (SettingFields, MoreRuleFields) {
    let side =
        |movement: &Movement| SideFields { moves: movement.moves.clone(), may_pass: movement.may_pass };
    let setting = SettingFields {
        height: board.height(),
        width: board.width(),
        squares: pack_squares(board.squares()),
        officers: rules.officers,
        police: side(&rules.police),
        thief: side(&rules.thief),
        corner_cutting: rules.corner_cutting,
        wrap: rules.wrap,
        stuck: rules.stuck,
        team: rules.team,
    };
    let more = MoreRuleFields {
        police_steps: rules.police.steps,
        police_reach: rules.police.reach,
        thief_steps: rules.thief.steps,
        thief_reach: rules.thief.reach,
        police_on_exit: rules.police_on_exit,
        undecided: rules.undecided,
    };
    (setting, more)
}

/// Returns the board and the rules that these fields say. The rules are still to be checked.
pub(super) fn unpack(setting: SettingFields, more: MoreRuleFields) -> Result<(Board, Rules), HeaderError> {
    let (height, width) = (usize::from(setting.height), usize::from(setting.width));
    Board::check_size(height, width)?;
    let squares = unpack_squares(&setting.squares, height * width)?;
    let board = Board::new(height, width, squares)?;
    let side = |fields: SideFields, steps, reach| Movement {
        moves: fields.moves,
        may_pass: fields.may_pass,
        steps,
        reach,
    };
    let rules = Rules {
        officers: setting.officers,
        police: side(setting.police, more.police_steps, more.police_reach),
        thief: side(setting.thief, more.thief_steps, more.thief_reach),
        corner_cutting: setting.corner_cutting,
        wrap: setting.wrap,
        stuck: setting.stuck,
        team: setting.team,
        police_on_exit: more.police_on_exit,
        undecided: more.undecided,
    };
    Ok((board, rules))
}

fn pack_squares(squares: &[Square]) -> Vec<u8> {
    squares.chunks(4).map(|four| four.iter().rev().fold(0, |byte, s| byte << 2 | s.byte())).collect()
}

fn unpack_squares(bytes: &[u8], count: usize) -> Result<Vec<Square>, HeaderError> {
    let expected = count.div_ceil(4);
    if bytes.len() != expected {
        return Err(HeaderError::SquareBytes { expected, found: bytes.len() });
    }
    let mut squares = Vec::with_capacity(count);
    for (i, &four) in bytes.iter().enumerate() {
        for shift in [0, 2, 4, 6] {
            let square =
                Square::from_byte(four >> shift & 3).ok_or(HeaderError::UnknownSquare { byte: i })?;
            if squares.len() < count {
                squares.push(square);
            } else if square != Square::Wall {
                return Err(HeaderError::UnknownSquare { byte: i });
            }
        }
    }
    Ok(squares)
}
