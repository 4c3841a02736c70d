//! The rules of a pursuit game, as data.

mod movement;
mod options;

mod text;

mod error;

pub use crate::game::{Stuck, Team};
pub use error::RulesError;
pub use movement::{Capture, MoveSet, Movement};
pub use options::{PoliceOnExit, Undecided, Wrap};

use crate::{
    board::Board,
    cell::Side,
    pieces::{Pieces, PiecesError},
};
use serde::{Deserialize, Deserializer, Serialize};

/// The rules of a pursuit game. [`Rules::classic`], [`Rules::chase`] and [`Rules::cops`] are the presets; a
/// rules file names only the rules that differ from `classic`, of each side too.
///
/// ```
/// use dragnet_formats::rules::{Movement, MoveSet, Rules};
///
/// let queen = Movement { reach: 7, ..Movement::new(MoveSet::King) };
/// let rules = Rules { officers: 2, police: queen, ..Rules::chase() };
/// assert_eq!(rules.check(), Ok(()));
/// assert_eq!(rules.preset_name(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Rules {
    /// The number of police officers, 1 to [`Pieces::MAX`].
    pub officers: u8,
    /// The moves of an officer.
    pub police: Movement,
    /// The moves of the thief.
    pub thief: Movement,
    /// Whether a diagonal step may pass between a wall and another cell, or between two walls.
    pub corner_cutting: bool,
    /// The opposite edges of the board that are joined.
    pub wrap: Wrap,
    /// The result for a side to move that has no move.
    pub stuck: Stuck,
    /// The number of officers that move in one turn.
    pub team: Team,
    /// The meaning of exits for the police.
    pub police_on_exit: PoliceOnExit,
    /// The side for which a position counts that neither side can win by force.
    pub undecided: Undecided,
    /// How officers capture a thief who is not on their cell; absent if they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<Capture>,
}

impl Rules {
    /// The names of the presets, for messages and help texts.
    pub const PRESETS: [&str; 3] = ["classic", "chase", "cops"];

    /// Returns the rules of policeman and thief: the officer steps like a king, the thief in row and column,
    /// either may pass, and corners may be cut.
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
            capture: None,
        }
    }

    /// Returns the rules of the moving-target-search game of Moldenhauer and Sturtevant (2009): both sides
    /// step like a king without cutting corners, and either may pass; no exit is needed.
    #[must_use]
    pub fn chase() -> Rules {
        Rules { thief: Movement::new(MoveSet::King), corner_cutting: false, ..Rules::classic() }
    }

    /// Returns the rules of cops and robbers (Nowakowski and Winkler 1983; Quilliot 1978): both sides step
    /// along the edges of a graph, all officers move in one turn, and every piece may stay.
    #[must_use]
    pub fn cops() -> Rules {
        let movement = Movement::new(MoveSet::Edges);
        Rules { police: movement.clone(), thief: movement, ..Rules::classic() }
    }

    /// Returns the default rules on `board`: [`Rules::classic`], and on a graph [`Rules::cops`].
    #[must_use]
    pub fn default_on(board: &Board) -> Rules {
        if board.graph().is_some() { Rules::cops() } else { Rules::classic() }
    }

    /// Returns the preset called `name`, one of [`Rules::PRESETS`].
    #[must_use]
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "classic" => Some(Rules::classic()),
            "chase" => Some(Rules::chase()),
            "cops" => Some(Rules::cops()),
            _ => None,
        }
    }

    /// Returns the name of the preset that these rules equal, if any.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        Rules::PRESETS.into_iter().find(|name| Rules::preset(name).as_ref() == Some(self))
    }

    /// Returns the moves of `side`.
    #[must_use]
    pub fn movement(&self, side: Side) -> &Movement {
        match side {
            Side::Police => &self.police,
            Side::Thief => &self.thief,
        }
    }

    /// Returns all sets of steps, each with what it says, for messages.
    fn move_sets(&self) -> impl Iterator<Item = (&'static str, &MoveSet)> {
        let captures = self.capture.as_ref().map(|capture| ("captures of the police", &capture.by));
        [("moves of the police", &self.police.moves), ("moves of the thief", &self.thief.moves)]
            .into_iter()
            .chain(captures)
    }

    /// Checks that the rules can be played on `board`.
    ///
    /// # Errors
    /// Names the first rule that cannot be played.
    pub fn check_on(&self, board: &Board) -> Result<(), RulesError> {
        self.check()?;
        for (of, moves) in self.move_sets() {
            let edges = *moves == MoveSet::Edges;
            let (expected, board) = match board.graph() {
                Some(_) if !edges => ("\"edges\"", "a graph"),
                None if edges => ("steps on squares, such as \"king\",", "a board of squares"),
                _ => continue,
            };
            return Err(RulesError::MovesOnBoard { expected, of, board });
        }
        if board.graph().is_some() {
            let any =
                |rule: fn(&Movement) -> bool| Side::BOTH.into_iter().any(|side| rule(self.movement(side)));
            for (found, rule, what) in [
                (self.wrap != Wrap::None, "wrap", "edges to join"),
                (any(|movement| movement.reach != 1), "reach", "directions"),
                (any(|movement| movement.glide), "glide", "directions"),
            ] {
                if found {
                    return Err(RulesError::SquaresOnly { rule, what });
                }
            }
        }
        Ok(())
    }

    /// Checks that the rules can be played and stored, as far as that does not depend on the board.
    ///
    /// # Errors
    /// Names the first rule that cannot be played.
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
            if movement.glide && movement.reach != 1 {
                return Err(RulesError::GlideReach { side, found: movement.reach });
            }
        }
        for (of, moves) in self.move_sets() {
            let offsets = moves.offsets();
            if offsets.len() > MoveSet::MAX_OFFSETS {
                return Err(RulesError::TooManyOffsets { of, found: offsets.len() });
            }
            for (i, &offset) in offsets.iter().enumerate() {
                if offset == (0, 0) {
                    return Err(RulesError::ZeroOffset { of });
                }
                if offsets[..i].contains(&offset) {
                    return Err(RulesError::RepeatedOffset { of, offset });
                }
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let (text, usual) = (text::rules(deserializer)?, Rules::classic());
        Ok(Rules {
            officers: text.officers.unwrap_or(usual.officers),
            police: text.police.or(usual.police),
            thief: text.thief.or(usual.thief),
            corner_cutting: text.corner_cutting.unwrap_or(usual.corner_cutting),
            wrap: text.wrap.unwrap_or(usual.wrap),
            stuck: text.stuck.unwrap_or(usual.stuck),
            team: text.team.unwrap_or(usual.team),
            police_on_exit: text.police_on_exit.unwrap_or(usual.police_on_exit),
            undecided: text.undecided.unwrap_or(usual.undecided),
            capture: text.capture.or(usual.capture),
        })
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
    fn rules_file_names_only_rules_that_differ_from_classic() {
        let rules: Rules = toml::from_str("corner_cutting = false\n[thief]\nmoves = \"king\"\n").unwrap();
        assert_eq!(rules, Rules::chase());
        assert_eq!(rules.preset_name(), Some("chase"));
        let rules: Rules =
            toml::from_str("[police]\nmoves = { offsets = [[0, 2], [-1, 0]] }\nmay_pass = false\n").unwrap();
        assert_eq!(rules.police.moves.offsets(), [(0, 2), (-1, 0)]);
        assert!(toml::from_str::<Rules>("wrop = \"both\"").is_err());
        let rules: Rules = toml::from_str("[thief]\nsteps = 2\n[police]\nmay_pass = false\n").unwrap();
        let classic = Rules::classic();
        assert_eq!(rules.thief, Movement { steps: 2, ..classic.thief.clone() });
        assert_eq!(
            rules,
            Rules { police: classic.police.without_pass(), thief: rules.thief.clone(), ..Rules::classic() }
        );
    }

    #[test]
    fn offsets_that_are_no_steps_are_refused_with_their_place() {
        let refused = |offsets: &str, place: &str, message: &str| {
            let text = format!("[police]\nmoves = {{ offsets = {offsets} }}\n");
            let error = toml::from_str::<Rules>(&text).unwrap_err();
            assert_eq!(&text[error.span().unwrap()], place, "{error}");
            assert!(error.message().contains(message), "{error}");
        };
        refused("[[0, 1], [0, 1, 2]]", "[0, 1, 2]", "of two numbers, found a list of 3");
        refused("[[1]]", "[1]", "of two numbers, found a list of 1");
        refused("[]", "[]", "at least one offset");
        refused("[[0, 40000]]", "40000", "a number from -32768 to 32767");
        refused("[3]", "3", "an offset [ROWS, COLUMNS]");
        refused("3", "3", "a list of offsets");
    }

    #[test]
    fn captures_are_read_by_their_steps_alone() {
        let read = |text: &str| toml::from_str::<Rules>(text).map_err(|error| error.message().to_owned());
        let rules = Rules { capture: Some(Capture { by: MoveSet::King }), ..Rules::classic() };
        assert_eq!(read("capture = { by = 'king' }"), Ok(rules));
        for (text, part) in [
            ("capture = 'king'", "expected the steps of captures, as in { by = \"king\" }"),
            ("capture = {}", "missing field `by`"),
            ("capture = { by = 'king', distance = 2 }", "unknown field `distance`, expected `by`"),
            ("capture = { by = 3 }", "expected a name such as \"king\""),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn rules_come_back_from_text() {
        let moves = MoveSet::Offsets(vec![(0, 2), (-1, 0)]);
        let rules = Rules {
            officers: 3,
            police: Movement { glide: true, ..Movement::new(moves.clone()) },
            ..Rules::chase()
        };
        let rules = Rules { capture: Some(Capture { by: moves }), ..rules };
        assert_eq!(toml::from_str::<Rules>(&toml::to_string(&rules).unwrap()).unwrap(), rules);
        assert_eq!(serde_json::from_str::<Rules>(&serde_json::to_string(&rules).unwrap()).unwrap(), rules);
    }

    #[test]
    fn every_check_of_rules_fires() {
        let with = |moves| Rules { police: Movement::new(moves), ..Rules::classic() };
        for found in [0, 7] {
            let rules = Rules { officers: found, ..Rules::classic() };
            assert_eq!(rules.check(), Err(PiecesError { found: found.into() }.into()));
        }
        let (side, of) = (Side::Police, "moves of the police");
        let slow = Movement { steps: 0, ..Movement::new(MoveSet::King) };
        let rules = Rules { police: slow, ..Rules::classic() };
        assert_eq!(rules.check(), Err(RulesError::Zero { rule: "steps", side }));
        let squares = Board::new(1, 2, vec![crate::board::Square::Open; 2]).unwrap();
        let mut edges = crate::graph::GraphBuilder::new();
        edges.add(0, 1).unwrap();
        let graph = Board::of_graph(&edges.build()).unwrap();
        let message = |result: Result<(), RulesError>| result.unwrap_err().to_string();
        assert_eq!(Rules::cops().check_on(&graph), Ok(()));
        assert_eq!(Rules::classic().check_on(&squares), Ok(()));
        assert!(message(Rules::cops().check_on(&squares)).contains("a board of squares"));
        assert!(message(Rules::classic().check_on(&graph)).contains("\"edges\" for the moves of the police"));
        let wrapped = Rules { wrap: Wrap::Both, ..Rules::cops() };
        assert!(message(wrapped.check_on(&graph)).contains("no wrap on a graph"));
        let near = |by| Rules { capture: Some(Capture { by }), ..Rules::cops() };
        assert_eq!(near(MoveSet::Edges).check_on(&graph), Ok(()));
        let refused = message(near(MoveSet::King).check_on(&graph));
        assert!(refused.contains("\"edges\" for the captures of the police"), "{refused}");
        let mut glides = Rules::cops();
        glides.thief.glide = true;
        assert!(message(glides.check_on(&graph)).contains("no glide on a graph"));
        glides.thief.reach = 2;
        assert_eq!(glides.check(), Err(RulesError::GlideReach { side: Side::Thief, found: 2 }));
        assert_eq!(with(MoveSet::Offsets(vec![(0, 0)])).check(), Err(RulesError::ZeroOffset { of }));
        assert_eq!(
            with(MoveSet::Offsets(vec![(1, 2), (3, 4), (1, 2)])).check(),
            Err(RulesError::RepeatedOffset { of, offset: (1, 2) })
        );
        let many = (1..=256).map(|i| (i, 0)).collect();
        assert_eq!(with(MoveSet::Offsets(many)).check(), Err(RulesError::TooManyOffsets { of, found: 256 }));
        for name in Rules::PRESETS {
            assert_eq!(Rules::preset(name).unwrap().check(), Ok(()));
        }
    }
}
