//! `dragnet bench`: how quick the engines are on this machine, and whether their answers are right.

use super::{output, print_json};
use crate::{
    arguments::{EngineName, Threads, name_of},
    boards,
    failure::Failure,
    human,
    machine::Machine,
    probing::{self, Probing, median},
    progress::Progress,
    signals,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    board::{Board, make, scenario::Scenario, text},
    pieces::Pieces,
};
use serde::{Deserialize, Serialize};
use shared_child::SharedChild;
use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

/// Measure the engines, and check their answers
///
/// Each run is a process of its own that does all that 'dragnet generate --no-sync' does: start, solve, compress, write.
/// Given are the medians of the runs, of each figure by itself. The answers of the named scenarios are known; on other boards the
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
    /// How many officers play on the boards of --board
    #[arg(long, value_name = "N", default_value_t = 1, requires = "board", value_parser = clap::value_parser!(u8).range(1..=Pieces::MAX as i64))]
    officers: u8,
    /// The engines to measure. May be repeated [default: counters and bitboard]
    #[arg(long, value_enum)]
    engine: Vec<EngineName>,
    #[command(flatten)]
    threads: Threads,
    /// Measure how quick this table answers, instead of making tables. May be repeated
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["scenarios", "board", "engine", "repeat", "yardstick"])]
    table: Vec<PathBuf>,
    /// Runs of each
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Another solver (a path, or a name on PATH), to be run before each round with the board file as its argument, and with the
    /// number of officers if there are several. It must print
    /// nothing but JSON with "solve_seconds", and with "digest" if its answer is to be compared. Its solving alone is set
    /// against our whole process
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
  dragnet bench --board arena.map --yardstick ./handwritten --json
  dragnet bench --table tables/castle.dtb";

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
    /// Two officers on an open board of 12x12
    #[value(name = "officers-12")]
    Officers12,
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
            ScenarioName::Officers12 => make::open(12, 12),
        };
        board.map_err(|error| Failure::Input(error.into()))
    }

    fn officers(self) -> u8 {
        if self == ScenarioName::Officers12 { 2 } else { 1 }
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
            ScenarioName::Officers12 => "d8157d18c50b552d",
        }
    }
}

/// A board to be measured.
struct Course {
    name: String,
    board: Board,
    officers: u8,
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
    process_peak_memory_bytes: Option<u64>,
    engine: String,
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
    /// What was asked for.
    engine: String,
    /// What was taken.
    engine_taken: String,
    positions: u64,
    digest: String,
    /// Wall time of the process: the median, the least, the most.
    seconds: f64,
    least_seconds: f64,
    most_seconds: f64,
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
    /// Its solving alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    yardstick_seconds: Option<f64>,
    /// The yardstick's seconds over ours of the whole process.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_yardstick: Option<f64>,
}

#[derive(Serialize)]
struct Answers<'a> {
    version: &'static str,
    machine: Machine,
    results: &'a [Probing],
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
        if !self.table.is_empty() {
            return self.probe();
        }
        signals::watch()?;
        let courses = self.courses()?;
        let engines = if self.engine.is_empty() {
            vec![EngineName::Counters, EngineName::Bitboard]
        } else {
            self.engine.clone()
        };
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

    fn probe(&self) -> Result<(), Failure> {
        let mut rows = Vec::new();
        for path in &self.table {
            rows.push(probing::measure(path, self.threads.count())?);
        }
        if self.json {
            return print_json(&Answers {
                version: env!("CARGO_PKG_VERSION"),
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
            courses.push(Course {
                name: name_of(&name),
                board: with_exit(name.board()?)?,
                officers: name.officers(),
                digest: Some(name.digest().to_owned()),
            });
        }
        for path in &self.board {
            let board = boards::read(path)?.board;
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
        fs::write(&path, text).map_err(|error| {
            Failure::from(error).about(format!("cannot write the scratch file {}", path.display()))
        })?;
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
        let mut runs: Vec<Vec<(f64, Made)>> = engines.iter().map(|_| Vec::new()).collect();
        for round in 0..self.repeat {
            if let Some(program) = &self.yardstick {
                let officers = (course.officers > 1).then(|| course.officers.to_string());
                let ran = run(Command::new(program).arg(&path).args(officers), program, folder)?;
                if !ran.success {
                    let (status, said) = (ran.status, ran.said);
                    let message = format!("{} ended with {status} {said}", program.display());
                    return Err(Failure::Trouble(anyhow::anyhow!("{}", message.trim_end())));
                }
                let measured: Measured = parse(program, &ran.output)?;
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
            for (engine, runs) in engines.iter().zip(&mut runs) {
                let (seconds, made) = self.generate(*engine, &path, course.officers, folder)?;
                agree(&name_of(engine), &made.digest)?;
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
    fn generate(
        &self,
        engine: EngineName,
        board: &Path,
        officers: u8,
        folder: &Path,
    ) -> Result<(f64, Made), Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::from(error).about("cannot find the program itself"))?;
        // A table of the run before, replaced, would cost time that no user waits for.
        let tables = tempfile::tempdir_in(folder).map_err(|error| {
            Failure::from(error).about(format!("cannot make a scratch folder in {}", folder.display()))
        })?;
        let mut command = Command::new(&program);
        command.arg("generate").arg(board).arg("--out").arg(tables.path());
        command.args(["--no-sync", "--json", "--engine", &name_of(&engine)]);
        command.arg("--officers").arg(officers.to_string());
        command.arg("--threads").arg(self.threads.count().to_string());
        let ran = run(&mut command, &program, folder)?;
        if ran.success {
            return Ok((ran.seconds, parse(&program, &ran.output)?));
        }
        // It has said what is wrong, and its status what kind of failure that is.
        let said = ran.said.trim_start_matches("dragnet: ").trim_start_matches("board: ");
        let error = anyhow::anyhow!("{}: {said}", name_of(&engine));
        Err(if ran.status.code() == Some(2) { Failure::Input(error) } else { Failure::Trouble(error) })
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
        let head = format!(
            "{:widest$}  engine          positions    whole    solve     file   positions/s  peak MiB  B/pos  bits/pos  {}",
            "scenario",
            if self.yardstick.is_some() { "yardstick's solve, times" } else { "" }
        );
        writeln!(output, "{}", head.trim_end())?;
        for row in rows {
            let known = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
            let peak = known(row.peak_memory_bytes.map(|bytes| (bytes >> 20).to_string()));
            // The program itself, some 5 MB, is most of what a small board takes.
            let each = row.peak_bytes_per_position.filter(|_| row.positions >= 1_000_000);
            let memory = known(each.map(|bytes| format!("{bytes:.2}")));
            let taken = row.engine == row.engine_taken;
            let engine = if taken { row.engine.clone() } else { format!("({})", row.engine_taken) };
            let times = match (row.yardstick_seconds, row.times_yardstick) {
                (Some(seconds), Some(times)) => format!("{seconds:17.3}  {times:4.1}x"),
                _ => String::new(),
            };
            let line = format!(
                "{:widest$}  {engine:10}  {:>13}  {:7.3}  {:7.3}  {:7.3}  {:>12}  {peak:>8}  {memory:>5}  {:8.3}  {times}",
                row.scenario,
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
    boards::with_first_exit(&board).map_err(|error| Failure::Input(error.into()))
}

/// How a program ended.
struct Ran {
    success: bool,
    status: ExitStatus,
    seconds: f64,
    output: Vec<u8>,
    /// What it printed on standard error.
    said: String,
}

/// Time between two looks for a signal while a program runs. More often would take time from it.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a program to its end, or until we are to stop. What it prints goes to scratch files, which take any amount.
fn run(command: &mut Command, program: &Path, folder: &Path) -> Result<Ran, Failure> {
    let (out, err) = (folder.join("out"), folder.join("err"));
    let create = |path: &Path| {
        File::create(path)
            .map_err(|error| Failure::from(error).about(format!("cannot write {}", path.display())))
    };
    command.stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let begin = Instant::now();
    let child = SharedChild::spawn(command)
        .map_err(|error| Failure::from(error).about(format!("cannot run {}", program.display())))?;
    let (sender, ended) = mpsc::channel();
    let (status, seconds) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let status = child.wait();
            // Whoever listens does so until this comes.
            let _ = sender.send((status, begin.elapsed().as_secs_f64()));
        });
        loop {
            match ended.recv_timeout(LOOK) {
                Ok((status, seconds)) => return Ok((status?, seconds)),
                Err(_) if signals::received() => {
                    child.kill()?;
                    return Err(Failure::Silent(signals::status()));
                }
                Err(_) => {}
            }
        }
    })?;
    if signals::received() {
        return Err(Failure::Silent(signals::status()));
    }
    let said = String::from_utf8_lossy(&fs::read(err)?).trim_end().to_owned();
    Ok(Ran { success: status.success(), status, seconds, output: fs::read(out)?, said })
}

fn parse<T: for<'a> Deserialize<'a>>(program: &Path, output: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(output).map_err(|error| {
        let printed: String = String::from_utf8_lossy(output).chars().take(60).collect();
        Failure::input(format!(
            "{}: expected a line of JSON with its figures, found {printed:?}: {error}",
            program.display()
        ))
    })
}

impl Row {
    fn new(scenario: &str, engine: EngineName, runs: Vec<(f64, Made)>, yardstick: Option<f64>) -> Row {
        let median = |figure: &dyn Fn(&(f64, Made)) -> f64| median(runs.iter().map(figure).collect());
        let seconds = median(&|run| run.0);
        let (_, made) = &runs[0];
        let peak = made
            .process_peak_memory_bytes
            .map(|_| median(&|run| run.1.process_peak_memory_bytes.unwrap_or_default() as f64) as u64);
        let times = || runs.iter().map(|run| run.0);
        Row {
            scenario: scenario.to_owned(),
            engine: name_of(&engine),
            engine_taken: made.engine.clone(),
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
        }
    }
}
