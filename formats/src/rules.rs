//! The rules of a pursuit game, as data.

mod move_set;
mod terrain;
mod capture;
mod movement;
mod options;

mod text;

mod error;

pub use crate::game::{Stuck, Team};
pub use capture::{Capture, CaptureBy, CaptureWord, Lines, Sight};
pub use error::RulesError;
pub use move_set::MoveSet;
pub use movement::Movement;
pub use options::{PoliceOnExit, Undecided, Wrap};
pub use terrain::{Cover, Ground, Letter, Letters, Limit, Loot, Way};
pub(crate) use text::{angle, radius};

use crate::{
    board::Board,
    cell::{Cell, Side},
    pieces::{Pieces, PiecesError},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeStruct};
use std::collections::BTreeMap;

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Rules {
    /// The number of police officers, 0 to [`Pieces::MAX`]; of several kinds, that of the first.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub officers: u8,
    /// The moves of an officer, or a list of those of several kinds of officers, each with its count.
    #[cfg_attr(feature = "schemars", schemars(with = "OneOrSeveral"))]
    pub police: Movement,
    /// The officers of further kinds.
    #[cfg_attr(feature = "schemars", schemars(skip))]
    pub others: Vec<Officers>,
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
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub capture: Option<Capture>,
    /// The cost of letters of the board for all pieces; absent if none costs any.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub ground: BTreeMap<Letter, Ground>,
    /// The ways between squares with letters; absent if there is none.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub ways: Vec<Way>,
    /// The letters of squares that hide a thief; absent if none does.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub cover: BTreeMap<Letter, Cover>,
    /// The letters of squares that bar sight; absent if none does.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub opaque: Letters,
    /// The loot that the thief has to fetch; absent if none.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub loot: Option<Loot>,
    /// The number of plies after which the game is over; absent if it may last.
    #[cfg_attr(feature = "schemars", schemars(skip_serializing_if = "absent"))]
    pub limit: Option<Limit>,
}

/// Officers of a kind beside the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Officers {
    /// The number of officers, at least 1.
    pub count: u8,
    /// Their moves.
    #[serde(flatten)]
    pub movement: Movement,
}

/// The police as JSON has it.
#[cfg(feature = "schemars")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum OneOrSeveral {
    One(Movement),
    Several(Vec<Officers>),
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
            others: Vec::new(),
            ground: BTreeMap::new(),
            ways: Vec::new(),
            cover: BTreeMap::new(),
            opaque: Letters::default(),
            loot: None,
            limit: None,
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

    /// Returns the kinds of officers with their numbers: one kind without officers if there is none.
    pub fn kinds(&self) -> impl Iterator<Item = (u8, &Movement)> {
        let others = self.others.iter().map(|kind| (kind.count, &kind.movement));
        std::iter::once((self.officers, &self.police)).chain(others)
    }

    /// Returns the number of officers of all kinds.
    #[must_use]
    pub fn all_officers(&self) -> usize {
        self.kinds().map(|(count, _)| usize::from(count)).sum()
    }

    /// Returns the rules for a number of officers that somebody gives beside them. If nobody does, and the
    /// rules say 1, there are as many as the board marks with `P`.
    ///
    /// # Errors
    /// When 0 or more than [`Pieces::MAX`] are given, or a number for officers of several kinds.
    pub fn for_officers(self, given: Option<u8>, marked: usize) -> Result<Rules, RulesError> {
        let officers = match (given, self.officers, marked) {
            (Some(given), ..) if given == 0 || usize::from(given) > Pieces::MAX => {
                return Err(PiecesError { found: given.into() }.into());
            }
            (Some(_), ..) if !self.others.is_empty() => return Err(RulesError::SeveralKinds),
            (Some(given), ..) => given,
            (None, 1, 2..) if self.others.is_empty() => u8::try_from(marked).unwrap_or(u8::MAX),
            (None, of_rules, _) => of_rules,
        };
        Ok(Rules { officers, ..self })
    }

    /// Returns how officers of a kind capture, beside on their own cell.
    #[must_use]
    pub fn capture_of<'a>(&'a self, kind: &'a Movement) -> Option<&'a Capture> {
        kind.capture.as_ref().or(self.capture.as_ref())
    }

    /// Returns the cost of a square with this letter for pieces that move like `movement`; 1 turn without a
    /// letter.
    #[must_use]
    #[inline]
    pub fn ground_of(&self, movement: &Movement, letter: Option<char>) -> Ground {
        let Some(letter) = letter.map(Letter) else { return Ground::Turns(1) };
        movement.ground.get(&letter).or_else(|| self.ground.get(&letter)).copied().unwrap_or(Ground::Turns(1))
    }

    /// Returns the letters of squares on which pieces that move like `movement` never stand.
    #[must_use]
    pub fn barred_letters(&self, movement: &Movement) -> Vec<char> {
        let letters = self.ground.keys().chain(movement.ground.keys()).map(|letter| letter.0);
        letters.filter(|&letter| self.ground_of(movement, Some(letter)) == Ground::Barred).collect()
    }

    /// Returns the most turns that any ground costs pieces that move like `movement`.
    #[must_use]
    pub fn most_turns(&self, movement: &Movement) -> u8 {
        let letters = self.ground.keys().chain(movement.ground.keys());
        let turns = letters.filter_map(|letter| match self.ground_of(movement, Some(letter.0)) {
            Ground::Turns(turns) => Some(turns),
            Ground::Barred => None,
        });
        turns.max().unwrap_or(1)
    }

    /// Returns all movements, each with its side.
    fn movements(&self) -> impl Iterator<Item = (Side, &Movement)> {
        let police = self.kinds().map(|(_, movement)| (Side::Police, movement));
        police.chain([(Side::Thief, &self.thief)])
    }

    /// Returns all captures, of all kinds and of one.
    fn captures(&self) -> impl Iterator<Item = &Capture> {
        self.capture.iter().chain(self.kinds().filter_map(|(_, kind)| kind.capture.as_ref()))
    }

    /// Returns all sets of steps, each with what it says, for messages.
    fn move_sets(&self) -> impl Iterator<Item = (&'static str, &MoveSet)> {
        let captures = self.captures().filter_map(Capture::move_set).map(|by| ("captures of the police", by));
        let moves = self.movements().map(|(side, movement)| match side {
            Side::Police => ("moves of the police", &movement.moves),
            Side::Thief => ("moves of the thief", &movement.moves),
        });
        moves.chain(captures)
    }

    /// Returns the letters that mean something, each with the rule that says so.
    fn letters(&self) -> impl Iterator<Item = (&'static str, char)> {
        let of = |rule: &'static str| move |letter: &Letter| (rule, letter.0);
        let kinds = self.movements().flat_map(move |(_, movement)| {
            movement.ground.keys().map(of("ground")).chain(movement.start.iter().map(of("start")))
        });
        let ways = self.ways.iter().flat_map(|way| [("ways", way.from), ("ways", way.to)]);
        let loot = self.loot.iter().flat_map(|loot| loot.squares.iter().map(|letter| ("loot", letter)));
        (self.ground.keys().map(of("ground")))
            .chain(self.cover.keys().map(of("cover")))
            .chain(self.opaque.iter().map(|letter| ("opaque", letter)))
            .chain(ways)
            .chain(loot)
            .chain(kinds)
    }

    /// Returns the squares of `board` where loot lies, in reading order, each with its letter.
    pub fn loot_on<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = (Cell, char)> + 'a {
        let squares = self.loot.as_ref().map(|loot| &loot.squares);
        let is_loot = move |letter: char| squares.is_some_and(|squares| squares.contains(Some(letter)));
        board.letters().filter(move |&(_, letter)| is_loot(letter))
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
            let any = |rule: fn(&Movement) -> bool| self.movements().any(|(_, movement)| rule(movement));
            let of_squares = |capture: &Capture| {
                matches!(
                    capture,
                    Capture::Seen(_) | Capture::Near { by: CaptureBy::Word(CaptureWord::Squares), .. }
                )
            };
            for (found, rule, what) in [
                (self.wrap != Wrap::None, "wrap", "edges to join"),
                (any(|movement| movement.reach != 1), "reach", "directions"),
                (any(|movement| movement.glide), "glide", "directions"),
                (any(|movement| movement.look.is_some()), "look", "directions"),
                (self.captures().any(of_squares), "capture by squares or sight", "rows and columns"),
                (self.letters().next().is_some(), "rule about letters", "letters"),
            ] {
                if found {
                    return Err(RulesError::SquaresOnly { rule, what });
                }
            }
        }
        self.check_letters(board)?;
        self.check_layers(board)?;
        let sees =
            |lines| move |capture: &Capture| matches!(capture, Capture::Seen(sight) if sight.lines == lines);
        if !board.thin_walls().is_empty() && self.captures().any(sees(Lines::Shadows)) {
            return Err(RulesError::ThinShadows);
        }
        Ok(())
    }

    /// Returns the states of pieces of a side on each square: directions of officers who look, or numbers of
    /// what a thief has of the loot.
    pub(crate) fn states_on(&self, board: &Board, side: Side, movement: &Movement) -> u16 {
        match (side, &self.loot) {
            (Side::Police, _) => movement.look.unwrap_or(1).into(),
            (Side::Thief, None) => 1,
            (Side::Thief, Some(loot)) if loot.in_order => loot.squares.iter().count() as u16 + 1,
            (Side::Thief, Some(_)) => 1 << self.loot_on(board).count(),
        }
    }

    /// Returns the layers of each kind of pieces, each with its side.
    fn layers_on(&self, board: &Board) -> impl Iterator<Item = (Side, u64)> {
        self.movements().map(|(side, movement)| {
            let states = u64::from(self.states_on(board, side, movement));
            (side, states * u64::from(self.most_turns(movement)))
        })
    }

    /// Returns the most layers that a kind of pieces has on `board`.
    pub(crate) fn most_layers(&self, board: &Board) -> u64 {
        self.layers_on(board).map(|(_, layers)| layers).max().unwrap_or(1)
    }

    /// Checks that the grids of all kinds, layer below layer, are no larger than a table can have.
    fn check_layers(&self, board: &Board) -> Result<(), RulesError> {
        let layers = self.most_layers(board);
        let rows = |of: Side| {
            let layers: u64 =
                self.layers_on(board).filter(|&(side, _)| side == of).map(|(_, layers)| layers).sum();
            layers * u64::from(board.height())
        };
        let rows = rows(Side::Police).max(rows(Side::Thief));
        let squares = layers * board.squares().len() as u64;
        match layers <= 256 && rows <= u16::MAX.into() && squares <= 1 << 22 {
            true => Ok(()),
            false => Err(RulesError::Layers { layers, rows, squares }),
        }
    }

    /// Checks that all letters of `board` mean something, and that there is as much loot as the thief needs.
    fn check_letters(&self, board: &Board) -> Result<(), RulesError> {
        for (cell, letter) in board.letters().filter(|&(_, letter)| Board::is_rules_letter(letter)) {
            if self.letters().all(|(_, other)| other != letter) {
                return Err(RulesError::Letter { cell, letter });
            }
        }
        if let Some(loot) = &self.loot {
            let squares = self.loot_on(board).count();
            let missing =
                loot.squares.iter().find(|&letter| self.loot_on(board).all(|(_, other)| other != letter));
            if let Some(letter) = missing {
                return Err(RulesError::NoLoot { letter });
            }
            let most = if loot.in_order { loot.squares.iter().count() } else { squares };
            if most > Loot::MAX {
                return Err(RulesError::MuchLoot { found: most });
            }
            if let Some(need) = loot.need.filter(|&need| need == 0 || usize::from(need) > most) {
                return Err(RulesError::LootNeeded { most, found: need });
            }
        }
        Ok(())
    }

    /// Checks that the rules can be played and stored, as far as that does not depend on the board.
    ///
    /// # Errors
    /// Names the first rule that cannot be played.
    pub fn check(&self) -> Result<(), RulesError> {
        let found = self.all_officers();
        let empty = self.kinds().any(|(count, _)| count == 0);
        if found > Pieces::MAX || empty && !self.others.is_empty() {
            return Err(PiecesError { found }.into());
        }
        for (side, movement) in self.movements() {
            for (rule, found) in [("steps", movement.steps), ("reach", movement.reach)] {
                if found == 0 {
                    return Err(RulesError::Zero { rule, side });
                }
            }
            if movement.glide && movement.reach != 1 {
                return Err(RulesError::GlideReach { side, found: movement.reach });
            }
            if let Some(found) = movement.look.filter(|&look| look != 4 && look != 8) {
                return Err(RulesError::Look { found });
            }
            if movement.look.is_some() && self.wrap != Wrap::None {
                return Err(RulesError::LookWrap);
            }
            let of_officers = [
                ("look", movement.look.is_some()),
                ("capture", movement.capture.is_some()),
                ("start", movement.start.is_some()),
            ];
            if let Some((rule, _)) = of_officers.into_iter().find(|&(_, found)| found && side == Side::Thief)
            {
                return Err(RulesError::OfficersOnly { rule });
            }
            let slow = side == Side::Police && self.most_turns(movement) > 1;
            if slow && self.team == Team::One && self.all_officers() > 1 {
                return Err(RulesError::SlowTeam);
            }
        }
        for (_, kind) in self.kinds() {
            let Some(Capture::Seen(Sight { angle: Some(_), .. })) = self.capture_of(kind) else { continue };
            if kind.look.is_none() {
                return Err(RulesError::AngleWithoutLook);
            }
        }
        if self.captures().any(|capture| matches!(capture, Capture::Near { distance: 0, .. })) {
            return Err(RulesError::Zero { rule: "distance of captures", side: Side::Police });
        }
        if let Some(Limit { plies: found @ (0 | 4096..), .. }) = self.limit {
            return Err(RulesError::Limit { found });
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

impl Rules {
    /// Checks that a piece has one place on each cell, and the game one world: for who solves games on cells
    /// themselves.
    ///
    /// # Errors
    /// Names the first rule that says otherwise.
    pub fn check_places_are_cells(&self) -> Result<(), RulesError> {
        let any =
            |rule: fn(&Rules, &Movement) -> bool| self.movements().any(|(_, movement)| rule(self, movement));
        let rules = [
            ("several kinds of officers", !self.others.is_empty()),
            ("officers who look", any(|_, movement| movement.look.is_some())),
            ("ground that takes more than 1 turn", any(|rules, movement| rules.most_turns(movement) > 1)),
            ("ground that is barred", any(|rules, movement| !rules.barred_letters(movement).is_empty())),
            ("loot", self.loot.is_some()),
            ("limit", self.limit.is_some()),
        ];
        if self.officers == 0 {
            return Err(PiecesError { found: 0 }.into());
        }
        match rules.into_iter().find(|&(_, found)| found) {
            Some((rule, _)) => Err(RulesError::NotOnCells { rule }),
            None => Ok(()),
        }
    }
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rules = serializer.serialize_struct("Rules", 16)?;
        if self.others.is_empty() {
            rules.serialize_field("officers", &self.officers)?;
            rules.serialize_field("police", &self.police)?;
        } else {
            let officers =
                |(count, movement): (u8, &Movement)| Officers { count, movement: movement.clone() };
            rules.serialize_field("police", &self.kinds().map(officers).collect::<Vec<_>>())?;
        }
        rules.serialize_field("thief", &self.thief)?;
        rules.serialize_field("corner_cutting", &self.corner_cutting)?;
        rules.serialize_field("wrap", &self.wrap)?;
        rules.serialize_field("stuck", &self.stuck)?;
        rules.serialize_field("team", &self.team)?;
        rules.serialize_field("police_on_exit", &self.police_on_exit)?;
        rules.serialize_field("undecided", &self.undecided)?;
        if let Some(capture) = &self.capture {
            rules.serialize_field("capture", capture)?;
        }
        if !self.ground.is_empty() {
            rules.serialize_field("ground", &self.ground)?;
        }
        if !self.ways.is_empty() {
            rules.serialize_field("ways", &self.ways)?;
        }
        if !self.cover.is_empty() {
            rules.serialize_field("cover", &self.cover)?;
        }
        if !self.opaque.is_empty() {
            rules.serialize_field("opaque", &self.opaque)?;
        }
        if let Some(loot) = &self.loot {
            rules.serialize_field("loot", loot)?;
        }
        if let Some(limit) = &self.limit {
            rules.serialize_field("limit", limit)?;
        }
        rules.end()
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let (text, usual) = (text::rules(deserializer)?, Rules::classic());
        let mut kinds = text.police.into_iter();
        let first = kinds.next().unwrap_or_default();
        let officers = match (text.officers, first.count) {
            (Some(_), Some(_)) => {
                return Err(D::Error::custom(
                    "expected officers, or blocks [[police]] with a count each; found both",
                ));
            }
            (officers, count) => officers.or(count).unwrap_or(usual.officers),
        };
        let other = |kind: text::MovementText| Officers {
            count: kind.count.unwrap_or(1),
            movement: kind.or(Movement::new(MoveSet::King)),
        };
        Ok(Rules {
            officers,
            others: kinds.map(other).collect(),
            police: first.or(usual.police),
            thief: text.thief.or(usual.thief),
            corner_cutting: text.corner_cutting.unwrap_or(usual.corner_cutting),
            wrap: text.wrap.unwrap_or(usual.wrap),
            stuck: text.stuck.unwrap_or(usual.stuck),
            team: text.team.unwrap_or(usual.team),
            police_on_exit: text.police_on_exit.unwrap_or(usual.police_on_exit),
            undecided: text.undecided.unwrap_or(usual.undecided),
            capture: text.capture,
            ground: text.ground,
            ways: text.ways,
            cover: text.cover,
            opaque: text.opaque,
            loot: text.loot,
            limit: text.limit,
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
        let rules = Rules { capture: Some(Capture::by(MoveSet::King)), ..Rules::classic() };
        assert_eq!(read("capture = { by = 'king' }"), Ok(rules));
        for (text, part) in [
            ("capture = 'king'", "expected how officers capture, as in \"same\", { by = \"king\" }"),
            ("capture = {}", "expected the keys by and distance, or sight"),
            ("capture = { by = 'king', sight = 2 }", "expected the keys by and distance, or sight"),
            ("capture = { by = 3 }", "a move set such as \"king\""),
            ("capture = { by = 'king', distance = 0 }", "a number from 1 to 255"),
            ("capture = { sight = 4, angle = 50 }", "expected an angle out of [45, 60"),
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
        let rules = Rules { capture: Some(Capture::by(moves)), ..rules };
        assert_eq!(toml::from_str::<Rules>(&toml::to_string(&rules).unwrap()).unwrap(), rules);
        assert_eq!(serde_json::from_str::<Rules>(&serde_json::to_string(&rules).unwrap()).unwrap(), rules);
    }

    #[test]
    fn every_check_of_rules_fires() {
        let with = |moves| Rules { police: Movement::new(moves), ..Rules::classic() };
        let rules = Rules { officers: 7, ..Rules::classic() };
        assert_eq!(rules.check(), Err(PiecesError { found: 7 }.into()));
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
        let near = |by| Rules { capture: Some(Capture::by(by)), ..Rules::cops() };
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
