//! Getaway: policeman and thief on the terminal, against an opponent that knows the value of every position.
//!
//! An example of a game that ships tables. The tables are part of the program, and `dragnet-probe` is the
//! only crate of Dragnet that it uses.
//!
//! The modules in the order in which they build on each other:
#![forbid(unsafe_code)]

mod maps;

mod game;

mod difficulty;

mod start;

mod words;

mod review;

mod keys;

mod app;

mod daily;

mod auto;

mod figures;

mod screen;

mod terminal;

use crate::{
    app::{App, Settings},
    daily::Day,
    difficulty::Difficulty,
    maps::{Arena, MAPS},
    start::Start,
};
use clap::{
    Parser,
    builder::{PossibleValuesParser, TypedValueParser},
};
use dragnet_probe::{Side, opponent::Lots};
use std::{
    hash::{BuildHasher, RandomState},
    process::ExitCode,
};

/// A thief runs for an exit, an officer runs after him, and your opponent knows who wins from every position
///
/// Without --map, --side, --difficulty and --start the game opens with its menu.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Where to play
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(MAPS.map(|map| map.name)))]
    map: Option<String>,

    /// Your side
    #[arg(long, value_name = "SIDE", value_parser = PossibleValuesParser::new(["police", "thief"]).try_map(|side| side.parse::<Side>()))]
    side: Option<Side>,

    /// How well the opponent plays
    #[arg(long, value_enum, value_name = "LEVEL")]
    difficulty: Option<Difficulty>,

    /// Where games begin
    #[arg(long, value_enum, value_name = "START")]
    start: Option<Start>,

    /// Play the level of the day, or of another date: its map, side and start are those of everybody
    #[arg(long, value_name = "DATE", num_args = 0..=1, conflicts_with_all = ["map", "side", "start", "seed", "auto"])]
    daily: Option<Option<Day>>,

    /// Show hints from the beginning
    #[arg(long)]
    hints: bool,

    /// Draw all lots from this number: the same keys then make the same game
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Without a screen, play N games against oneself and print how each ended; your side is played perfectly
    #[arg(long, value_name = "N")]
    auto: Option<u32>,

    /// Without a screen, play N games on every map for every side and difficulty against a perfect player,
    /// and print how many per cent the opponent wins
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    figures: Option<u32>,
}

impl Arguments {
    fn settings(&self) -> Settings {
        let named = |name: &String| MAPS.iter().position(|map| map.name == name);
        Settings {
            map: self.map.as_ref().and_then(named).unwrap_or(0),
            side: self.side.unwrap_or(Side::Thief),
            difficulty: self.difficulty.unwrap_or(Difficulty::Normal),
            start: self.start.unwrap_or(Start::Won),
        }
    }

    fn says_what_to_play(&self) -> bool {
        self.map.is_some() || self.side.is_some() || self.difficulty.is_some() || self.start.is_some()
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("getaway: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let arenas = Arena::all()?;
    // Every RandomState has keys of its own.
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut lots = Lots::new(seed);
    let settings = arguments.settings();
    if let Some(games) = arguments.auto {
        return auto::play(&arenas[settings.map], settings, games, &mut lots, &mut std::io::stdout().lock());
    }
    if let Some(games) = arguments.figures {
        return figures::print(&arenas, games, seed, &mut std::io::stdout().lock());
    }
    let mut app = match arguments.daily {
        None => App::new(&arenas, settings, lots)?,
        Some(day) => {
            let day = day.map_or_else(Day::today, Ok)?;
            let (settings, lots) = day.level(settings.difficulty);
            let mut app = App::new(&arenas, settings, lots)?;
            app.of_the_day = Some(day.to_string());
            app
        }
    };
    app.hints = arguments.hints;
    if !arguments.says_what_to_play() && arguments.daily.is_none() {
        app.open_menu();
    }
    terminal::play(&mut app)
}
