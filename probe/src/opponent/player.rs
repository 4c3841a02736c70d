//! The opponent, and how it chooses a move.

use crate::{
    Position, ProbeError,
    moves::Choice,
    opponent::{
        board_steps::BoardSteps,
        cost::Stakes,
        instinct::{self, InstinctScratch},
        lots::Lots,
        strength::{RangeError, Strength},
        style::Style,
        valued_game::ValuedGame,
    },
};
use dragnet_formats::{
    cell::Side,
    pieces::Pieces,
    value::{Plies, Value},
};
use std::sync::Arc;

/// The enemy's pieces that are remembered for each side.
const REMEMBERED: usize = Strength::SLOWEST as usize + 1;

/// Lists that are kept from turn to turn, so that a turn needs no new memory once they are long enough.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The moves of the position.
    pub(super) choices: Vec<Choice>,
    /// The moves of the perceived position, of which the preferred ones stay.
    pub(super) preferred: Vec<Choice>,
    /// The replies to a move.
    replies: Vec<Choice>,
    instinct: InstinctScratch,
}

/// A player for either side or both, whose moves depend on the table, its parameters, its seed and nothing
/// else.
///
/// ```
/// use dragnet_probe::{Cell, Open, Position, Side, opponent::Opponent};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Open::path(path).pursuit()?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// let choice = Opponent::perfect(1).choose(&table, position)?.expect("a move");
/// assert_eq!(choice.value, table.best_moves(position)?[0].value);
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opponent {
    pub(super) strength: Strength,
    style: Style,
    lots: Lots,
    /// Where the enemy's pieces stood at the last turns of the police and of the thief, the latest last.
    seen: [Vec<Pieces>; 2],
    /// The steps of the last table on which instinct was needed.
    board: Option<Arc<BoardSteps>>,
    pub(super) scratch: Scratch,
}

impl Opponent {
    /// Creates an opponent that draws all lots from `seed`.
    ///
    /// # Errors
    /// When a parameter of the strength, or of the style's replier, is out of its range.
    pub fn new(strength: Strength, style: Style, seed: u64) -> Result<Opponent, RangeError> {
        strength.check()?;
        style.check()?;
        Ok(Opponent { strength, style, ..Opponent::perfect(seed) })
    }

    /// Creates an opponent that plays a best move in every position, drawn by lot among equals.
    #[must_use]
    pub fn perfect(seed: u64) -> Opponent {
        Opponent {
            strength: Strength::PERFECT,
            style: Style::Longest,
            lots: Lots::new(seed),
            seen: [Vec::new(), Vec::new()],
            board: None,
            scratch: Scratch::default(),
        }
    }

    /// Returns the strength.
    #[must_use]
    pub fn strength(&self) -> &Strength {
        &self.strength
    }

    /// Returns the style.
    #[must_use]
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Returns the number that continues the lots as a seed, for a saved game. What a slow opponent remembers
    /// is not part of it.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.lots.state()
    }

    /// Begins a new game, with lots from `seed`.
    pub fn restart(&mut self, seed: u64) {
        self.lots = Lots::new(seed);
        self.forget();
    }

    /// Forgets where the enemy stood: at the start of a game, or after moves were taken back. Only slow
    /// reactions ([`Strength::reaction`]) rest on what is remembered.
    pub fn forget(&mut self) {
        self.seen.iter_mut().for_each(Vec::clear);
    }

    /// Chooses a move for the side to move. Returns `None` if the position is terminal or the side is stuck.
    /// To be called once for each turn, as every call draws lots and remembers the position. Allocates
    /// nothing after some turns on a table whose blocks are in the cache.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn choose<G: ValuedGame>(
        &mut self,
        game: &G,
        position: Position,
    ) -> Result<Option<Choice>, ProbeError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let chosen = self.choose_in(&mut scratch, game, position);
        self.scratch = scratch;
        chosen
    }

    fn choose_in<G: ValuedGame>(
        &mut self,
        scratch: &mut Scratch,
        game: &G,
        position: Position,
    ) -> Result<Option<Choice>, ProbeError> {
        game.best_moves_into(position, &mut scratch.choices)?;
        if scratch.choices.is_empty() {
            return Ok(None);
        }
        self.remember(position);
        let [careless, temptation, equals] = [self.lots.draw(), self.lots.draw(), self.lots.draw()];
        if Lots::scale(careless, 1000) < self.strength.errors.into() {
            let stakes = Stakes::new(position.turn, game.undecided());
            let lots = stakes.weigh(&self.strength, &scratch.choices).lots();
            let error = stakes.error(&self.strength, &scratch.choices, Lots::scale(temptation, lots));
            if error.is_some() {
                return Ok(error);
            }
        }
        self.find_candidates(scratch, game, position, None)?;
        let lot = Lots::scale(equals, scratch.preferred.len() as u64) as usize;
        let target = |choice: &Choice| (choice.to, choice.position.world);
        let to = scratch.preferred.get(lot).map(target);
        let choices = &scratch.choices;
        Ok(choices.iter().find(|choice| Some(target(choice)) == to).or(choices.first()).copied())
    }

    /// Writes the moves among which a careful opponent draws its lot to `scratch.preferred`. The enemy's
    /// pieces were `seen`, the latest last; without that they are those remembered.
    pub(super) fn find_candidates<G: ValuedGame>(
        &mut self,
        scratch: &mut Scratch,
        game: &G,
        position: Position,
        seen: Option<&[Pieces]>,
    ) -> Result<(), ProbeError> {
        let perceived = match self.perceive(game, position, seen, &mut scratch.preferred)? {
            Some(perceived) => perceived,
            None => {
                scratch.preferred.clone_from(&scratch.choices);
                position
            }
        };
        self.prefer(game, perceived, scratch)
    }

    fn remember(&mut self, position: Position) {
        let seen = match position.turn {
            Side::Police => &mut self.seen[0],
            Side::Thief => &mut self.seen[1],
        };
        let enemy = enemy(position);
        if seen.len() == REMEMBERED {
            seen.remove(0);
        }
        seen.push(enemy);
    }

    /// Returns the position that an opponent with delayed reaction believes it is in, and writes its moves to
    /// `moves`. The enemy's pieces stand where they were `seen`, or without that where they are remembered.
    /// Returns `None` if the opponent sees the current position.
    fn perceive<G: ValuedGame>(
        &self,
        game: &G,
        position: Position,
        seen: Option<&[Pieces]>,
        moves: &mut Vec<Choice>,
    ) -> Result<Option<Position>, ProbeError> {
        let seen = match (seen, position.turn) {
            (Some(seen), _) => seen,
            (None, Side::Police) => &self.seen[0],
            (None, Side::Thief) => &self.seen[1],
        };
        let first = seen.len().saturating_sub(1 + usize::from(self.strength.reaction));
        let officers = position.police.len();
        for &enemy in seen.get(first..seen.len().saturating_sub(1)).unwrap_or_default() {
            let perceived = match position.turn {
                Side::Police => Position { thief: enemy.cell(), ..position },
                Side::Thief => Position { police: enemy, ..position },
            };
            // What is remembered may be of another table.
            if perceived.police.len() != officers {
                continue;
            }
            game.best_moves_into(perceived, moves)?;
            if !moves.is_empty() {
                return Ok(Some(perceived));
            }
        }
        Ok(None)
    }

    /// Keeps the moves that the opponent holds for the best of `scratch.preferred`, all moves of `position`.
    fn prefer<G: ValuedGame>(
        &mut self,
        game: &G,
        position: Position,
        scratch: &mut Scratch,
    ) -> Result<(), ProbeError> {
        let Scratch { preferred, replies, instinct, .. } = scratch;
        let Some(&first) = preferred.first() else { return Ok(()) };
        let horizon = self.strength.horizon;
        if matches!(first.worth(), Value::Win(dtw) if dtw <= horizon) {
            preferred.retain(|choice| choice.value == first.value);
        } else if preferred.iter().any(|choice| !is_seen(choice.worth(), horizon)) {
            preferred.retain(|choice| !is_seen(choice.worth(), horizon));
            instinct::prefer(self.board(game), position, preferred, instinct);
        } else if first.worth() == Value::Draw {
            self.style.prefer_draws(game, preferred, replies)?;
        } else {
            self.style.prefer_losses(game, preferred, replies)?;
        }
        Ok(())
    }

    fn board(&mut self, game: &impl ValuedGame) -> &BoardSteps {
        if !self.board.as_ref().is_some_and(|board| board.is_of(game)) {
            self.board = None;
        }
        self.board.get_or_insert_with(|| Arc::new(BoardSteps::new(game)))
    }
}

/// Returns the pieces of the side that is not to move.
pub(super) fn enemy(position: Position) -> Pieces {
    match position.turn {
        Side::Police => Pieces::one(position.thief),
        Side::Thief => position.police,
    }
}

fn is_seen(worth: Value, horizon: Plies) -> bool {
    worth.dtw().map_or(horizon >= Strength::UNLIMITED, |dtw| dtw <= horizon)
}
