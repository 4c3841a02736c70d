//! Files that are cut short, overwritten or replaced while their table is open: every answer is right or an
//! error.

use crate::support::{Solved, ask, board, positions};
use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    digest::splitmix64,
    header::{GameHeader, GameNumbering, GameSummary},
};
use dragnet_probe::{Cache, Choice, GameTable, Open, Position, ProbeError, Rules, Table, Value};
use std::{
    fs::OpenOptions,
    io::{Cursor, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// A table that a test asks for everything, of either kind.
trait Asked: Sized {
    /// A position that the table knows.
    type Question: Copy;
    /// All that the table says of a position.
    type Answer: PartialEq + std::fmt::Debug;

    fn open(open: Open) -> Result<Self, ProbeError>;
    fn questions(&self) -> Vec<Self::Question>;
    fn ask(&self, question: Self::Question) -> Result<Self::Answer, ProbeError>;
    fn check(&self) -> Result<(), ProbeError>;
}

impl Asked for Table {
    type Question = Position;
    type Answer = (Value, Vec<Choice>);

    fn open(open: Open) -> Result<Table, ProbeError> {
        open.pursuit()
    }

    fn questions(&self) -> Vec<Position> {
        positions(self.board(), self.officers())
    }

    fn ask(&self, question: Position) -> Result<Self::Answer, ProbeError> {
        ask(self, question)
    }

    fn check(&self) -> Result<(), ProbeError> {
        self.check_sums(|_| {}).map(drop)
    }
}

impl Asked for GameTable {
    type Question = u64;
    type Answer = Value;

    fn open(open: Open) -> Result<GameTable, ProbeError> {
        open.game()
    }

    fn questions(&self) -> Vec<u64> {
        (0..self.positions()).collect()
    }

    fn ask(&self, question: u64) -> Result<Value, ProbeError> {
        self.value(question)
    }

    fn check(&self) -> Result<(), ProbeError> {
        self.check_sums(|_| {}).map(drop)
    }
}

/// A change of a file.
#[derive(Clone, Copy, Debug)]
enum Change<'a> {
    /// Cuts it to so many bytes.
    Cut(usize),
    /// Writes these bytes from a byte on, within its length.
    Overwritten(usize, &'a [u8]),
}

impl Change<'_> {
    fn make(self, path: &Path) {
        let mut file = OpenOptions::new().write(true).open(path).unwrap();
        match self {
            Change::Cut(length) => file.set_len(length as u64).unwrap(),
            Change::Overwritten(from, bytes) => {
                file.seek(SeekFrom::Start(from as u64)).unwrap();
                file.write_all(bytes).unwrap();
            }
        }
    }
}

/// A table's file with all answers.
struct Whole<T: Asked> {
    file: Vec<u8>,
    answers: Vec<(T::Question, T::Answer)>,
    folder: tempfile::TempDir,
}

impl<T: Asked> Whole<T> {
    fn new(file: Vec<u8>) -> Whole<T> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.dtb");
        std::fs::write(&path, &file).unwrap();
        let table = T::open(Open::path(&path)).unwrap();
        let answers = table.questions().into_iter().map(|at| (at, table.ask(at).unwrap())).collect();
        Whole { file, answers, folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("table.dtb")
    }

    /// Opens the table, asks the first `asked` positions, changes the file and asks for everything. Returns
    /// how many answers are errors; all others must be right.
    fn errors_after(&self, change: Change, asked: usize, cache: &Cache) -> usize {
        let path = self.path();
        std::fs::write(&path, &self.file).unwrap();
        let table = T::open(Open::path(&path).cache(cache)).unwrap();
        for (at, expected) in self.answers.iter().take(asked) {
            assert_eq!(&table.ask(*at).unwrap(), expected);
        }
        change.make(&path);
        let changed = std::fs::read(&path).unwrap() != self.file;
        assert!(table.check().is_err() || !changed, "{change:?}: the check of a changed file");
        let mut errors = 0;
        for (number, (at, expected)) in self.answers.iter().enumerate() {
            match table.ask(*at) {
                Ok(answer) => assert_eq!(&answer, expected, "{change:?}: question {number}"),
                Err(ProbeError::Table(_) | ProbeError::File { .. }) => errors += 1,
                Err(other) => panic!("{change:?}: {other:?}"),
            }
        }
        errors
    }

    /// Changes the file in many ways, at every stage of being asked and with caches of every kind.
    fn exhaust(&self, other: &[u8]) {
        let count = self.answers.len();
        let noise: Vec<u8> = (0..self.file.len() as u64).map(|i| splitmix64(i) as u8).collect();
        let zeros = vec![0; self.file.len()];
        let mut errors = 0;
        for length in 0..self.file.len() {
            errors += self.errors_after(Change::Cut(length), 0, &Cache::shared());
        }
        assert!(errors > 0, "a table that is cut short before it is asked has errors");
        for (i, at) in (0..self.file.len()).step_by(37).enumerate() {
            let end = self.file.len().min(other.len());
            let changes = [
                Change::Cut(at),
                Change::Overwritten(at, &noise[at..]),
                Change::Overwritten(at, &zeros[at..]),
                Change::Overwritten(at, &noise[at..at + 1]),
                Change::Overwritten(at.min(end), &other[at.min(end)..end]),
            ];
            for change in changes {
                for cache_bytes in [16 << 20, 600, 0] {
                    self.errors_after(change, [0, count / 2, 1][i % 3], &Cache::new(cache_bytes));
                }
                // What has been kept is answered without the file.
                assert_eq!(self.errors_after(change, count, &Cache::shared()), 0, "{change:?}");
            }
        }
        let path = self.path();
        for cache_bytes in [16 << 20, 0] {
            std::fs::write(&path, &self.file).unwrap();
            let table = T::open(Open::path(&path).cache(&Cache::new(cache_bytes))).unwrap();
            let next = self.folder.path().join("next");
            std::fs::write(&next, other).unwrap();
            std::fs::rename(&next, &path).unwrap();
            for (at, expected) in &self.answers {
                assert_eq!(&table.ask(*at).unwrap(), expected, "a replaced file");
            }
            table.check().unwrap();
        }
    }
}

/// A pursuit table of many blocks.
fn pursuit(rules: Rules, favour: Favour) -> Vec<u8> {
    Solved::new(board("....#\n.##.E\n.#...\n...#.\n"), rules, (2, 2), (2, 3)).table(favour)
}

/// A game table of many blocks.
fn game(seed: u64, favour: Favour) -> Vec<u8> {
    let numbering = GameNumbering::new(150, 16).unwrap();
    let value = |position: u64| Value::from_code(1 + splitmix64(seed ^ position) as u32 % 9).unwrap();
    let summary = (0..150).fold(GameSummary::default(), |mut sum, position| {
        sum.add(position, value(position));
        sum
    });
    let header = GameHeader { name: "noise".into(), key: seed, numbering, summary };
    let mut encoder = Encoder::new(favour, 3);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for block in 0..numbering.block_count() {
        let codes: Vec<u32> = numbering.positions_of(block).map(|position| value(position).code()).collect();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn changed_pursuit_tables_of_size_never_answer_wrongly() {
    let whole = Whole::<Table>::new(pursuit(Rules::classic(), Favour::Size));
    whole.exhaust(&pursuit(Rules::chase(), Favour::Size));
}

#[test]
fn changed_pursuit_tables_of_speed_never_answer_wrongly() {
    let whole = Whole::<Table>::new(pursuit(Rules::classic(), Favour::Speed));
    whole.exhaust(&pursuit(Rules::chase(), Favour::Speed));
}

#[test]
fn changed_game_tables_of_size_never_answer_wrongly() {
    Whole::<GameTable>::new(game(1, Favour::Size)).exhaust(&game(2, Favour::Size));
}

#[test]
fn changed_game_tables_of_speed_never_answer_wrongly() {
    Whole::<GameTable>::new(game(1, Favour::Speed)).exhaust(&game(2, Favour::Speed));
}

#[test]
fn a_file_that_ends_while_it_is_opened_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.dtb");
    let file = pursuit(Rules::classic(), Favour::Speed);
    for length in 0..file.len() {
        std::fs::write(&path, &file[..length]).unwrap();
        assert!(matches!(Open::path(&path).any(), Err(ProbeError::Table(_))), "{length}");
    }
}

#[cfg(feature = "mmap")]
#[test]
fn mapped_tables_give_the_same_answers() {
    for favour in [Favour::Speed, Favour::Size] {
        let whole = Whole::<Table>::new(pursuit(Rules::classic(), favour));
        std::fs::write(whole.path(), &whole.file).unwrap();
        // SAFETY: the file is this test's own, which does not change it.
        #[allow(unsafe_code)]
        let table = unsafe { Open::mapped(whole.path()).pursuit().unwrap() };
        for (at, expected) in &whole.answers {
            assert_eq!(&ask(&table, *at).unwrap(), expected);
        }
        assert!(table.check_sums(|_| {}).is_ok() && table.check_unchanged().is_ok());
    }
}
