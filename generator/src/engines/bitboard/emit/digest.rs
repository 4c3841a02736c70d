//! The digest of the values of a block, from palette indices.

use super::{
    palette::Palette,
    palette_indices::RunIndices,
    terminal_slots::TerminalSlots,
    tiles::{PoliceTeams, TeamRun, ThiefPart, ThiefTile},
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{
    cell::Side,
    digest::{GOLDEN_GAMMA, digest_term, splitmix64},
    value::Value,
};
use multiversion::multiversion;

/// The parts of the digest's terms that do not depend on the thief's cell.
pub(super) struct Terms {
    /// For each palette index what the code contributes.
    codes: Vec<u64>,
    /// For each of [`PoliceTeams::runs`] what its teams contribute.
    runs: Vec<RunTerms>,
}

/// The contribution of the up to 8 teams of a run.
struct RunTerms {
    /// The number of each team's first position.
    first: [u64; 8],
    /// All bits for each team; none for those that a shorter run does not have.
    mask: [u64; 8],
}

impl Terms {
    /// Creates the terms of a police tile of the table in a world.
    pub(super) fn new(game: &Pursuit, world: u32, police: &PoliceTeams, palette: &Palette) -> Terms {
        let mut codes: Vec<u64> =
            palette.codes().iter().map(|&code| u64::from(code).wrapping_mul(GOLDEN_GAMMA)).collect();
        // As many as a byte can say, so that a lookup needs no check.
        codes.resize(codes.len().max(256), 0);
        let (first, cells) = (game.first_number(world), game.cell_count());
        let mut numbers = police.numbers.iter();
        let run = |run: &TeamRun| {
            let mut terms = RunTerms { first: [0; 8], mask: [0; 8] };
            for (row, number) in numbers.by_ref().take(run.rows.len()).enumerate() {
                (terms.first[row], terms.mask[row]) = (first + number * cells, !0);
            }
            terms
        };
        Terms { codes, runs: police.runs.iter().map(run).collect() }
    }

    /// Returns the sum of the digest's terms for one block. `indices` are the palette indices by overlay and
    /// run, and `terminal` the block's terminal slots.
    pub(super) fn block(
        &self,
        game: &Pursuit,
        police: &PoliceTeams,
        thief: &ThiefTile,
        terminal: &[TerminalSlots],
        indices: &[Vec<RunIndices>],
    ) -> u64 {
        let mut sum = terminal_terms(game, police, thief, terminal);
        for part in &thief.parts {
            sum = sum.wrapping_add(decided_terms(self, &indices[part.overlay], part));
        }
        sum
    }
}

/// Returns the terms of the positions with the thief on the cells of `thief`. Terminal positions count as
/// draws, as their palette index says.
#[multiversion(targets = "simd")]
fn decided_terms(terms: &Terms, indices: &[RunIndices], thief: &ThiefPart) -> u64 {
    let low_terms: &[u64; 256] = terms.codes.first_chunk().expect("256 terms and more");
    let mut sums = [0u64; 8];
    for (RunTerms { first, mask }, RunIndices { low, high }) in terms.runs.iter().zip(indices) {
        for (&number, &bit) in thief.numbers.iter().zip(&thief.bits) {
            let low = low[usize::from(bit & 63)].to_le_bytes();
            let codes = match high {
                Some(high) => {
                    let high = high[usize::from(bit & 63)].to_le_bytes();
                    std::array::from_fn(|i| terms.codes[usize::from(u16::from_le_bytes([low[i], high[i]]))])
                }
                None => low.map(|low| low_terms[usize::from(low)]),
            };
            for (i, (sum, code)) in sums.iter_mut().zip(codes).enumerate() {
                let number = first[i] + u64::from(number);
                *sum = sum.wrapping_add(splitmix64(number.wrapping_add(code)) & mask[i]);
            }
        }
    }
    sums.into_iter().fold(0, u64::wrapping_add)
}

/// Returns the terms of a block whose slots have these codes, terminal ones that of draws, given its terminal
/// slots.
pub(super) fn block_terms(
    game: &Pursuit,
    police: &PoliceTeams,
    thief: &ThiefTile,
    terminal: &[TerminalSlots],
    codes: &[u32],
) -> u64 {
    let mut sum = terminal_terms(game, police, thief, terminal);
    let first = game.first_number(thief.world);
    for (&number, codes) in thief.numbers.iter().zip(codes.chunks_exact(police.numbers.len())) {
        sum = sum.wrapping_add(cell_terms(
            &police.numbers,
            game.cell_count(),
            first + u64::from(number),
            codes,
        ));
    }
    sum
}

/// Returns the terms of the positions of teams with these numbers and a cell of the thief, which has the
/// number `first` with the first of all teams.
#[multiversion(targets = "simd")]
fn cell_terms(teams: &[u64], cells: u64, first: u64, codes: &[u32]) -> u64 {
    let mut sum = 0u64;
    for (&team, &code) in teams.iter().zip(codes) {
        sum = sum.wrapping_add(digest_term(team.wrapping_mul(cells).wrapping_add(first), code));
    }
    sum
}

/// Returns by how much the sum of [`decided_terms`] must change because terminal positions are no draws.
fn terminal_terms(
    game: &Pursuit,
    police: &PoliceTeams,
    thief: &ThiefTile,
    terminal: &[TerminalSlots],
) -> u64 {
    let (width, first) = (police.teams.len(), game.first_number(thief.world));
    let mut sum = 0u64;
    for TerminalSlots { slots, winner } in terminal {
        let code = Value::terminal(*winner, Side::Police).code();
        for slot in slots.clone() {
            let (rank, cell) = (slot % width, thief.numbers[slot / width]);
            let number = first + police.numbers[rank] * game.cell_count() + u64::from(cell);
            let term = digest_term(number, code).wrapping_sub(digest_term(number, Value::Draw.code()));
            sum = sum.wrapping_add(term);
        }
    }
    sum
}
