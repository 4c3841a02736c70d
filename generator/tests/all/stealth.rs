//! Ways past guards, against the tables of the same levels.

use dragnet_formats::{
    board::{Board, Scenario, Square},
    cell::{Cell, Side},
    guards::Guard,
    pieces::Pieces,
    rules::{Lines, Rules, Sight},
    setting::Setting,
    stop::StopCheck,
    value::{Outcome, Value},
};
use dragnet_generator::{
    Generator, Plan,
    encode::Encoding,
    stealth::{Aim, Way, way},
};
use proptest::prelude::*;

/// A level with guards who walk in rows, or stand where there is no way.
fn level() -> impl Strategy<Value = Setting> {
    let cell = || (0..4u16, 0..6u16);
    let guard = (cell(), 0..6u16, any::<bool>(), 0..3u8, 1..5u16, any::<bool>());
    (prop::collection::vec(0..4u8, 24), cell(), cell(), prop::collection::vec(guard, 1..3)).prop_map(
        |(squares, exit, start, guards)| {
            let at = |(row, col): (u16, u16)| Cell::new(row, col);
            let squares = squares.iter().map(|&kind| if kind == 0 { Square::Wall } else { Square::Open });
            let mut squares: Vec<Square> = squares.collect();
            let index = |(row, col): (u16, u16)| usize::from(row) * 6 + usize::from(col);
            squares[index(start)] = Square::Open;
            squares[index(exit)] = Square::Exit;
            let board = Board::new(4, 6, squares).unwrap();
            let sight = |radius, is_cone: bool| Sight {
                sight: radius,
                angle: is_cone.then_some(90),
                lines: Lines::Shadows,
                doors: true,
            };
            let scenario = Scenario { board, police: Vec::new(), thief: Some(at(start)) };
            let setting = Setting::new(scenario, Rules { officers: 0, ..Rules::classic() });
            guards.into_iter().fold(setting, |setting, (from, col, back, pause, radius, is_cone)| {
                let round = vec![at(from), at((from.0, col))];
                let walks = Guard {
                    round,
                    back,
                    pause,
                    sight: Some(sight(radius, is_cone)),
                    ..Guard::standing(at(from))
                };
                let with = |guard: Guard| {
                    let guards = setting.guards.list().iter().cloned().chain([guard]).collect();
                    setting.clone().with_guards(guards)
                };
                with(walks).or_else(|_| with(Guard::standing(at(from)))).unwrap_or_else(|_| setting.clone())
            })
        },
    )
}

/// Returns whether the moments of a way are linked by moves, and begin and end as they should.
fn is_way(setting: &Setting, way: &Way) -> bool {
    let linked =
        way.moments.windows(2).zip([Side::Thief, Side::Police].into_iter().cycle()).all(|(two, mover)| {
            let [from, to] = [two[0].thief, two[1].thief];
            let apart = from.row.abs_diff(to.row) + from.col.abs_diff(to.col);
            let next = setting.worlds().after(two[0].world, mover, to, from == to);
            next == two[1].world && apart <= u16::from(mover == Side::Thief) && setting.board.is_open(to)
        });
    let ends = way.moments.last().is_some_and(|last| setting.board.is_exit(last.thief));
    linked && ends && Some(way.moments[0].thief) == setting.thief && way.moments[0].world == 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The thief gets through unseen where the table says that he wins, in as many plies.
    #[test]
    fn unseen_ways_are_those_of_tables(setting in level()) {
        let find = |first, aim| way(&setting, first, aim, &mut StopCheck::never()).unwrap();
        let (unseen, quick) = (find(Side::Thief, Aim::Unseen), find(Side::Thief, Aim::Quick));
        if let (Some(unseen), Some(quick)) = (&unseen, &quick) {
            prop_assert!(is_way(&setting, unseen) && is_way(&setting, quick));
            prop_assert!(quick.plies() <= unseen.plies() && unseen.seen() <= quick.seen());
        }
        prop_assert_eq!(unseen.is_some(), quick.is_some());

        let plan = Plan::of_setting(setting.clone(), Encoding::default()).unwrap();
        let solution = Generator::new(1).unwrap().solve(&plan, &()).unwrap();
        let (guards, thief) = setting.starts();
        let value = solution.value(0, &Pieces::new(&guards).unwrap(), thief.unwrap());
        let plies = find(Side::Police, Aim::Unseen).filter(|way| way.seen() == 0).map(|way| way.plies());
        let expected = value.filter(|value| value.outcome(Side::Police) == Outcome::Thief);
        prop_assert_eq!(plies, expected.and_then(Value::dtw));
    }
}
