//! Tables whose bytes come later than the questions.

use crate::support::positions;
use dragnet_formats::{board::make, codec::Favour};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{AnyTable, Cache, Open, Position, ProbeError, ReadAt, Rules, Side, Supply};
use std::{
    cell::RefCell,
    future::poll_fn,
    io::{self, Cursor},
    ops::Range,
    path::PathBuf,
    pin::pin,
    task::{Context, Poll, Waker},
};

fn golden(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../formats/tests/golden", name].iter().collect();
    std::fs::read(path).unwrap()
}

/// Returns the table of a random board of so many rows and columns.
fn made(size: usize, favour: Favour) -> Vec<u8> {
    let board = make::random(size, size, 0.2, 1).unwrap();
    let plan = Plan::new(board, Rules::classic(), Encoding { favour, level: 4 }).unwrap();
    let generator = Generator::new(2).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()
}

/// A store that takes its time for each request, and notes what was asked for.
struct SlowStore {
    bytes: Vec<u8>,
    asked: RefCell<Vec<Range<u64>>>,
}

impl SlowStore {
    fn new(bytes: Vec<u8>) -> SlowStore {
        SlowStore { bytes, asked: RefCell::default() }
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.asked.borrow_mut().push(range.clone());
        let mut polls = 0;
        poll_fn(|context| {
            polls += 1;
            context.waker().wake_by_ref();
            if polls > 3 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let part = self.bytes.get(range.start as usize..range.end as usize);
        Ok(part.ok_or(io::ErrorKind::UnexpectedEof)?.to_vec())
    }

    fn supply(&self) -> Supply {
        Supply::new(self.bytes.len() as u64)
    }

    fn bytes_asked(&self) -> u64 {
        self.asked.borrow().iter().map(|range| range.end - range.start).sum()
    }
}

#[test]
fn supplied_tables_give_the_answers_of_tables_in_memory() {
    let wholes =
        [golden("v2-team.dtb"), golden("v2-cops.dtb"), made(20, Favour::Speed), made(20, Favour::Size)];
    for (number, whole) in wholes.iter().enumerate() {
        let store = SlowStore::new(whole.clone());
        let expected = Open::bytes(whole.clone()).pursuit().unwrap();
        // With a cache and without one.
        for limit in [1 << 20, 0] {
            let supply = store.supply();
            pollster::block_on(async {
                let open = || Open::source(supply.clone()).cache(&Cache::new(limit)).pursuit();
                let table = supply.answer(|range| store.fetch(range), open).await.unwrap();
                let mut all = positions(table.board(), table.officers());
                // Far from each other, so that many blocks are asked for.
                let mut left = 0..all.len();
                all.retain(|_| left.next().is_some_and(|i| i % 61 == 0));
                for &at in &all {
                    let ask = || Ok((table.value(at)?, table.best_moves(at)?, table.line(at)?));
                    let answer = supply.answer(|range| store.fetch(range), ask).await.unwrap();
                    assert_eq!(answer.0, expected.value(at).unwrap(), "table {number}, {at}");
                    assert_eq!(answer.1, expected.best_moves(at).unwrap(), "table {number}, {at}");
                    assert_eq!(answer.2, expected.line(at).unwrap(), "table {number}, {at}");
                }
                let open = || Open::source(supply.clone()).pursuit();
                let fresh = supply.answer(|range| store.fetch(range), open).await.unwrap();
                let many = supply.answer(|range| store.fetch(range), || fresh.values(&all)).await.unwrap();
                assert_eq!(many, expected.values(&all).unwrap());
            });
        }
    }
    let store = SlowStore::new(golden("v2-graph.dtb"));
    let expected = Open::bytes(golden("v2-graph.dtb")).game().unwrap();
    let supply = store.supply();
    let open = || Open::source(supply.clone()).any();
    let opened = pollster::block_on(supply.answer(|range| store.fetch(range), open)).unwrap();
    let AnyTable::Game(table) = opened else { panic!("a game table") };
    for number in 0..expected.positions() {
        let value = supply.answer(|range| store.fetch(range), || table.value(number));
        assert_eq!(pollster::block_on(value).unwrap(), expected.value(number).unwrap());
    }
}

#[test]
fn first_value_of_a_large_table_fetches_few_bytes() {
    let bytes = made(90, Favour::Speed);
    assert!(bytes.len() > 10 << 20, "{} bytes", bytes.len());
    let store = SlowStore::new(bytes);
    let supply = store.supply();
    pollster::block_on(async {
        let open = || Open::source(supply.clone()).pursuit();
        let table = supply.answer(|range| store.fetch(range), open).await.unwrap();
        let cells: Vec<_> = table.board().open_cells().collect();
        let position = Position::new(cells[100], cells[cells.len() - 1], Side::Police);
        supply.answer(|range| store.fetch(range), || table.value(position)).await.unwrap();
        let (fetches, bytes) = (store.asked.borrow().len(), store.bytes_asked());
        println!("{fetches} fetches, {bytes} bytes");
        assert!(fetches <= 8 && bytes <= 64 << 10, "{fetches} fetches, {bytes} bytes");
        // What has been fetched is not fetched again.
        supply.answer(|range| store.fetch(range), || table.value(position)).await.unwrap();
        assert_eq!(store.bytes_asked(), bytes);
    });
}

#[test]
fn questions_that_wait_do_not_hold_each_other_up() {
    let whole = made(20, Favour::Speed);
    let store = SlowStore::new(whole.clone());
    let expected = Open::bytes(whole).pursuit().unwrap();
    let supply = store.supply();
    let open = || Open::source(supply.clone()).pursuit();
    let table = pollster::block_on(supply.answer(|range| store.fetch(range), open)).unwrap();
    let mut waiting = positions(table.board(), 1);
    waiting.retain(|&at| table.value(at).is_err_and(|error| error.wanted().is_some()));
    let (first, last) = (waiting[0], waiting[waiting.len() - 1]);
    let mut first_value = pin!(supply.answer(|range| store.fetch(range), || table.value(first)));
    let mut last_value = pin!(supply.answer(|range| store.fetch(range), || table.value(last)));
    let mut context = Context::from_waker(Waker::noop());
    // The first question is left waiting while the other one gets its answer.
    assert!(first_value.as_mut().poll(&mut context).is_pending());
    let answer = loop {
        if let Poll::Ready(answer) = last_value.as_mut().poll(&mut context) {
            break answer;
        }
    };
    assert_eq!(answer.unwrap(), expected.value(last).unwrap());
    assert_eq!(pollster::block_on(first_value).unwrap(), expected.value(first).unwrap());
}

#[test]
fn failed_and_short_fetches_are_errors_and_can_be_tried_again() {
    let whole = golden("v2-speed.dtb");
    let supply = Supply::new(whole.len() as u64);
    let open = || Open::source(supply.clone()).pursuit();
    let fails = |_| async { Err::<Vec<u8>, _>(io::Error::other("the line is down")) };
    let error = pollster::block_on(supply.answer(fails, open)).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the table: the line is down");
    let short = |range: Range<u64>| async move { Ok(vec![0; (range.end - range.start) as usize - 1]) };
    let error = pollster::block_on(supply.answer(short, open)).unwrap_err();
    assert!(matches!(&error, ProbeError::Source { source } if source.kind() == io::ErrorKind::UnexpectedEof));
    assert_eq!(error.wanted(), None);
    let store = SlowStore::new(whole);
    assert!(pollster::block_on(supply.answer(|range| store.fetch(range), open)).is_ok());
}

#[test]
fn oldest_pieces_make_room_for_new_ones() {
    let supply = Supply::new(1 << 30);
    let piece = vec![7; Supply::ROOM / 4];
    for number in 0..5 {
        supply.put(number * piece.len() as u64, piece.clone());
    }
    let mut byte = [0];
    let kind = supply.read_exact_at(0, &mut byte).unwrap_err().kind();
    assert_eq!(kind, io::ErrorKind::WouldBlock);
    for number in 1..5 {
        supply.read_exact_at(number * piece.len() as u64, &mut byte).unwrap();
    }
    // A piece that is larger than all the room is kept until the next one comes.
    supply.put(0, vec![8; Supply::ROOM + 1]);
    supply.read_exact_at(Supply::ROOM as u64, &mut byte).unwrap();
    assert_eq!(byte, [8]);
}
