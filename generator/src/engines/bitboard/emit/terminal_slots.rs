//! The slots of a block whose positions are terminal. They have no value in the table.

use super::{
    super::words::ones,
    tiles::{PoliceTeams, ThiefTile},
};
use crate::games::pursuit::Pursuit;
use std::ops::Range;

/// Returns the terminal slots of a block as ranges, rising. A slot is the thief cell's rank times the number
/// of teams plus the team's rank.
pub(super) fn terminal_slots(game: &Pursuit, police: &PoliceTeams, thief: &ThiefTile) -> Vec<Range<usize>> {
    let width = police.teams.len();
    let rule = game.terminal_rule();
    let mut slots: Vec<usize> = Vec::new();
    for (first, cells) in (0..).step_by(64).zip(thief.numbers.chunks(64)) {
        let word = rule.word(thief.world, cells);
        for (rank, team) in police.teams.clone().enumerate() {
            let wins = rule.of_team(thief.world, game.police().list().cells(team)).wins(&word);
            slots.extend(ones(wins.either()).map(|bit| (first + bit) * width + rank));
        }
    }
    slots.sort_unstable();
    slots.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect()
}
