//! Conversions of rules.

use super::{boolean, unknown};
use crate::{
    failure::Failure,
    types::{self, moves, police_on_exit, side, stuck, team, wrap},
};
use dragnet_probe::{MoveSet, Movement, PoliceOnExit, Rules, Side, Stuck, Team, Undecided, Wrap};

impl From<&Movement> for types::Movement {
    fn from(movement: &Movement) -> types::Movement {
        let mut offsets = [types::Offset { rows: 0, cols: 0 }; types::MAX_OFFSETS];
        let steps = movement.moves.offsets();
        for (offset, &(rows, cols)) in offsets.iter_mut().zip(steps) {
            *offset = types::Offset { rows, cols };
        }
        types::Movement {
            moves: match movement.moves {
                MoveSet::King => moves::KING,
                MoveSet::Orthogonal => moves::ORTHOGONAL,
                MoveSet::Diagonal => moves::DIAGONAL,
                MoveSet::Knight => moves::KNIGHT,
                MoveSet::Offsets(_) => moves::OFFSETS,
                MoveSet::Edges => moves::EDGES,
            },
            may_pass: movement.may_pass.into(),
            steps: movement.steps.into(),
            reach: movement.reach.into(),
            offset_count: steps.len() as u32,
            offsets,
        }
    }
}

impl TryFrom<&types::Movement> for Movement {
    type Error = Failure;

    fn try_from(movement: &types::Movement) -> Result<Movement, Failure> {
        let moves = match movement.moves {
            moves::KING => MoveSet::King,
            moves::ORTHOGONAL => MoveSet::Orthogonal,
            moves::DIAGONAL => MoveSet::Diagonal,
            moves::KNIGHT => MoveSet::Knight,
            moves::OFFSETS => {
                let count = movement.offset_count as usize;
                let offsets = movement.offsets.get(..count).ok_or_else(|| {
                    let most = types::MAX_OFFSETS;
                    Failure::argument(format_args!("offset_count: expected at most {most}, found {count}"))
                })?;
                MoveSet::Offsets(offsets.iter().map(|offset| (offset.rows, offset.cols)).collect())
            }
            moves::EDGES => MoveSet::Edges,
            found => return Err(unknown("moves", "a move set, 0 to 5", found)),
        };
        let count = |number: i32, field: &str| {
            u8::try_from(number).map_err(|_| unknown(field, "a number from 1 to 255", number))
        };
        Ok(Movement {
            moves,
            may_pass: boolean(movement.may_pass, "may_pass")?,
            steps: count(movement.steps, "steps")?,
            reach: count(movement.reach, "reach")?,
        })
    }
}

impl From<&Rules> for types::Rules {
    fn from(rules: &Rules) -> types::Rules {
        types::Rules {
            police: (&rules.police).into(),
            thief: (&rules.thief).into(),
            officers: rules.officers.into(),
            corner_cutting: rules.corner_cutting.into(),
            wrap: match rules.wrap {
                Wrap::None => wrap::NONE,
                Wrap::Horizontal => wrap::HORIZONTAL,
                Wrap::Vertical => wrap::VERTICAL,
                Wrap::Both => wrap::BOTH,
            },
            stuck: match rules.stuck {
                Stuck::Loses => stuck::LOSES,
                Stuck::Wins => stuck::WINS,
            },
            team: match rules.team {
                Team::All => team::ALL,
                Team::One => team::ONE,
            },
            police_on_exit: match rules.police_on_exit {
                PoliceOnExit::Allowed => police_on_exit::ALLOWED,
                PoliceOnExit::Barred => police_on_exit::BARRED,
                PoliceOnExit::Wins => police_on_exit::WINS,
            },
            undecided: match rules.undecided {
                Undecided::Draw => side::NOBODY,
                Undecided::Police => side::POLICE,
                Undecided::Thief => side::THIEF,
            },
        }
    }
}

impl TryFrom<&types::Rules> for Rules {
    type Error = Failure;

    fn try_from(rules: &types::Rules) -> Result<Rules, Failure> {
        let movement = |movement: &types::Movement, side: Side| {
            Movement::try_from(movement).map_err(|failure| failure.about(format_args!("the {side}'s moves")))
        };
        let rules = Rules {
            officers: u8::try_from(rules.officers)
                .map_err(|_| unknown("officers", "a number from 1 to 6", rules.officers))?,
            police: movement(&rules.police, Side::Police)?,
            thief: movement(&rules.thief, Side::Thief)?,
            corner_cutting: boolean(rules.corner_cutting, "corner_cutting")?,
            wrap: match rules.wrap {
                wrap::NONE => Wrap::None,
                wrap::HORIZONTAL => Wrap::Horizontal,
                wrap::VERTICAL => Wrap::Vertical,
                wrap::BOTH => Wrap::Both,
                found => return Err(unknown("wrap", "0 to 3", found)),
            },
            stuck: match rules.stuck {
                stuck::LOSES => Stuck::Loses,
                stuck::WINS => Stuck::Wins,
                found => return Err(unknown("stuck", "0 or 1", found)),
            },
            team: match rules.team {
                team::ALL => Team::All,
                team::ONE => Team::One,
                found => return Err(unknown("team", "0 or 1", found)),
            },
            police_on_exit: match rules.police_on_exit {
                police_on_exit::ALLOWED => PoliceOnExit::Allowed,
                police_on_exit::BARRED => PoliceOnExit::Barred,
                police_on_exit::WINS => PoliceOnExit::Wins,
                found => return Err(unknown("police_on_exit", "0 to 2", found)),
            },
            undecided: match rules.undecided {
                side::NOBODY => Undecided::Draw,
                side::POLICE => Undecided::Police,
                side::THIEF => Undecided::Thief,
                found => return Err(unknown("undecided", "a side or nobody, 0 to 2", found)),
            },
        };
        rules.check().map_err(Failure::argument)?;
        Ok(rules)
    }
}
