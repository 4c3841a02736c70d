//! The probabilities of an opponent's moves.

use crate::{
    ProbeError,
    moves::Choice,
    opponent::{
        cost::Stakes,
        player::{Opponent, Room, enemy},
        valued_game::ValuedGame,
    },
};
use dragnet_formats::pieces::Pieces;

impl<P: Copy> Opponent<P> {
    /// Appends to `moves` every move of the side to move, in the order of the table's best moves, with the
    /// probability that [`Opponent::choose`] makes it. `seen` has the enemy's pieces at the side's earlier
    /// turns, the latest last; only as many as
    /// [`Strength::reaction`](super::Strength::reaction) play a role. Draws no lot and remembers
    /// nothing. The probabilities are right to within the rounding of doubles and the 2^-63 by which lots of
    /// 64 bits differ from them.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Position, Side, Table, opponent::{Opponent, Strength, Style}};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// let mut police = Opponent::new(Strength::HARD, Style::Longest, 1)?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let mut moves = Vec::new();
    /// police.probabilities(&table, position, &[], &mut moves)?;
    /// assert_eq!(moves.len(), table.best_moves(position)?.len());
    /// assert!(moves[0].1 >= 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Opponent::choose`].
    pub fn probabilities<G: ValuedGame<Position = P>>(
        &mut self,
        game: &G,
        position: P,
        seen: &[Pieces],
        moves: &mut Vec<(Choice<P>, f64)>,
    ) -> Result<(), ProbeError> {
        let mut room = std::mem::take(&mut self.room);
        let found = self.probabilities_in(&mut room, game, position, seen, moves);
        self.room = room;
        found
    }

    fn probabilities_in<G: ValuedGame<Position = P>>(
        &mut self,
        room: &mut Room<P>,
        game: &G,
        position: P,
        seen: &[Pieces],
        moves: &mut Vec<(Choice<P>, f64)>,
    ) -> Result<(), ProbeError> {
        game.best_moves_into(position, &mut room.choices)?;
        let Some(best) = room.choices.first().map(Choice::worth) else { return Ok(()) };
        let pieces = G::pieces(position);
        let stakes = Stakes::new(pieces.turn, game.rules().undecided);
        let (_, all) = stakes.weigh(&self.strength, &room.choices);
        let careless = f64::from(self.strength.errors) / 1000.0;
        let (first, mut errs) = (moves.len(), 0.0);
        for &choice in &room.choices {
            let weight = stakes.weight(&self.strength, best, choice.worth());
            let error = careless * weight as f64 / all as f64;
            errs += error;
            moves.push((choice, error));
        }
        let mut seen = seen.to_vec();
        seen.push(enemy(pieces));
        self.find_candidates(room, game, position, Some(&seen))?;
        let share = (1.0 - errs).max(0.0) / room.preferred.len() as f64;
        for (choice, probability) in &mut moves[first..] {
            if room.preferred.iter().any(|preferred| preferred.to == choice.to) {
                *probability += share;
            }
        }
        Ok(())
    }
}
