//! `dragnet bench`: how fast the engines are on this machine, and whether their answers are right.

mod probing;
mod process;
mod scenario;

use super::{output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{self, EngineName, name_of},
        boards,
    },
    machine::Machine,
    messages::Kind,
    output::{
        human,
        json::Hex,
        progress::{self, Progress},
    },
    signals,
};
use clap::{Args, ValueEnum};
use dragnet_formats::board::{Board, Scenario, text};
use dragnet_maps::MapSelectors;
use probing::{BlockAccess, TableMeasurement, median};
use process::{parse, run};
use scenario::ScenarioName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// Measure the engines, and check their answers
///
/// Each run is a process of its own that does what 'dragnet generate --no-sync' does: start, solve, compress,
/// write. Each printed figure is the median of the runs. The answers of the named scenarios are known; on
/// other boards the engines must agree. Without a scenario and without --board all scenarios run.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Bench {
    /// Scenarios to run
    #[arg(value_enum, value_name = "SCENARIO")]
    scenarios: Vec<ScenarioName>,
    /// A board file; its first open cell is the exit if it has none. May be repeated
    #[arg(long, value_name = "FILE")]
    board: Vec<PathBuf>,
    /// Number of officers on the boards of --board
    #[arg(long, value_name = "N", default_value_t = 1, requires = "board", value_parser = arguments::officers())]
    officers: u8,
    /// The engines to measure. May be repeated [default: counters and bitboard]
    #[arg(long, value_enum)]
    engine: Vec<EngineName>,
    /// Threads; 0 for one per processor. Each of several numbers is measured and compared with the first
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0", value_parser = arguments::threads)]
    threads: Vec<usize>,
    /// Measure how fast this table answers, read and mapped into memory, instead of making tables. May be
    /// repeated
    ///
    /// The file must not be written to or cut short meanwhile.
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["scenarios", "board", "engine", "repeat", "yardstick"])]
    table: Vec<PathBuf>,
    /// Number of runs of each engine on each board
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = arguments::whole_number(1..=1000_u32))]
    repeat: u32,
    /// Another solver to compare with: a path, or a name on PATH. It runs before each round with the board
    /// file as its argument, then the number of officers if there are several, and must print JSON with
    /// "solve_seconds" and, to have its answer compared, "digest". Its solving alone is compared with our
    /// whole process. Scenarios of several officers run with it only if they are named
    #[arg(long, value_name = "PROGRAM")]
    yardstick: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet bench
  dragnet bench open-64 maze-65 --threads 1,2
  dragnet bench --board arena.map --engine bitboard --repeat 9
  dragnet bench --board arena.map --yardstick ./handwritten --json
  dragnet bench --table tables/castle.dtb";

/// A board to measure.
struct Course {
    name: String,
    board: Board,
    officers: u8,
    /// The digest of its table, if it is known.
    digest: Option<String>,
}

/// The fields of `dragnet generate --json` that a measurement needs.
#[derive(Deserialize)]
struct GeneratedTable {
    positions: u64,
    digest: String,
    bytes: u64,
    bits_per_position: f64,
    solve_seconds: f64,
    write_seconds: f64,
    process_peak_memory_bytes: Option<u64>,
    engine: String,
}

/// The output of a yardstick.
#[derive(Deserialize)]
struct YardstickOutput {
    solve_seconds: f64,
    digest: Option<String>,
}

/// An engine and a number of threads, measured on each board.
#[derive(Clone, Copy)]
struct Setting {
    engine: EngineName,
    threads: usize,
}

impl Setting {
    fn describe(self) -> String {
        format!("{}, threads: {}", name_of(&self.engine), self.threads)
    }
}

/// A measurement of an engine: medians of the runs of one setting on one board.
#[derive(Serialize, JsonSchema)]
struct Measurement {
    /// Name of the scenario or the board.
    scenario: String,
    /// Engine that was asked for.
    #[schemars(extend("enum" = ["auto", "counters", "bitboard"]))]
    engine: String,
    /// Engine that was used.
    engine_taken: String,
    /// Threads.
    threads: usize,
    /// Positions of the table.
    positions: u64,
    /// Digest of all values.
    #[schemars(with = "Hex")]
    digest: String,
    /// Wall time of the whole process, median.
    seconds: f64,
    /// Wall time of the quickest run.
    least_seconds: f64,
    /// Wall time of the slowest run.
    most_seconds: f64,
    /// From the board to all values.
    solve_seconds: f64,
    /// From the values to the finished file.
    file_seconds: f64,
    /// Positions over `seconds`.
    positions_per_second: f64,
    /// Most memory of the process, its own pages included. Absent where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    /// `peak_memory_bytes` over `positions`. It says what a solve needs only above 20 million positions.
    /// Absent with `peak_memory_bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes_per_position: Option<f64>,
    /// Length of the table.
    bytes: u64,
    /// Bits of the file per position.
    bits_per_position: f64,
    /// Time that the yardstick needs to solve, median. Absent without `--yardstick`.
    #[serde(skip_serializing_if = "Option::is_none")]
    yardstick_seconds: Option<f64>,
    /// `yardstick_seconds` over `seconds`. Absent without `--yardstick`.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_yardstick: Option<f64>,
    /// `seconds` with the first number of threads over these. Absent with one number of threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_first_threads: Option<f64>,
}

/// Measurements of tables.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TableMeasurements<'a> {
    /// Version of the program.
    version: &'static str,
    /// Where it was measured.
    machine: Machine,
    /// One measurement per table, number of threads and way of access.
    results: &'a [TableMeasurement],
}

/// Measurements of engines.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EngineMeasurements<'a> {
    /// Version of the program.
    version: &'static str,
    /// Where it was measured.
    machine: Machine,
    /// Runs of each setting.
    repeat: u32,
    /// One measurement per board, engine and number of threads.
    results: &'a [Measurement],
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if !self.table.is_empty() {
            return self.probe();
        }
        signals::watch(progress::say, "nothing is kept")?;
        let courses = self.courses()?;
        let engines = match &self.engine[..] {
            [] => &[EngineName::Counters, EngineName::Bitboard],
            given => given,
        };
        let with_threads = |&engine| self.threads().map(move |threads| Setting { engine, threads });
        let settings: Vec<Setting> = engines.iter().flat_map(with_threads).collect();
        let folder = tempfile::Builder::new()
            .prefix("dragnet-bench-")
            .tempdir()
            .map_err(|error| Failure::from(error).about("cannot make a folder for scratch files"))?;
        let total = courses.len() as u64 * u64::from(self.repeat);
        let progress = Progress::new("bench", "rounds", total);
        let mut rows = Vec::new();
        for (number, course) in (0..).zip(&courses) {
            let rounds = |round: u32| {
                progress.set(number * u64::from(self.repeat) + u64::from(round), || course.name.clone());
            };
            match self.measure(course, &settings, folder.path(), rounds) {
                Ok(measured) => rows.extend(measured),
                Err(failure) => {
                    // What was measured before may have taken an hour.
                    if !rows.is_empty() {
                        self.show(&rows)?;
                    }
                    return Err(failure.about(&course.name));
                }
            }
        }
        progress.finish();
        self.show(&rows)
    }

    fn threads(&self) -> impl Iterator<Item = usize> {
        self.threads.iter().map(|&count| arguments::processors_if_0(count))
    }

    fn probe(&self) -> Result<(), Failure> {
        let mut rows = Vec::new();
        for path in &self.table {
            for (access, threads) in BlockAccess::ALL
                .into_iter()
                .flat_map(|access| self.threads().map(move |threads| (access, threads)))
            {
                rows.push(probing::measure(path, access, threads)?);
            }
        }
        if self.json {
            return print_json(&TableMeasurements {
                version: crate::version::SHORT,
                machine: Machine::here(),
                results: &rows,
            });
        }
        let mut output = output();
        for row in &rows {
            write!(output, "{row}")?;
        }
        Ok(output.flush()?)
    }

    fn courses(&self) -> Result<Vec<Course>, Failure> {
        let all = self.scenarios.is_empty() && self.board.is_empty();
        let names = if all { ScenarioName::value_variants() } else { &self.scenarios[..] };
        let mut courses = Vec::new();
        for &name in names {
            if all && self.yardstick.is_some() && name.officers() > 1 {
                let name = name_of(&name);
                let left_out = format!(
                    "{name} is left out: a yardstick need not know several officers; 'dragnet bench {name} --yardstick …' runs it"
                );
                progress::say(Kind::Note, &left_out);
                continue;
            }
            courses.push(Course {
                name: name_of(&name),
                board: with_exit(name.board()?)?,
                officers: name.officers(),
                digest: Some(name.digest().to_owned()),
            });
        }
        for path in &self.board {
            let board = boards::read(path, &MapSelectors::default())?.board;
            if board.open_count() == 0 {
                return Err(Failure::input("the board has no open cell, so there is nothing to measure")
                    .in_file(path));
            }
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let known = courses.iter().any(|course: &Course| course.name == stem);
            let name = if known { path.display().to_string() } else { stem };
            courses.push(Course { name, board: with_exit(board)?, officers: self.officers, digest: None });
        }
        Ok(courses)
    }

    /// Runs all settings in turn, round by round, so that a slow minute of the machine affects all alike.
    fn measure(
        &self,
        course: &Course,
        settings: &[Setting],
        folder: &Path,
        rounds: impl Fn(u32),
    ) -> Result<Vec<Measurement>, Failure> {
        let path = folder.join("board.txt");
        let scenario = Scenario { board: course.board.clone(), police: Vec::new(), thief: None };
        let text = text::write(&scenario).map_err(|error| Failure::Input(error.into()))?;
        fs::write(&path, text).map_err(|error| Failure::cannot("write the scratch file", &path, error))?;
        let mut digest = course.digest.clone();
        let mut first = "the table of this scenario".to_owned();
        let mut agree = |who: &str, found: &str| match &digest {
            Some(expected) if expected != found => Err(Failure::Check(anyhow::anyhow!(
                "the answers differ: {first} has digest {expected}, {who} found {found}"
            ))),
            Some(_) => Ok(()),
            None => {
                digest = Some(found.to_owned());
                first = format!("what {who} found");
                Ok(())
            }
        };
        let mut yardstick: Vec<f64> = Vec::new();
        let mut runs: Vec<Vec<(f64, GeneratedTable)>> = settings.iter().map(|_| Vec::new()).collect();
        for round in 0..self.repeat {
            if let Some(program) = &self.yardstick {
                let officers = (course.officers > 1).then(|| course.officers.to_string());
                let ran = run(Command::new(program).arg(&path).args(officers), program, folder)?;
                if !ran.success {
                    let (status, said) = (ran.status, ran.said);
                    let message = format!("{} ended with {status} {said}", program.display());
                    return Err(Failure::Trouble(anyhow::anyhow!("{}", message.trim_end())));
                }
                let measured: YardstickOutput = parse(program, &ran.output)?;
                if !measured.solve_seconds.is_finite() || measured.solve_seconds <= 0.0 {
                    return Err(Failure::input(format!(
                        "{}: expected solve_seconds above 0, found {}",
                        program.display(),
                        measured.solve_seconds
                    )));
                }
                if let Some(found) = measured.digest {
                    agree(&program.display().to_string(), &found)?;
                }
                yardstick.push(measured.solve_seconds);
            }
            for (setting, runs) in settings.iter().zip(&mut runs) {
                let (seconds, made) = generate(*setting, &path, course.officers, folder)?;
                agree(&setting.describe(), &made.digest)?;
                runs.push((seconds, made));
            }
            rounds(round + 1);
        }
        let yardstick = (!yardstick.is_empty()).then(|| median(yardstick));
        let rows = settings.iter().zip(runs);
        let mut rows: Vec<Measurement> =
            rows.map(|(setting, runs)| Measurement::new(&course.name, *setting, runs, yardstick)).collect();
        if self.threads.len() > 1 {
            for rows in rows.chunk_by_mut(|a, b| a.engine == b.engine) {
                let first = rows[0].seconds;
                rows.iter_mut().for_each(|row| row.times_first_threads = Some(first / row.seconds));
            }
        }
        Ok(rows)
    }

    fn show(&self, rows: &[Measurement]) -> Result<(), Failure> {
        if self.json {
            return print_json(&EngineMeasurements {
                version: crate::version::SHORT,
                machine: Machine::here(),
                repeat: self.repeat,
                results: rows,
            });
        }
        let widest = rows.iter().map(|row| row.scenario.len()).max().unwrap_or(0).max(8);
        let mut output = output();
        let repeat = self.repeat;
        writeln!(
            output,
            "medians of {repeat} run{}; seconds of the whole process, of solving, of the file",
            if repeat == 1 { "" } else { "s" },
        )?;
        let head = format!(
            "{:widest$}  engine    threads      positions    whole    solve     file   positions/s  peak MiB  B/pos  bits/pos{}{}",
            "scenario",
            if self.threads.len() > 1 { "  over first" } else { "" },
            if self.yardstick.is_some() { "  yardstick's solve, times" } else { "" }
        );
        writeln!(output, "{head}")?;
        for row in rows {
            let known = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
            let peak = known(row.peak_memory_bytes.map(|bytes| (bytes >> 20).to_string()));
            // Most of what a small board takes is the program itself, some 7 MB.
            let each = row.peak_bytes_per_position.filter(|_| row.positions >= 1_000_000);
            let memory = known(each.map(|bytes| format!("{bytes:.2}")));
            let taken = row.engine == row.engine_taken;
            let engine = if taken { row.engine.clone() } else { format!("({})", row.engine_taken) };
            let over_first =
                row.times_first_threads.map(|times| format!("  {times:9.2}x")).unwrap_or_default();
            let times = match (row.yardstick_seconds, row.times_yardstick) {
                (Some(seconds), Some(times)) => format!("  {seconds:17.3}  {times:4.1}x"),
                _ => String::new(),
            };
            writeln!(
                output,
                "{:widest$}  {engine:10}  {:5}  {:>13}  {:7.3}  {:7.3}  {:7.3}  {:>12}  {peak:>8}  {memory:>5}  {:8.3}{over_first}{times}",
                row.scenario,
                row.threads,
                human::count(row.positions),
                row.seconds,
                row.solve_seconds,
                row.file_seconds,
                human::count(row.positions_per_second as u64),
                row.bits_per_position,
            )?;
        }
        Ok(output.flush()?)
    }
}

/// Generates a table in a process of its own. Returns the wall time in seconds, and what the process printed.
fn generate(
    setting: Setting,
    board: &Path,
    officers: u8,
    folder: &Path,
) -> Result<(f64, GeneratedTable), Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::from(error).about("cannot find the program itself"))?;
    // Replacing the table of the run before would take time that no user waits for.
    let tables = tempfile::tempdir_in(folder)
        .map_err(|error| Failure::cannot("make a scratch folder in", folder, error))?;
    let mut command = Command::new(&program);
    command.arg("generate").arg(board).arg("--out").arg(tables.path());
    command.args(["--no-sync", "--json", "--engine", &name_of(&setting.engine)]);
    command.arg("--officers").arg(officers.to_string());
    command.arg("--threads").arg(setting.threads.to_string());
    let ran = run(&mut command, &program, folder)?;
    if ran.success {
        return Ok((ran.seconds, parse(&program, &ran.output)?));
    }
    // The message says what is wrong, the exit status which kind of failure it is.
    let said = ran.said.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or(&ran.said);
    let said = said.trim_start_matches("board: ");
    let error = anyhow::anyhow!("{}: {said}", name_of(&setting.engine));
    Err(if ran.status.code() == Some(2) { Failure::Input(error) } else { Failure::Trouble(error) })
}

/// Returns the board; if it has no exit, its first open cell becomes one.
fn with_exit(board: Board) -> Result<Board, Failure> {
    if board.exits().next().is_some() {
        return Ok(board);
    }
    boards::with_first_exit(&board).map_err(|error| Failure::Input(error.into()))
}

impl Measurement {
    fn new(
        scenario: &str,
        setting: Setting,
        runs: Vec<(f64, GeneratedTable)>,
        yardstick: Option<f64>,
    ) -> Measurement {
        let median =
            |figure: &dyn Fn(&(f64, GeneratedTable)) -> f64| median(runs.iter().map(figure).collect());
        let seconds = median(&|run| run.0);
        let (_, made) = &runs[0];
        let peak = made
            .process_peak_memory_bytes
            .map(|_| median(&|run| run.1.process_peak_memory_bytes.unwrap_or_default() as f64) as u64);
        let times = || runs.iter().map(|run| run.0);
        Measurement {
            scenario: scenario.to_owned(),
            engine: name_of(&setting.engine),
            engine_taken: made.engine.clone(),
            threads: setting.threads,
            positions: made.positions,
            digest: made.digest.clone(),
            seconds,
            least_seconds: times().fold(f64::INFINITY, f64::min),
            most_seconds: times().fold(0.0, f64::max),
            solve_seconds: median(&|run| run.1.solve_seconds),
            file_seconds: median(&|run| run.1.write_seconds),
            positions_per_second: made.positions as f64 / seconds,
            peak_memory_bytes: peak,
            peak_bytes_per_position: peak.map(|bytes| bytes as f64 / made.positions as f64),
            bytes: made.bytes,
            bits_per_position: made.bits_per_position,
            yardstick_seconds: yardstick,
            times_yardstick: yardstick.map(|other| other / seconds),
            times_first_threads: None,
        }
    }
}
