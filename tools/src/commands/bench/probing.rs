//! How fast a table answers on this machine: what `bench --table` measures.

use crate::{
    commands::{open_as, takers::pursuit},
    failure::Failure,
    input::mapped,
    output::human,
};
use dragnet_formats::{digest::splitmix64, team_numbers::TeamNumbers};
use dragnet_probe::{Cache, Cell, Open, Pieces, Position, ProbeError, Side, Table, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::{collections::HashSet, fmt, path::Path, time::Instant};

/// Positions looked up in one round: as many as the table has, within these bounds.
const POSITIONS: [u64; 2] = [1 << 16, 1 << 20];
/// Lookups between two readings of the clock, each of which takes some 20 ns.
const GROUP: usize = 16;
/// Most blocks that are touched for the first time in one round.
const BLOCKS: usize = 20_000;
/// How often the file is opened.
const OPENINGS: u32 = 51;

/// How the blocks of a measured table come into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum BlockAccess {
    /// Blocks are read from the file, checked and kept: the safe way.
    Read,
    /// The file is mapped into memory.
    Mapped,
}

impl BlockAccess {
    /// All ways, in the order in which they are measured.
    pub(crate) const ALL: [BlockAccess; 2] = [BlockAccess::Read, BlockAccess::Mapped];
}

/// The measurement of a table. Times are medians over groups of [`GROUP`] lookups, in nanoseconds per lookup.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TableMeasurement {
    /// Path of the table.
    pub(crate) table: String,
    /// Whether blocks are read from the file and kept, or the file is mapped into memory.
    pub(crate) access: BlockAccess,
    /// Positions of the table.
    pub(crate) positions: u64,
    /// Length of the file.
    pub(crate) bytes: u64,
    /// Opening the file.
    pub(crate) open_us: f64,
    /// Memory of the open table without the blocks it keeps.
    pub(crate) memory_bytes: u64,
    /// A value in a block that is touched for the first time: its checksum is checked, and it is decompressed
    /// if necessary.
    pub(crate) first_touch_ns: f64,
    /// A value in a block that has been touched and is not kept.
    pub(crate) not_kept_ns: f64,
    /// A random position, police to move, in a block that is kept.
    pub(crate) value_ns: f64,
    /// A random position, thief to move.
    pub(crate) thief_value_ns: f64,
    /// A random position, either side to move.
    pub(crate) either_value_ns: f64,
    /// All moves of a position with their values.
    pub(crate) best_moves_ns: f64,
    /// Positions one after the other along optimal play.
    pub(crate) along_game_ns: f64,
    /// A position of a batch of many, mean.
    pub(crate) batch_ns: f64,
    /// Values per second.
    #[schemars(title = "`[one thread, all threads]`, per second")]
    pub(crate) per_second: [f64; 2],
    /// How many threads "all threads" are.
    pub(crate) threads: usize,
}

impl fmt::Display for TableMeasurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (positions, bytes, memory) =
            (human::count(self.positions), human::bytes(self.bytes), human::bytes(self.memory_bytes));
        let access = match self.access {
            BlockAccess::Read => "",
            BlockAccess::Mapped => ", mapped",
        };
        writeln!(f, "{}{access}: {positions} positions, {bytes}", self.table)?;
        writeln!(f, "  opening                {:8.0} us, {memory} of memory", self.open_us)?;
        for (what, nanoseconds) in [
            ("first touch of a block", self.first_touch_ns),
            ("block not kept", self.not_kept_ns),
            ("value, police to move", self.value_ns),
            ("value, thief to move", self.thief_value_ns),
            ("value, either to move", self.either_value_ns),
            ("value along a game", self.along_game_ns),
            ("value in a batch", self.batch_ns),
            ("all moves", self.best_moves_ns),
        ] {
            writeln!(f, "  {what:22} {nanoseconds:8.0} ns")?;
        }
        let [one, all] = self.per_second.map(|rate| human::count(rate as u64));
        writeln!(f, "  values per second      {one} by 1 thread, {all} by {}", self.threads)
    }
}

/// A source of random positions of a table.
struct RandomPositions {
    /// The places of officers, and those of the thief.
    places: [Vec<Cell>; 2],
    teams: TeamNumbers,
    worlds: u32,
    state: u64,
}

impl RandomPositions {
    fn of(table: &Table) -> RandomPositions {
        let header = table.header();
        let places = Side::BOTH.map(|side| header.places(side).cells().collect());
        RandomPositions { places, teams: header.team_numbers(), worlds: header.worlds, state: 0 }
    }

    /// Returns a number below `count`.
    fn number(&mut self, count: usize) -> usize {
        self.state += 1;
        (splitmix64(self.state) % count as u64) as usize
    }

    /// Returns the cell of an officer, counted kind by kind.
    fn officer(&mut self, number: usize) -> Cell {
        let kind = self.teams.kind_of(number);
        let place = kind.first as usize + self.number(kind.places as usize);
        self.places[0][place]
    }

    fn thief(&mut self) -> Cell {
        let number = self.number(self.places[1].len());
        self.places[1][number]
    }

    fn positions(&mut self, count: usize, turn: impl Fn(usize) -> Side) -> Vec<Position> {
        let one = |i| {
            let officers = usize::from(self.teams.officers());
            let team: Vec<Cell> = (0..officers).map(|number| self.officer(number)).collect();
            let police = Pieces::new(&team).expect("the officers of a table");
            let world = self.number(self.worlds as usize) as u32;
            Position::new(police, self.thief(), turn(i)).in_world(world)
        };
        (0..count).map(one).collect()
    }
}

/// Measures the table in the file `path`, and compares answers that must be equal.
pub(crate) fn measure(path: &Path, access: BlockAccess, threads: usize) -> Result<TableMeasurement, Failure> {
    let in_table = |error: ProbeError| Failure::from(error).in_file(path);
    // More than any table needs, so that all blocks are kept except where their absence is measured.
    let keep_all = Cache::new(1 << 40);
    let open = |cache: &Cache| {
        let table = match access {
            BlockAccess::Read => Open::path(path),
            BlockAccess::Mapped => mapped::table(path),
        };
        pursuit("bench --table", open_as(table.cache(cache), path)?, path)
    };

    // Reads the file once, so that what follows finds it in memory.
    open(&keep_all)?.check_sums(|_| ()).map_err(in_table)?;
    let mut openings = Vec::new();
    for _ in 0..OPENINGS {
        let begin = Instant::now();
        std::hint::black_box(open(&keep_all)?);
        openings.push(begin.elapsed().as_secs_f64() * 1e6);
    }

    let table = open(&keep_all)?;
    let memory_bytes = table.memory();
    let mut draw = RandomPositions::of(&table);
    let [least, most] = POSITIONS;
    let round = table.header().positions().clamp(least, most) as usize;
    let police = draw.positions(round, |_| Side::Police);
    let thief = draw.positions(round, |_| Side::Thief);
    let either = draw.positions(round, |i| if i % 2 == 0 { Side::Police } else { Side::Thief });

    let firsts = one_per_block(&table, &police);
    let usual = open(&Cache::shared())?;
    let first_touch_ns = each(&firsts, |position| usual.value(position)).map_err(in_table)?;
    let bare = open(&Cache::new(0))?;
    each(&firsts, |position| bare.value(position)).map_err(in_table)?;
    let not_kept_ns = each(&firsts, |position| bare.value(position)).map_err(in_table)?;

    for positions in [&police, &thief, &either] {
        each(positions, |position| table.value(position)).map_err(in_table)?;
    }
    each(&either, |position| table.best_moves(position)).map_err(in_table)?;
    let value_ns = each(&police, |position| table.value(position)).map_err(in_table)?;
    let thief_value_ns = each(&thief, |position| table.value(position)).map_err(in_table)?;
    let either_value_ns = each(&either, |position| table.value(position)).map_err(in_table)?;
    let best_moves_ns = each(&either, |position| table.best_moves(position)).map_err(in_table)?;
    let game = games(&table, &police).map_err(in_table)?;
    let along_game_ns = each(&game, |position| table.value(position)).map_err(in_table)?;

    let begin = Instant::now();
    let batch = table.values(&either).map_err(in_table)?;
    let batch_ns = begin.elapsed().as_secs_f64() * 1e9 / either.len() as f64;
    let singles: Result<Vec<Value>, _> = either.iter().map(|&position| table.value(position)).collect();
    if batch != singles.map_err(in_table)? {
        return Err(
            Failure::Check(anyhow::anyhow!("values in a batch differ from single ones")).in_file(path)
        );
    }
    let per_second =
        [rate(&table, &police, 1).map_err(in_table)?, rate(&table, &police, threads).map_err(in_table)?];
    Ok(TableMeasurement {
        table: path.display().to_string(),
        access,
        positions: table.header().positions(),
        bytes: table.file_len(),
        open_us: median(openings),
        memory_bytes,
        first_touch_ns,
        not_kept_ns,
        value_ns,
        thief_value_ns,
        either_value_ns,
        best_moves_ns,
        along_game_ns,
        batch_ns,
        per_second,
        threads,
    })
}

/// Returns the nanoseconds that `ask` takes for one position: the median of groups.
fn each<T>(
    positions: &[Position],
    mut ask: impl FnMut(Position) -> Result<T, ProbeError>,
) -> Result<f64, ProbeError> {
    let mut times = Vec::with_capacity(positions.len() / GROUP + 1);
    for group in positions.chunks(GROUP) {
        let begin = Instant::now();
        for &position in group {
            std::hint::black_box(ask(position)?);
        }
        times.push(begin.elapsed().as_secs_f64() * 1e9 / group.len() as f64);
    }
    Ok(median(times))
}

/// Returns one position for each block that the positions touch, in their order.
fn one_per_block(table: &Table, positions: &[Position]) -> Vec<Position> {
    let mut seen = HashSet::new();
    let fresh = |position: &&Position| {
        let at = table.numbering().locate(position.world, position.police, position.thief);
        matches!(table.winner(**position), Ok(None)) && at.is_some_and(|at| seen.insert(at.block))
    };
    positions.iter().filter(fresh).take(BLOCKS).copied().collect()
}

/// Returns the positions of optimal games from these starts, one game after the other.
fn games(table: &Table, starts: &[Position]) -> Result<Vec<Position>, ProbeError> {
    let mut along = Vec::new();
    for &start in starts {
        along.push(start);
        along.extend(table.line(start)?.moves.iter().map(|ply| ply.position));
        if along.len() > starts.len() / 8 {
            break;
        }
    }
    Ok(along)
}

/// Returns the lookups per second of `threads` threads together, each of which looks up all positions in
/// another order.
fn rate(table: &Table, positions: &[Position], threads: usize) -> Result<f64, ProbeError> {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let ask = |thread: usize| -> Result<(), ProbeError> {
            let (before, after) = positions.split_at(positions.len() / threads * thread);
            for &position in after.iter().chain(before) {
                std::hint::black_box(table.value(position)?);
            }
            Ok(())
        };
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || ask(thread))).collect();
        running
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a thread that looks up values does not panic"))
    })?;
    Ok((positions.len() * threads) as f64 / begin.elapsed().as_secs_f64())
}

/// Returns the median, which of an even number of values is the mean of the middle two; 0 if there are none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len(), values.len() / 2) {
        (0, _) => 0.0,
        (odd, middle) if odd % 2 == 1 => values[middle],
        (_, middle) => (values[middle - 1] + values[middle]) / 2.0,
    }
}
