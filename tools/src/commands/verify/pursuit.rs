//! `dragnet verify` of a pursuit table: every value derived again.

mod score;
mod checked_table;
mod police_moves;
mod word_cells;
mod recent_blocks;
mod tally;
mod row_moves;
mod word_check;

pub(super) mod sample;

use super::{difference, wrong_header};
use crate::{
    failure::Failure,
    input::limits::Memory,
    lock::lock,
    output::{human, progress::Progress},
};
use checked_table::CheckedTable;
use dragnet_formats::{
    board::Board,
    header::Summary,
    value::{Plies, Value},
};
use dragnet_probe::{Position, Table};
use police_moves::PoliceMoves;
use rayon::prelude::*;
use recent_blocks::TooLong;
use score::WordScore;
use std::{
    ops::Range,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use word_check::{WordCheck, WordResult, WrongScore};

/// Checks the whole table, on as many threads of the current pool as have room in `memory`. What they share,
/// the lists of teams and moves, is not counted.
pub(super) fn check(table: &Table, path: &Path, memory: Memory) -> Result<(), Failure> {
    check_all(table, path, memory).map_err(|failure| failure.in_file(path))
}

fn check_all(table: &Table, path: &Path, memory: Memory) -> Result<(), Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let checked = CheckedTable::new(table);
    let moves = PoliceMoves::new(&checked);
    let needed = match is_narrow(table) {
        true => WordCheck::<i16>::memory_needed(&checked, &moves),
        false => WordCheck::<i32>::memory_needed(&checked, &moves),
    };
    memory.require("each thread", needed)?;
    // One thread goes through the file while the others begin to derive. Damage comes before wrong values,
    // which may be its consequence.
    let (whole, derived) =
        rayon::join(|| table.verify_checksums(|_| ()), || derive_all(&checked, &moves, &name, memory));
    whole?;
    let derived = derived?;
    table.check_unchanged()?;
    match first_difference(&table.header().summary, &derived) {
        None => Ok(()),
        Some(difference) => Err(wrong_header(&difference)),
    }
}

/// Derives every value again. Returns counts, longest wins and digest of the stored values, if all are right.
fn derive_all(
    checked: &CheckedTable,
    moves: &PoliceMoves,
    name: &str,
    memory: Memory,
) -> Result<Summary, Failure> {
    let table = checked.table;
    let words = word_cells::words(checked);
    let progress = Progress::new(name, "thief cells", checked.cell_count() as u64);
    let mut derived = Ok(Err(TooLong));
    if is_narrow(table) {
        derived = derive_words::<i16>(checked, moves, &words, memory, &progress);
    }
    // The header may say less than the truth.
    if let Ok(Err(TooLong)) = derived {
        derived = derive_words::<i32>(checked, moves, &words, memory, &progress);
    }
    progress.finish();
    match derived? {
        Ok(Ok(summary)) => Ok(summary),
        Ok(Err(WrongScore { thief, team, found, expected })) => {
            let position = checked.position(team, checked.thief_order[thief]);
            Err(wrong_value(table.board(), &position, found, expected))
        }
        Err(TooLong) => unreachable!("the longest distance of a table has a score"),
    }
}

/// Returns whether short scores have room for the distances of which the header speaks.
fn is_narrow(table: &Table) -> bool {
    let longest = table.header().summary.longest;
    Plies::max(longest.police, longest.thief) <= i16::LONGEST
}

/// Returns how many threads that need so many bytes each have room within `limit` bytes.
fn threads_with_room(limit: u64, needed: u64) -> usize {
    usize::try_from(limit / needed).unwrap_or(usize::MAX)
}

/// The state that the threads which check words share.
struct Shared<'a> {
    /// The next word that no thread has taken.
    next: AtomicUsize,
    /// The number of thief cells that have been checked.
    done: AtomicUsize,
    /// The first word known to hold a wrong value, with that value.
    wrong: Mutex<Option<(usize, WrongScore)>>,
    progress: &'a Progress,
}

impl Shared<'_> {
    /// Takes a word of `count` words that no thread has taken. Returns `None` if all are taken, or if a word
    /// before is wrong: of several wrong values the first is reported, whichever thread finds it.
    fn take(&self, count: usize) -> Option<usize> {
        let word = self.next.fetch_add(1, Ordering::Relaxed);
        let wrong = lock(&self.wrong).is_some_and(|(wrong, _)| wrong < word);
        (word < count && !wrong).then_some(word)
    }

    /// Keeps a wrong value, unless one in a word before is known.
    fn keep_wrong(&self, word: usize, wrong: WrongScore) {
        let mut first = lock(&self.wrong);
        if first.is_none_or(|(first, _)| word < first) {
            *first = Some((word, wrong));
        }
    }

    /// Shows that `cells` more thief cells have been checked.
    fn advance(&self, cells: usize) {
        let done = self.done.fetch_add(cells, Ordering::Relaxed) + cells;
        self.progress.set(done as u64, String::new);
    }
}

/// The summary of a table whose values are all right, or the first wrong value.
type Derived = Result<Summary, WrongScore>;

/// Checks all words with scores of one type, on the threads of the current pool.
fn derive_words<S: WordScore>(
    checked: &CheckedTable,
    moves: &PoliceMoves,
    words: &[Range<usize>],
    memory: Memory,
    progress: &Progress,
) -> Result<Result<Derived, TooLong>, Failure> {
    let shared =
        Shared { next: AtomicUsize::new(0), done: AtomicUsize::new(0), wrong: Mutex::default(), progress };
    let thread = |_| -> Result<Result<Summary, TooLong>, Failure> {
        let mut check = WordCheck::<S>::new(checked, moves);
        let mut summary = Summary::default();
        while let Some(word) = shared.take(words.len()) {
            match check.check(words[word].clone())? {
                Ok(WordResult::Right(part)) => summary.merge(&part),
                Ok(WordResult::Wrong(wrong)) => shared.keep_wrong(word, wrong),
                Err(TooLong) => return Ok(Err(TooLong)),
            }
            shared.advance(words[word].len());
        }
        Ok(Ok(summary))
    };
    // If the header said less than the truth, the scores are longer than those for which there is room.
    let needed = WordCheck::<S>::memory_needed(checked, moves);
    let room = threads_with_room(memory.limit(), needed).max(1);
    let threads = rayon::current_num_threads().min(words.len()).min(room);
    let parts: Vec<_> = (0..threads).into_par_iter().with_max_len(1).map(thread).collect();
    let mut sum = Summary::default();
    for part in parts {
        match part? {
            Ok(part) => sum.merge(&part),
            Err(TooLong) => return Ok(Err(TooLong)),
        }
    }
    let wrong = lock(&shared.wrong).map(|(_, wrong)| wrong);
    Ok(Ok(wrong.map_or(Ok(sum), Err)))
}

/// Returns the failure of a table with a wrong value. Without an `expected` value the one that follows is
/// further from its end than any that a table can hold.
fn wrong_value(board: &Board, position: &Position, found: Value, expected: Option<Value>) -> Failure {
    let words = |value| human::value(value, position.turn);
    let expected = expected.map_or_else(|| "it is too far from its end".to_owned(), words);
    let position = human::position(board, position);
    let found = words(found);
    Failure::Check(anyhow::anyhow!("{position}: its successors say that {expected}, the table that {found}"))
}

/// Returns the first statement of the header that the values contradict.
fn first_difference(stored: &Summary, derived: &Summary) -> Option<String> {
    let numbers = |summary: &Summary| {
        let (police, thief) = (summary.police_to_move, summary.thief_to_move);
        let counts = [police.police, police.thief, police.draw, thief.police, thief.thief, thief.draw];
        counts.into_iter().chain([summary.longest.police.into(), summary.longest.thief.into()])
    };
    const NAMES: [&str; 8] = [
        "police wins with the police to move",
        "thief wins with the police to move",
        "draws with the police to move",
        "police wins with the thief to move",
        "thief wins with the thief to move",
        "draws with the thief to move",
        "plies in the longest win of the police",
        "plies in the longest win of the thief",
    ];
    let pairs = NAMES.into_iter().zip(numbers(stored).zip(numbers(derived)));
    difference(pairs, (stored.digest, derived.digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_work_as_have_room() {
        for (limit, expected) in [(49, 0), (50, 1), (99, 1), (100, 2), (5000, 100)] {
            assert_eq!(threads_with_room(limit, 50), expected);
        }
    }
}
