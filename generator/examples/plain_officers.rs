//! The yardstick for several officers: a program that a capable programmer writes in an afternoon, for the
//! classic rules. It has a queue, a counter of undecided moves for each position, the moves of teams in
//! lists, and one thread, and compresses and writes nothing.
//!
//! ```text
//! cargo build --release -p dragnet-generator --example plain_officers
//! dragnet bench --board open-24.txt --officers 2 --yardstick target/release/examples/plain_officers
//! ```

#![allow(clippy::unwrap_used, reason = "a program to measure with, on boards that are right")]

use dragnet_formats::{
    board::{Board, Scenario, Square},
    cell::Cell,
    digest::digest_term,
};
use std::{collections::HashMap, time::Instant};

/// Returns for each cell the cells to which a piece may move, its own among them.
fn steps(board: &Board, cells: &[Cell], steps: &[(i32, i32)]) -> Vec<Vec<u32>> {
    let number: HashMap<Cell, u32> = cells.iter().copied().zip(0..).collect();
    let from = |cell: &Cell| {
        let to = |&(down, right): &(i32, i32)| {
            let at = |from: u16, by: i32| u16::try_from(i32::from(from) + by).ok();
            let to = Cell::new(at(cell.row, down)?, at(cell.col, right)?);
            board.is_open(to).then(|| number[&to])
        };
        steps.iter().filter_map(to).collect()
    };
    cells.iter().map(from).collect()
}

/// Returns all teams of officers, and for each the teams to which a turn leads.
fn teams(officers: usize, king: &[Vec<u32>]) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..officers {
        let longer = |team: &Vec<u32>| {
            let last = team.last().copied().unwrap_or(0);
            (last..king.len() as u32).map(|cell| [&team[..], &[cell]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let number: HashMap<&[u32], u32> = all.iter().map(|team| &team[..]).zip(0..).collect();
    let turns = |team: &Vec<u32>| {
        let mut moved: Vec<Vec<u32>> = vec![Vec::new()];
        for &officer in team {
            let each = |team: &Vec<u32>| {
                king[officer as usize].iter().map(|&to| [&team[..], &[to]].concat()).collect::<Vec<_>>()
            };
            moved = moved.iter().flat_map(each).collect();
        }
        let mut moved: Vec<u32> = moved
            .into_iter()
            .map(|mut team| {
                team.sort_unstable();
                number[&team[..]]
            })
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved
    };
    let turns = all.iter().map(turns).collect();
    (all, turns)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (path, officers) = (&arguments[1], arguments.get(2).map_or(1, |officers| officers.parse().unwrap()));
    let board = Scenario::parse(&std::fs::read(path).unwrap()).unwrap().board;
    let begin = Instant::now();
    let cells: Vec<Cell> = board.open_cells().collect();
    let around = [(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
    let (king, thief) = (steps(&board, &cells, &around), steps(&board, &cells, &around[..5]));
    let (teams, turns) = teams(officers, &king);
    let (n, half) = (cells.len(), teams.len() * cells.len());
    // Positions: side · teams · cells + team · cells + thief. Steps are the same both ways. 0 is undecided,
    // else 1 + 2 · dtw + won.
    let mut code = vec![0u16; 2 * half];
    let mut left = vec![0u16; 2 * half];
    let mut queue: Vec<u32> = Vec::new();
    for (team, officers) in teams.iter().enumerate() {
        for cell in 0..n {
            let at = team * n + cell;
            left[at] = turns[team].len() as u16;
            left[half + at] = thief[cell].len() as u16;
            let caught = officers.contains(&(cell as u32));
            if caught || board.square(cells[cell]) == Some(Square::Exit) {
                (code[at], code[half + at]) = if caught { (2, 1) } else { (1, 2) };
                queue.extend([at as u32, (half + at) as u32]);
            }
        }
    }
    let mut next = 0;
    while next < queue.len() {
        let at = queue[next] as usize;
        next += 1;
        let (dtw, won) = ((code[at] - 1) / 2, code[at].is_multiple_of(2));
        let mut tell = |before: usize| {
            if code[before] != 0 {
                return;
            }
            left[before] -= u16::from(won);
            if !won || left[before] == 0 {
                code[before] = 1 + 2 * (dtw + 1) + u16::from(!won);
                queue.push(before as u32);
            }
        };
        let (team, cell) = (at % half / n, at % n);
        if at < half {
            thief[cell].iter().for_each(|&from| tell(half + team * n + from as usize));
        } else {
            turns[team].iter().for_each(|&from| tell(from as usize * n + cell));
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let multiset = |team: &[u32]| {
        let choose = |n: u64, k: u64| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
        (1..).zip(team).map(|(j, &cell)| choose(u64::from(cell) + j - 1, j)).sum::<u64>()
    };
    let mut digest = 0u64;
    for (team, officers) in teams.iter().enumerate() {
        for cell in 0..n {
            let number = multiset(officers) * n as u64 + cell as u64;
            digest = digest.wrapping_add(digest_term(number, code[team * n + cell].into()));
        }
    }
    println!("{{\"solve_seconds\": {seconds}, \"digest\": \"{digest:016x}\"}}");
}
