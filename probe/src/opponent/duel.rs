//! Games between two opponents.

use crate::{
    Position, ProbeError,
    opponent::{player::Opponent, valued_game::ValuedGame},
};
use dragnet_formats::{
    cell::Side,
    rules::Stuck,
    value::{Outcome, Plies},
};
use std::collections::HashMap;

/// The occurrences of a position that end a game.
const OCCURRENCES: u8 = 3;

/// The plies after which a game ends, beside four times the table's longest win.
const LIMIT: usize = 1000;

/// The longest win for which the limit is raised.
const LONGEST: Plies = 25_000;

/// A game between two opponents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    /// The positions: the start, and the position after each ply.
    pub positions: Vec<Position>,
    /// The winner; `None` for a draw that the rules count for neither side.
    pub winner: Option<Side>,
}

impl Duel {
    /// Plays a game from `start` to its end: a win, the third occurrence of a position, or a limit of plies.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, opponent::{Duel, Opponent}};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let start = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let duel = Duel::play(&table, start, &mut Opponent::perfect(1), &mut Opponent::perfect(2))?;
    /// assert_eq!((duel.plies(), duel.winner), (5, Some(Side::Police)));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn play<G: ValuedGame>(
        game: &G,
        start: Position,
        police: &mut Opponent,
        thief: &mut Opponent,
    ) -> Result<Duel, ProbeError> {
        let limit = LIMIT + 4 * game.longest().min(LONGEST) as usize;
        let mut occurrences = HashMap::new();
        let mut positions = vec![start];
        let winner = loop {
            let here = positions[positions.len() - 1];
            let occurred: &mut u8 = occurrences.entry(here).or_default();
            *occurred += 1;
            let drawn = *occurred >= OCCURRENCES || positions.len() > limit;
            if drawn && game.value(here)?.dtw() != Some(0) {
                break Outcome::Draw.counted(game.undecided()).winner();
            }
            let turn = here.turn;
            let mover = match turn {
                Side::Police => &mut *police,
                Side::Thief => &mut *thief,
            };
            let Some(choice) = mover.choose(game, here)? else {
                break Some(match (game.winner(here)?, game.stuck()) {
                    (Some(winner), _) => winner,
                    (None, Stuck::Wins) => turn,
                    (None, Stuck::Loses) => turn.other(),
                });
            };
            positions.push(choice.position);
        };
        Ok(Duel { positions, winner })
    }

    /// Returns the number of plies made.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }
}
