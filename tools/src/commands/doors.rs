//! `dragnet doors`: pursuit games on boards with doors.

use super::{may_replace, output};
use crate::{
    failure::Failure,
    game_table::Values,
    input::{
        arguments::{PositionArguments, Threads, cell, rules},
        boards::{self, StartCells},
        toml_text::toml_message,
    },
    output::{human, progress::Progress},
    signals,
};
use clap::{Args, Subcommand};
use dragnet_formats::{
    cell::Cell,
    doors::{DoorBoard, DoorPosition, DoorsText},
    value::Value,
};
use dragnet_generator::{Generator, encode::Encoding, game_table::key, verify::first_wrong};
use dragnet_probe::GameTable;
use std::{
    cmp::Reverse,
    convert::Infallible,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// The name of the game in the table's header.
const NAME: &str = "doors";

/// Solve and ask boards with doors
///
/// A door is a cell that can be entered only while it is open. It opens and closes each time that a piece
/// steps onto its key, or by a schedule of up to 16 plies. The table is a game table over all states of the
/// doors and positions; the board and the doors file tell its numbers, so keep them beside it.
#[derive(Args)]
pub(crate) struct DoorsCommand {
    #[command(subcommand)]
    command: DoorsSubcommand,
}

#[derive(Subcommand)]
enum DoorsSubcommand {
    Solve(Solve),
    Probe(Probe),
    Verify(Verify),
}

/// A board with its doors on the command line.
#[derive(Args)]
struct LevelArguments {
    /// The board, in any form that generate reads
    board: PathBuf,
    /// The doors file, in TOML: [[door]] with cell = [ROW, COL], and key = [ROW, COL] or schedule = "..##"
    doors: PathBuf,
    /// classic, chase, or a TOML file that names what differs from classic; one officer
    #[arg(long, value_name = "PRESET|FILE", default_value = "classic")]
    rules: String,
}

/// A board with doors, and the cells where its pieces start.
struct Level {
    game: DoorBoard,
    starts: StartCells,
}

impl LevelArguments {
    fn read(&self) -> Result<Level, Failure> {
        let scenario = boards::read_file(&self.board)?;
        let starts = StartCells::of(&scenario);
        boards::require_file(&self.doors, "doors")?;
        let in_file = |failure: Failure| failure.in_file(&self.doors);
        let text = fs::read_to_string(&self.doors).map_err(|error| in_file(error.into()))?;
        let read: Result<DoorsText, _> = toml::from_str(&text);
        let read = read.map_err(|error| in_file(Failure::input(toml_message(&text, &error))))?;
        let rules = rules(&self.rules)?;
        let game = read
            .doors()
            .and_then(|doors| DoorBoard::new(scenario.board, rules, doors))
            .map_err(|error| in_file(Failure::Input(error.into())))?;
        Ok(Level { game, starts })
    }
}

/// Make the table of a board with doors
#[derive(Args)]
#[command(after_help = "\
Examples:
  dragnet doors solve bank.txt bank.toml --out bank.dtb")]
struct Solve {
    #[command(flatten)]
    level: LevelArguments,
    /// The file for the table, for doors probe, info, stats, verify, dump and pack; a table of that name is
    /// replaced
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: PathBuf,
    /// Replace FILE even if it is not a table
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: Threads,
}

impl Solve {
    fn run(&self) -> Result<(), Failure> {
        may_replace(&self.out, self.force)?;
        let Level { game, .. } = self.level.read()?;
        signals::watch(crate::output::progress::say, "nothing is kept")?;
        let generator = self.threads.generator()?;
        let progress = Progress::new(NAME, "positions", game.positions());
        let made = generator.generate_game(&game, NAME, Encoding::default(), &self.out, &progress);
        progress.finish();
        let report = made.map_err(|error| Failure::of_table(error, &self.out))?;
        let summary = report.header.summary;
        writeln!(
            output(),
            "{}: {} positions in {} states of the doors, for the side to move {} won, {} lost, {} drawn; {}",
            human::path(&self.out),
            human::count(game.positions()),
            u64::from(game.phases()) << game.keys().len(),
            human::count(summary.won),
            human::count(summary.lost),
            human::count(summary.drawn),
            human::bytes(report.written.bytes),
        )?;
        Ok(())
    }
}

/// Opens the table and checks that it is of this game.
fn open(path: &Path, generator: &Generator, game: &DoorBoard) -> Result<GameTable, Failure> {
    let table = GameTable::open(path).map_err(|error| Failure::from(error).in_file(path))?;
    let expected = generator.install(|| key(game));
    if (table.positions(), table.header().key) == (game.positions(), expected) {
        return Ok(table);
    }
    let message = format!(
        "the table is not of this board with these doors and rules: expected {} positions with key {expected:016x}, \
         found {} with key {:016x}",
        game.positions(),
        table.positions(),
        table.header().key
    );
    Err(Failure::Check(anyhow::anyhow!(message)).in_file(path))
}

/// Ask for the value of a position and of every move
#[derive(Args)]
#[command(after_help = "\
Examples:
  dragnet doors probe bank.dtb bank.txt bank.toml --turn thief --phase 3")]
struct Probe {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    level: LevelArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// A key that has been stepped on an odd number of times; may be repeated
    #[arg(long, value_name = "ROW,COL", value_parser = cell)]
    turned: Vec<Cell>,
    /// The plies since the schedules began
    #[arg(long, value_name = "N", default_value_t = 0)]
    phase: u32,
    #[command(flatten)]
    threads: Threads,
}

impl Probe {
    fn run(&self) -> Result<(), Failure> {
        let Level { game, starts } = self.level.read()?;
        let table = open(&self.table, &self.threads.generator()?, &game)?;
        let given = self.position.position(game.board(), game.rules(), || Some(starts))?;
        let mut keys = 0;
        for turned in &self.turned {
            let number = game.keys().binary_search(turned).map_err(|_| {
                Failure::input(format!("--turned {turned}: expected the cell of a key, found none there"))
            })?;
            keys |= 1 << number;
        }
        let phase = self.phase % game.phases();
        let [police, thief] = [given.police.cell(), given.thief];
        let position = DoorPosition { police, thief, turn: given.turn, keys, phase };
        let number = game.number(position).ok_or_else(|| {
            Failure::input(format!("expected police and thief on open cells, found {police} and {thief}"))
        })?;
        let value = table.value(number)?;
        let mut output = output();
        writeln!(output, "{given}: {}", words(value))?;
        for (number, door) in game.doors().iter().enumerate() {
            let state = if game.is_open(number, keys, phase) { "open" } else { "closed" };
            writeln!(output, "  door on {}: {state}", door.cell)?;
        }
        if game.winner(position).is_none() {
            let mut moves = Vec::new();
            for after in game.successors(position) {
                let to = if police == after.police && thief == after.thief {
                    "stay".to_owned()
                } else {
                    [after.police, after.thief][usize::from(after.police == police)].to_string()
                };
                if let Some(number) = game.number(after) {
                    moves.push((table.value(number)?.one_ply_before(), to));
                }
            }
            moves.sort_by_key(|(worth, _)| match *worth {
                Value::Win(plies) => (0, plies, Reverse(0)),
                Value::Draw => (1, 0, Reverse(0)),
                Value::Loss(plies) => (2, 0, Reverse(plies)),
            });
            for (worth, to) in moves {
                writeln!(output, "  {to:<7} {}", words(worth))?;
            }
        }
        Ok(output.flush()?)
    }
}

/// Describes a value for the side to move.
fn words(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("wins in {plies}"),
        Value::Draw => "draws".to_owned(),
        Value::Loss(plies) => format!("loses in {plies}"),
    }
}

/// Derive every value again from the moves
#[derive(Args)]
struct Verify {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    level: LevelArguments,
    #[command(flatten)]
    threads: Threads,
}

impl Verify {
    fn run(&self) -> Result<(), Failure> {
        let Level { game, .. } = self.level.read()?;
        let generator = self.threads.generator()?;
        let table = open(&self.table, &generator, &game)?;
        let in_file = |error| Failure::from(error).in_file(&self.table);
        table.verify_checksums(|_| {}).map_err(in_file)?;
        let values = generator.install(|| Values::read(&table))?;
        let value = |position| Ok::<_, Infallible>(values.of(position));
        if let Ok(Some(wrong)) = generator.install(|| first_wrong(&game, value)) {
            return Err(Failure::Check(wrong.into()).in_file(&self.table));
        }
        writeln!(output(), "{}: every value follows from the moves", human::path(&self.table))?;
        Ok(())
    }
}

impl DoorsCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            DoorsSubcommand::Solve(command) => command.run(),
            DoorsSubcommand::Probe(command) => command.run(),
            DoorsSubcommand::Verify(command) => command.run(),
        }
    }
}
