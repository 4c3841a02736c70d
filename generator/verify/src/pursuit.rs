//! Verifies pursuit tables.

use super::{
    checked_table::CheckedTable,
    error::{Difference, VerifyError, WrongPosition},
    police_moves::PoliceMoves,
    recent_blocks::TooLong,
    score::WordScore,
    word_cells,
    word_check::{WordCheck, WordResult, WrongScore},
};
use dragnet_formats::{
    container::TableError,
    game::{ListsError, PursuitGame},
    header::{Header, Section, Summary},
    moves::MoveTableError,
    setting::Setting,
    stop::StopCheck,
    stored::{StoredGame, StoredGameError},
    value::Plies,
};
use dragnet_generator::{Observer, Stage, StopRequest};
use dragnet_probe::{ProbeError, Table};
use rayon::prelude::*;
use std::{
    ops::{ControlFlow, Range},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Bytes of the longest list of moves.
const MOST_MOVES: u64 = (size_of::<u32>() as u64) << 32;

/// Verifies a whole pursuit table: each checksum, the game, each value, and the header. If the table says
/// from which board and rules its game was made, these are compiled again and the game must be theirs; a game
/// that a program gave is taken as it is. Works on as many threads of the current pool as have room in
/// `memory` bytes; what they share, the lists of teams and moves, is not counted. A thread takes memory for
/// the teams and places, not for the positions.
///
/// # Errors
/// When the table is damaged or cannot be read, something in it is wrong, one thread has no room, or the
/// observer stops the work. Damage is reported before wrong values, which may be its consequence; of several
/// wrong values the first in the order of the thief's tiles, then of the teams.
pub fn verify(table: &Table, memory: u64, observer: &dyn Observer) -> Result<(), VerifyError> {
    let received = AtomicBool::new(false);
    let stop = StopRequest::new(observer, &received);
    let ask = || stop.ask();
    let check = &mut StopCheck::new(&ask);
    let checked = CheckedTable::new(table, game_of(table, memory, check)?);
    let moves = PoliceMoves::new(&checked, check)?;
    let needed = match is_narrow(table) {
        true => WordCheck::<i16>::memory_needed(&checked, &moves),
        false => WordCheck::<i32>::memory_needed(&checked, &moves),
    };
    if needed > memory {
        return Err(VerifyError::Memory { needed, limit: memory });
    }
    // One thread goes through the file while the others begin to derive.
    let mut go_on = |_, _| if stop.ask() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let (whole, derived) =
        rayon::join(|| table.check_sums_while(&mut go_on), || derive_all(&checked, &moves, memory, stop));
    match whole {
        Err(ProbeError::Stopped { .. }) => return Err(VerifyError::Stopped),
        whole => drop(whole?),
    };
    let derived = derived?;
    table.check_unchanged()?;
    match summary_difference(&table.header().summary, &derived) {
        Some(difference) => Err(VerifyError::Header(difference)),
        None => Ok(()),
    }
}

/// Returns the game of a table: that of its source, if the table has the same, or else the one in the file.
fn game_of(table: &Table, memory: u64, check: &mut StopCheck) -> Result<PursuitGame, VerifyError> {
    let refused = |source| match source {
        ListsError::Stopped(stopped) => VerifyError::from(stopped),
        ListsError::Moves(_) => VerifyError::Memory { needed: MOST_MOVES, limit: memory },
        source => VerifyError::Source { what: source.to_string() },
    };
    let differs = |what: &str| Err(VerifyError::Source { what: format!("{what} differ") });
    let Some(setting) = table.setting() else {
        if Setting::from_source(table.source()).is_ok() {
            return differs("the squares of the board");
        }
        return match table.game(check) {
            Ok(stored) => match stored.game.check() {
                Ok(()) => Ok(stored.game),
                Err(error) => Err(VerifyError::Game(error)),
            },
            Err(ProbeError::Table(TableError::Section {
                source: source @ (ListsError::Stopped(_) | ListsError::Moves(_)),
                ..
            })) => Err(refused(source)),
            Err(error) => Err(error.into()),
        };
    };
    let stored = StoredGame::of_setting(setting, check).map_err(|error| match error {
        MoveTableError::TooMany(error) => refused(error.into()),
        MoveTableError::Stopped(stopped) => stopped.into(),
    })?;
    let found = table.header();
    if found.kinds.len() != stored.game.kinds.len() {
        return differs("the kinds of officers");
    }
    let packed = stored.pack(found.tiles()).map_err(|error| match error {
        StoredGameError::Section { source, .. } => refused(source),
        error => VerifyError::Source { what: error.to_string() },
    })?;
    let of_game = |section: &Section| !matches!(section, Section::Source | Section::Points);
    for section in found.sections().filter(of_game) {
        if table.section(section)? != packed.section(section) {
            return differs(section.name());
        }
    }
    // A text may say the same in other words.
    let same = Header { summary: found.summary, source_len: found.source_len, ..packed.header };
    if same != *found {
        return differs("the facts of the header");
    }
    Ok(stored.game)
}

/// Derives every value again. Returns counts, longest wins and digest of the stored values, if all are right.
fn derive_all(
    checked: &CheckedTable,
    moves: &PoliceMoves,
    memory: u64,
    stop: StopRequest,
) -> Result<Summary, VerifyError> {
    let table = checked.table;
    let words = word_cells::words(checked);
    stop.observer().stage(Stage::Verifying { positions: 2 * table.header().summary.police_to_move.total() });
    let mut derived = Ok(Err(TooLong));
    if is_narrow(table) {
        derived = derive_words::<i16>(checked, moves, &words, memory, stop);
    }
    // The header may say less than the truth.
    if let Ok(Err(TooLong)) = derived {
        derived = derive_words::<i32>(checked, moves, &words, memory, stop);
    }
    match derived? {
        Ok(Ok(summary)) => Ok(summary),
        Ok(Err(WrongScore { thief, team, found, expected })) => {
            let position = checked.position(team, checked.thief_order[thief]);
            Err(VerifyError::Position(WrongPosition { position, found, expected }))
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
    /// The positions with the thief on one cell, in any world.
    positions_per_cell: u64,
    /// The first word known to hold a wrong value, with that value.
    wrong: Mutex<Option<(usize, WrongScore)>>,
    stop: StopRequest<'a>,
}

impl Shared<'_> {
    /// Takes a word of `count` words that no thread has taken. Returns `None` if all are taken, or if a word
    /// before is wrong: of several wrong values the first is reported, whichever thread finds it.
    fn take(&self, count: usize) -> Option<usize> {
        let word = self.next.fetch_add(1, Ordering::Relaxed);
        let wrong = self.first_wrong().is_some_and(|(wrong, _)| wrong < word);
        (word < count && !wrong).then_some(word)
    }

    /// Keeps a wrong value, unless one in a word before is known.
    fn keep_wrong(&self, word: usize, wrong: WrongScore) {
        let mut first = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none_or(|(first, _)| word < first) {
            *first = Some((word, wrong));
        }
    }

    /// Returns the first word known to hold a wrong value, with that value.
    fn first_wrong(&self) -> Option<(usize, WrongScore)> {
        *self.wrong.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that `cells` more thief cells have been checked.
    fn advance(&self, cells: usize) {
        let done = self.done.fetch_add(cells, Ordering::Relaxed) + cells;
        self.stop.observer().verified(done as u64 * self.positions_per_cell);
    }
}

/// The summary of a table whose values are all right, or the first wrong value.
type Derived = Result<Summary, WrongScore>;

/// Checks all words with scores of one type, on the threads of the current pool.
fn derive_words<S: WordScore>(
    checked: &CheckedTable,
    moves: &PoliceMoves,
    words: &[Range<usize>],
    memory: u64,
    stop: StopRequest,
) -> Result<Result<Derived, TooLong>, VerifyError> {
    let shared = Shared {
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        positions_per_cell: 2 * checked.team_count() as u64,
        wrong: Mutex::default(),
        stop,
    };
    let thread = |_| -> Result<Result<Summary, TooLong>, VerifyError> {
        let mut check = WordCheck::<S>::new(checked, moves);
        let mut summary = Summary::default();
        while let Some(word) = shared.take(words.len()) {
            if stop.ask() {
                return Err(VerifyError::Stopped);
            }
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
    let room = threads_with_room(memory, needed).max(1);
    let threads = rayon::current_num_threads().min(words.len()).min(room);
    let parts: Vec<_> = (0..threads).into_par_iter().with_max_len(1).map(thread).collect();
    let mut sum = Summary::default();
    for part in parts {
        match part? {
            Ok(part) => sum.merge(&part),
            Err(TooLong) => return Ok(Err(TooLong)),
        }
    }
    let wrong = shared.first_wrong().map(|(_, wrong)| wrong);
    Ok(Ok(wrong.map_or(Ok(sum), Err)))
}

/// Returns the first number in the header of a table that is not the derived one.
fn summary_difference(found: &Summary, derived: &Summary) -> Option<Difference> {
    let number = |what, number: fn(&Summary) -> u64| (what, number(found), number(derived));
    Difference::first([
        number("police wins with the police to move", |summary| summary.police_to_move.police),
        number("thief wins with the police to move", |summary| summary.police_to_move.thief),
        number("draws with the police to move", |summary| summary.police_to_move.draw),
        number("police wins with the thief to move", |summary| summary.thief_to_move.police),
        number("thief wins with the thief to move", |summary| summary.thief_to_move.thief),
        number("draws with the thief to move", |summary| summary.thief_to_move.draw),
        number("plies in the longest win of the police", |summary| summary.longest.police.into()),
        number("plies in the longest win of the thief", |summary| summary.longest.thief.into()),
        number("digest", |summary| summary.digest),
    ])
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
