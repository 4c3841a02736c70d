//! The board that a map becomes, and what was understood of the map.

use super::{
    grid::Grid,
    hexagons::Hexagons,
    inventory::listed,
    letters::{self, Letters},
    model::Map,
    role_names::Role,
    roles::{self, Placed},
    rounds,
    selector::MapSelectors,
    walls,
};
use crate::error::{MapError, count, counted};
use dragnet_formats::{
    board::{Board, Scenario, Square},
    cell::Cell,
    guards::Guard,
    pieces::Pieces,
};
use std::collections::BTreeSet;

/// The most cells that a line of findings lists.
const SHOWN: usize = 6;

/// The board of a map.
#[derive(Clone, Debug)]
pub struct MapReading {
    /// The board with its start cells.
    pub scenario: Scenario,
    /// The guards of the map, who can walk on the board; of most maps there is none.
    pub guards: Vec<Guard>,
    /// Lines for people: what the map is, and how walls, exits and start cells were found.
    pub findings: Vec<String>,
    /// Parts of the map that were not read, or that may be meant otherwise.
    pub notes: Vec<String>,
    /// A drawing, if the board is a graph of cells with places.
    pub drawing: Option<String>,
}

impl MapReading {
    /// Returns a board of which nothing was understood but itself.
    #[must_use]
    pub fn of_board(scenario: Scenario) -> MapReading {
        MapReading { scenario, guards: Vec::new(), findings: Vec::new(), notes: Vec::new(), drawing: None }
    }
}

/// Returns the board of a map.
///
/// # Errors
/// When no wall can be found, a selector matches nothing, a letter or a round of a guard is impossible, or a
/// start cell that a selector names is a wall, an exit or off the board.
pub(super) fn understand(map: &Map, selectors: &MapSelectors) -> Result<MapReading, MapError> {
    let walls = walls::find(map, selectors)?;
    let grid = walls.grid;
    let mut squares = vec![Square::Open; grid.cells()];
    walls.cells.iter().for_each(|&index| squares[index] = Square::Wall);
    let mut findings =
        vec![title(map, grid), format!("walls   {}: {}", walls.by, cells_in_words(walls.cells.len()))];
    let exits = roles::find(map, grid, Role::Exits, &selectors.exits, "exits")?;
    let opened = exits.cells.iter().filter(|&index| walls.cells.contains(index)).count();
    exits.cells.iter().for_each(|&index| squares[index] = Square::Exit);
    let in_walls =
        if opened > 0 { format!("; {} where a wall was", cells_in_words(opened)) } else { String::new() };
    findings.push(line("exits", &exits, grid, &exits.cells) + &in_walls);

    let letters = letters::find(map, grid, selectors)?;
    findings.extend(letters.placed.iter().map(|placed| line("letter", placed, grid, &placed.cells)));
    let is_free = |index: usize| squares[index] == Square::Open && !letters.cells.contains_key(&index);

    let police = roles::find(map, grid, Role::Police, &selectors.police, "police")?;
    let police = free(&police, &is_free, grid, "police", Pieces::MAX, &mut findings)?;
    let mut thief = roles::find(map, grid, Role::Thief, &selectors.thief, "thief")?;
    thief.cells.retain(|index| thief.is_given || !police.contains(index));
    let thief = free(&thief, &is_free, grid, "thief", 1, &mut findings)?.first().copied();
    if let Some(both) = thief.filter(|index| police.contains(index)) {
        let cell = words(&BTreeSet::from([both]), grid);
        return Err(MapError::unusable(format!("thief: expected a cell without an officer, found {cell}")));
    }
    if map.origin != [0, 0] {
        let [row, column] = map.origin;
        findings.push(format!("origin  cell 0,0 is row {row}, column {column} of the map"));
    }
    let notes = walls.note.iter().chain(&map.notes).cloned().collect();
    let mut reading = board(grid, &squares, &letters, &police, thief, findings)?;
    let (guards, of_guards) = rounds::find(map, grid, &selectors.rounds, &reading.scenario.board)?;
    reading.findings.extend(of_guards);
    Ok(MapReading { guards, notes, ..reading })
}

/// Makes the board of squares or hexagons.
fn board(
    grid: Grid,
    squares: &[Square],
    letters: &Letters,
    police: &BTreeSet<usize>,
    thief: Option<usize>,
    mut findings: Vec<String>,
) -> Result<MapReading, MapError> {
    let Some(hexagons) = Hexagons::new(grid, squares) else {
        let board = Board::new(grid.height, grid.width, squares.to_vec());
        let mut board = board.map_err(MapError::unusable)?;
        for (&index, &letter) in &letters.cells {
            let lettered = board.with_letter(grid.cell(index), letter);
            board = lettered.map_err(|error| MapError::unusable(error).about(format!("letter {letter}")))?;
        }
        let police = police.iter().map(|&index| grid.cell(index)).collect();
        let scenario = Scenario { board, police, thief: thief.map(|index| grid.cell(index)) };
        return Ok(MapReading { findings, ..MapReading::of_board(scenario) });
    };
    if let Some((&index, letter)) = letters.cells.first_key_value() {
        let (expected, cell) = ("expected a map of squares", grid.cell(index));
        let message = format!("letter {letter}: {expected}, found the hexagon {cell}, which can have none");
        return Err(MapError::unusable(message));
    }
    let board = hexagons.board()?;
    let vertices = hexagons.vertices();
    let vertex = |index: usize| vertices.get(index).copied().flatten().map(|vertex| Cell::new(0, vertex));
    let scenario = Scenario {
        police: police.iter().filter_map(|&index| vertex(index)).collect(),
        thief: thief.and_then(vertex),
        board,
    };
    let police: Vec<usize> = police.iter().copied().collect();
    findings.push(format!(
        "graph   hexagons are the {} vertices of a graph, in reading order; the first of each row is at its left",
        count(scenario.board.open_count())
    ));
    let drawing = Some(hexagons.drawing(&police, thief));
    Ok(MapReading { findings, drawing, ..MapReading::of_board(scenario) })
}

/// Returns the start cells on which pieces can stand, and adds a line about them. Cells that nobody named and
/// that cannot be used are left out; at most `most` are used, or else none.
fn free(
    placed: &Placed,
    is_free: &dyn Fn(usize) -> bool,
    grid: Grid,
    name: &str,
    most: usize,
    findings: &mut Vec<String>,
) -> Result<BTreeSet<usize>, MapError> {
    let (free, taken): (BTreeSet<usize>, BTreeSet<usize>) =
        placed.cells.iter().partition(|&&index| is_free(index));
    let by = &placed.by;
    if placed.is_given && !taken.is_empty() {
        let found = words(&taken, grid);
        return Err(MapError::unusable(format!(
            "{name}: {by}: expected open cells without a letter, found others at {found}"
        )));
    }
    if free.len() > most {
        let (cells, found) = (words(&free, grid), free.len());
        let expected = if most == 1 { "one cell".to_owned() } else { format!("at most {most} cells") };
        if placed.is_given {
            return Err(MapError::unusable(format!(
                "{name}: {by}: expected {expected}, found {found} at {cells}"
            )));
        }
        findings.push(format!("{name:<8}none: {by} could be it, at {cells}; --{name} names {expected}"));
        return Ok(BTreeSet::new());
    }
    let left_out = match taken.is_empty() {
        true => String::new(),
        false => format!("; left out, on a wall, an exit or a letter: {}", words(&taken, grid)),
    };
    findings.push(line(name, placed, grid, &free) + &left_out);
    Ok(free)
}

/// Returns the line about the cells of a role.
fn line(name: &str, placed: &Placed, grid: Grid, cells: &BTreeSet<usize>) -> String {
    let off_board = match placed.off_board {
        0 => String::new(),
        count => format!("; {count} off the board"),
    };
    match (cells.is_empty(), placed.by.as_str()) {
        (true, "") => format!("{name:<8}none{off_board}"),
        (true, by) => format!("{name:<8}none, by {by}{off_board}"),
        (false, by) => format!("{name:<8}{by}: {}{off_board}", words(cells, grid)),
    }
}

fn title(map: &Map, grid: Grid) -> String {
    let layers: BTreeSet<&str> = map.layers.iter().map(|layer| layer.name.as_str()).collect();
    let mut title = format!("{} of {}x{} cells", map.form, grid.height, grid.width);
    if !map.has_meanings {
        let names: Vec<String> = layers.into_iter().map(str::to_owned).collect();
        title += &format!(", layers {}", listed(names.into_iter()));
    }
    title
}

fn cells_in_words(number: usize) -> String {
    counted(number, "cell", "cells")
}

/// Returns the cells as ROW,COL, or their number if there are many.
fn words(cells: &BTreeSet<usize>, grid: Grid) -> String {
    if cells.len() > SHOWN {
        return cells_in_words(cells.len());
    }
    let cells: Vec<String> = cells.iter().map(|&index| grid.cell(index).to_string()).collect();
    cells.join(" ")
}
