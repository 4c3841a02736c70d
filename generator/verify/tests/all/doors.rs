//! Boards with doors against a solver of its own: other positions, other moves, no levels.

use crate::naive::values;
use dragnet_formats::{
    board::{Scenario, text},
    cell::{Cell, Side},
    codec::Favour,
    digest::splitmix64,
    doors::{Door, Opening, Schedule},
    rules::{Capture, MoveSet, Rules, Team},
    setting::Setting,
    value::Value,
};
use dragnet_generator::{Engine, Generator, Plan, encode::Encoding};
use dragnet_probe::{Open, Position, Table};
use dragnet_verify::verify;
use std::collections::BTreeSet;

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
    /// Whether an officer captures in the next row and column too.
    grabs: bool,
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

    /// Returns whether a piece may step from a cell towards another one, as far as arrows go.
    fn leaves(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        match self.rows[from.0 as usize][from.1 as usize] {
            '^' => to.0 < from.0,
            'v' => to.0 > from.0,
            '<' => to.1 < from.1,
            '>' => to.1 > from.1,
            _ => true,
        }
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
                if !(stays || may && free(to) && self.leaves(from, to)) {
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
        let apart = (police.0 - thief.0).abs() + (police.1 - thief.1).abs();
        let grabbed =
            self.grabs && apart == 1 && self.enterable(thief, &at.3, at.4) && self.leaves(police, thief);
        if police == thief || grabbed { Some(at.2) } else { exit.then_some(!at.2) }
    }
}

/// Makes the level of a seed in both forms.
fn level(seed: u64) -> (Level, Setting) {
    let mut state = seed;
    let mut below = |n: u64| {
        state = state.wrapping_add(1);
        splitmix64(state.wrapping_mul(0x1234_5678_9ABC_DEF1)) % n
    };
    loop {
        let (height, width) = (2 + below(2) as usize, 2 + below(3) as usize);
        let square = |lot| match lot {
            0..8 => '#',
            8..12 => 'E',
            12 => '^',
            13 => 'v',
            14 => '<',
            15 => '>',
            _ => '.',
        };
        let rows: Vec<Vec<char>> =
            (0..height).map(|_| (0..width).map(|_| square(below(44))).collect()).collect();
        let open: Vec<(i32, i32)> = (0..height as i32)
            .flat_map(|row| (0..width as i32).map(move |col| (row, col)))
            .filter(|cell| !['#', 'E'].contains(&rows[cell.0 as usize][cell.1 as usize]))
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
        let (king_thief, cutting, grabs) = (below(2) == 0, below(2) == 0, below(3) == 0);
        let to_cell = |cell: (i32, i32)| Cell::new(cell.0 as u16, cell.1 as u16);
        let real = doors.iter().zip(&opened).map(|((cell, way), &open)| Door {
            cell: to_cell(*cell),
            opening: match way {
                Ok(key) => Opening::Key { cell: to_cell(*key), open, once: false },
                Err(plan) => Opening::Schedule(Schedule::new(plan).unwrap()),
            },
        });
        let picture: String = rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
        let scenario = text::parse(picture.as_bytes()).unwrap();
        let usual = if king_thief { Rules::chase() } else { Rules::classic() };
        let capture = grabs.then_some(Capture::by(MoveSet::Orthogonal));
        let rules = Rules { corner_cutting: cutting, capture, ..usual };
        let setting = Setting::new(scenario, rules).with_doors(real.collect()).unwrap();
        // Twelve plies are a multiple of all periods up to four.
        return (Level { rows, doors, king_thief, cutting, grabs, round: 12 }, setting);
    }
}

/// Returns the table of a setting.
fn table(setting: &Setting, favour: Favour) -> Table {
    let plan = Plan::of_setting(setting.clone(), Encoding { favour, level: 4 }).unwrap();
    Open::bytes(crate::given::bytes(&plan)).pursuit().unwrap()
}

#[test]
fn every_value_of_three_hundred_random_levels_is_that_of_the_naive_solver() {
    let mut kinds = [0_u64; 3];
    for seed in 0..300 {
        let (level, setting) = level(seed);
        let table = table(&setting, if seed % 2 == 0 { Favour::Size } else { Favour::Speed });
        let (doors, cells) = (&setting.doors, setting.board.open_cells().collect::<Vec<Cell>>());
        let mut all = Vec::new();
        for world in 0..doors.worlds() {
            for (&police, &thief) in
                cells.iter().flat_map(|police| cells.iter().map(move |thief| (police, thief)))
            {
                all.extend(Side::BOTH.map(|turn| Position::new(police, thief, turn).in_world(world)));
            }
        }
        // The naive solver counts plies up to twelve, which the game counts up to its own period.
        let round = doors.phases();
        assert_eq!(level.round % round, 0);
        let seen = |at: &Position| {
            let cell = |cell: Cell| (i32::from(cell.row), i32::from(cell.col));
            let keyed = (0..doors.list().len())
                .filter(|&door| doors.list()[door].key().is_some())
                .map(|door| doors.is_open(door, at.world))
                .collect();
            (cell(at.police.cell()), cell(at.thief), at.turn == Side::Police, keyed, at.world % round)
        };
        let mut positions = Vec::new();
        for at in &all {
            let (police, thief, turn, keyed, phase): Naive = seen(at);
            positions.extend(
                (phase..level.round)
                    .step_by(round as usize)
                    .map(|ply| (police, thief, turn, keyed.clone(), ply)),
            );
        }
        let expected = values(&positions, |at| level.ended(at), |at| level.moves(at), false);
        for at in &all {
            let found = match table.value(*at).unwrap() {
                Value::Win(plies) => Some((true, plies)),
                Value::Loss(plies) => Some((false, plies)),
                Value::Draw => None,
            };
            kinds[found.map_or(2, |(won, _)| usize::from(won))] += 1;
            assert_eq!(found, expected.get(&seen(at)).copied(), "seed {seed}: {at}");
        }
        verify(&table, u64::MAX, &()).unwrap();
        assert_eq!(table.setting(), Some(&setting));
    }
    assert!(kinds.iter().all(|&count| count > 10_000), "{kinds:?}");
}

#[test]
fn a_table_has_the_same_bytes_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (_, setting) = level(5);
    let plan = Plan::of_setting(setting, Encoding::default()).unwrap();
    let files = [1, 2].map(|threads| {
        let path = folder.path().join(threads.to_string());
        Generator::new(threads).unwrap().generate(&plan, &path, &()).unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_plan_knows_board_rules_doors_and_encoding() {
    let (_, setting) = level(1);
    let key = |setting: &Setting, favour, level| {
        Plan::of_setting(setting.clone(), Encoding { favour, level }).unwrap().key()
    };
    let mut doors = setting.doors.list().to_vec();
    doors[0].opening = Opening::Schedule(Schedule::new("#...#").unwrap());
    let other = setting.clone().with_doors(doors).unwrap();
    let keys = [
        key(&setting, Favour::Size, 4),
        key(&setting, Favour::Size, 5),
        key(&setting, Favour::Speed, 4),
        key(&level(2).1, Favour::Size, 4),
        key(&other, Favour::Size, 4),
    ];
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>().len(), 5);
}

/// Several officers play with doors too: all of them with schedules, one at a time with keys. The engine for
/// boards solves schedules, and both engines make the same bytes.
#[test]
fn several_officers_play_with_doors() {
    let scenario = Scenario::parse(b"P..#T\n.#...\nP...E\n").unwrap();
    let gate = |opening| vec![Door { cell: Cell::new(1, 3), opening }];
    let key = Opening::Key { cell: Cell::new(0, 1), open: false, once: false };
    let schedule = Opening::Schedule(Schedule::new(".##").unwrap());
    let (bits, counters) = (Engine::Bitboard, Engine::Counters);
    for (team, opening, engine) in
        [(Team::All, schedule.clone(), bits), (Team::One, schedule, bits), (Team::One, key, counters)]
    {
        let rules = Rules { officers: 2, team, ..Rules::chase() };
        let setting = Setting::new(scenario.clone(), rules).with_doors(gate(opening)).unwrap();
        let plan = Plan::of_setting(setting, Encoding::default()).unwrap();
        assert_eq!(plan.engine(), engine);
        let bytes = crate::given::bytes(&plan);
        assert_eq!(crate::given::bytes(&plan.with_engine(counters)), bytes);
        let table = Open::bytes(bytes).pursuit().unwrap();
        verify(&table, u64::MAX, &()).unwrap();
        let counts = table.header().summary.police_to_move;
        assert!(counts.police > 100 && counts.thief > 10, "{counts:?}");
    }
}
