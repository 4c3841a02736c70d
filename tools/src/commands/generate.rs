//! `dragnet generate`: from boards to tables.

use super::{output, print_json};
use crate::{
    commands::stats::Counted,
    failure::{Failure, say, unless_closed},
    input::{
        arguments::{self, EngineName, Exit, Making, name_of},
        boards,
        manifest::is_manifest,
        size::{Size, SizeRange},
    },
    machine,
    make::run::{self, How},
    output::{human, progress::Progress},
    signals,
};
use clap::Args;
use dragnet_formats::{
    board::Board,
    header::{Header, Summary},
    rules::Rules,
};
use dragnet_generator::{Generator, Job};
use dragnet_probe::{ProbeError, Table, TableError};
use serde::Serialize;
use std::{
    collections::HashMap,
    io::Write,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

/// Make a table for each board
///
/// Each BOARD is a file in the text form ('#' or '*' wall, '.' or space open, 'E' exit, 'P' and 'T' start cells), the
/// contest form (a first line "rows columns"), or a MovingAI .map. Its table is DIR/NAME.dtb. Without a board and without
/// --size the built-in default set is made: every open board from 3x3 to 12x12 with a corner exit, and some mazes,
/// rooms and random boards.
///
/// A finished table that already says the same is left alone. A table has its name only when it is whole. A long solve leaves
/// check-points beside its table, from which the same command goes on after an interruption.
///
/// A single TOML file in place of the boards is the manifest of a batch ('dragnet batch check --help' shows one): its tables
/// are made as many side by side as its limits allow, and a second run makes only what is missing or has changed.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Generate {
    /// Board files, or one manifest
    #[arg(value_name = "BOARD|MANIFEST")]
    boards: Vec<PathBuf>,
    /// The folder for the tables, created if need be [default: tables]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Open boards of every size in a range, or of one size
    #[arg(long, value_name = "RxC[..RxC]")]
    size: Vec<SizeRange>,
    /// Where the thief escapes, in place of the boards' own exits; may be repeated. Open boards of --size and the default
    /// set have the first cell as their exit unless this says otherwise
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    #[command(flatten)]
    making: Making,
    /// Do not flush tables to the disk: for scratch output that a loss of power may take
    #[arg(long)]
    no_sync: bool,
    /// Make every table anew, even over a file that is no table
    #[arg(long)]
    force: bool,
    /// One JSON object per table instead of the list
    #[arg(long)]
    json: bool,
    /// Minutes between the check-points of a long solve [default: 10, or what the manifest says]
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    check_points: Option<Duration>,
    /// Note the events of a batch in this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Leave at once if another batch is working in the same folder, instead of waiting for it to end
    #[arg(long)]
    no_wait: bool,
}

/// More than nothing and at most a year.
fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|&minutes: &f64| minutes > 0.0 && minutes <= 525_600.0);
    minutes
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| format!("expected a number of minutes above 0, found {text:?}"))
}

/// The folder for the tables unless `--out` names another.
const OUT: &str = "tables";

const AFTER_HELP: &str = "\
Examples:
  dragnet generate                                  the default set, into tables/
  dragnet generate castle.txt keep.txt --out tables
  dragnet generate arena.map --exit 0,3 --exit 12,7
  dragnet generate --size 3x3..16x16 --favour speed
  dragnet generate maze.map --rules chase --exit none
  dragnet generate castle.txt --officers 2
  dragnet generate --graph streets.txt --officers 2
  dragnet generate batch.toml --log batch.log";

/// A table to be made.
struct Planned {
    name: String,
    source: Source,
}

/// Where its board comes from. Ranges of sizes can have more squares than memory, so that open boards are made one at a
/// time.
#[derive(PartialEq)]
enum Source {
    Board(Board),
    Open(Size),
}

impl Source {
    fn board(self, open_exits: &[Exit]) -> Result<Board, Failure> {
        match self {
            Source::Board(board) => Ok(board),
            Source::Open(size) => {
                let board = boards::open(size).map_err(|error| Failure::Input(error.into()))?;
                arguments::with_exits(board, open_exits)
                    .map_err(|failure| failure.about(boards::open_name(size)))
            }
        }
    }
}

/// Each table once.
fn without_repeats(planned: Vec<Planned>) -> Result<Vec<Planned>, Failure> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut tables: Vec<Planned> = Vec::new();
    for table in planned {
        match places.get(&table.name) {
            Some(&place) if tables[place].source == table.source => {}
            Some(_) => {
                return Err(Failure::input(format!(
                    "two different boards would both become {}.dtb; rename one, or give them different folders with --out",
                    table.name
                )));
            }
            None => {
                places.insert(table.name.clone(), tables.len());
                tables.push(table);
            }
        }
    }
    Ok(tables)
}

/// Says how far the work had come.
fn interrupted(done: usize, total: usize, name: &str) -> Failure {
    say(&format!("dragnet: interrupted; {done} of {total} tables are finished, {name} is not"));
    Failure::Silent(signals::status())
}

/// What became of one board.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    path: &'a Path,
    /// Whether the table was made now, or found finished.
    made: bool,
    /// What stood in its place before, if it was not this table.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<&'static str>,
    #[serde(flatten)]
    counted: Counted,
    bytes: u64,
    bits_per_position: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    solve_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_seconds: Option<f64>,
    /// The engine that solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    /// The most that the process has taken so far, for this table or one before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    process_peak_memory_bytes: Option<u64>,
}

impl Generate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.boards.iter().any(|path| is_manifest(path)) {
            return self.run_batch();
        }
        if self.log.is_some() || self.no_wait {
            return Err(Failure::input("--log and --no-wait are for a batch, and need a manifest"));
        }
        let rules = self.making.rules()?;
        let boards = self.planned(&rules)?;
        let generator =
            self.making.threads.generator()?.with_checkpoints(self.check_points.unwrap_or(run::CHECK_POINTS));
        let generator = if self.no_sync { generator.without_sync() } else { generator };
        signals::watch()?;
        let out = self.out.as_deref().unwrap_or(Path::new(OUT));
        std::fs::create_dir_all(out).map_err(|error| {
            Failure::from(error).about(format!("cannot make the folder {}", out.display()))
        })?;
        let widest = boards.iter().map(|planned| planned.name.len()).max().unwrap_or(0);
        let (mut worst, mut failed, mut done) = (0, 0, 0);
        let total = boards.len();
        for Planned { name, source } in boards {
            if signals::received() {
                return Err(interrupted(done, total, &name));
            }
            let path = out.join(format!("{name}.dtb"));
            let job = self.making.job(source.board(&self.open_exits())?, &rules);
            match self.make(&generator, &name, &job, &path) {
                Ok(row) => {
                    done += 1;
                    unless_closed(self.show(&row, widest))?;
                }
                Err(Failure::Silent(_)) => return Err(interrupted(done, total, &name)),
                Err(failure) => {
                    let failure = failure.about(&name);
                    worst = worst.max(failure.status());
                    failed += 1;
                    let _ = failure.report();
                }
            }
        }
        if failed > 0 {
            if total > 1 {
                say(&format!("dragnet: {failed} of {total} tables could not be made"));
            }
            return Err(Failure::Silent(worst));
        }
        Ok(())
    }

    fn run_batch(self) -> Result<(), Failure> {
        let [manifest] = &self.boards[..] else {
            return Err(Failure::input("expected one manifest and nothing beside it"));
        };
        if let Some(name) = self.first_beside_manifest() {
            return Err(Failure::input(format!(
                "--{name} cannot stand beside a manifest, which says it itself"
            )));
        }
        if let Some(path) = &self.log {
            let file = std::fs::File::create(path)
                .map_err(|error| Failure::from(error).about(format!("cannot write {}", path.display())))?;
            tracing_subscriber::fmt()
                .json()
                .flatten_event(true)
                .with_target(false)
                .with_writer(Mutex::new(file))
                .init();
        }
        let how = How {
            threads: self.making.threads.given(),
            sync: !self.no_sync,
            force: self.force,
            wait: !self.no_wait,
            json: self.json,
            check_points: self.check_points,
        };
        run::run(manifest, &how)
    }

    /// Returns the first argument on the command line that a manifest specifies itself.
    fn first_beside_manifest(&self) -> Option<&'static str> {
        let own =
            [("out", self.out.is_some()), ("size", !self.size.is_empty()), ("exit", !self.exit.is_empty())];
        own.into_iter().chain(self.making.given()).find_map(|(name, given)| given.then_some(name))
    }

    /// The exits of open boards of a size.
    fn open_exits(&self) -> Vec<Exit> {
        if self.exit.is_empty() { vec![Exit::First] } else { self.exit.clone() }
    }

    /// All boards with their exits, checked before any work.
    fn planned(&self, rules: &Rules) -> Result<Vec<Planned>, Failure> {
        let mut boards = Vec::new();
        let mut warn_of = Vec::new();
        for path in &self.boards {
            if path == Path::new("-") {
                return Err(Failure::input(
                    "expected a board file, whose name its table takes; found - for standard input",
                ));
            }
            let board = self.making.board(path)?;
            let name = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .ok_or_else(|| Failure::input("expected a file name in UTF-8").in_file(path))?;
            let board = arguments::with_exits(board, &self.exit).map_err(|failure| failure.in_file(path))?;
            boards::require_open_cell(&board).map_err(|failure| failure.in_file(path))?;
            if board.exits().next().is_none() && self.exit.is_empty() && *rules == Rules::classic() {
                warn_of.push(path.display().to_string());
            }
            boards.push(Planned { name: name.to_owned(), source: Source::Board(board) });
        }
        for range in &self.size {
            // An exit that is on the smallest board is on all.
            Source::Open(range.from).board(&self.open_exits())?;
            let open = |size| Planned { name: boards::open_name(size), source: Source::Open(size) };
            boards.extend(range.sizes().map(open));
        }
        if self.boards.is_empty() && self.size.is_empty() {
            for named in boards::default_set().map_err(|error| Failure::Input(error.into()))? {
                let board = arguments::with_exits(named.board, &self.exit)
                    .map_err(|failure| failure.about(&named.name))?;
                boards.push(Planned { name: named.name, source: Source::Board(board) });
            }
        }
        let boards = without_repeats(boards)?;
        for path in warn_of {
            say(&format!(
                "dragnet: {path}: the board has no exit, so the thief cannot win; name one with --exit, or say --exit none"
            ));
        }
        Ok(boards)
    }

    fn make<'a>(
        &self,
        generator: &Generator,
        name: &'a str,
        job: &Job,
        path: &'a Path,
    ) -> Result<Row<'a>, Failure> {
        let cells = job.board.open_count() as u64;
        let replaced = match if self.force { Found::Nothing } else { find(job, path)? } {
            Found::Finished(summary, bytes) => return Ok(Row::new(name, path, cells, &summary, bytes, None)),
            Found::Other(what) => Some(what),
            Found::Nothing => None,
        };
        let progress = Progress::new(name, "positions", 2 * Header::positions_of(&job.board, &job.rules)?);
        let report = generator.generate(&job.plan()?, path, &progress);
        progress.finish();
        let report = report.map_err(|error| Failure::of_table(error, path))?;
        let times = Some((report.solving, report.writing));
        let engine = Some(name_of(&EngineName::from(report.engine)));
        Ok(Row {
            replaced,
            engine,
            ..Row::new(name, path, cells, &report.summary, report.written.bytes, times)
        })
    }

    fn show(&self, row: &Row, widest: usize) -> Result<(), Failure> {
        if self.json {
            return print_json(row);
        }
        let Counted { positions, police_to_move, thief_to_move, longest, .. } = &row.counted;
        let share = |a, b| human::percent(a + b, *positions);
        let mut time = match (row.solve_seconds, row.write_seconds) {
            (Some(solve), Some(write)) => format!("{:.2} s", solve + write),
            _ => "as it was".to_owned(),
        };
        if let Some(what) = row.replaced {
            time += &format!(", replaced {what}");
        }
        let mut output = output();
        writeln!(
            output,
            "{:widest$}  {:>13} positions  police {:>7} thief {:>7} draw {:>7}  longest {}/{}  {}, {:.2} bits each  {time}",
            row.name,
            human::count(*positions),
            share(police_to_move.police, thief_to_move.police),
            share(police_to_move.thief, thief_to_move.thief),
            share(police_to_move.draw, thief_to_move.draw),
            longest.police,
            longest.thief,
            human::bytes(row.bytes),
            row.bits_per_position,
        )?;
        Ok(output.flush()?)
    }
}

/// What already stands where a table is to be.
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// An undamaged table of this very job, with this summary and length.
    Finished(Summary, u64),
    /// Something that is to be replaced.
    Other(&'static str),
}

/// What stands at `path`. A file that is no table of a known version is not to be replaced without being asked to.
pub(crate) fn find(job: &Job, path: &Path) -> Result<Found, Failure> {
    match Table::open(path) {
        Ok(table) => {
            let header = table.header();
            let tiles = (header.police_tile, header.thief_tile);
            Ok(if header.board != job.board {
                Found::Other("a table of another board")
            } else if header.rules != job.rules {
                Found::Other("a table of other rules")
            } else if tiles != job.encoding.tile_sizes(&job.board, job.rules.officers) {
                Found::Other("a table that favours something else")
            } else if table.verify_checksums(|_| ()).is_err() {
                Found::Other("a damaged table")
            } else {
                Found::Finished(header.summary, table.file_len())
            })
        }
        Err(ProbeError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(Found::Nothing)
        }
        Err(error @ ProbeError::File { .. }) => Err(error.into()),
        Err(ProbeError::Table(TableError::Magic { found })) if !found.is_empty() => Err(Failure::input(
            format!("{} is in the way and is no Dragnet table; --force replaces it", path.display()),
        )),
        Err(ProbeError::Table(error @ TableError::Version { .. })) => {
            Err(Failure::input(format!("{} is in the way: {error}; --force replaces it", path.display())))
        }
        Err(ProbeError::Table(TableError::Kind { .. })) => Ok(Found::Other("a table of another game")),
        Err(_) => Ok(Found::Other("a damaged table")),
    }
}

impl<'a> Row<'a> {
    fn new(
        name: &'a str,
        path: &'a Path,
        cells: u64,
        summary: &Summary,
        bytes: u64,
        times: Option<(Duration, Duration)>,
    ) -> Row<'a> {
        let counted = Counted::new(cells, summary);
        Row {
            name,
            path,
            made: times.is_some(),
            replaced: None,
            bits_per_position: bytes as f64 * 8.0 / counted.positions as f64,
            counted,
            bytes,
            solve_seconds: times.map(|(solving, _)| solving.as_secs_f64()),
            write_seconds: times.map(|(_, writing)| writing.as_secs_f64()),
            engine: None,
            process_peak_memory_bytes: times.and_then(|_| machine::peak_memory()),
        }
    }
}
