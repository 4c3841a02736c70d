//! Board and rules as headers of games on boards store them (`FORMAT.md` §3).

use super::{
    error::HeaderError,
    pack::{EdgeFields, board_of_graph, pack_edges, pack_squares, unpack_edges, unpack_squares},
};
use crate::{
    board::Board,
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

/// The fields of the rules that game 0 lacks.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct MoreRuleFields {
    police_steps: u8,
    police_reach: u8,
    thief_steps: u8,
    thief_reach: u8,
    police_on_exit: PoliceOnExit,
    undecided: Undecided,
}

/// The fields that follow the digest in game 2.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct MoreFields {
    pub(super) rules: MoreRuleFields,
    edges: Option<EdgeFields>,
}

impl MoreFields {
    /// Returns the fields that game 0 implies.
    pub(super) fn of_plain() -> MoreFields {
        let rules = MoreRuleFields {
            police_steps: 1,
            police_reach: 1,
            thief_steps: 1,
            thief_reach: 1,
            police_on_exit: PoliceOnExit::Allowed,
            undecided: Undecided::Draw,
        };
        MoreFields { rules, edges: None }
    }

    /// Returns these rules on a board of squares.
    pub(super) fn of_squares(rules: MoreRuleFields) -> MoreFields {
        MoreFields { rules, edges: None }
    }
}

/// Returns the fields of this board and these rules.
pub(super) fn pack(board: &Board, rules: &Rules) -> (SettingFields, MoreFields) {
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
    (setting, MoreFields { rules: more, edges: board.graph().map(pack_edges) })
}

/// Returns the board and the rules that these fields say. The rules are still to be checked.
pub(super) fn unpack(setting: SettingFields, more: MoreFields) -> Result<(Board, Rules), HeaderError> {
    let (height, width) = (usize::from(setting.height), usize::from(setting.width));
    Board::check_size(height, width)?;
    let squares = unpack_squares(&setting.squares, height * width)?;
    let board = match &more.edges {
        Some(edges) => board_of_graph(squares, &unpack_edges(edges, height, width)?)?,
        None => Board::new(height, width, squares)?,
    };
    let side = |fields: SideFields, steps, reach| Movement {
        moves: fields.moves,
        may_pass: fields.may_pass,
        steps,
        reach,
    };
    let rules = Rules {
        officers: setting.officers,
        police: side(setting.police, more.rules.police_steps, more.rules.police_reach),
        thief: side(setting.thief, more.rules.thief_steps, more.rules.thief_reach),
        corner_cutting: setting.corner_cutting,
        wrap: setting.wrap,
        stuck: setting.stuck,
        team: setting.team,
        police_on_exit: more.rules.police_on_exit,
        undecided: more.rules.undecided,
    };
    Ok((board, rules))
}
