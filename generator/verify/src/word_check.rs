//! Deriving the scores of all positions with the thief on the cells of one word.
//!
//! Two kinds of rows take turns, because one side's moves change the thief's cell and the other's the team:
//!
//! 1. The scores that the table holds come as rows with a score for each *team* of a police tile, one row for
//!    each thief cell of the word and around it. A move of the thief leads to another row, so the score of a
//!    position with the thief to move is a maximum over whole rows.
//! 2. Those rows are transposed into rows with a score for each *thief cell* of the word, one row for each
//!    team. A move of the police leads to another row, so again a maximum over whole rows gives the scores
//!    with the police to move, and they must be those that the table holds.
//!
//! A pass keeps two rows for each team, and with several officers those of partial turns. This does not
//! depend on the number of thief cells, so a board of any size takes a few hundred bytes per team and thread.

use super::{
    checked_table::CheckedTable,
    police_moves::{PartMoves, PoliceMoves},
    recent_blocks::{RecentBlocks, TooLong},
    row_moves::{best_of_partial_turns, derive_replies, transpose},
    score::{WORD, WordRow, WordScore, raise, terminal_score},
    tally::{DigestWord, Tally},
    word_cells::{RowGroup, WordCells},
};
use dragnet_formats::{
    cell::Side,
    game::terminal::{Wins, decide},
    header::Summary,
    value::{Plies, Value},
};
use dragnet_probe::ProbeError;
use multiversion::multiversion;
use std::ops::Range;

/// A stored value that does not follow from the values of the successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongScore {
    /// The place of the thief's cell in the order of the thief's tiles.
    pub(super) thief: usize,
    /// The place of the team in the list of teams of all worlds.
    pub(super) team: usize,
    /// The stored value.
    pub(super) found: Value,
    /// The value that follows, or `None` if its distance is beyond the greatest that a table can hold.
    pub(super) expected: Option<Value>,
}

/// The result of checking one word.
pub(super) enum WordResult {
    /// Every value is right; these are the counts, longest wins and digest of the word.
    Right(Summary),
    /// The first wrong value in the order of thief cells, then of teams.
    Wrong(WrongScore),
}

/// The memory of one thread that checks words, one after the other.
pub(super) struct WordCheck<'a, S> {
    checked: &'a CheckedTable<'a>,
    moves: &'a PoliceMoves,
    cells: WordCells,
    blocks: RecentBlocks<S>,
    /// The scores of the teams of one police tile against each cell that has a row in `cells`.
    near: Vec<S>,
    /// The scores of the same teams with the thief to move, on the cells of the word.
    replies: Vec<S>,
    /// Elements between the rows of `near` and of `replies`.
    stride: usize,
    /// For each team the scores with the police to move, as stored.
    stored: Vec<WordRow<S>>,
    /// For each team the scores with the thief to move.
    thief_to_move: Vec<WordRow<S>>,
    /// For each team the bits of terminal positions, and those without a position.
    settled: Vec<u64>,
    /// For each part of a turn but the first, the best scores that the states before it can reach.
    partial: Vec<Vec<WordRow<S>>>,
}

impl<'a, S: WordScore> WordCheck<'a, S> {
    pub(super) fn new(checked: &'a CheckedTable<'a>, moves: &'a PoliceMoves) -> WordCheck<'a, S> {
        // Longer than any row, in whole words, and not a power of 2: the rows of a square of the transposed
        // matrix should not all lie in the same lines of a cache.
        let stride = checked.most_teams.next_multiple_of(WORD) + WORD / 2;
        let teams = checked.team_count();
        let later = moves.layers.get(1..).unwrap_or_default();
        WordCheck {
            cells: WordCells::default(),
            blocks: RecentBlocks::new(checked.table.numbering().block_count(), checked.longest_block),
            near: Vec::new(),
            replies: vec![S::default(); WORD * stride],
            stride,
            stored: vec![WordRow::of(S::default()); teams],
            thief_to_move: vec![WordRow::of(S::default()); teams],
            settled: vec![0; teams],
            partial: later.iter().map(|part| vec![WordRow::of(S::default()); part.states()]).collect(),
            checked,
            moves,
        }
    }

    /// Returns the bytes of memory that a check of any word takes, apart from the scores around its cells.
    pub(super) fn memory_needed(checked: &CheckedTable, moves: &PoliceMoves) -> u64 {
        let rows = 2 * checked.team_count() + moves.partial_states();
        let settled = checked.team_count() * size_of::<u64>();
        let blocks = checked.table.numbering().block_count();
        (rows * size_of::<WordRow<S>>() + settled) as u64
            + RecentBlocks::<S>::most_bytes(blocks, checked.longest_block)
    }

    /// Checks the positions with the thief on the cells of `word`.
    ///
    /// # Errors
    /// When a block is damaged.
    pub(super) fn check(&mut self, word: Range<usize>) -> Result<Result<WordResult, TooLong>, ProbeError> {
        let begin = word.start;
        for world in 0..self.checked.game.worlds {
            self.cells.set(self.checked, world, word.clone());
            self.near.clear();
            self.near.resize(self.cells.row_count() * self.stride, S::default());
            for tile in 0..self.checked.table.numbering().police().tile_count() {
                if let Err(TooLong) = self.read_tile(world, tile)? {
                    return Ok(Err(TooLong));
                }
            }
        }
        let (first, later) = self.moves.layers.split_first().expect("a turn has a part");
        for (number, part) in later.iter().enumerate().rev() {
            let (best, after) = self.partial[number..].split_first_mut().expect("rows for each part but one");
            best_of_partial_turns(part, after.first().unwrap_or(&self.thief_to_move), best);
        }
        let after = self.partial.first().unwrap_or(&self.thief_to_move);
        Ok(Ok(compare(&Comparison { check: self, begin, moves: first, after })))
    }

    /// Reads the scores of the teams of a police tile, and derives those with the thief to move in a world.
    fn read_tile(&mut self, world: u32, tile: u64) -> Result<Result<(), TooLong>, ProbeError> {
        let (table, teams) = (self.checked.table, self.checked.teams.range_of(tile));
        let (count, stride) = (teams.len(), self.stride);
        let (numbering, police) = (table.numbering(), table.numbering().police());
        let thief_tiles = u64::from(numbering.thief().tile_count());
        for ((world, thief_tile), rows) in &self.cells.tiles {
            let police_tile = u64::from(*world) * police.tile_count() + tile;
            let block = police_tile * thief_tiles + u64::from(*thief_tile);
            let scores = match self.blocks.scores(table, block)? {
                Ok(scores) => scores,
                Err(TooLong) => return Ok(Err(TooLong)),
            };
            for &(rank, row) in rows {
                self.near[row * stride..][..count].copy_from_slice(&scores[rank * count..][..count]);
            }
        }
        self.set_terminals(teams.clone());
        let stuck = S::of_code(self.checked.game.stuck.value().code());
        derive_replies(&self.near, stride, count, &self.cells, stuck, &mut self.replies);
        let first = world as usize * self.checked.teams.len();
        let in_world = first + teams.start..first + teams.end;
        transpose(&self.near, stride, &mut self.stored[in_world.clone()]);
        transpose(&self.replies, stride, &mut self.thief_to_move[in_world]);
        for team in teams {
            let Wins { police, thief } = self.wins(team, &self.cells.groups[0]);
            let team = first + team;
            let row = &mut self.thief_to_move[team].0;
            for_each_bit(police, |bit| row[bit] = terminal_score(Side::Police, Side::Thief));
            for_each_bit(thief, |bit| row[bit] = terminal_score(Side::Thief, Side::Thief));
            let all = self.cells.all();
            for_each_bit(!all, |bit| row[bit] = S::default());
            self.settled[team] = police | thief | !all;
        }
        Ok(Ok(()))
    }

    /// Sets the scores of terminal positions with the police to move in `near`.
    fn set_terminals(&mut self, teams: Range<usize>) {
        for group in 0..self.cells.groups.len() {
            let group = self.cells.groups[group];
            for (rank, team) in teams.clone().enumerate() {
                let Wins { police, thief } = self.wins(team, &group);
                let mut set = |bits, winner| {
                    for_each_bit(bits, |bit| {
                        let row = group.number * WORD + bit;
                        self.near[row * self.stride + rank] = terminal_score(winner, Side::Police);
                    });
                };
                set(police, Side::Police);
                set(thief, Side::Thief);
            }
        }
    }

    /// Returns the terminal positions of a team against the cells of a group, one bit for each row.
    #[inline(always)]
    fn wins(&self, team: usize, group: &RowGroup) -> Wins<u64> {
        let (officers, ends) = (self.checked.teams.cells(team), &self.checked.game.ends);
        let first = group.world as usize * self.checked.cell_count();
        let mut captured = 0;
        for officer in officers {
            for &cell in ends.captured_from(group.world, officer) {
                if let Some(row) = self.cells.row_of(first + cell as usize)
                    && row / WORD == group.number
                {
                    captured |= 1 << (row % WORD);
                }
            }
        }
        let arrived = if ends.arrived(group.world, officers) { group.rows } else { 0 };
        decide(captured, group.escapes, arrived)
    }
}

#[inline(always)]
fn for_each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The scores that are compared when all scores of a word with the thief to move are known.
struct Comparison<'c, 'a, S> {
    check: &'c WordCheck<'a, S>,
    /// The place of the word's first cell in the order of the thief's tiles.
    begin: usize,
    /// The moves of the first part of a turn.
    moves: &'c PartMoves,
    /// The best scores after that part.
    after: &'c [WordRow<S>],
}

/// Derives the scores with the police to move, compares them with the stored ones, and counts.
#[multiversion(targets = "simd")]
fn compare<S: WordScore>(comparison: &Comparison<'_, '_, S>) -> WordResult {
    let Comparison { check, begin, moves, after } = *comparison;
    let checked = check.checked;
    let stuck = S::of_code(checked.game.stuck.value().code());
    let (mut police, mut thief) = (Tally::<S>::new(), Tally::<S>::new());
    let cells = checked.cell_count() as u32;
    let thief_cells: Vec<u32> = check.cells.thief.iter().map(|&cell| cell % cells).collect();
    let mut digest = DigestWord::new(&thief_cells);
    let mut wrong: Option<WrongScore> = None;
    for (team, stored) in check.stored.iter().enumerate() {
        let targets = moves.of(team);
        let mut derived = [S::NO_MOVE; WORD];
        targets.iter().for_each(|&to| raise(&mut derived, &after[to as usize].0));
        for score in &mut derived {
            *score = if targets.is_empty() { stuck } else { score.before() };
        }
        for_each_bit(check.settled[team], |bit| derived[bit] = stored.0[bit]);
        let right = derived.iter().zip(&stored.0).fold(true, |right, (a, b)| right & (a == b));
        if !right {
            let bit = (0..WORD).find(|&bit| derived[bit] != stored.0[bit]).expect("a score that differs");
            let thief = begin + bit;
            if wrong.is_none_or(|first| thief < first.thief) {
                let found = stored.0[bit].value().expect("a stored value has a distance within the limit");
                wrong = Some(WrongScore { thief, team, found, expected: derived[bit].value() });
            }
        }
        police.add(stored);
        thief.add(&check.thief_to_move[team]);
        digest.add(checked.team_numbers[team] * u64::from(cells), stored);
    }
    if let Some(wrong) = wrong {
        return WordResult::Wrong(wrong);
    }
    let positions = (check.cells.thief.len() * check.stored.len()) as u64;
    // A score is positive if the side wins that has just moved.
    let (police_to_move, long) = police.summary(positions, false);
    let (thief_to_move, longer) = thief.summary(positions, true);
    let mut longest = long;
    longest.police = Plies::max(long.police, longer.police);
    longest.thief = Plies::max(long.thief, longer.thief);
    WordResult::Right(Summary { police_to_move, thief_to_move, longest, digest: digest.sum() })
}
