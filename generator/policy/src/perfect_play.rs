//! Perfect play of both sides, with which a policy is compared.

use super::{
    error::PolicyError,
    ground::Ground,
    policy_game::{PolicyGame, PolicyPosition},
};
use dragnet_formats::{board::Board, cell::Side, rules::Rules, value::Value};
use dragnet_generator::{
    GameSize, Generator, Observer, Pursuit,
    counters::{self, Labels},
};

/// The values of all positions of a ground if both sides play perfectly.
#[derive(Debug)]
pub struct PerfectPlay<'a> {
    game: &'a Pursuit,
    labels: Labels,
}

/// Returns perfect play on `ground`, solved by the engine [`counters`](dragnet_generator::counters) on the
/// threads of `generator`.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, rules::Rules, value::Value};
/// use dragnet_generator::Generator;
/// use dragnet_policy::{Ground, perfect_play};
///
/// let ground = Ground::new(make::open(3, 3)?, Rules::classic())?;
/// let perfect = perfect_play(&ground, &Generator::new(1)?, &())?;
/// assert_eq!(perfect.value(Side::Police, 0, 2), Value::Win(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the memory does not suffice, or the observer stops the work.
pub fn perfect_play<'a>(
    ground: &'a Ground,
    generator: &Generator,
    observer: &dyn Observer,
) -> Result<PerfectPlay<'a>, PolicyError> {
    let game = ground.game();
    Ok(PerfectPlay { game, labels: generator.solve_by_counters(game, observer)? })
}

impl PerfectPlay<'_> {
    /// Returns the most bytes of memory that [`perfect_play`] takes beside the ground: an estimate from
    /// above.
    #[must_use]
    pub fn memory_needed(board: &Board, rules: &Rules, generator: &Generator) -> u64 {
        counters::memory_needed(&GameSize::of(board, rules), generator.install(rayon::current_num_threads))
    }

    /// Returns the value of a position of `game`, which is on the same ground, for the side to move.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn value_in(&self, game: &PolicyGame, position: PolicyPosition) -> Value {
        let [police, thief] = game.both_places(position);
        self.value(position.turn, police, thief)
    }

    /// Returns the value for the side to move with the police and the thief at these places.
    ///
    /// # Panics
    /// If a side has no such place.
    #[must_use]
    pub fn value(&self, turn: Side, police: u32, thief: u32) -> Value {
        let row = turn as u64 * self.game.police().len() + u64::from(police);
        self.game.in_plies(self.labels.value(row * self.game.cell_count() + u64::from(thief)))
    }
}
