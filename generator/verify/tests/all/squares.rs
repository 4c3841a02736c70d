//! Boards of squares under rules of every kind against a solver made from the definitions of
//! `tools/docs/rules.md`.

use crate::naive::values;
use dragnet_formats::{
    board::text,
    cell::{Cell, Side},
    codec::Favour,
    digest::splitmix64,
    rules::{Capture, MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Wrap},
    setting::Setting,
    value::Value,
};
use dragnet_generator::{Engine, Plan, encode::Encoding};
use dragnet_probe::{Open, Pieces, Position};
use dragnet_verify::verify;
use std::collections::BTreeSet;

type At = (i32, i32);

/// Officers in rising order, the thief, and whether the police is to move.
type State = (Vec<At>, At, bool);

/// A board as its picture, and the rules that are about squares.
struct Squares {
    rows: Vec<Vec<char>>,
    rules: Rules,
}

impl Squares {
    fn sign(&self, at: At) -> char {
        self.rows[at.0 as usize][at.1 as usize]
    }

    fn cells(&self) -> Vec<At> {
        let of_row = |row: usize| (0..self.rows[0].len()).map(move |col| (row as i32, col as i32));
        (0..self.rows.len()).flat_map(of_row).filter(|&at| self.sign(at) != '#').collect()
    }

    /// *Steps.*
    fn step(&self, from: At, (down, right): (i16, i16), barred: bool) -> Option<At> {
        let along = |from: i32, by: i16, length: usize, joined: bool| {
            let (to, length) = (from + i32::from(by), length as i32);
            if joined { Some(to.rem_euclid(length)) } else { (0..length).contains(&to).then_some(to) }
        };
        let joined = |one| self.rules.wrap == Wrap::Both || self.rules.wrap == one;
        let row = along(from.0, down, self.rows.len(), joined(Wrap::Vertical))?;
        let col = along(from.1, right, self.rows[0].len(), joined(Wrap::Horizontal))?;
        let backwards = match self.sign(from) {
            '^' => down >= 0,
            'v' => down <= 0,
            '<' => right >= 0,
            '>' => right <= 0,
            _ => false,
        };
        let wall = |at| self.sign(at) == '#';
        let diagonal = down.abs() == 1 && right.abs() == 1;
        let refused = backwards
            || wall((row, col))
            || (row, col) == from
            || barred && self.sign((row, col)) == 'E'
            || diagonal && !self.rules.corner_cutting && (wall((from.0, col)) || wall((row, from.1)));
        (!refused).then_some((row, col))
    }

    /// *Slides* and *gliding*.
    fn slides(&self, from: At, movement: &Movement, barred: bool) -> Vec<At> {
        let mut ends = Vec::new();
        for &offset in movement.moves.offsets() {
            let mut way = vec![from];
            while let Some(to) = self.step(way[way.len() - 1], offset, barred).filter(|&to| to != from) {
                way.push(to);
            }
            match movement.glide {
                true => ends.extend(way[1..].last()),
                false => ends.extend(way[1..].iter().take(movement.reach.into())),
            }
        }
        ends
    }

    /// *Several steps*, and staying.
    fn moves(&self, from: At, movement: &Movement, barred: bool) -> BTreeSet<At> {
        let mut reached = BTreeSet::from([from]);
        for _ in 0..movement.steps {
            let more: Vec<At> =
                reached.iter().flat_map(|&here| self.slides(here, movement, barred)).collect();
            reached.extend(more);
        }
        if !movement.may_pass {
            reached.remove(&from);
        }
        reached
    }

    /// *Teams.*
    fn turns(&self, (team, thief, police): &State) -> Vec<State> {
        if !police {
            let to = self.moves(*thief, &self.rules.thief, false);
            return to.into_iter().map(|thief| (team.clone(), thief, true)).collect();
        }
        let barred = self.rules.police_on_exit == PoliceOnExit::Barred;
        let moves = |from| self.moves(from, &self.rules.police, barred);
        let mut teams = BTreeSet::new();
        match self.rules.team {
            Team::All => {
                teams.insert(Vec::new());
                for &from in team {
                    let to = moves(from);
                    teams = teams
                        .iter()
                        .flat_map(|team| to.iter().map(|&to| [&team[..], &[to]].concat()))
                        .collect();
                }
            }
            Team::One => {
                for officer in 0..team.len() {
                    teams.extend(moves(team[officer]).into_iter().map(|to| {
                        let mut team = team.clone();
                        team[officer] = to;
                        team
                    }));
                }
            }
        }
        let sorted: BTreeSet<Vec<At>> = teams
            .into_iter()
            .map(|mut team| {
                team.sort_unstable();
                team
            })
            .collect();
        sorted.into_iter().map(|team| (team, *thief, false)).collect()
    }

    /// *A position is terminal.* Returns whether the police has won.
    fn ended(&self, (team, thief, _): &State) -> Option<bool> {
        let arrived = self.rules.police_on_exit == PoliceOnExit::Wins
            && team.iter().any(|&officer| self.sign(officer) == 'E');
        if team.iter().any(|&officer| self.captures(officer, *thief)) {
            Some(true)
        } else if self.sign(*thief) == 'E' {
            Some(false)
        } else {
            arrived.then_some(true)
        }
    }

    /// *Capture.*
    fn captures(&self, officer: At, thief: At) -> bool {
        let by = self.rules.capture.iter().filter_map(Capture::move_set).flat_map(MoveSet::offsets);
        officer == thief || by.copied().any(|offset| self.step(officer, offset, false) == Some(thief))
    }
}

/// Makes a small board and rules of a seed.
fn squares(seed: u64) -> Squares {
    let mut state = seed;
    let mut below = |n: u64| {
        state = state.wrapping_add(1);
        splitmix64(state.wrapping_mul(0x1234_5678_9ABC_DEF1)) % n
    };
    let officers = 1 + below(2) as u8;
    let (height, width) = (1 + below(4) as usize, 2 + below(if officers == 1 { 5 } else { 2 }) as usize);
    let mut rows: Vec<Vec<char>> = (0..height)
        .map(|_| (0..width).map(|_| SIGNS[below(SIGNS.len() as u64) as usize]).collect())
        .collect();
    rows[0][0] = '.';
    let mut movement = || {
        let moves = match below(5) {
            0 => MoveSet::King,
            1 => MoveSet::Orthogonal,
            2 => MoveSet::Diagonal,
            3 => MoveSet::Knight,
            _ => MoveSet::Offsets(vec![(0, 1), (1, 1), (-1, 0), (-2, 1)]),
        };
        let glide = below(2) == 0;
        let reach = if glide || below(3) > 0 { 1 } else { 3 };
        let steps = if below(4) == 0 { 2 } else { 1 };
        Movement { may_pass: below(2) == 0, steps, reach, glide, ..Movement::new(moves) }
    };
    let (police, thief) = (movement(), movement());
    let rules = Rules {
        officers,
        police,
        thief,
        corner_cutting: below(2) == 0,
        wrap: [Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both][below(4) as usize],
        stuck: [Stuck::Loses, Stuck::Wins][below(2) as usize],
        team: [Team::All, Team::One][below(2) as usize],
        police_on_exit: [PoliceOnExit::Allowed, PoliceOnExit::Barred, PoliceOnExit::Wins][below(3) as usize],
        capture: match below(6) {
            0 => Some(Capture::by(MoveSet::King)),
            1 => Some(Capture::by(MoveSet::Orthogonal)),
            2 => Some(Capture::by(MoveSet::Offsets(vec![(0, 2), (1, 1)]))),
            _ => None,
        },
        ..Rules::classic()
    };
    Squares { rows, rules }
}

/// The signs of random boards.
const SIGNS: [char; 16] = ['.', '.', '.', '.', '.', '.', '.', '.', '.', '#', '#', 'E', '>', '<', '^', 'v'];

#[test]
fn every_value_of_three_hundred_random_boards_is_that_of_the_naive_solver() {
    let mut kinds = [0_u64; 3];
    for seed in 0..300 {
        let squares = squares(seed);
        let picture: String = squares.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
        let setting = Setting::new(text::parse(picture.as_bytes()).unwrap(), squares.rules.clone());
        let favour = if seed % 2 == 0 { Favour::Size } else { Favour::Speed };
        let plan = Plan::of_setting(setting.clone(), Encoding { favour, level: 4 }).unwrap();
        let bytes = crate::given::bytes(&plan);
        assert_eq!(
            crate::given::bytes(&plan.with_engine(Engine::Counters)),
            bytes,
            "{}",
            setting.to_source()
        );
        let table = Open::bytes(bytes).pursuit().unwrap();
        let cells = squares.cells();
        let mut teams = BTreeSet::from([Vec::new()]);
        for _ in 0..squares.rules.officers {
            teams = (teams.iter())
                .flat_map(|team: &Vec<At>| cells.iter().map(|&cell| [&team[..], &[cell]].concat()))
                .filter(|team| team.is_sorted())
                .collect();
        }
        let positions: Vec<State> = (teams.iter())
            .flat_map(|team| cells.iter().map(move |&thief| (team, thief)))
            .flat_map(|(team, thief)| [true, false].map(|police| (team.clone(), thief, police)))
            .collect();
        let expected = values(
            &positions,
            |at| squares.ended(at).map(|police| police == at.2),
            |at| squares.turns(at),
            squares.rules.stuck == Stuck::Wins,
        );
        for at in &positions {
            let cell = |at: At| Cell::new(at.0 as u16, at.1 as u16);
            let officers: Vec<Cell> = at.0.iter().copied().map(cell).collect();
            let turn = if at.2 { Side::Police } else { Side::Thief };
            let position = Position::new(Pieces::new(&officers).unwrap(), cell(at.1), turn);
            let found = match table.value(position).unwrap() {
                Value::Win(plies) => Some((true, plies)),
                Value::Loss(plies) => Some((false, plies)),
                Value::Draw => None,
            };
            kinds[found.map_or(2, |(won, _)| usize::from(won))] += 1;
            assert_eq!(found, expected.get(at).copied(), "{position}\n{}", setting.to_source());
        }
        verify(&table, u64::MAX, &()).unwrap();
        assert_eq!(table.setting(), Some(&setting));
    }
    assert!(kinds.iter().all(|&count| count > 3_000), "{kinds:?}");
}
