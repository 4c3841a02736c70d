//! Time and memory that one question to a damaged or forged table takes.

use crate::{
    bytes::{Choices, random},
    forging::{self, WELL_FORMED, forge, forge_wild},
    games::open_cell,
    mutation::mutate,
    table::InPieces,
    whole::WHOLES,
};
use dragnet_formats::team_numbers::KindPlaces;
use dragnet_probe::{
    AnyTable, Cache, Cell, GameTable, Header, Open, PartialTable, Pieces, Position, ProbeError, Side, Table,
    Value,
    opponent::{Opponent, Replier, Strength, Style},
};
use std::{fs, path::PathBuf, sync::LazyLock};

/// Something that a table is asked, or the opening of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// The opening of the table.
    Open,
    /// The opening of the table, and its board, which its source says.
    Board,
    /// The value of a position.
    Value,
    /// The values of a few positions.
    Values,
    /// The best move.
    BestMove,
    /// All moves, best first.
    BestMoves,
    /// One of the moves, found after others.
    Move,
    /// Optimal play to the end.
    Line,
    /// The choice of an opponent, in its first turn.
    Choose,
}

/// A measurer of questions.
pub trait Meter {
    /// Asks `question`, which stands for `parts` questions that each have a bound, and measures what it
    /// takes. May ask it again.
    fn measure<T>(&mut self, question: Question, parts: u64, ask: impl Fn() -> T) -> T;

    /// Begins with the questions to table number `number`.
    fn begin(&mut self, number: u64);

    /// Notes that a question was refused since it takes too much work.
    fn refuse(&mut self, question: Question);
}

/// The cache that all tables share. It is reserved once, whatever tables come and go.
static CACHE: LazyLock<(Cache, Table)> = LazyLock::new(|| {
    let cache = Cache::new(4 << 20);
    let keeper = Open::bytes(WHOLES[0].file.clone()).cache(&cache).pursuit();
    (cache, keeper.expect("a table"))
});

/// The small tables that are damaged: whole ones, and the golden ones of every kind.
static SMALL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut tables: Vec<Vec<u8>> = WHOLES.iter().map(|whole| whole.file.clone()).collect();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../formats/tests/golden");
    let mut golden: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of golden tables")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dtb"))
        .collect();
    golden.sort();
    tables.extend(golden.iter().map(|path| fs::read(path).expect("a golden table")));
    tables
});

/// The positions that are asked of a table.
const POSITIONS: usize = 3;
/// The moves that are found one by one.
const MOVES: usize = 20;
/// Bytes of choices.
const CHOICES: u64 = 128;
/// The questions that an opponent may ask for a choice: for the moves, for those of the position that it
/// takes for this one, and for the replies to 64 of them.
const QUESTIONS_OF_A_CHOICE: u64 = 2 + 64;

/// Makes table number `number` of the endless list of damaged and forged ones, and asks it for values, moves
/// and lines. Returns whether it was opened.
pub fn ask_damaged(number: u64, meter: &mut impl Meter) -> bool {
    // Made before anything is measured.
    let cache = &CACHE.0;
    meter.begin(number);
    let bytes = random(number, 8 + (number % (CHOICES - 8)) as usize);
    let mut choices = Choices(&bytes);
    let first = choices.byte();
    // Most tables are small ones: those that ask for much work take many times as long.
    let file = match first % 16 {
        0 => {
            let forged = match choices.byte() {
                0..96 => forge_wild(&mut choices),
                _ => forge(&mut choices),
            };
            match forged {
                Some(file) => file,
                None => return false,
            }
        }
        1 => damage(&WELL_FORMED, &mut choices),
        _ => damage(&SMALL, &mut choices),
    };
    let in_pieces = first & 0x80 != 0;
    let opened = meter.measure(Question::Open, 1, || {
        let open = match in_pieces {
            true => Open::source(InPieces(file.clone())),
            false => Open::bytes(file.clone()),
        };
        open.cache(cache).any()
    });
    match opened {
        Ok(AnyTable::Pursuit(table)) => {
            ask_pursuit(&table, &positions(table.header(), number), number, meter);
        }
        Ok(AnyTable::Game(table)) => ask_game(&table, number, meter),
        Ok(AnyTable::Partial(table)) => ask_partial(&table, number, meter),
        Err(_) => return false,
    }
    true
}

fn damage(tables: &[Vec<u8>], choices: &mut Choices) -> Vec<u8> {
    let which = choices.below(tables.len());
    mutate(&tables[which], &tables[(which + 1) % tables.len()], choices)
}

/// Notes if an answer was refused.
fn note<T>(question: Question, answer: &Result<T, ProbeError>, meter: &mut impl Meter) {
    let mut error = answer.as_ref().err();
    if let Some(ProbeError::InBatch { source, .. }) = error {
        error = Some(source);
    }
    if matches!(error, Some(ProbeError::TooMuchWork { .. })) {
        meter.refuse(question);
    }
}

/// Returns positions of pieces on places, legal ones or not.
fn positions(header: &Header, number: u64) -> Vec<Position> {
    let bytes = random(!number, 64);
    let mut choices = Choices(&bytes);
    let cells = |side| header.places(side).cells().collect::<Vec<Cell>>();
    let (police, thief) = (cells(Side::Police), cells(Side::Thief));
    let numbers = header.team_numbers();
    let officers = usize::from(header.officers());
    let position = |turn: usize| {
        let one = |kind: KindPlaces| {
            open_cell(&police[kind.first as usize..][..kind.places as usize], choices.below(1 << 16))
        };
        let team: Vec<Cell> = (0..officers).map(|officer| numbers.kind_of(officer)).map(one).collect();
        let team = Pieces::new(&team).expect("a number of officers");
        let thief = open_cell(&thief, choices.below(1 << 16));
        Position::new(team, thief, Side::BOTH[turn % 2])
            .in_world(choices.below(1 << 16) as u32 % header.worlds)
    };
    (0..POSITIONS).map(position).collect()
}

fn ask_partial(table: &PartialTable, number: u64, meter: &mut impl Meter) {
    for at in positions(&table.header().game, number) {
        note(Question::Value, &meter.measure(Question::Value, 1, || table.outcome(at)), meter);
        note(Question::BestMove, &meter.measure(Question::BestMove, 1, || table.best_move(at)), meter);
    }
}

fn ask_pursuit(table: &Table, positions: &[Position], number: u64, meter: &mut impl Meter) {
    for &at in positions {
        let value = meter.measure(Question::Value, 1, || table.value(at));
        note(Question::Value, &value, meter);
        note(Question::BestMove, &meter.measure(Question::BestMove, 1, || table.best_move(at)), meter);
        note(Question::BestMoves, &meter.measure(Question::BestMoves, 1, || table.best_moves(at)), meter);
        let one_by_one = meter.measure(Question::Move, MOVES as u64, || {
            table.moves(at).and_then(|moves| moves.take(MOVES).try_for_each(|choice| choice.map(drop)))
        });
        note(Question::Move, &one_by_one, meter);
        // A line is a question for each of its moves.
        let plies = value.ok().and_then(Value::dtw).unwrap_or(10);
        let line = meter.measure(Question::Line, u64::from(plies) + 1, || table.line(at));
        note(Question::Line, &line, meter);
    }
    let values = meter.measure(Question::Values, positions.len() as u64, || table.values(positions));
    note(Question::Values, &values, meter);
    for (opponent, &at) in opponents().iter().cycle().skip(number as usize % 3).zip(positions) {
        let ask = || opponent.clone().choose(table, at);
        note(Question::Choose, &meter.measure(Question::Choose, QUESTIONS_OF_A_CHOICE, ask), meter);
    }
}

/// Returns opponents that look for tricks, that see no end, and that err.
fn opponents() -> [Opponent; 3] {
    let tricky = Style::Trickiest(Replier::Erring(Strength::EASY));
    let blind = Strength { horizon: 0, ..Strength::PERFECT };
    [(Strength::PERFECT, tricky), (blind, Style::Longest), (Strength::EASY, Style::Longest)]
        .map(|(strength, style)| Opponent::new(strength, style, 7).expect("parameters in their ranges"))
}

/// Asks the tables that were found to be the dearest, for any positions and for that of all pieces on their
/// first places.
pub fn ask_dearest(meter: &mut impl Meter) {
    ask_all(forging::dearest(), meter);
}

/// Asks tables that still ask for more than a question may take.
pub fn ask_too_dear(meter: &mut impl Meter) {
    ask_all(forging::too_dear(), meter);
}

fn ask_all(files: Vec<Vec<u8>>, meter: &mut impl Meter) {
    // Made before anything is measured.
    let cache = &CACHE.0;
    for (number, file) in (0..).zip(files) {
        meter.begin(number);
        let open = || Open::bytes(file.clone()).cache(cache).pursuit();
        let table = meter.measure(Question::Open, 1, open).expect("a table");
        let header = table.header();
        let mut asked = positions(header, number);
        let cells: Vec<Cell> = header.places(Side::Police).cells().collect();
        let team = header.team_numbers().teams(&cells).next().expect("a team");
        let thief = header.thief.places.cells().next().expect("a place");
        asked.extend(Side::BOTH.map(|turn| Position::new(team, thief, turn)));
        ask_pursuit(&table, &asked, number, meter);
        meter
            .measure(Question::Board, 1, || open().map(|table| table.board().open_count()))
            .expect("a table");
    }
}

fn ask_game(table: &GameTable, number: u64, meter: &mut impl Meter) {
    let bytes = random(!number, 64);
    let mut choices = Choices(&bytes);
    let positions: Vec<u64> = (0..8).map(|_| choices.word() % table.positions()).collect();
    for &at in &positions {
        note(Question::Value, &meter.measure(Question::Value, 1, || table.value(at)), meter);
    }
    let ranked = meter.measure(Question::BestMoves, 1, || table.rank(positions.iter().copied()));
    note(Question::BestMoves, &ranked, meter);
    let values = meter.measure(Question::Values, positions.len() as u64, || table.values(&positions));
    note(Question::Values, &values, meter);
}
