//! `dragnet bench`: how quick the engines are on this machine, and whether their answers are right.

use super::{output, print_json};
use crate::{
    arguments::{EngineName, Threads},
    boards,
    failure::Failure,
    human,
    machine::Machine,
    progress::Progress,
    signals,
};
use clap::{Args, ValueEnum};
use dragnet_formats::board::{Board, make, scenario::Scenario, text};
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Instant,
};

/// Measure the engines, and check their answers
///
/// Each run is a process of its own that does all that 'dragnet generate --no-sync' does: start, solve, compress, write.
/// Given are the medians of the runs. The answers of the named scenarios are known; on other boards the
/// engines must agree. Without a scenario and without --board all scenarios are run.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Bench {
    /// Scenarios
    #[arg(value_enum, value_name = "SCENARIO")]
    scenarios: Vec<ScenarioName>,
    /// A board file; its first open cell is the exit if it has none. May be repeated
    #[arg(long, value_name = "FILE")]
    board: Vec<PathBuf>,
    /// The engines to measure. May be repeated [default: counters and bitboard]
    #[arg(long, value_enum)]
    engine: Vec<EngineName>,
    #[command(flatten)]
    threads: Threads,
    /// Runs of each
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Another solver, to be run before each of our runs with the board file as its argument. It must print a line of JSON with
    /// "solve_seconds", and with "digest" if its answer is to be compared
    #[arg(long, value_name = "PROGRAM")]
    yardstick: Option<PathBuf>,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet bench
  dragnet bench open-64 maze-65 --threads 1
  dragnet bench --board arena.map --engine bitboard --repeat 9
  dragnet bench --board arena.map --yardstick ./handwritten --json";

/// A board whose answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScenarioName {
    /// An open board of 64x64
    #[value(name = "open-64")]
    Open64,
    /// An open board of 100x100
    #[value(name = "open-100")]
    Open100,
    /// 64x64, one square in five a wall
    #[value(name = "random-64")]
    Random64,
    /// 100x100, one square in five a wall
    #[value(name = "random-100")]
    Random100,
    /// Rooms with doors, 64x64
    #[value(name = "rooms-64")]
    Rooms64,
    /// A maze of 65x65 without loops
    #[value(name = "maze-65")]
    Maze65,
    /// A maze of 101x101 with loops
    #[value(name = "loops-101")]
    Loops101,
    /// A corridor of 2000 cells
    #[value(name = "corridor-2000")]
    Corridor2000,
}

impl ScenarioName {
    /// The board, with its first open cell as the exit.
    fn board(self) -> Result<Board, Failure> {
        let board = match self {
            ScenarioName::Open64 => make::open(64, 64),
            ScenarioName::Open100 => make::open(100, 100),
            ScenarioName::Random64 => make::random(64, 64, 0.2, 1),
            ScenarioName::Random100 => make::random(100, 100, 0.2, 1),
            ScenarioName::Rooms64 => make::rooms(64, 64, 1),
            ScenarioName::Maze65 => make::maze(65, 65, 0, 1),
            ScenarioName::Loops101 => make::maze(101, 101, 250, 1),
            ScenarioName::Corridor2000 => make::open(1, 2000),
        };
        board.map_err(|error| Failure::Input(error.into()))
    }

    /// The content digest of its table, which both engines and a program by another hand have found.
    fn digest(self) -> &'static str {
        match self {
            ScenarioName::Open64 => "66f7f7d05334b8ef",
            ScenarioName::Open100 => "d71003f4da88507a",
            ScenarioName::Random64 => "78f64ce5a60d260c",
            ScenarioName::Random100 => "daf87663e0d0b8da",
            ScenarioName::Rooms64 => "3e1fc29fdc9ae96c",
            ScenarioName::Maze65 => "3175f35e3e17be0d",
            ScenarioName::Loops101 => "8df88bbb6b047899",
            ScenarioName::Corridor2000 => "6a646a2d8c2fd536",
        }
    }
}

/// A board to be measured.
struct Course {
    name: String,
    board: Board,
    /// The digest of its table, if it is known.
    digest: Option<String>,
}

/// What `dragnet generate --json` says of a table, as far as it is needed.
#[derive(Deserialize)]
struct Made {
    positions: u64,
    digest: String,
    bytes: u64,
    bits_per_position: f64,
    solve_seconds: f64,
    write_seconds: f64,
    peak_memory_bytes: Option<u64>,
}

/// What a yardstick says.
#[derive(Deserialize)]
struct Measured {
    solve_seconds: f64,
    digest: Option<String>,
}

/// Medians of the runs of one engine on one board.
#[derive(Serialize)]
struct Row {
    scenario: String,
    engine: &'static str,
    positions: u64,
    digest: String,
    /// Wall time of the process.
    seconds: f64,
    /// Of these, from the board to all values.
    solve_seconds: f64,
    /// And from there to the finished file.
    file_seconds: f64,
    /// Positions per second of the whole process.
    positions_per_second: f64,
    /// Where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes_per_position: Option<f64>,
    bytes: u64,
    bits_per_position: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    yardstick_seconds: Option<f64>,
    /// How many times as quick as the yardstick the whole process is.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_yardstick: Option<f64>,
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    machine: Machine,
    threads: usize,
    repeat: u32,
    results: &'a [Row],
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        signals::watch()?;
        let courses = self.courses()?;
        let engines = if self.engine.is_empty() {
            vec![EngineName::Counters, EngineName::Bitboard]
        } else {
            self.engine.clone()
        };
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::from(error).about("cannot make a folder for scratch files"))?;
        let total = courses.len() as u64 * u64::from(self.repeat);
        let progress = Progress::new("bench", "rounds", total);
        let mut rows = Vec::new();
        for (number, course) in (0..).zip(&courses) {
            let rounds = |round: u32| {
                progress.set(number * u64::from(self.repeat) + u64::from(round), || course.name.clone());
            };
            let measured = self.measure(course, &engines, folder.path(), rounds);
            rows.extend(measured.map_err(|failure| failure.about(&course.name))?);
        }
        progress.finish();
        if self.json {
            return print_json(&Report {
                version: env!("CARGO_PKG_VERSION"),
                machine: Machine::here(),
                threads: self.threads.count(),
                repeat: self.repeat,
                results: &rows,
            });
        }
        self.show(&rows)
    }

    fn courses(&self) -> Result<Vec<Course>, Failure> {
        let all = self.scenarios.is_empty() && self.board.is_empty();
        let names = if all { ScenarioName::value_variants() } else { &self.scenarios[..] };
        let mut courses = Vec::new();
        for &name in names {
            courses.push(Course {
                name: name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()),
                board: with_exit(name.board()?)?,
                digest: Some(name.digest().to_owned()),
            });
        }
        for path in &self.board {
            let board = boards::read(path)?.board;
            if board.open_count() == 0 {
                return Err(Failure::input("the board has no open cell, so there is nothing to measure")
                    .in_file(path));
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            courses.push(Course { name, board: with_exit(board)?, digest: None });
        }
        Ok(courses)
    }

    /// Runs all engines in turn, again and again, so that a slow minute of the machine strikes them alike.
    fn measure(
        &self,
        course: &Course,
        engines: &[EngineName],
        folder: &Path,
        rounds: impl Fn(u32),
    ) -> Result<Vec<Row>, Failure> {
        let path = folder.join("board.txt");
        let scenario = Scenario { board: course.board.clone(), police: Vec::new(), thief: None };
        let text = text::write(&scenario).map_err(|error| Failure::Input(error.into()))?;
        std::fs::write(&path, text).map_err(|error| {
            Failure::from(error).about(format!("cannot write the scratch file {}", path.display()))
        })?;
        let mut digest = course.digest.clone();
        let mut agree = |who: &str, found: &str| match &digest {
            Some(expected) if expected != found => Err(Failure::Check(anyhow::anyhow!(
                "wrong answer: expected digest {expected}, {who} found {found}"
            ))),
            Some(_) => Ok(()),
            None => {
                digest = Some(found.to_owned());
                Ok(())
            }
        };
        let mut yardstick: Vec<f64> = Vec::new();
        let mut runs: Vec<Vec<(f64, Made)>> = engines.iter().map(|_| Vec::new()).collect();
        for round in 0..self.repeat {
            if let Some(program) = &self.yardstick {
                let measured: Measured = parse(program, &run(Command::new(program).arg(&path), program)?)?;
                if let Some(found) = measured.digest {
                    agree(&program.display().to_string(), &found)?;
                }
                yardstick.push(measured.solve_seconds);
            }
            for (engine, runs) in engines.iter().zip(&mut runs) {
                let (seconds, made) = self.generate(*engine, &path, folder)?;
                agree(engine.name(), &made.digest)?;
                runs.push((seconds, made));
            }
            rounds(round + 1);
        }
        let yardstick = (!yardstick.is_empty()).then(|| median(yardstick));
        Ok(engines
            .iter()
            .zip(runs)
            .map(|(engine, runs)| Row::new(&course.name, *engine, runs, yardstick))
            .collect())
    }

    /// One run in a process of its own: its wall time, and what it made.
    fn generate(&self, engine: EngineName, board: &Path, folder: &Path) -> Result<(f64, Made), Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::from(error).about("cannot find the program itself"))?;
        let mut command = Command::new(&program);
        command.arg("generate").arg(board).arg("--out").arg(folder);
        command.args(["--no-sync", "--force", "--json", "--engine", engine.name()]);
        command.arg("--threads").arg(self.threads.count().to_string());
        let begin = Instant::now();
        let output = run(&mut command, &program)?;
        Ok((begin.elapsed().as_secs_f64(), parse(&program, &output)?))
    }

    fn show(&self, rows: &[Row]) -> Result<(), Failure> {
        let widest = rows.iter().map(|row| row.scenario.len()).max().unwrap_or(0).max(8);
        let mut output = output();
        let (threads, repeat) = (self.threads.count(), self.repeat);
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        writeln!(
            output,
            "{threads} thread{}, medians of {repeat} run{}; seconds of the whole process, of solving, of the file",
            plural(threads),
            plural(repeat as usize)
        )?;
        writeln!(
            output,
            "{:widest$}  engine        positions    whole    solve     file   positions/s  peak B/pos  bits/pos  {}",
            "scenario",
            if self.yardstick.is_some() { "yardstick" } else { "" }
        )?;
        for row in rows {
            let memory =
                row.peak_bytes_per_position.map_or_else(|| "-".to_owned(), |bytes| format!("{bytes:.2}"));
            let times = match (row.yardstick_seconds, row.times_yardstick) {
                (Some(seconds), Some(times)) => format!("{seconds:7.3} s, {times:.1}x"),
                _ => String::new(),
            };
            let line = format!(
                "{:widest$}  {:8}  {:>13}  {:7.3}  {:7.3}  {:7.3}  {:>12}  {memory:>10}  {:8.3}  {times}",
                row.scenario,
                row.engine,
                human::count(row.positions),
                row.seconds,
                row.solve_seconds,
                row.file_seconds,
                human::count(row.positions_per_second as u64),
                row.bits_per_position,
            );
            writeln!(output, "{}", line.trim_end())?;
        }
        Ok(output.flush()?)
    }
}

/// The board, with its first open cell as the exit if it has none.
fn with_exit(board: Board) -> Result<Board, Failure> {
    if board.exits().next().is_some() {
        return Ok(board);
    }
    let first: Vec<_> = board.open_cells().take(1).collect();
    board.with_exits(&first).map_err(|error| Failure::Input(error.into()))
}

/// What the program prints.
fn run(command: &mut Command, program: &Path) -> Result<Vec<u8>, Failure> {
    let Output { status, stdout, stderr } = command
        .output()
        .map_err(|error| Failure::from(error).about(format!("cannot run {}", program.display())))?;
    if signals::received() {
        return Err(Failure::Silent(signals::status()));
    }
    if status.success() {
        return Ok(stdout);
    }
    let said = String::from_utf8_lossy(&stderr);
    Err(Failure::Trouble(anyhow::anyhow!("{} ended with {status}: {}", program.display(), said.trim_end())))
}

fn parse<T: for<'a> Deserialize<'a>>(program: &Path, output: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(output).map_err(|error| {
        Failure::input(format!("{}: expected a line of JSON with its figures: {error}", program.display()))
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Row {
    fn new(scenario: &str, engine: EngineName, runs: Vec<(f64, Made)>, yardstick: Option<f64>) -> Row {
        let median = |figure: &dyn Fn(&(f64, Made)) -> f64| median(runs.iter().map(figure).collect());
        let seconds = median(&|run| run.0);
        let (_, made) = &runs[0];
        let peak = made
            .peak_memory_bytes
            .map(|_| median(&|run| run.1.peak_memory_bytes.unwrap_or_default() as f64) as u64);
        Row {
            scenario: scenario.to_owned(),
            engine: engine.name(),
            positions: made.positions,
            digest: made.digest.clone(),
            seconds,
            solve_seconds: median(&|run| run.1.solve_seconds),
            file_seconds: median(&|run| run.1.write_seconds),
            positions_per_second: made.positions as f64 / seconds,
            peak_memory_bytes: peak,
            peak_bytes_per_position: peak.map(|bytes| bytes as f64 / made.positions as f64),
            bytes: made.bytes,
            bits_per_position: made.bits_per_position,
            yardstick_seconds: yardstick,
            times_yardstick: yardstick.map(|other| other / seconds),
        }
    }
}
