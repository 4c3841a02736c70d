//! `dragnet stealth`: whether a thief can get past guards on their rounds unseen, and how.

mod picture;

use super::{output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Exit},
        boards,
        map_options::MapOptions,
        parts,
    },
    messages::{Kind, say_once},
    output::{draw, human, json::JsonCell},
    table::picture::write,
};
use clap::Args;
use dragnet_formats::{
    cell::{Cell, Side},
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
    worlds::World,
};
use dragnet_generator::stealth::{Aim, Moment, Way, way, without};
use dragnet_maps::MapReading;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Say whether a level can be got through unseen
///
/// The thief T moves first, against guards on their rounds and no officer. Prints the way on which he is seen
/// the least, the quickest way, and for each guard what the thief could do without that guard. A guard is
/// decisive if the thief gets through unseen without that guard, and not with all.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Stealth {
    /// A board file; standard input if it is '-'
    #[arg(value_name = "BOARD")]
    level: PathBuf,
    /// The guards and their rounds, in a TOML file: see 'dragnet help boards' [default: those of the map]
    #[arg(long, value_name = "FILE")]
    guards: Option<PathBuf>,
    /// The doors of the board, in a TOML file: see 'dragnet help boards'
    #[arg(long, value_name = "FILE")]
    doors: Option<PathBuf>,
    /// classic, chase, cops, or a TOML file that names what differs from classic [default: classic]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Where the thief escapes, in place of the board's own exits; may be repeated
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    #[command(flatten)]
    map: MapOptions,
    /// The side that moves first, police for the guards
    #[arg(long, value_name = "SIDE", default_value_t = Side::Thief)]
    turn: Side,
    /// Draw the board before and after every ply, with guards as P and shaded where they see
    #[arg(long = "board")]
    boards: bool,
    /// Print JSON instead of the text
    #[arg(long, conflicts_with = "boards")]
    json: bool,
    /// Also draw the way on which the thief is seen the least into this SVG file, which moves in a browser
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet stealth museum.tmx --rules museum.toml
  dragnet stealth hall.txt --guards guards.toml
  dragnet stealth hall.txt --guards guards.toml --svg hall.svg
  dragnet generate hall.txt --guards guards.toml --rules alone.toml
The last makes the table of the level, with officers = 0 in alone.toml.";

/// Whether a level can be got through unseen, and how.
#[derive(Serialize, JsonSchema)]
pub(crate) struct StealthAnswer {
    /// Whether a way leads through on which no guard ever sees the thief.
    unseen: bool,
    /// Turns of the guards after which all rounds begin anew.
    ticks: u32,
    /// The way on which the thief is seen the least, and of those the quickest. `null` if the guards' own
    /// squares bar every way.
    least_seen: Option<WayAnswer>,
    /// The quickest way, and of those one on which he is seen the least. `null` as for `least_seen`.
    quickest: Option<WayAnswer>,
    /// For each guard what the thief could do without that guard.
    without: Vec<WithoutAnswer>,
}

/// A way of the thief.
#[derive(Serialize, JsonSchema)]
struct WayAnswer {
    /// Plies from the start to the end.
    plies: u32,
    /// Moments at which a guard sees the thief.
    seen: u32,
    /// The start, and the moment after each ply.
    moments: Vec<MomentAnswer>,
}

/// A moment of a way.
#[derive(Serialize, JsonSchema)]
struct MomentAnswer {
    /// Where the thief is.
    thief: JsonCell,
    /// The turns that the guards have made, counted anew when all rounds begin anew.
    tick: u32,
    /// Where each guard is.
    guards: Vec<JsonCell>,
    /// Numbers, from 1, of the guards who see the thief.
    seen_by: Vec<usize>,
}

/// The thief's best way without a guard.
#[derive(Serialize, JsonSchema)]
struct WithoutAnswer {
    /// The number of the guard, from 1.
    guard: usize,
    /// Whether the thief gets through unseen without this guard, and not with all.
    decisive: bool,
    /// Plies of the way on which he is seen the least. `null` if there is none.
    plies: Option<u32>,
    /// Moments at which another guard sees him on it. `null` if there is none.
    seen: Option<u32>,
}

/// The answer in the terms of the library.
struct Found {
    setting: Setting,
    least_seen: Option<Way>,
    quickest: Option<Way>,
    /// For each guard the way without that guard on which the thief is seen the least.
    without: Vec<Option<Way>>,
    /// Whether there is a way without any guard.
    bare: bool,
}

impl Stealth {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let in_file = |failure: Failure| failure.in_file(&self.level);
        let setting = self.setting()?;
        let mut check = StopCheck::never();
        let mut find = |setting: &Setting, aim| {
            way(setting, self.turn, aim, &mut check).map_err(|error| in_file(Failure::Input(error.into())))
        };
        let least_seen = find(&setting, Aim::Unseen)?;
        let quickest = find(&setting, Aim::Quick)?;
        let guards = setting.guards.list().len();
        let mut ways = Vec::new();
        for guard in 0..guards {
            let others = without(&setting, guard).map_err(|error| in_file(Failure::Input(error.into())))?;
            ways.push(find(&others, Aim::Unseen)?);
        }
        let bare = match least_seen {
            Some(_) => true,
            None => {
                let bare = setting.clone().with_guards(Vec::new());
                let bare = bare.map_err(|error| in_file(Failure::Input(error.into())))?;
                find(&bare, Aim::Unseen)?.is_some()
            }
        };
        let found = Found { setting, least_seen, quickest, without: ways, bare };
        match self.json {
            true => print_json(&found.answer())?,
            false => found.print(self.turn, self.boards)?,
        }
        match (&self.svg, &found.least_seen) {
            (None, _) => Ok(()),
            (Some(path), Some(way)) => write(&picture::svg(&found.setting, way, self.turn), path),
            (Some(_), None) => Err(in_file(Failure::input("no picture is possible: there is no way"))),
        }
    }

    /// Reads the board, its guards, doors and rules.
    fn setting(&self) -> Result<Setting, Failure> {
        let in_file = |failure: Failure| failure.in_file(&self.level);
        let reading = boards::read_with_findings(&self.level, &self.map.selectors())?;
        let MapReading { mut scenario, guards, .. } = boards::noted(&self.level, reading);
        scenario.board = arguments::with_exits(scenario.board, &self.exit).map_err(in_file)?;
        scenario.police.clear();
        let rules = arguments::rules_on(&scenario.board, self.rules.as_deref())?;
        // One officer is what rules have that say nothing.
        let officers = if rules.all_officers() == 1 { 0 } else { rules.officers };
        let thief_outlasts = rules.limit.is_some_and(|limit| limit.winner == Side::Thief);
        if scenario.board.exits().next().is_none() && !thief_outlasts {
            return Err(in_file(Failure::input("expected an exit, found none"))
                .with_hint("E marks one on a board, and --exit ROW,COL names one"));
        }
        if scenario.thief.is_none() {
            return Err(in_file(Failure::input("expected a start cell of the thief, T, found none"))
                .with_hint("'dragnet board' says what was understood of a map"));
        }
        let setting = Setting::new(scenario, Rules { officers, ..rules });
        setting.rules.check_on(&setting.board).map_err(|error| in_file(Failure::Input(error.into())))?;
        let doors = self.doors.as_deref().map(parts::doors).transpose()?.unwrap_or_default();
        let about = |option: &str, error: anyhow::Error| Failure::Input(error).about(option);
        let setting = setting.with_doors(doors).map_err(|error| about("--doors", error.into()))?;
        if self.guards.is_some() && !guards.is_empty() {
            say_once(Kind::Note, &format!("{}: the guards of the map are replaced", self.level.display()));
        }
        let guards = self.guards.as_deref().map_or(Ok(guards), parts::guards)?;
        if guards.is_empty() {
            return Err(in_file(Failure::input("expected guards, found none"))
                .with_hint("--guards names a file of guards; 'dragnet help boards' shows one"));
        }
        setting.with_guards(guards).map_err(|error| about("--guards", error.into()))
    }
}

impl Found {
    fn unseen(&self) -> bool {
        is_unseen(self.least_seen.as_ref())
    }

    /// Returns whether the thief gets through unseen without a guard whom this way leaves out, and not with
    /// all.
    fn is_decisive(&self, without: Option<&Way>) -> bool {
        !self.unseen() && is_unseen(without)
    }

    fn answer(&self) -> StealthAnswer {
        let way = |way: &Way| WayAnswer {
            plies: way.plies(),
            seen: way.seen(),
            moments: way.moments.iter().map(|moment| self.moment(moment)).collect(),
        };
        let without = |(guard, way): (usize, &Option<Way>)| WithoutAnswer {
            guard,
            decisive: self.is_decisive(way.as_ref()),
            plies: way.as_ref().map(Way::plies),
            seen: way.as_ref().map(Way::seen),
        };
        StealthAnswer {
            unseen: self.unseen(),
            ticks: self.setting.guards.ticks(),
            least_seen: self.least_seen.as_ref().map(way),
            quickest: self.quickest.as_ref().map(way),
            without: (1..).zip(&self.without).map(without).collect(),
        }
    }

    /// Returns the reason why there is no way.
    fn bar(&self) -> String {
        let guard = self.setting.guards.at(0).position(|(_, post)| Some(post.cell) == self.setting.thief);
        match (self.bare, guard) {
            (false, _) => "no way leads out, with guards or without".to_owned(),
            (true, Some(guard)) => format!("he begins on the square of guard {}", guard + 1),
            (true, None) => "the guards' own squares bar every way".to_owned(),
        }
    }

    fn moment(&self, moment: &Moment) -> MomentAnswer {
        let World { tick, .. } = self.setting.worlds().get(moment.world);
        MomentAnswer {
            thief: moment.thief.into(),
            tick,
            guards: self.setting.guards.at(tick).map(|(_, post)| post.cell.into()).collect(),
            seen_by: moment.seen_by.iter().map(|guard| guard + 1).collect(),
        }
    }

    fn print(&self, first: Side, boards: bool) -> Result<(), Failure> {
        let mut output = output();
        let guards = human::counted(self.without.len() as u64, "guard", "guards");
        let ticks = human::counted(self.setting.guards.ticks().into(), "turn", "turns");
        writeln!(output, "{guards}, whose rounds begin anew together after {ticks}")?;
        match &self.least_seen {
            None => writeln!(output, "the thief cannot get through: {}", self.bar())?,
            Some(way) if self.unseen() => {
                writeln!(output, "the thief gets through unseen in {}", plies(way))?;
            }
            Some(way) => writeln!(output, "the thief cannot get through unseen: {}", seen(way))?,
        }
        if let Some(quickest) = self.quickest.as_ref().filter(|way| Some(*way) != self.least_seen.as_ref()) {
            writeln!(output, "the quickest way: {}", seen(quickest))?;
        }
        for (guard, way) in (1..).zip(&self.without) {
            let what = match way {
                None => "no way".to_owned(),
                Some(way) if way.seen() == 0 => format!("unseen in {}", plies(way)),
                Some(way) => seen(way),
            };
            let decisive = if self.is_decisive(way.as_ref()) { "; decisive" } else { "" };
            writeln!(output, "without guard {guard}: {what}{decisive}")?;
        }
        if let Some(way) = &self.least_seen {
            writeln!(output)?;
            self.print_way(&mut output, way, first, boards)?;
        }
        Ok(output.flush()?)
    }

    /// Prints the moments of a way: of the guards' plies only those at which they see the thief, unless
    /// boards are drawn.
    fn print_way(&self, output: &mut impl Write, way: &Way, first: Side, boards: bool) -> io::Result<()> {
        let width = way.plies().to_string().len();
        let mut mover = first.other();
        for (ply, moment) in way.moments.iter().enumerate() {
            if boards && ply > 0 {
                writeln!(output)?;
            }
            let seen_by: Vec<String> = moment.seen_by.iter().map(|guard| (guard + 1).to_string()).collect();
            let seen = match &seen_by[..] {
                [] => String::new(),
                [one] => format!("  seen by guard {one}"),
                several => format!("  seen by guards {}", several.join(", ")),
            };
            let stays = ply > 0 && way.moments[ply - 1].thief == moment.thief;
            let what = match (ply, mover) {
                (0, _) => format!("start {}", moment.thief),
                (_, Side::Thief) if stays => "thief stays".to_owned(),
                (_, Side::Thief) => format!("thief {}", moment.thief),
                (_, Side::Police) => "guards move".to_owned(),
            };
            let what = if seen.is_empty() { what } else { format!("{what:<12}") };
            if ply == 0 || mover == Side::Thief || !seen.is_empty() || boards {
                writeln!(output, "{ply:>width$}. {what}{seen}")?;
            }
            if boards {
                let world = self.setting.worlds().get(moment.world);
                let board = self.setting.doors.board_in(world.doors, &self.setting.board);
                let guards = self.setting.guards.at(world.tick);
                let mut guards: Vec<Cell> = guards.map(|(_, post)| post.cell).collect();
                guards.sort_unstable();
                let mut seen = self.setting.seen_by_guards(moment.world).concat();
                seen.sort_unstable();
                let drawn = draw::board_in_sight(&board, &guards, Some(moment.thief), &seen);
                write!(output, "{drawn}")?;
            }
            mover = mover.other();
        }
        Ok(())
    }
}

fn is_unseen(way: Option<&Way>) -> bool {
    way.is_some_and(|way| way.seen() == 0)
}

fn plies(way: &Way) -> String {
    human::counted(way.plies().into(), "ply", "plies")
}

fn seen(way: &Way) -> String {
    let times = human::counted(way.seen().into(), "time", "times");
    format!("{}, seen {times}", plies(way))
}
