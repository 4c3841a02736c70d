//! `dragnet show`: the board in the terminal as a heat map.

mod grid;
mod layout;
mod paint;

use super::{
    output, print_json,
    subject::{Subject, SubjectArguments},
};
use crate::{
    failure::Failure,
    input::arguments::{PositionArguments, unknown},
    output::{
        human,
        json::{JsonCell, JsonPieces},
        terminal::{self, Colours},
    },
    table::{
        answers::ValueAnswer,
        heat_map::HeatMap,
        places::{layer_called, square_of},
        portrait::best_start,
        world::board_in,
    },
};
use clap::Args;
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    header::Counts,
    pieces::Pieces,
    value::Value,
};
use dragnet_probe::{Position, ProbeError, Table};
use grid::{Block, Grid};
use layout::{Layout, Room};
use paint::Painter;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// Show the board as a heat map: who wins from which cell, and in how many plies
///
/// Each cell is shown as the thief's cell, with the police on --police, on the marks of the board, or else on
/// its best cells. With --thief alone each cell is shown as the officer's cell, with the thief there.
///
/// Without colours, small letters are wins of the police and digits wins of the thief; later letters and
/// greater digits take longer. The legend says how many plies each stands for.
///
/// A board that is larger than the terminal is scaled down: a shown square then stands for a block of cells,
/// and shows the most frequent outcome of these, with the middle one of its distances; but a block with a
/// piece shows the piece, and another one with an exit the exit.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    #[command(flatten)]
    subject: SubjectArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// The columns of the picture and its legend [default: those of the terminal, or 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=10_000))]
    width: Option<u16>,
    /// The layer of the piece whose cells are shown, by its number or its name [default: the first]
    #[arg(long, value_name = "LAYER", default_value = "0", hide_default_value = true)]
    layer: String,
    /// Print JSON instead of the picture: the value of every cell
    #[arg(long, conflicts_with = "width")]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet show tables/castle.dtb              police on the marks P of the board
  dragnet show tables/castle.dtb --police 7,7 --turn thief
  dragnet show tables/castle.dtb --thief 0,3  where an officer must stand
  dragnet show guard.dtb --thief 0,3 --layer north  and look to the north
  dragnet show castle.txt --rules chase       a board, solved on the spot
  dragnet show castle.txt --color never > castle.map";

/// The columns of output that is no terminal.
const COLUMNS: usize = 80;
/// The fewest lines of a picture: below this the terminal scrolls.
const LEAST_LINES: usize = 5;

/// The pieces on the board, and the map of the cells of the piece that is not fixed.
struct Shown {
    map: HeatMap,
    /// The number and the name of the map's layer, if its piece has several.
    layer: Option<(usize, String)>,
    turn: Side,
    police: Option<Pieces>,
    thief: Option<Cell>,
}

impl Show {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Subject { table, marked } = self.subject.open("show")?;
        let in_file = |error: ProbeError| Failure::from(error).in_file(&self.subject.file);
        let (turn, world) = (self.position.turn(), self.position.world());
        let officers = table.officers();
        let in_subject = |failure: Failure| failure.in_file(&self.subject.file);
        let given = self.position.police(table.board()).map_err(in_subject)?;
        let map = |side, position| {
            let layer = layer_called(table.header(), side, &self.layer)?;
            let names: Vec<&str> = table.header().layers(side).collect();
            let several = (names.len() > 1).then(|| (layer, names[layer].to_owned()));
            Ok::<_, Failure>((HeatMap::of(&table, side, layer, position)?, several))
        };
        let shown = match (given, self.position.thief(table.board()).map_err(in_subject)?) {
            (None, Some(thief)) if officers == 1 => {
                let position = Position::new(thief, thief, turn).in_world(world);
                let (map, layer) = map(Side::Police, position).map_err(in_subject)?;
                Shown { map, layer, turn, police: None, thief: Some(thief) }
            }
            (_, thief) => {
                let police = self.position.police_or(table.board(), officers, marked.as_ref());
                let police = match police.map_err(in_subject)? {
                    Some(police) => police,
                    None => match best_start(&table, None).map_err(in_subject)? {
                        Some((police, _)) => police,
                        None => return Err(in_subject(unknown("P", table.board(), officers))),
                    },
                };
                let position = Position::new(police, Cell::new(0, 0), turn).in_world(world);
                let (map, layer) = map(Side::Thief, position).map_err(in_subject)?;
                let thief = thief.or_else(|| marked.and_then(|marked| marked.thief));
                Shown { map, layer, turn, police: Some(police), thief }
            }
        };
        let value = match (shown.police, shown.thief) {
            (Some(police), Some(thief)) => {
                let position = Position { world, police, thief, turn };
                Some((position, table.value(position).map_err(in_file)?))
            }
            _ => None,
        };
        if self.json {
            let value = value.map(|(_, value)| ValueAnswer::new(value, turn));
            return print_json(&shown.document(table.board().width(), value));
        }
        let heading = match value {
            Some((position, value)) => {
                format!("{}: {}", human::position(table.board(), &position), human::value(value, turn))
            }
            None => shown.heading(),
        };
        self.print(&table, &board_in(&table, world), &shown, &heading)
    }

    fn print(&self, table: &Table, board: &Board, shown: &Shown, heading: &str) -> Result<(), Failure> {
        let colours = Colours::of_output();
        let size = terminal::size();
        let columns = self.width.map(usize::from).or(size.map(|(columns, _)| columns)).unwrap_or(COLUMNS);
        let painter = Painter::new(&shown.map, colours);
        let on_board = |cell: &Cell| square_of(table, *cell);
        let police: Vec<Cell> = shown.police.iter().flat_map(|police| police.iter()).map(on_board).collect();
        let thief = shown.thief.as_ref().map(on_board);
        let grid = |block| Grid::new(board, &shown.map, &police, thief, block);
        let all = grid(Block::ONE);
        let mut below = vec![String::new()];
        for group in painter.legend(&all.spots) {
            below.extend(terminal::lines(&group, columns, 2));
        }
        below.extend(terminal::sentence(&shown.tally(), columns));
        let heading = terminal::sentence(heading, columns);
        // The sentence about the scale, empty lines and the prompt stay in sight too.
        let around = heading.len() + below.len() + 4;
        let lines = size.map(|(_, lines)| lines.saturating_sub(around).max(LEAST_LINES));
        let layout = Layout::new(board, colours != Colours::Plain, Room { columns, lines });
        let Block { rows, columns: across } = layout.block;
        if layout.block != Block::ONE {
            let scale = format!("each square shows {rows}x{across} cells: their most frequent outcome");
            below.splice(1..1, terminal::sentence(&scale, columns));
        }
        let scaled = (layout.block != Block::ONE).then(|| grid(layout.block));
        let picture = painter.picture(board, scaled.as_ref().unwrap_or(&all), &layout);
        let mut output = output();
        for line in heading.iter().chain([&String::new()]).chain(&picture).chain(&below) {
            writeln!(output, "{line}")?;
        }
        Ok(output.flush()?)
    }
}

/// One object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShowAnswer {
    /// The piece whose cells are shown.
    of: Side,
    /// The number of the layer that is shown. Absent if the piece has one layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<usize>,
    /// The side to move.
    turn: Side,
    /// Where the officers stand. Absent if their cells are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    police: Option<JsonPieces>,
    /// Where the thief stands. Absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    thief: Option<JsonCell>,
    /// The value of the position. Absent unless both sides have their cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueAnswer>,
    /// Cells by outcome.
    counts: Counts,
    /// The value of each cell; `null` for walls.
    rows: Vec<Vec<Option<ValueAnswer>>>,
}

impl Shown {
    /// Returns the side whose cells are shown.
    fn of(&self) -> Side {
        if self.police.is_some() { Side::Thief } else { Side::Police }
    }

    fn heading(&self) -> String {
        match (self.police, self.thief) {
            (Some(police), _) => format!("police {police}, {} to move, the thief on each cell", self.turn),
            (None, Some(thief)) => format!("thief {thief}, {} to move, the police on each cell", self.turn),
            (None, None) => String::new(),
        }
    }

    /// Returns the counts of outcomes in a sentence.
    fn tally(&self) -> String {
        let Counts { police, thief, draw } = self.map.counts();
        let cells = human::counted(police + thief + draw, "cell", "cells");
        let [police, thief, draw] = [police, thief, draw].map(human::count);
        let layer = match &self.layer {
            Some((layer, name)) => format!(" in layer {layer} {name}").trim_end().to_owned(),
            None => String::new(),
        };
        format!(
            "{cells} of the {}{layer}: the police wins {police}, the thief {thief}, drawn {draw}",
            self.of()
        )
    }

    fn document(&self, width: u16, value: Option<ValueAnswer>) -> ShowAnswer {
        let answer = |value: &Option<Value>| value.map(|value| ValueAnswer::new(value, self.turn));
        let rows = self.map.values().chunks(usize::from(width));
        ShowAnswer {
            of: self.of(),
            layer: self.layer.as_ref().map(|&(layer, _)| layer),
            turn: self.turn,
            police: self.police.as_ref().map(JsonPieces::from),
            thief: self.thief.map(JsonCell::from),
            value,
            counts: self.map.counts(),
            rows: rows.map(|row| row.iter().map(answer).collect()).collect(),
        }
    }
}
