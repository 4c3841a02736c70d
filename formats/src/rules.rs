//! The rules of a pursuit game, as data.

use crate::{
    board::{Board, Square},
    cell::{Cell, Side},
    pieces::{Pieces, PiecesError},
};
use serde::{Deserialize, Serialize};

/// How a game is played. [`Rules::classic`] and [`Rules::chase`] are the presets; a rules file names what
/// differs from `classic`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Police officers on the board, 1 to [`Pieces::MAX`].
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
    /// What exits are to the police.
    pub police_on_exit: PoliceOnExit,
    /// Whose win it is if nobody can force one.
    pub undecided: Undecided,
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
    /// Up to how many steps make a turn, at least 1. Each is a legal step, and no piece is in the way of another: who is
    /// stepped over is not caught, and an exit that is left again is no escape.
    #[serde(default = "one")]
    pub steps: u8,
    /// Up to how many times a step may be taken in its direction, at least 1: a king's step with a reach of 7 is a
    /// queen's on a chess board. All squares on the way must be open.
    #[serde(default = "one")]
    pub reach: u8,
}

fn yes() -> bool {
    true
}

fn one() -> u8 {
    1
}

impl Movement {
    /// Single steps of `moves`; the side may pass.
    #[must_use]
    pub const fn new(moves: MoveSet) -> Movement {
        Movement { moves, may_pass: true, steps: 1, reach: 1 }
    }

    /// The same, but the side must move if it can.
    #[must_use]
    pub fn without_pass(self) -> Movement {
        Movement { may_pass: false, ..self }
    }
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
    /// Along the edges of the graph that is the board.
    Edges,
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

/// What exits are to the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoliceOnExit {
    /// Open cells.
    Allowed,
    /// Cells that no officer may step on.
    Barred,
    /// The goal: with an officer on one, and the thief not, the police has won.
    Wins,
}

/// Whose win it is if nobody can force one: positions that are drawn as far as moves go, but end by a limit on their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undecided {
    /// Nobody's.
    Draw,
    /// That of the police.
    Police,
    /// That of the thief.
    Thief,
}

/// Why rules cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No officer at all, or too many.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// No step at all.
    #[error("expected at least 1 for the {rule} of the {side}, found 0")]
    Zero {
        /// `steps` or `reach`.
        rule: &'static str,
        /// Whose.
        side: Side,
    },
    /// Steps along edges on a board of squares, or others on a graph.
    #[error("expected {expected} for the moves of the {side}: the board is {board}")]
    MovesOnBoard {
        /// What the board takes.
        expected: &'static str,
        /// Whose moves.
        side: Side,
        /// What it is.
        board: &'static str,
    },
    /// A rule of boards of squares that says nothing on a graph.
    #[error("expected no {rule} on a graph: only boards of squares have {what}")]
    SquaresOnly {
        /// The rule.
        rule: &'static str,
        /// What it is about.
        what: &'static str,
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

    /// The steps as (rows down, columns right); none for [`MoveSet::Edges`], which depend on the board.
    #[must_use]
    pub fn offsets(&self) -> &[(i16, i16)] {
        match self {
            MoveSet::King => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
            MoveSet::Orthogonal => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
            MoveSet::Diagonal => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
            MoveSet::Knight => &[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)],
            MoveSet::Offsets(list) => list,
            MoveSet::Edges => &[],
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
    pub const PRESETS: [&str; 3] = ["classic", "chase", "cops"];

    /// Policeman and thief: the officer steps like a king, the thief in row and column, either may pass,
    /// corners may be cut.
    #[must_use]
    pub fn classic() -> Rules {
        Rules {
            officers: 1,
            police: Movement::new(MoveSet::King),
            thief: Movement::new(MoveSet::Orthogonal),
            corner_cutting: true,
            wrap: Wrap::None,
            stuck: Stuck::Loses,
            team: Team::All,
            police_on_exit: PoliceOnExit::Allowed,
            undecided: Undecided::Draw,
        }
    }

    /// The moving-target-search game of Moldenhauer and Sturtevant (2009): both step like a king without
    /// cutting corners, either may pass; no exit is needed.
    #[must_use]
    pub fn chase() -> Rules {
        Rules { thief: Movement::new(MoveSet::King), corner_cutting: false, ..Rules::classic() }
    }

    /// Cops and robbers (Nowakowski and Winkler 1983; Quilliot 1978): both sides step along the edges of a graph, all officers
    /// in one turn, and anybody may stay.
    #[must_use]
    pub fn cops() -> Rules {
        let movement = Movement::new(MoveSet::Edges);
        Rules { police: movement.clone(), thief: movement, ..Rules::classic() }
    }

    /// The rules by default on `board`: [`Rules::classic`], on a graph [`Rules::cops`].
    #[must_use]
    pub fn default_on(board: &Board) -> Rules {
        if board.graph().is_some() { Rules::cops() } else { Rules::classic() }
    }

    /// The preset called `name`, one of [`Rules::PRESETS`].
    #[must_use]
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "classic" => Some(Rules::classic()),
            "chase" => Some(Rules::chase()),
            "cops" => Some(Rules::cops()),
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

    /// The side that has won without a move, with the officers and the thief on these open cells: the police with an officer on
    /// the thief's cell, else the thief on an exit, else the police on one if the rules say so.
    #[must_use]
    pub fn winner(&self, board: &Board, officers: &Pieces, thief: Cell) -> Option<Side> {
        let exit = |&cell: &Cell| board.square(cell) == Some(Square::Exit);
        if officers.contains(&thief) {
            Some(Side::Police)
        } else if exit(&thief) {
            Some(Side::Thief)
        } else if self.police_on_exit == PoliceOnExit::Wins && officers.iter().any(exit) {
            Some(Side::Police)
        } else {
            None
        }
    }

    /// Whether the rules can be played on `board`.
    ///
    /// # Errors
    /// Names the first rule that cannot.
    pub fn check_on(&self, board: &Board) -> Result<(), RulesError> {
        self.check()?;
        for side in Side::BOTH {
            let edges = self.movement(side).moves == MoveSet::Edges;
            let (expected, board) = match board.graph() {
                Some(_) if !edges => ("\"edges\"", "a graph"),
                None if edges => ("steps on squares, such as \"king\",", "a board of squares"),
                _ => continue,
            };
            return Err(RulesError::MovesOnBoard { expected, side, board });
        }
        if board.graph().is_some() {
            let reach = Side::BOTH.into_iter().any(|side| self.movement(side).reach != 1);
            for (found, rule, what) in
                [(self.wrap != Wrap::None, "wrap", "edges to join"), (reach, "reach", "directions")]
            {
                if found {
                    return Err(RulesError::SquaresOnly { rule, what });
                }
            }
        }
        Ok(())
    }

    /// Whether the rules can be played and stored, as far as that does not depend on the board.
    ///
    /// # Errors
    /// Names the first rule that cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        let found = usize::from(self.officers);
        if found == 0 || found > Pieces::MAX {
            return Err(PiecesError { found }.into());
        }
        for side in Side::BOTH {
            let movement = self.movement(side);
            for (rule, found) in [("steps", movement.steps), ("reach", movement.reach)] {
                if found == 0 {
                    return Err(RulesError::Zero { rule, side });
                }
            }
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
        let with = |moves| Rules { police: Movement::new(moves), ..Rules::classic() };
        for found in [0, 7] {
            let rules = Rules { officers: found, ..Rules::classic() };
            assert_eq!(rules.check(), Err(PiecesError { found: found.into() }.into()));
        }
        let side = Side::Police;
        let slow = Movement { steps: 0, ..Movement::new(MoveSet::King) };
        let rules = Rules { police: slow, ..Rules::classic() };
        assert_eq!(rules.check(), Err(RulesError::Zero { rule: "steps", side }));
        let squares = Board::new(1, 2, vec![Square::Open; 2]).unwrap();
        let mut edges = crate::graph::GraphBuilder::new();
        edges.add(0, 1).unwrap();
        let graph = Board::of_graph(&edges.build()).unwrap();
        let of = |result: Result<(), RulesError>| result.unwrap_err().to_string();
        assert_eq!(Rules::cops().check_on(&graph), Ok(()));
        assert_eq!(Rules::classic().check_on(&squares), Ok(()));
        assert!(of(Rules::cops().check_on(&squares)).contains("a board of squares"));
        assert!(of(Rules::classic().check_on(&graph)).contains("\"edges\" for the moves of the police"));
        let wrapped = Rules { wrap: Wrap::Both, ..Rules::cops() };
        assert!(of(wrapped.check_on(&graph)).contains("no wrap on a graph"));
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
