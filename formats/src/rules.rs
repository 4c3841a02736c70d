//! The rules of a pursuit game, as data.

use crate::cell::Side;
use serde::{Deserialize, Serialize};

/// How a game is played. [`Rules::classic`] and [`Rules::chase`] are the presets; a rules file names what
/// differs from `classic`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Police officers on the board, at least 1. Tables exist for one so far.
    pub officers: u8,
    /// How an officer moves.
    pub police: Movement,
    /// How the thief moves.
    pub thief: Movement,
    /// Whether a diagonal step may pass between a wall and another cell, or between two walls.
    pub corner_cutting: bool,
    /// Which opposite edges of the board are joined.
    pub wrap: Wrap,
    /// What happens to the side to move that has no move.
    pub stuck: Stuck,
    /// How many officers move in one turn.
    pub team: Team,
}

/// How one side moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    /// Where it may step.
    pub moves: MoveSet,
    /// Whether it may stay where it is; yes, if a rules file does not say.
    #[serde(default = "yes")]
    pub may_pass: bool,
}

fn yes() -> bool {
    true
}

/// The steps of a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveSet {
    /// The 8 neighbours.
    King,
    /// The 4 neighbours in row and column.
    Orthogonal,
    /// The 4 diagonal neighbours.
    Diagonal,
    /// A chess knight's 8 leaps.
    Knight,
    /// Any list of (rows down, columns right).
    Offsets(Vec<(i16, i16)>),
}

/// Which opposite edges are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// None: the board is a rectangle.
    None,
    /// Left and right: a cylinder.
    Horizontal,
    /// Top and bottom: a cylinder lying down.
    Vertical,
    /// Both pairs: a torus.
    Both,
}

/// What happens to the side to move that has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stuck {
    /// It loses, at once.
    Loses,
    /// It wins, at once.
    Wins,
}

/// How many officers move in one turn of the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Team {
    /// Every officer.
    All,
    /// One officer.
    One,
}

/// Why rules cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No officer at all.
    #[error("expected at least 1 officer, found 0")]
    NoOfficer,
    /// More officers than this version solves.
    #[error("expected 1 officer, found {found}: tables for several officers are not supported yet")]
    SeveralOfficers {
        /// Officers asked for.
        found: u8,
    },
    /// More offsets than a side may have.
    #[error("expected at most {} offsets for the {side}, found {found}", MoveSet::MAX_OFFSETS)]
    TooManyOffsets {
        /// Whose offsets.
        side: Side,
        /// How many there are.
        found: usize,
    },
    /// Staying is not a step.
    #[error("the {side} has the offset [0, 0]; staying is not a step: set may_pass instead")]
    ZeroOffset {
        /// Whose offsets.
        side: Side,
    },
    /// One offset stands twice.
    #[error("the {side} has the offset [{}, {}] twice", offset.0, offset.1)]
    RepeatedOffset {
        /// Whose offsets.
        side: Side,
        /// The offset.
        offset: (i16, i16),
    },
}

impl MoveSet {
    /// The most offsets that [`MoveSet::Offsets`] may hold.
    pub const MAX_OFFSETS: usize = 255;

    /// The steps as (rows down, columns right).
    #[must_use]
    pub fn offsets(&self) -> &[(i16, i16)] {
        match self {
            MoveSet::King => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
            MoveSet::Orthogonal => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
            MoveSet::Diagonal => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
            MoveSet::Knight => &[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)],
            MoveSet::Offsets(list) => list,
        }
    }
}

impl Wrap {
    /// Whether the left and right edges are joined.
    #[must_use]
    pub fn horizontal(self) -> bool {
        matches!(self, Wrap::Horizontal | Wrap::Both)
    }

    /// Whether the top and bottom edges are joined.
    #[must_use]
    pub fn vertical(self) -> bool {
        matches!(self, Wrap::Vertical | Wrap::Both)
    }
}

impl Rules {
    /// Names of the presets, for messages and help texts.
    pub const PRESETS: [&str; 2] = ["classic", "chase"];

    /// Policeman and thief: the officer steps like a king, the thief in row and column, either may pass,
    /// corners may be cut.
    #[must_use]
    pub fn classic() -> Rules {
        Rules {
            officers: 1,
            police: Movement { moves: MoveSet::King, may_pass: true },
            thief: Movement { moves: MoveSet::Orthogonal, may_pass: true },
            corner_cutting: true,
            wrap: Wrap::None,
            stuck: Stuck::Loses,
            team: Team::All,
        }
    }

    /// The moving-target-search game of Moldenhauer and Sturtevant (2009): both step like a king without
    /// cutting corners, either may pass; no exit is needed.
    #[must_use]
    pub fn chase() -> Rules {
        Rules {
            thief: Movement { moves: MoveSet::King, may_pass: true },
            corner_cutting: false,
            ..Rules::classic()
        }
    }

    /// The preset called `name`, one of [`Rules::PRESETS`].
    #[must_use]
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "classic" => Some(Rules::classic()),
            "chase" => Some(Rules::chase()),
            _ => None,
        }
    }

    /// The preset that these rules equal, if any.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        Rules::PRESETS.into_iter().find(|name| Rules::preset(name).as_ref() == Some(self))
    }

    /// How `side` moves.
    #[must_use]
    pub fn movement(&self, side: Side) -> &Movement {
        match side {
            Side::Police => &self.police,
            Side::Thief => &self.thief,
        }
    }

    /// Whether the rules can be played and stored.
    ///
    /// # Errors
    /// Names the first rule that cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        match self.officers {
            0 => return Err(RulesError::NoOfficer),
            1 => {}
            found => return Err(RulesError::SeveralOfficers { found }),
        }
        for side in Side::BOTH {
            let offsets = self.movement(side).moves.offsets();
            if offsets.len() > MoveSet::MAX_OFFSETS {
                return Err(RulesError::TooManyOffsets { side, found: offsets.len() });
            }
            for (i, &offset) in offsets.iter().enumerate() {
                if offset == (0, 0) {
                    return Err(RulesError::ZeroOffset { side });
                }
                if offsets[..i].contains(&offset) {
                    return Err(RulesError::RepeatedOffset { side, offset });
                }
            }
        }
        Ok(())
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::classic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rules_file_names_what_differs_from_classic() {
        let rules: Rules = toml::from_str("corner_cutting = false\n[thief]\nmoves = \"king\"\n").unwrap();
        assert_eq!(rules, Rules::chase());
        assert_eq!(rules.preset_name(), Some("chase"));
        let rules: Rules =
            toml::from_str("[police]\nmoves = { offsets = [[0, 2], [-1, 0]] }\nmay_pass = false\n").unwrap();
        assert_eq!(rules.police.moves.offsets(), [(0, 2), (-1, 0)]);
        assert!(toml::from_str::<Rules>("wrop = \"both\"").is_err());
    }

    #[test]
    fn every_check_fires() {
        let with = |moves| Rules { police: Movement { moves, may_pass: true }, ..Rules::classic() };
        assert_eq!(Rules { officers: 0, ..Rules::classic() }.check(), Err(RulesError::NoOfficer));
        assert_eq!(
            Rules { officers: 2, ..Rules::classic() }.check(),
            Err(RulesError::SeveralOfficers { found: 2 })
        );
        let side = Side::Police;
        assert_eq!(with(MoveSet::Offsets(vec![(0, 0)])).check(), Err(RulesError::ZeroOffset { side }));
        assert_eq!(
            with(MoveSet::Offsets(vec![(1, 2), (3, 4), (1, 2)])).check(),
            Err(RulesError::RepeatedOffset { side, offset: (1, 2) })
        );
        let many = (1..=256).map(|i| (i, 0)).collect();
        assert_eq!(
            with(MoveSet::Offsets(many)).check(),
            Err(RulesError::TooManyOffsets { side, found: 256 })
        );
        for name in Rules::PRESETS {
            assert_eq!(Rules::preset(name).unwrap().check(), Ok(()));
        }
    }
}
