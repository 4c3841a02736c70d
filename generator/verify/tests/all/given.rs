//! The tables of games that programs give: what they keep, what a reader finds, and that wrong ones are
//! found.

#[path = "../../../tests/all/support/given.rs"]
mod random;

use dragnet_formats::{
    board::{Scenario, text},
    cell::{Cell, Side},
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::Writer,
    doors::{Door, Opening, Schedule},
    game::{MoveRows, OfficerKind, Places, PursuitGame, Stuck, Team, terminal::TerminalRule},
    header::{HeaderError, Summary},
    rules::{Rules, Undecided},
    setting::Setting,
    stop::StopCheck,
    stored::{StoredGame, StoredGameError},
    value::Value,
};
use dragnet_generator::{Engine, Generator, Plan, PursuitError, encode::Encoding};
use dragnet_probe::{Choice, Open, Pieces, Position, ProbeError, Scan, Table};
use dragnet_verify::{VerifyError, verify, verify_sample};
use proptest::prelude::*;
use random::{places_of_kinds, random_game};
use std::{collections::BTreeSet, io::Cursor, path::PathBuf};

/// Returns the bytes of the table of a game.
pub(crate) fn bytes(plan: &Plan) -> Vec<u8> {
    let generator = Generator::new(2).unwrap();
    let solution = generator.solve(plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, plan, &()).unwrap();
    blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()
}

/// Returns the game with as many layers as boards of so many rows have room on its grids.
fn given(game: PursuitGame, rows: u16) -> StoredGame {
    let names = |height: u16| (0..height / rows).map(|layer| format!("layer {layer}")).collect();
    let heights = game.kinds.iter().map(|kind| kind.rows).chain([game.places[1].height()]);
    StoredGame { layers: heights.map(names).collect(), ..StoredGame::new(game) }
}

/// Returns all teams of officers.
fn teams(game: &PursuitGame) -> BTreeSet<Vec<u32>> {
    let kinds = game.kinds.iter().zip(places_of_kinds(game));
    let of_officers = kinds.flat_map(|(kind, places)| vec![places; kind.pieces.into()]);
    of_officers.fold(BTreeSet::from([Vec::new()]), |teams, places| {
        teams.iter().flat_map(|team| places.clone().map(|place| with(team, place))).collect()
    })
}

fn with(team: &[u32], place: u32) -> Vec<u32> {
    let mut team = [team, &[place]].concat();
    team.sort_unstable();
    team
}

/// Returns the worlds and cells to which a row leads.
fn steps(game: &PursuitGame, side: Side, world: u32, from: u32) -> Vec<(u32, u32)> {
    let places = game.places(side).count() as u32;
    let row = game.moves(side).of((world * places + from) as usize).iter();
    row.map(|&to| (to / places, to % places)).collect()
}

/// Returns the teams that one turn makes of `team`, with their worlds.
fn team_moves(game: &PursuitGame, world: u32, team: &[u32]) -> BTreeSet<(u32, Vec<u32>)> {
    let steps = |from: u32| steps(game, Side::Police, world, from);
    match game.team {
        Team::All => {
            let nobody = BTreeSet::from([(world, Vec::new())]);
            team.iter().fold(nobody, |teams, &from| {
                let extended = |(_, team): &(u32, Vec<u32>)| {
                    steps(from).into_iter().map(|(world, to)| (world, with(team, to))).collect::<Vec<_>>()
                };
                teams.iter().flat_map(extended).collect()
            })
        }
        Team::One => {
            let one = |officer: usize| {
                let mut others = team.to_vec();
                let from = others.remove(officer);
                steps(from).into_iter().map(|(world, to)| (world, with(&others, to))).collect::<Vec<_>>()
            };
            (0..team.len()).flat_map(one).collect()
        }
    }
}

/// Holds everything that a reader finds against the game.
fn check(table: &Table, game: &PursuitGame) {
    let cells = game.places.each_ref().map(|places| places.cells().collect::<Vec<Cell>>());
    let pieces = |team: &[u32]| {
        Pieces::new(&team.iter().map(|&place| cells[0][place as usize]).collect::<Vec<Cell>>()).unwrap()
    };
    let at = |world, team: &[u32], thief: u32, turn| {
        Position::new(pieces(team), cells[1][thief as usize], turn).in_world(world)
    };
    let value = |world, team: &[u32], thief, turn| table.value(at(world, team, thief, turn)).unwrap();
    let teams = teams(game);
    for (world, team) in (0..game.worlds).flat_map(|world| teams.iter().map(move |team| (world, team))) {
        for thief in 0..cells[1].len() as u32 {
            for turn in Side::BOTH {
                let position = at(world, team, thief, turn);
                let winner = game.ends.winner(world, team, thief);
                assert_eq!(table.winner(position).unwrap(), winner, "{position}");
                let choices = table.best_moves(position).unwrap();
                assert_eq!(table.best_move(position).unwrap(), choices.first().copied());
                let after: BTreeSet<(u32, Pieces, i64)> = match (winner, turn) {
                    (Some(_), _) => BTreeSet::new(),
                    (None, Side::Police) => team_moves(game, world, team)
                        .iter()
                        .map(|(world, team)| {
                            let score = value(*world, team, thief, Side::Thief).score_for_mover();
                            (*world, pieces(team), score.into())
                        })
                        .collect(),
                    (None, Side::Thief) => {
                        let to = steps(game, Side::Thief, world, thief).into_iter();
                        to.map(|(world, to)| {
                            let score = value(world, team, to, Side::Police).score_for_mover();
                            (world, cells[1][to as usize].into(), score.into())
                        })
                        .collect()
                    }
                };
                let found = choices
                    .iter()
                    .map(|choice| (choice.position.world, choice.to, choice.value.score_for_mover().into()));
                assert_eq!(after, found.collect(), "{position}");
                let best = choices.first().map(Choice::worth);
                let expected = winner.map(|winner| Value::terminal(winner, turn)).or(best);
                assert_eq!(
                    table.value(position).unwrap(),
                    expected.unwrap_or(game.stuck.value()),
                    "{position}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A table has the values of its game, by both engines, and the game itself.
    #[test]
    fn tables_of_given_games_are_read_as_their_definition_says(
        seed in any::<u64>(), worlds in 1u32..5, officers in prop::collection::vec(1u8..4, 0..4),
        all in any::<bool>(), wins in any::<bool>(), size in any::<bool>(),
    ) {
        prop_assume!(officers.iter().sum::<u8>() < 4);
        let (team, stuck) = (if all { Team::All } else { Team::One }, if wins { Stuck::Wins } else { Stuck::Loses });
        let worlds = if seed % 2 == 0 { 1 } else { worlds };
        let (game, _, rows) = random_game(seed, worlds, &officers, team, stuck);
        let mut whole = given(game.clone(), rows);
        whole.source = if size { "eyes = 3\n".repeat(1 + seed as usize % 9000) } else { String::new() };
        let board = usize::from(rows) * usize::from(game.places[0].width());
        whole.points = if all { (0..board as i32).map(|at| (at * 7, -at)).collect() } else { Vec::new() };
        let favour = if size { Favour::Size } else { Favour::Speed };
        let plan = Plan::of_game(whole.clone(), Encoding { favour, level: 4 }).unwrap();
        let bytes = bytes(&plan);
        prop_assert_eq!(&self::bytes(&plan.clone().with_engine(Engine::Counters)), &bytes);
        let table = Open::bytes(bytes).pursuit().unwrap();
        check(&table, &game);
        verify(&table, u64::MAX, &()).unwrap();
        verify_sample(&table, 300, seed, &()).unwrap();
        let scan = Scan::new(&table).unwrap();
        let mut summary = Summary::default();
        (0..scan.police_tiles()).for_each(|tile| summary.merge(&scan.summary_of_tile(tile).unwrap()));
        prop_assert_eq!(summary, table.header().summary);
        let again = table.game(&mut StopCheck::never()).unwrap();
        let tiles = table.header().tiles();
        prop_assert_eq!(again.pack(tiles).unwrap().blocks(), whole.pack(tiles).unwrap().blocks());
        prop_assert_eq!((again.names, again.layers, again.points), (whole.names, whole.layers, whole.points));
        prop_assert_eq!((table.source(), &again.source), (&whole.source[..], &whole.source));
    }

    /// A table whose values are all draws is wrong, unless they are.
    #[test]
    fn wrong_values_of_given_games_are_found(seed in any::<u64>(), worlds in 1u32..4, kinds in 0usize..3) {
        let (game, _, rows) = random_game(seed, worlds, &[1, 2][..kinds], Team::All, Stuck::Loses);
        let plan = Plan::of_game(given(game, rows), Encoding::default()).unwrap();
        let right = Open::bytes(bytes(&plan)).pursuit().unwrap();
        let header = plan.header();
        let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
        for _ in 0..right.numbering().block_count() {
            writer.push(&Encoded::Constant(0)).unwrap();
        }
        let mut encoder = Encoder::for_speed();
        for block in plan.compile(&mut StopCheck::never()).unwrap().1.blocks() {
            writer.push(&encoder.encode(&block)).unwrap();
        }
        let forged = Open::bytes(writer.finish().unwrap().0.into_inner()).pursuit().unwrap();
        let drawn = right.header().summary == Summary::of_draws(header.side_positions().unwrap());
        match verify(&forged, u64::MAX, &()) {
            Ok(()) => prop_assert!(drawn),
            Err(VerifyError::Position(_) | VerifyError::Header(_)) => prop_assert!(!drawn),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    /// Damage anywhere is an error or changes nothing, and nothing makes a reader panic.
    #[test]
    fn damage_is_found(
        seed in any::<u64>(), worlds in 1u32..4, at in any::<prop::sample::Index>(), bit in 0u8..8,
    ) {
        let (game, _, rows) = random_game(seed, worlds, &[1], Team::All, Stuck::Loses);
        let plan = Plan::of_game(given(game.clone(), rows), Encoding::default()).unwrap();
        let mut bytes = bytes(&plan);
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(table) = Open::bytes(bytes).pursuit() {
            prop_assert!(verify(&table, u64::MAX, &()).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever stands in the sections of a table whose checksums are right, a reader answers or refuses, and
    /// does not panic; so does who verifies it.
    #[test]
    fn forged_sections_do_no_harm(
        which in 0usize..7, changes in prop::collection::vec((any::<prop::sample::Index>(), 0u32..300), 1..4),
        turn in any::<bool>(),
    ) {
        let plan = Plan::of_game([round, ring, board, searchlights, doors, guard_and_dog, alone][which](), Encoding::default()).unwrap();
        let header = plan.header();
        let mut blocks: Vec<Vec<u32>> = Vec::new();
        for block in plan.compile(&mut StopCheck::never()).unwrap().1.blocks() {
            blocks.push(block.low().iter().map(|&index| block.palette()[usize::from(index)]).collect());
        }
        for (at, code) in &changes {
            let block = at.index(blocks.len());
            let slot = at.index(blocks[block].len());
            // A small change more often than any.
            let old = blocks[block][slot];
            blocks[block][slot] = if *code % 2 == 0 { (old ^ 1 << (code % 8)).min(255) } else { *code };
        }
        let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
        for _ in 0..header.numbering().positions().block_count() {
            writer.push(&Encoded::Constant(Value::Win(3).code())).unwrap();
        }
        let mut encoder = Encoder::for_speed();
        for codes in blocks {
            writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
        }
        let bytes = writer.finish().unwrap().0.into_inner();
        let Ok(table) = Open::bytes(bytes).pursuit() else { return Ok(()) };
        let officers: Vec<Cell> = header.places(Side::Police).cells().collect();
        for team in header.team_numbers().teams(&officers) {
            for thief in header.thief.places.cells() {
                let turn = if turn { Side::Police } else { Side::Thief };
                let world = changes.len() as u32 % header.worlds;
                let position = Position::new(team, thief, turn).in_world(world);
                let _ = (table.winner(position), table.value(position), table.best_moves(position));
            }
        }
        prop_assert!(verify(&table, u64::MAX, &()).is_err());
    }
}

/// Returns a guard on a round of a yard, who sees the two cells before his feet, in a layer for each
/// direction.
fn round() -> StoredGame {
    let board = text::parse(b"....\n.#..\n...E\n").unwrap().board;
    let yard = PursuitGame::compile(&board, &Rules::classic(), &mut StopCheck::never()).unwrap();
    // East, south, west, north: the layers in this order, one below the other.
    let ahead = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let walk = [(0, 0, 0), (0, 1, 0), (0, 2, 1), (1, 2, 1), (2, 2, 2), (2, 1, 2), (2, 0, 3), (1, 0, 3)];
    let grid_row = |row: u16, layer: usize| 3 * layer as u16 + row;
    let mut squares = vec![false; 4 * 3 * 4];
    for (row, col, layer) in walk {
        squares[usize::from(grid_row(row, layer)) * 4 + usize::from(col)] = true;
    }
    let places = Places::new(12, 4, squares);
    let cells: Vec<Cell> = places.cells().collect();
    let open: Vec<Cell> = board.open_cells().collect();
    let (mut moves, mut sees) = (MoveRows::new(8, 100), MoveRows::new(8, 100));
    for &cell in &cells {
        let (row, layer) = (cell.row % 3, usize::from(cell.row / 3));
        let at = walk.iter().position(|&step| step == (row, cell.col, layer)).unwrap();
        let (row, col, layer) = walk[(at + 1) % 8];
        let to = cells.binary_search(&Cell::new(grid_row(row, layer), col)).unwrap();
        moves.push([to as u32]).unwrap();
        let (down, right) = ahead[usize::from(cell.row / 3)];
        let seen = (0..3).filter_map(|step| {
            let row = u16::try_from(i32::from(cell.row % 3) + step * down).ok()?;
            let col = u16::try_from(i32::from(cell.col) + step * right).ok()?;
            open.binary_search(&Cell::new(row, col)).ok().map(|place| place as u32)
        });
        sees.push(seen.collect::<BTreeSet<u32>>()).unwrap();
    }
    let game = PursuitGame {
        kinds: vec![OfficerKind { pieces: 1, rows: 12 }],
        places: [places, yard.places[1].clone()],
        moves: [moves.finish(), yard.moves[1].clone()],
        ends: TerminalRule::new(yard.ends.escapes().to_vec(), Vec::new()).with_captures(sees.finish()),
        ..yard
    };
    StoredGame {
        names: ["guard", "thief"].map(str::to_owned).to_vec(),
        layers: vec![["east", "south", "west", "north"].map(str::to_owned).to_vec(), vec![String::new()]],
        source: "....\n.#..\n...E\n".to_owned(),
        ..StoredGame::new(game)
    }
}

/// Returns two officers on the stations of a ring with a shortcut, who catch the thief by being next to him.
fn ring() -> StoredGame {
    const STATIONS: u32 = 11;
    let places = Places::new(1, STATIONS as u16, vec![true; STATIONS as usize]);
    let mut moves = MoveRows::new(STATIONS as usize, 100);
    let mut near = MoveRows::new(STATIONS as usize, 100);
    for at in 0..STATIONS {
        let beside: BTreeSet<u32> = [(at + 1) % STATIONS, (at + STATIONS - 1) % STATIONS].into();
        let shortcut = (at == 0).then_some(5).or((at == 5).then_some(0));
        moves.push(beside.iter().copied().chain(shortcut).collect::<BTreeSet<u32>>()).unwrap();
        near.push(beside.iter().copied().chain([at]).filter(|_| at % 3 == 0).collect::<BTreeSet<u32>>())
            .unwrap();
    }
    let moves = moves.finish();
    let arrivals = (0..STATIONS).map(|at| at == 7).collect();
    let game = PursuitGame {
        worlds: 1,
        kinds: vec![OfficerKind { pieces: 2, rows: 1 }],
        team: Team::One,
        stuck: Stuck::Wins,
        places: [places.clone(), places],
        moves: [moves.clone(), moves],
        ends: TerminalRule::new((0..STATIONS).map(|at| at == 9).collect(), arrivals)
            .with_captures(near.finish()),
    };
    let point = |at: u32| {
        let angle = f64::from(at) / f64::from(STATIONS) * std::f64::consts::TAU;
        ((100.0 * angle.cos()).round() as i32, (100.0 * angle.sin()).round() as i32)
    };
    StoredGame {
        undecided: Undecided::Thief,
        points: (0..STATIONS).map(point).collect(),
        ..StoredGame::new(game)
    }
}

/// Returns two guards who look together north, east, south and west, one ply after the other, as far as a
/// wall, and an exit that is open when they look north.
fn searchlights() -> StoredGame {
    let board = text::parse(b"..#.\n....\n.#..\n").unwrap().board;
    let rules = Rules { officers: 2, ..Rules::classic() };
    let yard = PursuitGame::compile(&board, &rules, &mut StopCheck::never()).unwrap();
    let cells: Vec<Cell> = board.open_cells().collect();
    let (ahead, count) = ([(-1, 0), (0, 1), (1, 0), (0, -1)], cells.len());
    let mut sees = MoveRows::new(4 * count, 1000);
    for (down, right) in ahead {
        for cell in &cells {
            let square = |step: i32| {
                let row = u16::try_from(i32::from(cell.row) + step * down).ok()?;
                let col = u16::try_from(i32::from(cell.col) + step * right).ok()?;
                cells.binary_search(&Cell::new(row, col)).ok()
            };
            let seen: BTreeSet<u32> = (0..).map_while(square).map(|place| place as u32).collect();
            sees.push(seen).unwrap();
        }
    }
    let moves = yard.moves.each_ref().map(|moves| {
        let mut rows = MoveRows::new(4 * count, 10_000);
        for world in 0..4 {
            let after = (world + 1) % 4 * count as u32;
            (0..count).for_each(|at| rows.push(moves.of(at).iter().map(|&to| after + to)).unwrap());
        }
        rows.finish()
    });
    let escapes = (0..4 * count).map(|at| at == count - 1).collect();
    let ends = TerminalRule::new(escapes, Vec::new()).with_worlds(4).with_captures(sees.finish());
    StoredGame::new(PursuitGame { worlds: 4, moves, ends, ..yard })
}

/// Returns a board with a door that a key closes, and one that is closed in every third ply.
fn doors() -> StoredGame {
    let scenario = Scenario::parse(b"P.#\n...\n.ET\n").unwrap();
    let cell = Cell::new;
    let doors = vec![
        Door { cell: cell(1, 2), opening: Opening::Key { cell: cell(0, 1), open: true, once: false } },
        Door { cell: cell(1, 0), opening: Opening::Schedule(Schedule::new("..#").unwrap()) },
    ];
    let setting = Setting::new(scenario, Rules::classic()).with_doors(doors).unwrap();
    StoredGame::of_setting(&setting, &mut StopCheck::never()).unwrap()
}

/// Returns a guard who walks in any direction, and a dog that runs two cells along a row or a column and then
/// rests, in a layer of its own. The guard captures the thief on the guard's cell, the dog only when it is
/// fresh.
fn guard_and_dog() -> StoredGame {
    let board = text::parse(b"...#.\n.#...\n...#E\n").unwrap().board;
    let yard = PursuitGame::compile(&board, &Rules::classic(), &mut StopCheck::never()).unwrap();
    let (guard, open) = (&yard.places[0], board.open_cells().collect::<Vec<Cell>>());
    let dog = Places::stacked(5, [guard, guard]);
    let count = open.len() as u32;
    let (mut moves, mut captures) = (MoveRows::new(39, 1000), MoveRows::new(39, 1000));
    for place in 0..count {
        moves.push(yard.moves[0].of(place as usize).iter().copied()).unwrap();
        captures.push([place]).unwrap();
    }
    let [fresh, tired] = [count, 2 * count];
    for (place, from) in (0..).zip(&open) {
        let near = |steps: u16| {
            let to = move |to: &Cell| match (to.row.abs_diff(from.row), to.col.abs_diff(from.col)) {
                (rows, 0) => rows == steps,
                (0, cols) => cols == steps,
                _ => false,
            };
            (0..).zip(&open).filter(move |(_, cell)| to(cell)).map(|(number, _): (u32, _)| number)
        };
        let between = |to: u32| {
            let to = open[to as usize];
            open.contains(&Cell::new((from.row + to.row) / 2, (from.col + to.col) / 2))
        };
        let walks = near(0).chain(near(1)).map(|to| fresh + to);
        let runs = near(2).filter(|&to| between(to)).map(|to| tired + to);
        moves.push(walks.chain(runs).collect::<BTreeSet<u32>>()).unwrap();
        captures.push([place]).unwrap();
    }
    for place in 0..count {
        moves.push([fresh + place]).unwrap();
        captures.push([]).unwrap();
    }
    let game = PursuitGame {
        kinds: [3, 6].map(|rows| OfficerKind { pieces: 1, rows }).to_vec(),
        places: [Places::stacked(5, [guard, &dog]), guard.clone()],
        moves: [moves.finish(), yard.moves[1].clone()],
        ends: TerminalRule::new(yard.ends.escapes().to_vec(), Vec::new()).with_captures(captures.finish()),
        ..yard
    };
    StoredGame {
        names: ["guard", "dog", "thief"].map(str::to_owned).to_vec(),
        layers: [&[""][..], &["fresh", "tired"], &[""]]
            .map(|names| names.iter().map(|&name| name.to_owned()).collect())
            .to_vec(),
        ..StoredGame::new(game)
    }
}

/// Returns a thief alone on a shore, whose lowest row is under water in the last of three worlds, which
/// follow one another. He loses where the water catches him, and wins at the exit while that is dry.
fn alone() -> StoredGame {
    let board = text::parse(b"#...#\n..#..\n.#..E\n").unwrap().board;
    let shore = PursuitGame::compile(&board, &Rules::classic(), &mut StopCheck::never()).unwrap();
    let cells: Vec<Cell> = board.open_cells().collect();
    let count = cells.len();
    let dry = |world: usize, cell: Cell| cell.row < 2 || world < 2;
    let mut moves = MoveRows::new(3 * count, 1000);
    for (world, place) in (0..3).flat_map(|world| (0..count).map(move |place| (world, place))) {
        let after = (world + 1) % 3;
        let to = shore.moves[1]
            .of(place)
            .iter()
            .filter(|&&to| dry(world, cells[place]) && dry(after, cells[to as usize]));
        moves.push(to.map(|&to| (after * count) as u32 + to)).unwrap();
    }
    let escapes = (0..3).flat_map(|world| {
        cells.iter().zip(shore.ends.escapes()).map(move |(&cell, &is_exit)| is_exit && dry(world, cell))
    });
    let game = PursuitGame {
        worlds: 3,
        kinds: Vec::new(),
        places: [Places::stacked(5, []), shore.places[1].clone()],
        moves: [MoveRows::new(0, 0).finish(), moves.finish()],
        ends: TerminalRule::new(escapes.collect(), Vec::new())
            .with_worlds(3)
            .with_captures(MoveRows::new(0, 0).finish()),
        ..shore
    };
    StoredGame { source: "a shore\n".to_owned(), ..StoredGame::new(game) }
}

/// Returns the game of a board, by `chase`.
fn board() -> StoredGame {
    let board = text::parse(b"....#...E\n..#..#...\n.....#..#\n#..#.....\nE....#...\n").unwrap().board;
    StoredGame::new(PursuitGame::compile(&board, &Rules::chase(), &mut StopCheck::never()).unwrap())
}

/// The golden tables, which `dump.py` beside them reads by the page alone, have the values of these games.
/// With `DRAGNET_WRITE` in the environment they are written.
#[test]
fn golden_tables_of_given_games_have_their_values() {
    let formats = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../formats/tests/golden");
    let games = [
        ("v2-round", round(), Favour::Speed),
        ("v2-ring", ring(), Favour::Size),
        ("v2-board", board(), Favour::Size),
        ("v2-searchlights", searchlights(), Favour::Speed),
        ("v2-doors", doors(), Favour::Size),
        ("v2-kinds", guard_and_dog(), Favour::Size),
        ("v2-alone", alone(), Favour::Size),
    ];
    for (name, given, favour) in games {
        let plan = Plan::of_game(given.clone(), Encoding { favour, level: 4 }).unwrap();
        let path = formats.join(name).with_extension("dtb");
        if std::env::var_os("DRAGNET_WRITE").is_some() {
            std::fs::write(&path, bytes(&plan)).unwrap();
        }
        let table = Open::path(path).pursuit().unwrap();
        check(&table, &given.game);
        verify(&table, u64::MAX, &()).unwrap();
        assert_eq!(table.source(), given.source);
    }
}

/// A game of a board has the values and the digest of that board's table, in any tiles.
#[test]
fn a_given_board_has_the_digest_of_its_table() {
    let board = text::parse(b"..E#...\n.#.....\n...#.#.\n").unwrap().board;
    for officers in 1..4 {
        let rules = Rules { officers, ..Rules::chase() };
        let plan = Plan::new(board.clone(), rules.clone(), Encoding::default()).unwrap();
        let expected = Generator::new(1).unwrap().solve(&plan, &()).unwrap().summary();
        let game = PursuitGame::compile(&board, &rules, &mut StopCheck::never()).unwrap();
        let plan = Plan::of_game(StoredGame::new(game), Encoding::default()).unwrap();
        let table = Open::bytes(bytes(&plan)).pursuit().unwrap();
        assert_eq!(table.header().summary, expected);
    }
}

#[test]
fn impossible_games_and_positions_are_refused() {
    let plan = Plan::of_game(board(), Encoding::default()).unwrap();
    let bytes = bytes(&plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("given.dtb");
    let generator = Generator::new(1).unwrap();
    generator.generate(&plan, &path, &()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    generator.with_memory(64 << 20).generate(&plan, &path, &()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let table = Open::path(&path).pursuit().unwrap();
    let off = Cell::new(0, 4);
    let value = |police: Cell, thief| table.value(Position::new(police, thief, Side::Police));
    assert!(matches!(value(Cell::new(0, 0), off), Err(ProbeError::Position { side: Side::Thief, .. })));
    assert!(matches!(value(off, off), Err(ProbeError::Position { side: Side::Police, .. })));
    let two = Pieces::new(&[Cell::new(0, 0); 2]).unwrap();
    let error = table.value(Position::new(two, Cell::new(0, 1), Side::Police)).unwrap_err();
    assert!(matches!(error, ProbeError::Officers { expected: 1, found: 2 }));

    let error = |change: fn(&mut StoredGame)| {
        let mut given = round();
        change(&mut given);
        Plan::of_game(given, Encoding::default()).unwrap_err()
    };
    let field =
        |error| matches!(error, PursuitError::Table(StoredGameError::Header(HeaderError::Field { .. })));
    assert!(field(error(|given| given.layers[0].truncate(3))));
    assert!(field(error(|given| given.layers[0].push(String::new()))));
    assert!(field(error(|given| given.layers[1].clear())));
    assert!(field(error(|given| given.names[0] = "\n".to_owned())));
    assert!(field(error(|given| given.points = vec![(0, 0); 11])));
    let game = error(|given| given.game.kinds[0].pieces = 0);
    assert!(matches!(game, PursuitError::Table(StoredGameError::Game(_))));
}
