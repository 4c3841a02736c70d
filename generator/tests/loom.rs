//! The transitions of a position's word (`PROTOCOL.md` §2) on every interleaving, by the model checker loom.
//! The file under test is compiled here once more with loom's atomics.

mod sync {
    pub(super) use loom::sync::atomic::{AtomicU16, Ordering};
}
#[path = "../src/engines/counters/word.rs"]
#[allow(unreachable_pub)]
mod word;

use loom::{sync::Arc, thread};
use sync::{AtomicU16, Ordering::Relaxed};
use word::{Alone, Shared, Word, WordAccess};

const WON: Word = Word::decided(true, 5);
const LOST: Word = Word::decided(false, 5);

/// Runs one thread per transition on a word that counts `moves`. Passes the final word, and how many threads
/// decided the position, to `check`.
fn race(moves: u32, transitions: &'static [fn(&AtomicU16) -> bool], check: fn(Word, usize)) {
    let mut builder = loom::model::Builder::new();
    // Two threads are tried on every interleaving; of three, those with up to three preemptions.
    builder.preemption_bound = (transitions.len() > 2).then_some(3);
    builder.check(move || {
        let word = Arc::new(AtomicU16::new(Word::undecided(moves).bits()));
        let threads: Vec<_> = transitions
            .iter()
            .map(|&transition| {
                let word = Arc::clone(&word);
                thread::spawn(move || transition(&word))
            })
            .collect();
        let decided = threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|&d| d).count();
        check(Word::from_bits(word.load(Relaxed)), decided);
    });
}

fn down(word: &AtomicU16) -> bool {
    Shared::count_down(word, LOST)
}

fn win(word: &AtomicU16) -> bool {
    Shared::decide_win(word, WON)
}

#[test]
fn the_last_of_two_moves_decides_once() {
    race(2, &[down, down], |word, decided| assert_eq!((word, decided), (LOST, 1)));
}

#[test]
fn the_last_of_three_moves_decides_once() {
    race(3, &[down, down, down], |word, decided| assert_eq!((word, decided), (LOST, 1)));
}

#[test]
fn two_lost_successors_decide_once() {
    race(5, &[win, win], |word, decided| assert_eq!((word, decided), (WON, 1)));
}

#[test]
fn a_lost_successor_beats_the_others_in_any_order() {
    // Three moves, one of them to a lost position: two are counted down, so zero is never reached.
    race(3, &[down, win, down], |word, decided| assert_eq!((word, decided), (WON, 1)));
}

#[test]
fn an_undecided_move_leaves_the_position_open() {
    race(3, &[down, down], |word, decided| assert_eq!((word, decided), (Word::undecided(1), 0)));
}

#[test]
fn nothing_decides_a_closed_position() {
    loom::model(|| {
        let word = Arc::new(AtomicU16::new(Word::CLOSED.bits()));
        let other = Arc::clone(&word);
        let thread = thread::spawn(move || (win(&other), down(&other)));
        assert_eq!((win(&word), down(&word)), (false, false));
        assert_eq!(thread.join().unwrap(), (false, false));
        assert_eq!(Word::from_bits(word.load(Relaxed)), Word::CLOSED);
    });
}

/// Solves the smallest game in which threads meet: level 0 has two lost and one won position, which two
/// threads propagate to the predecessors. Then they propagate the next level.
#[test]
fn a_small_game_is_solved_on_every_interleaving() {
    loom::model(|| {
        // a has moves to both lost positions; b has moves to the won one and to a.
        let a = Arc::new(AtomicU16::new(Word::undecided(2).bits()));
        let b = Arc::new(AtomicU16::new(Word::undecided(2).bits()));
        let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
        let one = thread::spawn(move || (win(&a2), down(&b2)));
        let two = win(&a);
        let (one, b_decided) = one.join().unwrap();
        assert!(one != two, "a is in the next frontier once");
        assert!(!b_decided);
        // Level 1: a is won, so b loses its last move, on one thread alone.
        assert!(Alone::count_down(&b, LOST));
        assert_eq!(Word::from_bits(a.load(Relaxed)), WON);
        assert_eq!(Word::from_bits(b.load(Relaxed)), LOST);
    });
}

#[test]
fn both_accesses_make_the_same_transitions() {
    fn transitions<A: WordAccess>() {
        let word = AtomicU16::new(Word::undecided(2).bits());
        assert!(!A::count_down(&word, LOST));
        assert!(A::count_down(&word, LOST));
        assert!(!A::count_down(&word, LOST) && !A::decide_win(&word, WON));
        assert_eq!(Word::from_bits(word.load(Relaxed)), LOST);
        let word = AtomicU16::new(Word::undecided(2).bits());
        assert!(A::decide_win(&word, WON));
        assert!(!A::decide_win(&word, WON) && !A::count_down(&word, LOST));
        assert_eq!(Word::from_bits(word.load(Relaxed)), WON);
        let word = AtomicU16::new(Word::undecided(0).bits());
        assert!(!A::count_down(&word, LOST), "a draw without moves stays one");
    }
    loom::model(|| {
        transitions::<Alone>();
        transitions::<Shared>();
    });
}

#[test]
fn words_keep_their_fields() {
    let word = Word::decided(true, (5 << word::LOW_BITS) + 123);
    assert!(word.is_decided() && word.wins() && word.low_distance() == 123);
    assert!(!Word::undecided(Word::MAX_MOVES).is_decided());
    assert_ne!(Word::undecided(Word::MAX_MOVES), Word::HUB);
    assert_eq!(Word::undecided(Word::MAX_MOVES + 1), Word::HUB);
}
