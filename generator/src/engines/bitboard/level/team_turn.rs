//! A turn of several officers, block by block (`PROTOCOL.md` §8).
//!
//! The officers move one after the other, the low one last. After some have moved, the words of a block are
//! those of *partial turns*: for each cell of the low officer the thief cells with which some way, or every
//! way, to end the turn leads into a set. Many blocks share partial turns, so each is computed once for all
//! blocks of a slice.

use super::{
    super::{
        board::{OfficerMoves, OfficerTiles, Places, PoliceRow, TeamTiles, replaced, with},
        sets::OverlayWords,
        words::{ROWS, Words, combined},
    },
    losses::king_words,
};
use dragnet_formats::game::Team;
use multiversion::multiversion;
use std::collections::HashMap;

/// Bits for a place in a key. A board has at most 2^20 cells.
const PLACE: u32 = 20;

/// Scratch words of one thread for the partial turns in one slice. It is empty between two slices.
#[derive(Debug, Default)]
pub(crate) struct TeamTurn {
    /// The index of each stage by its key.
    stages: HashMap<u128, u32>,
    all: Vec<Stage>,
    /// For each stage and each tile of the low officer the index of its words plus one, or 0.
    indices: Vec<u32>,
    words: Vec<Words>,
    /// The other officers of the tile that was looked at last, and the stages that follow when one has moved.
    others: Places,
    next: Vec<u32>,
}

/// Where the officers stand in the middle of a turn, but for the low one.
#[derive(Clone, Debug)]
struct Stage {
    /// The places of those who have moved, rising.
    moved: Places,
    /// The places of those who have not.
    unmoved: Places,
}

/// The set that turns lead into, and the officers' moves.
#[derive(Clone, Copy)]
pub(crate) struct TurnTarget<'a> {
    pub(crate) officer: &'a OfficerTiles,
    /// The moves in the world where the turn begins.
    pub(crate) moves: &'a OfficerMoves,
    pub(crate) teams: &'a TeamTiles,
    pub(crate) rule: Team,
    /// The words of the set in the overlay into which the turns lead.
    pub(crate) source: OverlayWords<'a>,
}

impl TeamTurn {
    /// Keeps in `undecided` the positions of a block from which every turn of the police reaches the target
    /// or, with `WINS`, some turn does.
    #[inline(always)]
    pub(crate) fn narrow<const WINS: bool>(&mut self, target: TurnTarget, tile: u32, undecided: &mut Words) {
        let (low, others) = (target.teams.low(tile), target.teams.others(tile));
        let mut found = if WINS { [0; ROWS] } else { *undecided };
        match target.rule {
            Team::All => {
                if self.others[..] != *others {
                    self.begin(target, others);
                }
                for at in 0..self.next.len() {
                    let index = self.index_of::<WINS>(target, self.next[at], low);
                    combine::<WINS>(&mut found, &self.words[index]);
                    if !WINS && is_empty(&found) {
                        break;
                    }
                }
            }
            Team::One => {
                combine::<WINS>(&mut found, &after_low::<WINS>(target, others, low));
                for at in 0..others.len() {
                    for &to in target.moves.steps(others[at] as usize) {
                        let others = replaced(others, at, target.officer.place(to) as u32);
                        combine::<WINS>(&mut found, &of_teams(target, &others, low));
                    }
                }
            }
        }
        undecided.iter_mut().zip(&found).for_each(|(word, found)| *word &= found);
    }

    /// Forgets all words: they hold for one overlay and level.
    pub(crate) fn forget(&mut self) {
        self.stages.clear();
        self.all.clear();
        self.indices.clear();
        self.words.clear();
        self.others.clear();
    }

    /// Begins the turns of teams with these other officers.
    fn begin(&mut self, target: TurnTarget, others: &[u32]) {
        self.others = Places::from_slice(others);
        self.next = self.after(target, &Stage { moved: Places::new(), unmoved: Places::from_slice(others) });
    }

    /// Returns the stages that follow when the last officer who has not moved moves.
    fn after(&mut self, target: TurnTarget, stage: &Stage) -> Vec<u32> {
        let Some((&last, rest)) = stage.unmoved.split_last() else { return Vec::new() };
        let steps = target.moves.steps(last as usize).iter();
        let places = steps.map(|&to| target.officer.place(to) as u32);
        places.map(|place| self.stage(target, with(&stage.moved, place), rest)).collect()
    }

    /// Returns the index of a stage.
    fn stage(&mut self, target: TurnTarget, moved: Places, unmoved: &[u32]) -> u32 {
        let places = moved.iter().chain(unmoved);
        let key = places.fold(moved.len() as u128, |key, &place| key << PLACE | u128::from(place));
        let next = self.all.len() as u32;
        let index = *self.stages.entry(key).or_insert(next);
        if index == next {
            self.all.push(Stage { moved, unmoved: Places::from_slice(unmoved) });
            self.indices.resize(self.indices.len() + target.officer.tile_count(), 0);
        }
        index
    }

    /// Returns the index of the words of a stage with the low officer in a tile of cells.
    fn index_of<const WINS: bool>(&mut self, target: TurnTarget, stage: u32, low: u32) -> usize {
        let at = stage as usize * target.officer.tile_count() + low as usize;
        if self.indices[at] == 0 {
            let words = self.words_of::<WINS>(target, stage, low);
            self.words.push(words);
            self.indices[at] = self.words.len() as u32;
        }
        self.indices[at] as usize - 1
    }

    #[inline(never)]
    fn words_of<const WINS: bool>(&mut self, target: TurnTarget, stage: u32, low: u32) -> Words {
        let stage = self.all[stage as usize].clone();
        if stage.unmoved.is_empty() {
            return after_low::<WINS>(target, &stage.moved, low);
        }
        let mut found = [if WINS { 0 } else { !0 }; ROWS];
        for next in self.after(target, &stage) {
            let index = self.index_of::<WINS>(target, next, low);
            combine::<WINS>(&mut found, &self.words[index]);
        }
        found
    }
}

/// Adds words to `found` with `WINS`, else leaves of it what they have too.
#[inline(always)]
fn combine<const WINS: bool>(found: &mut Words, words: &Words) {
    found.iter_mut().zip(words).for_each(|(found, &word)| *found = combined::<WINS>(*found, word));
}

#[inline(always)]
fn is_empty(words: &Words) -> bool {
    words.iter().fold(0, |all, word| all | word) == 0
}

/// Returns for each cell of a tile the thief cells with which every move of the low officer from there leads
/// into the target or, with `WINS`, some move does. The others stand on `others`, rising.
#[multiversion(targets = "simd")]
fn after_low<const WINS: bool>(target: TurnTarget, others: &[u32], low: u32) -> Words {
    let TurnTarget { officer, moves, teams, source, .. } = target;
    let (cells, first) = (officer.range(low), teams.first(others));
    if let Some(king) = &moves.tiles[low as usize].king {
        return king_words::<WINS>(cells.len(), king, &of_teams(target, others, low), |rim, near| {
            let begin = officer.first(rim.tile) as u32;
            // The rows of teams whose low officer he is are those of his cells.
            let words = (begin <= others[0]).then(|| source.block(first + rim.tile));
            for &(at, square) in &rim.cells {
                let place = begin + u32::from(at);
                near[usize::from(square)] = match words {
                    Some(words) if place <= others[0] => words[usize::from(at)],
                    _ => source.word(teams.row_with(officer, others, place)),
                };
            }
        });
    }
    let mut found = [if WINS { 0 } else { !0 }; ROWS];
    for (found, place) in found.iter_mut().zip(cells) {
        for &to in moves.steps(place) {
            let place = officer.place(to) as u32;
            let row = match place <= others[0] {
                true => PoliceRow::new(first + to.tile, to.at()),
                false => teams.row_with(officer, others, place),
            };
            *found = combined::<WINS>(*found, source.word(row));
        }
    }
    found
}

/// Returns for each cell of a tile the word of the team that has an officer there and the rest on `others`,
/// rising.
#[inline(always)]
fn of_teams(target: TurnTarget, others: &[u32], low: u32) -> Words {
    let TurnTarget { officer, teams, source, .. } = target;
    let cells = officer.range(low);
    if cells.end <= others[0] as usize + 1 {
        return *source.block(teams.first(others) + low);
    }
    let mut words = [0; ROWS];
    for (word, place) in words.iter_mut().zip(cells) {
        *word = source.word(teams.row_with(officer, others, place as u32));
    }
    words
}
