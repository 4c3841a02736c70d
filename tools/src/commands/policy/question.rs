//! The game against the policy that the command line names.

use super::spec::PolicySpec;
use crate::{
    commands::subject::SubjectArguments, failure::Failure, input::text, output::progress::Progress, signals,
};
use dragnet_formats::{cell::Side, pieces::Pieces};
use dragnet_generator::Generator;
use dragnet_policy::{
    Greedy, Ground, Policy, PolicyError, PolicyGame, PolicyTextError, RandomWalk, Recalling, read_moves,
    read_route,
};
use dragnet_probe::{
    Position, Table,
    opponent::{Crew, Style},
};
use std::path::Path;

/// A policy on a board, and what is needed to ask about it.
pub(super) struct Question<'a> {
    pub(super) subject: &'a SubjectArguments,
    pub(super) table: &'a Table,
    pub(super) ground: &'a Ground,
    pub(super) generator: &'a Generator,
    pub(super) progress: &'a Progress,
    /// The policy as the user names it.
    pub(super) spec: &'a PolicySpec,
}

impl<'a> Question<'a> {
    /// Returns the game against the policy, which `side` follows.
    pub(super) fn game(&self, side: Side) -> Result<PolicyGame<'a>, Failure> {
        let ground = self.ground;
        match self.spec {
            PolicySpec::Patrol(file) => {
                self.game_of(&read(file, |text| read_route(ground, side, text))?, false)
            }
            PolicySpec::Moves(file) => {
                self.game_of(&read(file, |text| read_moves(ground, side, text))?, true)
            }
            PolicySpec::Greedy => self.game_of(&Greedy::new(ground, side), false),
            PolicySpec::Random(weights) => {
                let walk = RandomWalk::new(ground, side).with_weights(weights).map_err(failure)?;
                self.game_of(&walk, true)
            }
            PolicySpec::Opponent(strength) => {
                let crew =
                    Crew::new(*strength, Style::Longest).map_err(|error| Failure::Input(error.into()))?;
                let weights = |[police, thief]: [Pieces; 2], seen: &[Pieces]| {
                    let position = Position::new(police, thief.cell(), side);
                    Ok(crew.weights(self.table, position, seen)?)
                };
                self.game_of(&Recalling::new(ground, side, strength.reaction, weights), true)
            }
        }
    }

    fn game_of(&self, policy: &impl Policy, chance: bool) -> Result<PolicyGame<'a>, Failure> {
        let places = self.ground.places(policy.side().other()) as u64;
        let needed = PolicyGame::memory_needed(policy.posts(self.ground), places, chance);
        self.subject.require("the game against the policy", needed)?;
        PolicyGame::new(self.ground, policy, self.generator, self.progress).map_err(failure)
    }
}

/// Reads the policy in a file.
fn read<T>(file: &Path, parse: impl FnOnce(&str) -> Result<T, PolicyTextError>) -> Result<T, Failure> {
    parse(&text::read(file, "a policy")?).map_err(|error| Failure::Input(error.into()).in_file(file))
}

/// Returns the failure of asking about a policy.
pub(super) fn failure(error: PolicyError) -> Failure {
    match error {
        PolicyError::Stopped => Failure::Silent(signals::status()),
        PolicyError::Solve(error) => Failure::Trouble(error.into()),
        error => Failure::Input(error.into()),
    }
}
