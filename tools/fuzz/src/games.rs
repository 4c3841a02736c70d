//! Small games that choices make: of boards and rules, and of places and moves that no board has.

use crate::bytes::{Choices, random};
use dragnet_formats::{
    board::{Board, Scenario, Square},
    cell::Cell,
    doors::{Door, Opening, Schedule},
    game::{
        MoveRows, MoveTable, OfficerKind, Places, PursuitGame,
        kind_rows::{Targets, join_rows},
        terminal::TerminalRule,
    },
    numbering::{Numbering, TileSize},
    pieces::multisets,
    rules::{Capture, MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
};
use std::collections::BTreeSet;

/// How large a game may be.
pub(crate) struct Size {
    /// The most rows and columns of its board.
    pub(crate) sides: (usize, usize),
    /// The most officers.
    pub(crate) officers: u8,
    /// The most positions with one side to move.
    pub(crate) positions: u64,
    /// The moves of a place are fewer.
    pub(crate) moves: usize,
}

/// Games that are solved at once.
pub(crate) const SMALL: Size = Size { sides: (3, 4), officers: 3, positions: 400, moves: 5 };

/// Returns a setting of a board of a few squares, some with doors.
pub(crate) fn setting(choices: &mut Choices) -> Setting {
    let (rows, cols) = (1 + choices.below(3), 1 + choices.below(4));
    let squares = (0..rows * cols).map(|_| match choices.byte() % 8 {
        0 => Square::Wall,
        1 => Square::Exit,
        _ => Square::Open,
    });
    let mut squares: Vec<Square> = squares.collect();
    squares[0] = Square::Open;
    let board = Board::new(rows, cols, squares).expect("a board");
    let undecided = undecided(choices);
    let mut rules = Rules { undecided, ..rules(choices) };
    let cells = [board.open_count(); 2];
    rules.officers = few_officers(rules.officers, cells, SMALL.positions);
    if rules.check_on(&board).is_err() {
        rules = Rules::chase();
    }
    let mut setting = Setting::new(Scenario::from_board(board), rules);
    if choices.byte() % 3 == 1 {
        setting = with_doors(setting, 2, 3, choices);
        let positions = SMALL.positions / u64::from(setting.doors.worlds());
        setting.rules.officers = few_officers(setting.rules.officers, cells, positions);
    }
    setting
}

/// Returns a setting with up to `most` doors, whose schedules have up to `period` plies; without doors where
/// the board cannot have those that were chosen.
pub(crate) fn with_doors(setting: Setting, most: usize, period: usize, choices: &mut Choices) -> Setting {
    let cells: Vec<Cell> = setting.board.open_cells().collect();
    let Rules { officers, team, .. } = setting.rules;
    let may_turn = officers == 1 || team == Team::One;
    let door = |choices: &mut Choices| {
        let cell = open_cell(&cells, choices.below(1 << 16));
        let first = choices.byte();
        let opening = if may_turn && first.is_multiple_of(2) {
            let open = first.is_multiple_of(4);
            Opening::Key { cell: open_cell(&cells, choices.below(1 << 16)), open, once: false }
        } else {
            let open = choices.below(1 << 16);
            let text = (0..1 + choices.below(period)).map(|ply| if open >> ply & 1 == 1 { '.' } else { '#' });
            Opening::Schedule(Schedule::new(&text.collect::<String>()).expect("a schedule"))
        };
        Door { cell, opening }
    };
    let doors = (0..1 + choices.below(most)).map(|_| door(choices)).collect();
    setting.clone().with_doors(doors).unwrap_or(setting)
}

/// Returns the cell that is number `choice` of the open cells, counted again from the first beyond the last.
pub(crate) fn open_cell(cells: &[Cell], choice: usize) -> Cell {
    cells[choice % cells.len()]
}

/// Returns a game of up to three kinds of officers, or none, on grids of up to three layers in up to four
/// worlds, whose moves, captures and ends follow no rules of a board.
pub(crate) fn wild(choices: &mut Choices, size: &Size) -> StoredGame {
    let board = (1 + choices.below(size.sides.0), 1 + choices.below(size.sides.1));
    let mut count_of_kinds = [1, 1, 1, 1, 2, 2, 3, 0][choices.below(8)].min(size.officers.into());
    let mut layers: Vec<usize> = (0..=count_of_kinds).map(|_| 1 + choices.below(3)).collect();
    // Two layers are many for several kinds.
    if count_of_kinds > 1 {
        layers.iter_mut().for_each(|layers| *layers = (*layers).min(2));
    }
    let mut grids: Vec<Places> =
        layers[..count_of_kinds].iter().map(|&layers| places(choices, layers, board)).collect();
    // As many kinds as make few teams of an officer of each.
    let teams = |grids: &[Places]| grids.iter().map(|grid| grid.count() as u64).product::<u64>();
    while count_of_kinds > 1 && teams(&grids) * board.0 as u64 * board.1 as u64 > size.positions {
        count_of_kinds -= 1;
        grids.truncate(count_of_kinds);
        layers.remove(count_of_kinds);
    }
    let is_same = layers[0] == layers[count_of_kinds] && choices.byte().is_multiple_of(2);
    let thief = match &grids[..] {
        [police] if is_same => police.clone(),
        _ => places(choices, layers[count_of_kinds], board),
    };
    let is_same = is_same && count_of_kinds == 1;
    let police = Places::stacked(board.1 as u16, &grids);
    let counts = [&police, &thief].map(Places::count);
    let team = [Team::All, Team::One][choices.below(2)];
    let numbers = |kinds: &[OfficerKind]| OfficerKind::team_numbers(kinds, &police);
    let mut kinds: Vec<OfficerKind> =
        grids.iter().map(|grid| OfficerKind { pieces: 1, rows: grid.height() }).collect();
    let of_one_each = numbers(&kinds).count() * counts[1] as u64;
    let most_worlds = [1, 1, 1, 1, 2, 2, 3, 4][choices.below(8)];
    let worlds = (size.positions / of_one_each).clamp(1, most_worlds) as usize;
    let most_officers = 1 + choices.byte() % size.officers;
    for _ in count_of_kinds..usize::from(most_officers) {
        let mut more = kinds.clone();
        let Some(kind) = more.get_mut(choices.below(count_of_kinds.max(1))) else { break };
        kind.pieces += 1;
        if numbers(&more).count() * counts[1] as u64 * worlds as u64 <= size.positions {
            kinds = more;
        }
    }
    // The world after each one, if the moves of a turn must lead to one.
    let clock: Vec<usize> = (0..worlds).map(|_| choices.below(worlds)).collect();
    let is_joint = numbers(&kinds).officers() > 1 && team == Team::All;
    let between = if is_joint { Worlds::After(&clock) } else { Worlds::Any(worlds) };
    let mut moves = |from, to, worlds| moves(choices, from, to, worlds, size.moves);
    let of_kinds = grids.iter().map(|grid| moves(grid, grid, between)).collect();
    let of_kinds = join_rows(&numbers(&kinds), worlds as u32, Targets::OwnKind, of_kinds);
    let moves_of_sides = [of_kinds, moves(&thief, &thief, Worlds::Any(worlds))];
    let captures = moves(&police, &thief, Worlds::Same(worlds));
    let often = 2 + usize::from(choices.byte() % 6);
    let mut truths = |count| (0..worlds * count).map(|_| choices.below(often) == 1).collect::<Vec<bool>>();
    let (arrivals, escapes) = (truths(counts[0]), truths(counts[1]));
    let arrivals = if choices.byte().is_multiple_of(2) { arrivals } else { Vec::new() };
    let ends = TerminalRule::new(escapes, arrivals).with_worlds(worlds as u32);
    let ends = match is_same && choices.byte().is_multiple_of(2) {
        true => ends,
        false => ends.with_captures(captures),
    };
    let game = PursuitGame {
        kinds,
        team,
        stuck: [Stuck::Loses, Stuck::Wins][choices.below(2)],
        worlds: worlds as u32,
        places: [police, thief],
        moves: moves_of_sides,
        ends,
    };
    let name = |layer: usize| ["", "floor", "north"][layer].to_owned();
    let points = if choices.byte().is_multiple_of(3) { board.0 * board.1 } else { 0 };
    StoredGame {
        names: ["guard", "dog", "drone"][..count_of_kinds]
            .iter()
            .chain(&["thief"])
            .map(|&name| name.to_owned())
            .collect(),
        layers: layers.iter().map(|&count| (0..count).map(name).collect()).collect(),
        undecided: undecided(choices),
        source: ["", "a game of a program\n", "board = 3\n"][choices.below(3)].to_owned(),
        points: (0..points as i32).map(|point| (point * 7, -point)).collect(),
        ..StoredGame::new(game)
    }
}

/// Returns sizes of tiles, of which a block has at most 65,536 slots.
pub(crate) fn tiles(choices: &mut Choices, officers: u8) -> [TileSize; 2] {
    let mut tile = || TileSize::new(1 + choices.byte() % 4, 1 + choices.byte() % 5).expect("a tile size");
    let tiles = [tile(), tile()];
    let one = TileSize::new(1, 1).expect("a tile size");
    if Numbering::check([(officers, tiles[0])], tiles[1]).is_ok() { tiles } else { [one, one] }
}

/// Compiles the game of a setting.
pub(crate) fn compile(setting: &Setting) -> StoredGame {
    StoredGame::of_setting(setting, &mut StopCheck::never()).expect("few moves")
}

fn undecided(choices: &mut Choices) -> Undecided {
    [Undecided::Draw, Undecided::Police, Undecided::Thief][choices.below(3)]
}

/// Returns as many officers as make few positions, and no more than `most`.
fn few_officers(most: u8, [police, thief]: [usize; 2], positions: u64) -> u8 {
    let is_few = |officers: &u8| multisets(police as u64, (*officers).into()) * thief as u64 <= positions;
    (1..=most.min(6)).rev().find(is_few).unwrap_or(1)
}

/// Returns at least one place on so many layers of a board.
fn places(choices: &mut Choices, layers: usize, (rows, cols): (usize, usize)) -> Places {
    let mut squares: Vec<bool> =
        (0..layers * rows * cols).map(|_| !choices.byte().is_multiple_of(3)).collect();
    // Where the choices have come to an end, few squares are places.
    let first = choices.below(squares.len());
    squares[first] = true;
    Places::new((layers * rows) as u16, cols as u16, squares)
}

/// The worlds to which lists lead.
#[derive(Clone, Copy)]
enum Worlds<'a> {
    /// Each list stays in its world, of so many, and numbers the places of one.
    Same(usize),
    /// The lists of each world lead to the world of this number.
    After(&'a [usize]),
    /// Each list leads to any of so many worlds.
    Any(usize),
}

/// Returns for each place of each world fewer than `most` others, or those next to it.
fn moves(choices: &mut Choices, from: &Places, to: &Places, worlds: Worlds, most: usize) -> MoveTable {
    let king = choices.byte().is_multiple_of(2);
    let targets: Vec<Cell> = to.cells().collect();
    let seed = choices.word();
    let count = match worlds {
        Worlds::Same(count) | Worlds::Any(count) => count,
        Worlds::After(clock) => clock.len(),
    };
    let mut rows = MoveRows::new(count * from.count(), u32::MAX);
    let origins = (0..count).flat_map(|world| from.cells().map(move |cell| (world, cell)));
    for (place, (world, cell)) in (0..).zip(origins) {
        let near = |to: &Cell| cell.row.abs_diff(to.row) <= 1 && cell.col.abs_diff(to.col) <= 1;
        let bytes = random(seed ^ place, 2 * most + 2);
        let mut numbers = bytes.chunks(2).map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])));
        let any = numbers.next().unwrap_or(0);
        // The number of the first target, and of how many targets one is chosen.
        let (first, all) = match worlds {
            Worlds::Same(_) => (0, targets.len()),
            Worlds::After(clock) => (clock[world] * targets.len(), targets.len()),
            Worlds::Any(count) if king => (any % count * targets.len(), targets.len()),
            Worlds::Any(count) => (0, count * targets.len()),
        };
        let row: BTreeSet<u32> = match king {
            true => {
                (first as u32..).zip(&targets).filter(|(_, to)| near(to)).map(|(number, _)| number).collect()
            }
            false => {
                let some = numbers.next().unwrap_or(0) % most;
                numbers.take(some).map(|number| (first + number % all) as u32).collect()
            }
        };
        rows.push(row).expect("few moves");
    }
    rows.finish()
}

/// Returns rules that nobody would make.
pub(crate) fn rules(choices: &mut Choices) -> Rules {
    Rules {
        officers: [1, 1, 1, 2, 2, 3, 4, 6, 8][choices.below(9)],
        police: movement(choices),
        thief: movement(choices),
        corner_cutting: choices.byte().is_multiple_of(2),
        wrap: [Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both][choices.below(4)],
        stuck: [Stuck::Loses, Stuck::Wins][choices.below(2)],
        team: [Team::All, Team::All, Team::One][choices.below(3)],
        police_on_exit: [PoliceOnExit::Allowed, PoliceOnExit::Barred, PoliceOnExit::Wins][choices.below(3)],
        capture: [None, None, Some(MoveSet::King), Some(MoveSet::Knight)][choices.below(4)]
            .clone()
            .map(Capture::by),
        ..Rules::classic()
    }
}

fn movement(choices: &mut Choices) -> Movement {
    let few = |byte: u8| i16::from(byte % 7) - 3;
    let moves = match choices.byte() % 6 {
        0 => MoveSet::Orthogonal,
        1 => MoveSet::Diagonal,
        2 => MoveSet::Knight,
        3 => {
            let count = 1 + choices.below(12);
            let mut offsets: Vec<_> =
                (0..count).map(|_| (few(choices.byte()), few(choices.byte()))).collect();
            offsets.sort_unstable();
            offsets.dedup();
            MoveSet::Offsets(offsets)
        }
        _ => MoveSet::King,
    };
    let far = |choices: &mut Choices| match choices.byte() {
        byte @ 0..80 => 1 + byte % 4,
        byte @ 80..100 => byte,
        100..110 => 255,
        _ => 1,
    };
    let may_pass = !choices.byte().is_multiple_of(4);
    let (steps, reach) = (far(choices), far(choices));
    Movement { may_pass, steps, reach, glide: reach == 1 && steps % 3 == 2, ..Movement::new(moves) }
}
