//! The engine with many slices, which unit tests cut from small boards, held against `counters`.

#[path = "../../../tests/all/support/given.rs"]
mod given;
#[path = "../../../tests/all/support/random.rs"]
mod random;

use super::{
    board::{Grid, Overlays},
    memory, solve, solve_with,
};
use crate::{
    checkpoint::Checkpoints,
    engines::{
        counters::{self, Tuning},
        labelled::LabelledPursuit,
    },
    games::pursuit::Pursuit,
    ranks::{InProcess, Transport},
    solution::Solution,
    stop::StopRequest,
};
use dragnet_formats::{
    board::make,
    game::{PursuitGame, Stuck, Team},
    numbering::TileSize,
    rules::Rules,
    stop::StopCheck,
};
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Duration;

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Random rules on boards on which so many officers make a few thousand teams at most, some with a schedule,
/// and given games of several worlds, from each of which the officers' moves lead to one, with one kind of
/// officers or several.
fn pursuit() -> impl Strategy<Value = PursuitGame> {
    let on_board = (random::rules(), 1u8..4, 2usize..24, 2usize..24, 0.0..0.6f64, any::<u64>())
        .prop_filter_map("rules that can be played", |(rules, officers, height, width, walls, seed)| {
            let most = [[24, 8, 4], [12, 5, 3]][seed as usize % 2][usize::from(officers) - 1];
            let board = make::random(height.min(most), width.min(most), walls, seed).unwrap();
            let rules = Rules { officers, ..rules };
            rules.check_on(&board).ok()?;
            PursuitGame::of_setting(&random::on_schedule(board, rules, seed), &mut StopCheck::never()).ok()
        });
    let kinds = prop::sample::select(vec![&[1][..], &[2], &[3], &[1, 1], &[2, 1], &[1, 1, 1]]);
    let given = (any::<u64>(), 1u32..5, kinds, any::<bool>(), any::<bool>()).prop_filter_map(
        "a game that leads from each world to one",
        |(seed, worlds, kinds, all, wins)| {
            let team = if all { Team::All } else { Team::One };
            let stuck = if wins { Stuck::Wins } else { Stuck::Loses };
            let (game, ..) = given::random_game(seed, worlds, kinds, team, stuck);
            (0..worlds).all(|world| game.world_after(world).is_ok()).then_some(game)
        },
    );
    prop_oneof![3 => on_board, 1 => given]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn slices_change_no_value(given in pursuit(), rows in 1u8..5, cols in 1u8..5) {
        let tile = TileSize::new(rows, cols).unwrap();
        let game = || Pursuit::new(given.clone(), tile, tile, &mut StopCheck::never());
        prop_assume!(game().is_ok());
        let labels = counters::solve(&game().unwrap(), &pool(1), Tuning::default(), &()).unwrap();
        let expected = LabelledPursuit::new(game().unwrap(), labels).summary();
        for threads in [1, 3] {
            let solution = solve(game().unwrap(), &pool(threads), &()).unwrap();
            prop_assert_eq!(pool(threads).install(|| solution.summary()), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// All slices take turns if no words may stay in memory, and some have theirs together if a few may.
    #[test]
    fn sets_that_leave_memory_change_no_value(
        given in pursuit(), rows in 1u8..5, cols in 1u8..5,
        memory in prop::sample::select(vec![0, 16 << 10]),
    ) {
        let tile = TileSize::new(rows, cols).unwrap();
        let game = || Pursuit::new(given.clone(), tile, tile, &mut StopCheck::never());
        prop_assume!(game().is_ok());
        let expected = pool(1).install(|| solve(game().unwrap(), &pool(1), &()).unwrap().summary());
        let folder = tempfile::tempdir().unwrap();
        for threads in [1, 3] {
            let hour = Duration::from_secs(3600).into();
            let mut checkpoints = Checkpoints::new(&folder.path().join("a.dtb"), None, 0, hour, false);
            checkpoints.limit_memory(memory + memory::fixed(&game().unwrap(), threads as u64));
            let solution = solve_with(game().unwrap(), &pool(threads), None, Some(&checkpoints), &()).unwrap();
            prop_assert_eq!(pool(threads).install(|| solution.summary()), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn ranks_change_no_value(given in pursuit(), rows in 1u8..5, cols in 1u8..5, ranks in 1usize..8) {
        let tile = TileSize::new(rows, cols).unwrap();
        let game = || Pursuit::new(given.clone(), tile, tile, &mut StopCheck::never());
        prop_assume!(game().is_ok());
        let alone = solve(game().unwrap(), &pool(1), &()).unwrap();
        let expected = pool(1).install(|| alone.summary());
        let first = std::thread::scope(|scope| {
            let ranks: Vec<_> = InProcess::connect(ranks)
                .into_iter()
                .map(|transport| {
                    let game = game().unwrap();
                    scope.spawn(move || {
                        let threads = 1 + transport.rank() % 2;
                        solve_with(game, &pool(threads), Some(&transport), None, &()).unwrap()
                    })
                })
                .collect();
            ranks.into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>().swap_remove(0)
        });
        prop_assert_eq!(pool(2).install(|| first.summary()), expected);
    }
}

#[test]
fn boards_with_few_overlays_are_cut_into_slices() {
    let slices = |side, officers| {
        let board = make::open(side, side).unwrap();
        let tile = TileSize::new(4, 4).unwrap();
        let game =
            Pursuit::compile(&board, &Rules { officers, ..Rules::classic() }, tile, tile, &()).unwrap();
        let grid =
            Grid::new(&game, &Overlays::new(&board.places(), officers, 1), |_| true, StopRequest::never())
                .unwrap();
        let lengths: Vec<usize> = (0..grid.cut.count()).map(|range| grid.cut.tiles(range).len()).collect();
        assert_eq!(lengths.iter().sum::<usize>(), grid.tile_count());
        assert!(lengths.iter().all(|&length| length > 0));
        lengths.len()
    };
    assert!(slices(24, 1) >= 4 && slices(12, 2) >= 8 && slices(4, 3) >= 2);
}
