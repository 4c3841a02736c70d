//! Several ranks make the bytes of one process, whatever stops them and whoever goes on.

use crate::support::{board, on_schedule, rules};
use dragnet_formats::{
    board::{Scenario, make},
    rules::Rules,
    setting::Setting,
};
use dragnet_generator::{
    GenerateError, Generator, Observer, Plan, SolveError,
    encode::Encoding,
    ranks::{InProcess, Transport, TransportError},
};
use proptest::prelude::*;
use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// An observer that stops at a level, and remembers from which level the solve has gone on.
#[derive(Default)]
struct Watch {
    stop_at: Option<u32>,
    level: AtomicU32,
    resumed: Mutex<Option<u32>>,
    sent: AtomicU64,
}

impl Observer for Watch {
    fn level(&self, level: u32, _: u64) {
        self.level.store(level, Relaxed);
    }

    fn resumed(&self, level: u32, _: u64) {
        *self.resumed.lock().unwrap() = Some(level);
    }

    fn exchanged(&self, bytes: u64) {
        self.sent.fetch_add(bytes, Relaxed);
    }

    fn stop(&self) -> bool {
        self.stop_at.is_some_and(|level| self.level.load(Relaxed) >= level)
    }
}

/// Makes the table of `plan` with so many ranks; 0 stands for a plain generator. `stopper` is the rank whose
/// observer is `watch`, beside that of rank 0.
fn generate(
    plan: &Plan,
    path: &Path,
    ranks: usize,
    stopper: usize,
    watch: &Watch,
) -> Result<(), GenerateError> {
    let generator =
        |threads| Generator::new(threads).unwrap().without_sync().with_checkpoints(Duration::ZERO);
    if ranks == 0 {
        return generator(2).generate(plan, path, watch).map(drop);
    }
    let mut transports = InProcess::connect(ranks).into_iter().map(Arc::new);
    let first = generator(2).with_ranks(transports.next().unwrap());
    thread::scope(|scope| {
        for transport in transports {
            let observes = transport.rank() == stopper;
            let generator = generator(1).with_ranks(transport);
            scope.spawn(move || generator.help(if observes { watch } else { &() }).unwrap());
        }
        let observes = stopper == 0 || stopper >= ranks;
        let done = first.generate(plan, path, if observes { watch } else { &() as &dyn Observer }).map(drop);
        first.dismiss_ranks().unwrap();
        done
    })
}

fn plan(setting: Setting) -> Option<Plan> {
    Plan::of_setting(setting, Encoding::default()).ok()
}

/// Boards on which so many officers make a few thousand teams at most, some with doors on a schedule.
fn games() -> impl Strategy<Value = Setting> {
    let teams = (2u8..4, 3usize..10, 3usize..10, 0.0..0.5f64, any::<u64>()).prop_map(
        |(officers, height, width, walls, seed)| {
            let most = if officers == 2 { 9 } else { 5 };
            (make::random(height.min(most), width.min(most), walls, seed).unwrap(), officers)
        },
    );
    let large = (20usize..44, 20usize..44, 0.0..0.5f64, any::<u64>())
        .prop_map(|(height, width, walls, seed)| (make::random(height, width, walls, seed).unwrap(), 1));
    let game = prop_oneof![1 => board().prop_map(|board| (board, 1)), 2 => large, 1 => teams];
    (game, rules(), any::<u64>())
        .prop_map(|((board, officers), rules, lot)| on_schedule(board, Rules { officers, ..rules }, lot))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ranks_make_the_bytes_of_one_process(setting in games()) {
        let Some(plan) = plan(setting) else { return Ok(()) };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        generate(&plan, &path, 0, 0, &Watch::default()).unwrap();
        let expected = fs::read(&path).unwrap();
        for ranks in [1, 2, 3, 4, 7] {
            fs::remove_file(&path).unwrap();
            generate(&plan, &path, ranks, 0, &Watch::default()).unwrap();
            prop_assert!(fs::read(&path).unwrap() == expected, "{ranks} ranks");
        }
    }

    /// Whichever rank is to stop, all stop, and any number of ranks goes on, or a plain generator.
    #[test]
    fn stopped_solves_go_on_with_other_numbers_of_ranks(
        setting in games(), stops in prop::collection::vec((0usize..6, 0usize..6, 1u32..30), 1..4),
        last in 0usize..6,
    ) {
        let Some(plan) = plan(setting) else { return Ok(()) };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dtb");
        generate(&plan, &path, 0, 0, &Watch::default()).unwrap();
        let expected = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let mut reached = 0;
        for (ranks, stopper, level) in stops {
            let watch = Watch { stop_at: Some(level.max(reached + 1)), ..Watch::default() };
            match generate(&plan, &path, ranks, stopper, &watch) {
                Ok(()) => break,
                Err(error) => prop_assert!(matches!(error, GenerateError::Stopped), "{error}"),
            }
            let resumed = *watch.resumed.lock().unwrap();
            prop_assert!(reached == 0 || resumed == Some(reached), "{resumed:?}, not {reached}");
            reached = dragnet_generator::checkpoints_of(&path)[0].level.unwrap();
        }
        if !path.exists() {
            generate(&plan, &path, last, 0, &Watch::default()).unwrap();
        }
        prop_assert!(fs::read(&path).unwrap() == expected);
        prop_assert!(dragnet_generator::checkpoints_of(&path).is_empty());
    }
}

/// A rank that ends without a word ends the others with an error, and a plain generator goes on.
#[test]
fn a_lost_rank_ends_the_solve() {
    #[derive(Debug)]
    struct Mortal {
        inner: Mutex<Option<InProcess>>,
        calls: AtomicU32,
    }

    impl Mortal {
        fn call<T>(
            &self,
            call: impl FnOnce(&InProcess) -> Result<T, TransportError>,
        ) -> Result<T, TransportError> {
            let mut inner = self.inner.lock().unwrap();
            if self.calls.fetch_sub(1, Relaxed) == 1 {
                inner.take();
            }
            inner.as_ref().map_or(Err(TransportError::Lost { rank: 1 }), call)
        }
    }

    impl Transport for Mortal {
        fn rank(&self) -> usize {
            1
        }

        fn ranks(&self) -> usize {
            2
        }

        fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, TransportError> {
            self.call(|inner| inner.exchange(messages))
        }

        fn sum(&self, numbers: &mut [u64]) -> Result<(), TransportError> {
            self.call(|inner| inner.sum(numbers))
        }
    }

    let board = Scenario::from_board(make::random(40, 40, 0.2, 7).unwrap());
    let plan = plan(Setting::new(board, Rules::classic())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dtb");
    let generator = || Generator::new(1).unwrap().without_sync().with_checkpoints(Duration::ZERO);
    generator().generate(&plan, &path, &()).unwrap();
    let expected = fs::read(&path).unwrap();
    for calls in [1, 2, 3, 8, 25, 60] {
        fs::remove_file(&path).unwrap();
        let mut ranks = InProcess::connect(2).into_iter();
        let first = generator().with_ranks(Arc::new(ranks.next().unwrap()));
        let second = Mortal { inner: Mutex::new(ranks.next()), calls: calls.into() };
        thread::scope(|scope| {
            let second = generator().with_ranks(Arc::new(second));
            let second = scope.spawn(move || second.help(&()));
            let lost = first.generate(&plan, &path, &()).unwrap_err();
            let is_lost =
                matches!(&lost, GenerateError::Solve(SolveError::Ranks(TransportError::Lost { rank: 1 })));
            assert!(is_lost, "{lost}");
            second.join().unwrap().unwrap_err();
        });
        assert!(!path.exists());
        generator().generate(&plan, &path, &()).unwrap();
        assert!(fs::read(&path).unwrap() == expected);
    }
}

/// The messages stay small, also where each overlay's neighbours belong to other ranks.
#[test]
fn ranks_send_few_bytes_for_each_decided_position() {
    for (board, most) in [(make::open(64, 64).unwrap(), 0.15), (make::random(64, 64, 0.2, 3).unwrap(), 0.25)]
    {
        let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
        let plan = plan(Setting::new(Scenario::from_board(board), Rules::classic())).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let watch = Watch::default();
        generate(&plan, &folder.path().join("a.dtb"), 4, 0, &watch).unwrap();
        let (sent, positions) = (watch.sent.into_inner() as f64, plan.positions() as f64 / 2.0);
        assert!(sent > 0.0 && sent / positions < most, "{} bytes a position", sent / positions);
    }
}
