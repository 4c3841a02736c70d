//! The memory that tables take: the budget of a cache, and questions that allocate nothing.

#![allow(clippy::unwrap_used)]

use dragnet_formats::{board::make, codec::Favour, rules::Rules};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{
    Cache, Cell, Open, Pieces, Position, Side, Table,
    opponent::{Opponent, Replier, Strength, Style},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell as Counter,
    io::Cursor,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

/// The system's allocator, with a count of the bytes that the process holds, and of the allocations of each
/// thread.
struct Counting;

static HELD: AtomicI64 = AtomicI64::new(0);

thread_local! {
    static ALLOCATIONS: Counter<u64> = const { Counter::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size() as i64, Ordering::Relaxed);
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(address, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Held by the test that counts.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Returns the table of a random board.
fn table(size: usize, seed: u64, officers: u8, favour: Favour) -> Vec<u8> {
    let board = make::random(size, size, 0.2, seed).unwrap();
    let rules = Rules { officers, ..Rules::classic() };
    let plan = Plan::new(board, rules, Encoding { favour, level: 4 }).unwrap();
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()
}

/// Returns positions spread over a table.
fn some_positions(table: &Table, count: u64) -> Vec<Position> {
    let cells: Vec<Cell> = table.board().open_cells().collect();
    let draw = |i: u64| cells[(dragnet_formats::digest::splitmix64(i) % cells.len() as u64) as usize];
    let officers = u64::from(table.officers());
    (0..count)
        .map(|i| {
            let team: Vec<Cell> = (0..officers).map(|officer| draw(i * 8 + officer)).collect();
            let turn = if i % 2 == 0 { Side::Police } else { Side::Thief };
            Position::new(Pieces::new(&team).unwrap(), draw(i * 8 + 7), turn)
        })
        .collect()
}

#[test]
fn a_hundred_tables_stay_within_one_budget() {
    const TABLES: u64 = 100;
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let path = |i: u64| folder.path().join(format!("{i}.dtb"));
    let mut whole = 0;
    for i in 0..TABLES {
        let bytes = table(20, i, 1, if i % 3 == 0 { Favour::Speed } else { Favour::Size });
        whole += bytes.len();
        std::fs::write(path(i), bytes).unwrap();
    }
    let limit = 1 << 20;
    assert!(whole > limit as usize, "{whole}");
    let cache = Cache::new(limit);
    let before = HELD.load(Ordering::Relaxed);
    let tables: Vec<Table> =
        (0..TABLES).map(|i| Open::path(path(i)).cache(&cache).pursuit().unwrap()).collect();
    let room = tables.iter().map(Table::memory).sum::<u64>();
    for round in 0..3 {
        for table in &tables {
            for position in some_positions(table, 400) {
                table.value(position).unwrap();
            }
        }
        let held = HELD.load(Ordering::Relaxed) - before;
        let most = (limit + limit / 10 + room) as i64;
        assert!(held <= most, "round {round}: {held} bytes, at most {most}");
    }
    let now = cache.statistics();
    assert_eq!((now.limit, now.tables), (limit, TABLES));
    assert!(now.reserved <= limit && now.bytes <= now.reserved && now.bytes > limit / 2, "{now:?}");
    assert!(now.misses > 100 && now.hits > now.misses, "{now:?}");
    drop(tables);
    let now = cache.statistics();
    assert_eq!((now.reserved, now.bytes, now.tables), (0, 0, 0), "{now:?}");
    let left = HELD.load(Ordering::Relaxed) - before;
    assert!(left < 200_000, "{left} bytes after all tables are closed");
}

#[test]
fn copies_of_a_block_are_read_once() {
    let _turn = turn();
    let board = make::open(40, 40).unwrap();
    let plan = Plan::new(board, Rules::classic(), Encoding { favour: Favour::Size, level: 4 }).unwrap();
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    let bytes = blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner();
    let cache = Cache::new(64 << 20);
    let table = Open::bytes(bytes).cache(&cache).pursuit().unwrap();
    let statistics = table.check_sums(|_| ()).unwrap();
    assert!(statistics.shared > statistics.blocks / 4, "{statistics:?}");
    for position in some_positions(&table, 200_000) {
        table.value(position).unwrap();
    }
    let misses = cache.statistics().misses;
    assert!(misses <= statistics.zstd, "{misses} blocks decompressed, {statistics:?}");
}

#[test]
fn questions_allocate_nothing_once_their_blocks_are_kept() {
    let _turn = turn();
    for (officers, favour) in [(1, Favour::Speed), (1, Favour::Size), (2, Favour::Size), (3, Favour::Speed)] {
        let size = if officers == 1 { 20 } else { 6 };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.dtb");
        std::fs::write(&path, table(size, 1, officers, favour)).unwrap();
        let cache = Cache::new(64 << 20);
        let table = Open::path(&path).cache(&cache).pursuit().unwrap();
        let positions = some_positions(&table, 2000);
        let mut moves = Vec::new();
        let mut ask = || {
            for &position in &positions {
                table.value(position).unwrap();
                table.best_move(position).unwrap();
                table.best_moves_into(position, &mut moves).unwrap();
                assert!(table.moves(position).unwrap().all(|choice| choice.is_ok()));
            }
        };
        ask();
        assert_eq!(allocations(ask), 0, "{officers} officers, {favour:?}");
    }
}

#[test]
fn opponents_allocate_nothing_once_they_are_warm() {
    let _turn = turn();
    let replier = Replier::Erring(Strength::EASY);
    for (officers, strength, style) in [
        (1, Strength::EASY, Style::Longest),
        (1, Strength { horizon: 0, reaction: 3, ..Strength::HARD }, Style::Trickiest(Replier::Uniform)),
        (2, Strength::PERFECT, Style::Trickiest(replier)),
        (3, Strength { reaction: 8, ..Strength::NORMAL }, Style::Trickiest(replier)),
    ] {
        let size = if officers == 1 { 20 } else { 6 };
        let table = Open::bytes(table(size, 1, officers, Favour::Size)).pursuit().unwrap();
        let positions = some_positions(&table, 500);
        let mut opponent = Opponent::new(strength, style, 1).unwrap();
        let mut play = || {
            opponent.restart(1);
            for &position in &positions {
                opponent.choose(&table, position).unwrap();
            }
        };
        play();
        assert_eq!(allocations(play), 0, "{officers} officers, {strength:?}");
    }
}

#[test]
fn limit_holds_for_tables_that_are_opened_afterwards() {
    let _turn = turn();
    let bytes = table(16, 1, 1, Favour::Size);
    let cache = Cache::new(1 << 20);
    let first = Open::bytes(bytes.clone()).cache(&cache).pursuit().unwrap();
    cache.set_limit(0);
    let second = Open::bytes(bytes).cache(&cache).pursuit().unwrap();
    let positions = some_positions(&first, 500);
    let all = |table: &Table| assert!(positions.iter().all(|&position| table.value(position).is_ok()));
    all(&first);
    let kept = cache.statistics();
    assert!(kept.bytes > 0 && kept.limit == 0, "{kept:?}");
    all(&first);
    assert_eq!(cache.statistics().misses, kept.misses);
    all(&second);
    assert_eq!(cache.statistics().bytes, kept.bytes);
    assert!(cache.statistics().misses > kept.misses + 400, "nothing is kept");
}
