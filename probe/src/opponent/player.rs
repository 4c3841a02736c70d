//! The opponent, and how it chooses a move.

use crate::{
    Position, ProbeError, Table,
    moves::Choice,
    opponent::{
        cost::Stakes,
        ground::Ground,
        instinct,
        lots::Lots,
        strength::{RangeError, Strength},
        style::Style,
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

/// A player for either side or both, whose moves depend on the table, its parameters, its seed and nothing
/// else.
///
/// ```
/// use dragnet_probe::{Cell, Position, Side, Table, opponent::Opponent};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Table::open(path)?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// let choice = Opponent::perfect(1).choose(&table, position)?.expect("a move");
/// assert_eq!(choice.value, table.best_moves(position)?[0].value);
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opponent {
    strength: Strength,
    style: Style,
    lots: Lots,
    /// Where the enemy's pieces stood at the last turns of the police and of the thief, the latest last.
    seen: [Vec<Pieces>; 2],
    /// The ground of the last table on which instinct was needed.
    ground: Option<Arc<Ground>>,
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
            ground: None,
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
    /// To be called once for each turn, as every call draws lots and remembers the position.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn choose(&mut self, table: &Table, position: Position) -> Result<Option<Choice>, ProbeError> {
        let choices = table.best_moves(position)?;
        if choices.is_empty() {
            return Ok(None);
        }
        self.remember(position);
        let [careless, temptation, equals] = [self.lots.draw(), self.lots.draw(), self.lots.draw()];
        if Lots::scale(careless, 1000) < self.strength.errors.into() {
            let stakes = Stakes::new(position.turn, table.rules().undecided);
            let (_, all) = stakes.weigh(&self.strength, &choices);
            let error = stakes.error(&self.strength, &choices, Lots::scale(temptation, all));
            if error.is_some() {
                return Ok(error);
            }
        }
        let (perceived, imagined) = match self.perceive(table, position)? {
            Some((perceived, imagined)) => (perceived, Some(imagined)),
            None => (position, None),
        };
        let preferred = self.preferred(table, perceived, imagined.as_deref().unwrap_or(&choices))?;
        let lot = Lots::scale(equals, preferred.len() as u64) as usize;
        let to = preferred.get(lot).map(|choice| choice.to);
        Ok(choices.iter().find(|choice| Some(choice.to) == to).or(choices.first()).copied())
    }

    fn remember(&mut self, position: Position) {
        let (seen, enemy) = match position.turn {
            Side::Police => (&mut self.seen[0], Pieces::one(position.thief)),
            Side::Thief => (&mut self.seen[1], position.police),
        };
        if seen.len() == REMEMBERED {
            seen.remove(0);
        }
        seen.push(enemy);
    }

    /// Returns the position that a slow opponent takes for the current one, with its moves; `None` if it sees
    /// the current one.
    fn perceive(
        &self,
        table: &Table,
        position: Position,
    ) -> Result<Option<(Position, Vec<Choice>)>, ProbeError> {
        let seen = match position.turn {
            Side::Police => &self.seen[0],
            Side::Thief => &self.seen[1],
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
            let moves = table.best_moves(perceived)?;
            if !moves.is_empty() {
                return Ok(Some((perceived, moves)));
            }
        }
        Ok(None)
    }

    /// Returns the moves that the opponent holds for the best of `choices`, all moves of `position`.
    fn preferred(
        &mut self,
        table: &Table,
        position: Position,
        choices: &[Choice],
    ) -> Result<Vec<Choice>, ProbeError> {
        let Some(first) = choices.first() else { return Ok(Vec::new()) };
        let horizon = self.strength.horizon;
        if matches!(first.worth(), Value::Win(dtw) if dtw <= horizon) {
            return Ok(choices.iter().filter(|choice| choice.value == first.value).copied().collect());
        }
        let unseen: Vec<Choice> =
            choices.iter().filter(|choice| !is_seen(choice.worth(), horizon)).copied().collect();
        if !unseen.is_empty() {
            return Ok(instinct::preferred(self.ground(table), position, &unseen));
        }
        match first.worth() {
            Value::Draw => self.style.of_draws(table, choices),
            Value::Win(_) | Value::Loss(_) => self.style.of_losses(table, choices),
        }
    }

    fn ground(&mut self, table: &Table) -> &Ground {
        if !self.ground.as_ref().is_some_and(|ground| ground.is_of(table)) {
            self.ground = None;
        }
        self.ground.get_or_insert_with(|| Arc::new(Ground::new(table)))
    }
}

fn is_seen(worth: Value, horizon: Plies) -> bool {
    worth.dtw().map_or(horizon >= Strength::UNLIMITED, |dtw| dtw <= horizon)
}
