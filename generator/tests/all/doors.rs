//! Boards with doors against a solver of its own: other positions, other moves, no levels.

use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    codec::Favour,
    container::Reader,
    digest::splitmix64,
    doors::{Door, DoorBoard, DoorPosition, Opening, Schedule},
    header::GameHeader,
    rules::Rules,
    value::Value,
};
use dragnet_generator::{DoorPlan, Generator, encode::Encoding, game_table, naive};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A position as the naive solver sees it: officer, thief, whether the police is to move, the state of each
/// door with a key (open or not), and the plies since the start.
type Naive = ((i32, i32), (i32, i32), bool, Vec<bool>, u32);

/// A door as the naive solver sees it: its cell, and either its key or its schedule.
type NaiveDoor = ((i32, i32), Result<(i32, i32), String>);

/// A level as the naive solver sees it.
struct Level {
    rows: Vec<Vec<char>>,
    /// Each door with its cell and either its key or its schedule.
    doors: Vec<NaiveDoor>,
    king_thief: bool,
    cutting: bool,
    round: u32,
}

impl Level {
    fn enterable(&self, cell: (i32, i32), keyed: &[bool], ply: u32) -> bool {
        let row = usize::try_from(cell.0).ok().and_then(|row| self.rows.get(row));
        let square = usize::try_from(cell.1).ok().and_then(|col| row?.get(col));
        let mut keyed = keyed.iter();
        let mut open = square.is_some_and(|&square| square != '#');
        for (door, way) in &self.doors {
            let its = match way {
                Ok(_) => *keyed.next().unwrap(),
                Err(plan) => plan.as_bytes()[ply as usize % plan.len()] == b'.',
            };
            open &= *door != cell || its;
        }
        open
    }

    fn moves(&self, at: &Naive) -> Vec<Naive> {
        let (police, thief, is_police, keyed, ply) = at;
        let from = if *is_police { *police } else { *thief };
        let mut found = Vec::new();
        for down in -1..=1 {
            for right in -1..=1 {
                let (stays, diagonal) = ((down, right) == (0, 0), down != 0 && right != 0);
                let to = (from.0 + down, from.1 + right);
                let free = |cell| self.enterable(cell, keyed, *ply);
                let beside = free((from.0, to.1)) && free((to.0, from.1));
                let may =
                    if diagonal { (*is_police || self.king_thief) && (self.cutting || beside) } else { true };
                if !(stays || may && free(to)) {
                    continue;
                }
                let ways = self.doors.iter().filter_map(|(_, way)| way.as_ref().ok());
                let keyed = ways.zip(keyed).map(|(&key, &open)| open != (!stays && key == to)).collect();
                let (police, thief) = if *is_police { (to, *thief) } else { (*police, to) };
                found.push((police, thief, !is_police, keyed, (ply + 1) % self.round));
            }
        }
        found
    }

    fn ended(&self, at: &Naive) -> Option<bool> {
        let (police, thief) = (at.0, at.1);
        let exit = self.rows[thief.0 as usize][thief.1 as usize] == 'E';
        if police == thief { Some(at.2) } else { exit.then_some(!at.2) }
    }

    /// Returns the values by going over all positions again and again until nothing changes: `true` is a win
    /// of the side to move, with its plies.
    fn solve(&self, positions: &[Naive]) -> BTreeMap<Naive, (bool, u32)> {
        let mut values = BTreeMap::new();
        for at in positions {
            if let Some(won) = self.ended(at) {
                values.insert(at.clone(), (won, 0));
            }
        }
        let moves: Vec<(&Naive, Vec<Naive>)> =
            positions.iter().filter(|at| self.ended(at).is_none()).map(|at| (at, self.moves(at))).collect();
        loop {
            let mut changed = false;
            for (at, after) in &moves {
                let seen: Vec<Option<(bool, u32)>> = after.iter().map(|to| values.get(to).copied()).collect();
                let quickest = seen.iter().flatten().filter(|value| !value.0).map(|value| value.1 + 1).min();
                let slowest = seen.iter().flatten().map(|value| value.1 + 1).max();
                let lost = seen.iter().all(|value| matches!(value, Some((true, _))));
                let new = quickest.map(|plies| (true, plies)).or(lost.then(|| (false, slowest.unwrap_or(0))));
                if let Some(new) = new {
                    changed |= values.insert((*at).clone(), new) != Some(new);
                }
            }
            if !changed {
                return values;
            }
        }
    }
}

/// Makes the level of a seed in both forms.
fn level(seed: u64) -> (Level, DoorBoard) {
    let mut state = seed;
    let mut below = |n: u64| {
        state = state.wrapping_add(1);
        splitmix64(state.wrapping_mul(0x1234_5678_9ABC_DEF1)) % n
    };
    loop {
        let (height, width) = (2 + below(2) as usize, 2 + below(3) as usize);
        let square = |lot| {
            if lot < 2 {
                '#'
            } else if lot == 2 {
                'E'
            } else {
                '.'
            }
        };
        let rows: Vec<Vec<char>> =
            (0..height).map(|_| (0..width).map(|_| square(below(11))).collect()).collect();
        let open: Vec<(i32, i32)> = (0..height as i32)
            .flat_map(|row| (0..width as i32).map(move |col| (row, col)))
            .filter(|cell| rows[cell.0 as usize][cell.1 as usize] == '.')
            .collect();
        if open.len() < 3 {
            continue;
        }
        let mut doors: Vec<NaiveDoor> = Vec::new();
        let mut opened = Vec::new();
        for _ in 0..1 + below(3) {
            let cell = open[below(open.len() as u64) as usize];
            if doors.iter().any(|(other, _)| *other == cell) {
                continue;
            }
            let way = if below(2) == 0 {
                Ok(open[below(open.len() as u64) as usize])
            } else {
                Err((0..1 + below(4)).map(|_| if below(2) == 0 { '.' } else { '#' }).collect())
            };
            doors.push((cell, way));
            opened.push(below(2) == 0);
        }
        let (king_thief, cutting) = (below(2) == 0, below(2) == 0);
        let to_cell = |cell: (i32, i32)| Cell::new(cell.0 as u16, cell.1 as u16);
        let real = doors.iter().zip(&opened).map(|((cell, way), &open)| Door {
            cell: to_cell(*cell),
            opening: match way {
                Ok(key) => Opening::Key { cell: to_cell(*key), open },
                Err(plan) => Opening::Schedule(Schedule::new(plan).unwrap()),
            },
        });
        let squares = rows.iter().flatten().map(|sign| match sign {
            '#' => Square::Wall,
            'E' => Square::Exit,
            _ => Square::Open,
        });
        let board = Board::new(height, width, squares.collect()).unwrap();
        let usual = if king_thief { Rules::chase() } else { Rules::classic() };
        let rules = Rules { corner_cutting: cutting, ..usual };
        let game = DoorBoard::new(board, rules, real.collect()).unwrap();
        // Twelve plies are a multiple of all periods up to four.
        return (Level { rows, doors, king_thief, cutting, round: 12 }, game);
    }
}

#[test]
fn every_value_of_three_hundred_random_levels_is_that_of_the_naive_solver() {
    let generator = Generator::new(2).unwrap();
    let mut kinds = [0_u64; 3];
    for seed in 0..300 {
        let (level, game) = level(seed);
        let seen = |number: u64| {
            let DoorPosition { police, thief, turn, keys, phase } = game.position(number).unwrap();
            let cell = |cell: Cell| (i32::from(cell.row), i32::from(cell.col));
            let keyed = (0..game.doors().len())
                .filter(|&door| game.doors()[door].key().is_some())
                .map(|door| game.is_open(door, keys, phase))
                .collect();
            (cell(police), cell(thief), turn == Side::Police, keyed, phase)
        };
        // The naive solver counts plies up to twelve, which the game counts up to its own period.
        let round = game.phases();
        assert_eq!(level.round % round, 0);
        let mut positions = Vec::new();
        for number in 0..game.positions() {
            let (police, thief, turn, keyed, phase): Naive = seen(number);
            positions.extend(
                (phase..level.round)
                    .step_by(round as usize)
                    .map(|ply| (police, thief, turn, keyed.clone(), ply)),
            );
        }
        let expected = level.solve(&positions);
        let solution = generator.solve_game(&game, &()).unwrap();
        for number in 0..game.positions() {
            assert_eq!(game.number(game.position(number).unwrap()), Some(number));
            let found = match solution.value(number).unwrap() {
                Value::Win(plies) => Some((true, plies)),
                Value::Loss(plies) => Some((false, plies)),
                Value::Draw => None,
            };
            kinds[found.map_or(2, |(won, _)| usize::from(won))] += 1;
            assert_eq!(
                found,
                expected.get(&seen(number)).copied(),
                "seed {seed}: {:?}",
                game.position(number)
            );
        }
        solution.verify().unwrap();
    }
    assert!(kinds.iter().all(|&count| count > 10_000), "{kinds:?}");
}

#[test]
fn table_has_its_board_and_the_same_bytes_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (_, game) = level(5);
    for favour in [Favour::Size, Favour::Speed] {
        let encoding = Encoding { favour, level: 4 };
        let plan = DoorPlan::new(game.clone(), encoding).unwrap();
        let files = [1, 2].map(|threads| {
            let path = folder.path().join(threads.to_string());
            let report = Generator::new(threads).unwrap().generate_doors(&plan, &path, &()).unwrap();
            assert_eq!(report.header.key, game_table::key(&game));
            fs::read(path).unwrap()
        });
        assert_eq!(files[0], files[1]);
        let reader = Reader::<&[u8], GameHeader>::open_as(&files[0]).unwrap();
        assert_eq!(reader.header().doors.as_deref(), Some(&game));
        let values = naive::solve(&game);
        let expected = game_table::summary(game.positions(), |number| values[number as usize]);
        assert_eq!(reader.header().summary, expected);
    }
}

#[test]
fn plan_knows_the_board_rules_doors_and_encoding() {
    let (_, game) = level(1);
    let encodings = [(Favour::Size, 4), (Favour::Size, 5), (Favour::Speed, 4)];
    let keys = encodings
        .map(|(favour, level)| DoorPlan::new(game.clone(), Encoding { favour, level }).unwrap().key());
    let (_, other) = level(2);
    let other = DoorPlan::new(other, Encoding::default()).unwrap().key();
    assert_eq!([keys[0], keys[1], keys[2], other].into_iter().collect::<BTreeSet<_>>().len(), 4);
}

#[test]
fn other_doors_have_another_key() {
    let (_, game) = level(1);
    let mut doors = game.doors().to_vec();
    doors[0].opening = Opening::Schedule(Schedule::new("#...#").unwrap());
    let other = DoorBoard::new(game.board().clone(), game.rules().clone(), doors).unwrap();
    assert_ne!(game_table::key(&game), game_table::key(&other));
}
