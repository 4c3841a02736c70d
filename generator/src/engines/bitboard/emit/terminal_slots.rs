//! The slots of a block whose positions are terminal. They have no value in the table.

use super::{
    super::words::ones,
    tiles::{PoliceTeams, ThiefTile},
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{cell::Side, game::terminal::Wins};
use std::ops::Range;

/// Consecutive terminal slots of a block that one side has won. A slot is the thief cell's rank times the
/// number of teams plus the team's rank.
pub(super) struct TerminalSlots {
    pub(super) slots: Range<usize>,
    pub(super) winner: Side,
}

/// Returns the terminal slots of a block, rising.
pub(super) fn terminal_slots(game: &Pursuit, police: &PoliceTeams, thief: &ThiefTile) -> Vec<TerminalSlots> {
    let width = police.teams.len();
    let rule = game.terminal_rule();
    let mut runs: Vec<TerminalSlots> = Vec::new();
    for (first, cells) in (0..).step_by(64).zip(thief.numbers.chunks(64)) {
        let word = rule.word(thief.world, cells);
        let of_team = |team| rule.of_team(thief.world, game.police().list().cells(team)).wins(&word);
        let of_teams: Vec<Wins<u64>> = police.teams.clone().map(of_team).collect();
        for bit in ones(of_teams.iter().fold(0, |all, wins| all | wins.either())) {
            for (rank, wins) in of_teams.iter().enumerate() {
                let wins = Wins { police: wins.police >> bit & 1 == 1, thief: wins.thief >> bit & 1 == 1 };
                let Some(winner) = wins.winner() else { continue };
                let slot = (first + bit) * width + rank;
                match runs.last_mut() {
                    Some(last) if last.slots.end == slot && last.winner == winner => last.slots.end += 1,
                    _ => runs.push(TerminalSlots { slots: slot..slot + 1, winner }),
                }
            }
        }
    }
    runs
}
