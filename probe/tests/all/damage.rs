//! Damaged files: every bit, every length, and random changes. A table answers right or not at all.

use crate::support::{Answer, Solved, ask, board, positions};
use dragnet_formats::{codec::Favour, digest::splitmix64};
use dragnet_probe::{Open, Position, ProbeError, Rules, TableError};

const SIZE: &[u8] = include_bytes!("../../../formats/tests/golden/v2-size.dtb");
const SPEED: &[u8] = include_bytes!("../../../formats/tests/golden/v2-speed.dtb");

/// A table and all that it says.
struct Whole {
    file: Vec<u8>,
    answers: Vec<(Position, Answer)>,
}

impl Whole {
    fn new(file: Vec<u8>) -> Whole {
        let table = Open::bytes(file.clone()).pursuit().unwrap();
        let answers: Vec<_> =
            positions(table.board(), table.officers()).into_iter().map(|at| (at, ask(&table, at))).collect();
        assert!(answers.iter().all(|(_, answer)| answer.is_ok()));
        let whole = Whole { file, answers };
        assert_eq!(whole.damage(&whole.file), None);
        whole
    }

    /// Asks the table in `bytes` for everything, which must be right or an error. The error of opening it or
    /// of checking it whole, if there is one.
    fn damage(&self, bytes: &[u8]) -> Option<TableError> {
        let table = match Open::bytes(bytes.to_vec()).pursuit() {
            Ok(table) => table,
            Err(error) => return Some(table_error(error)),
        };
        let mut errors = 0;
        for (at, expected) in &self.answers {
            match ask(&table, *at) {
                Ok(answer) => assert_eq!(&answer, expected.as_ref().unwrap(), "{at}"),
                Err(error) => {
                    table_error(error);
                    errors += 1;
                }
            }
        }
        // A check of a table that has never been asked, and of one whose good blocks are known, find the
        // same.
        let found = Open::bytes(bytes.to_vec()).pursuit().unwrap().check_sums(|_| {}).err().map(table_error);
        assert_eq!(table.check_sums(|_| {}).err().map(table_error), found);
        assert!(found.is_some() || errors == 0, "a probe finds what the check does not");
        found
    }
}

fn table_error(error: ProbeError) -> TableError {
    match error {
        ProbeError::Table(error) => error,
        other => panic!("{other:?}"),
    }
}

/// Every bit, every length, every byte more.
fn exhaust(whole: &Whole) {
    let file = &whole.file;
    for bit in 0..8 * file.len() {
        let mut bad = file.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        // No bit is without meaning: the zeros are under no checksum, but must be zeros.
        assert!(whole.damage(&bad).is_some(), "bit {} of byte {}", bit % 8, bit / 8);
    }
    for len in 0..file.len() {
        let error = whole.damage(&file[..len]).unwrap();
        match len {
            0 => assert!(matches!(error, TableError::Magic { .. })),
            _ => assert!(
                matches!(error, TableError::Truncated { found, expected } if found == len as u64 && expected > found),
                "{len}: {error:?}"
            ),
        }
    }
    let len = file.len() as u64;
    for more in 0..=255 {
        let error = whole.damage(&[&file[..], &[more]].concat());
        assert_eq!(error, Some(TableError::Trailing { expected: len, found: len + 1 }));
    }
}

#[test]
fn every_damage_to_the_golden_table_of_size_is_found() {
    exhaust(&Whole::new(SIZE.to_vec()));
}

#[test]
fn every_damage_to_the_golden_table_of_speed_is_found() {
    exhaust(&Whole::new(SPEED.to_vec()));
}

/// Small boards in small tiles, so that there are many blocks.
fn small(rules: Rules, favour: Favour) -> Whole {
    let solved = Solved::new(board("...#\n.#.E\n....\n"), rules, (2, 2), (3, 3));
    Whole::new(solved.table(favour))
}

#[test]
fn every_damage_to_a_table_of_many_blocks_is_found() {
    exhaust(&small(Rules::classic(), Favour::Size));
}

#[test]
fn random_changes_are_found_or_change_nothing() {
    let mut state = 0u64;
    let mut draw = move |bound: usize| {
        state += 1;
        (splitmix64(state) % bound as u64) as usize
    };
    let golden = Whole::new(SPEED.to_vec());
    let wholes = [small(Rules::classic(), Favour::Speed), small(Rules::chase(), Favour::Size), golden];
    for (i, whole) in wholes.iter().enumerate() {
        let donor = &wholes[(i + 1) % wholes.len()].file;
        for _ in 0..20_000 {
            let mut bad = whole.file.clone();
            for _ in 0..=draw(3) {
                // Most of a small file is zeros before the index: look for trouble behind them too.
                let first = if draw(3) == 0 { 0 } else { 512.min(bad.len() - 1) };
                let from = first + draw(bad.len() - first);
                let length = 1 + draw(40.min(bad.len() - from));
                let to = draw(bad.len() - length + 1);
                match draw(7) {
                    0 => bad[from] ^= 1 + draw(255) as u8,
                    1 => bad[from..from + length].iter_mut().for_each(|byte| *byte = draw(256) as u8),
                    2 => bad.copy_within(from..from + length, to),
                    3 if from + length <= donor.len() => {
                        bad[from..from + length].copy_from_slice(&donor[from..from + length]);
                    }
                    4 => drop(bad.drain(from..(from + length).min(bad.len() - 1).max(from))),
                    5 => {
                        let copy = bad[from..from + length].to_vec();
                        drop(bad.splice(to..to, copy));
                    }
                    _ => bad[from..from + length].fill([0, 0xFF][draw(2)]),
                }
            }
            let found = whole.damage(&bad);
            assert_eq!(found.is_none(), bad == whole.file);
        }
    }
}

#[test]
fn parts_of_another_table_of_the_same_board_are_not_taken() {
    for favour in [Favour::Speed, Favour::Size] {
        let one = small(Rules::classic(), favour);
        let two = small(Rules { corner_cutting: false, ..Rules::classic() }, favour);
        let two_file = &two.file;
        // Headers of one length, so that everything up to the blocks stands in the same places.
        for end in 1..one.file.len().min(two_file.len()) / 8 {
            for (from, to) in [(0, 8 * end), (8 * end, one.file.len().min(two_file.len()))] {
                let mut spliced = one.file.clone();
                spliced[from..to].copy_from_slice(&two_file[from..to]);
                let changed = spliced != one.file && spliced != *two_file;
                if changed {
                    assert!(one.damage(&spliced).is_some(), "{from}..{to}");
                }
            }
        }
        assert_ne!(one.file[..512], two_file[..512]);
        let mut spliced = one.file.clone();
        spliced.truncate(512);
        spliced.extend(&two_file[512..]);
        assert!(one.damage(&spliced).is_some(), "the header of one on the rest of the other");
    }
}
