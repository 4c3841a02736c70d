//! Tables that are read from sources of the program's own.

use crate::support::positions;
use dragnet_formats::{board::make, codec::Favour};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{AnyTable, Bytes, Cache, Open, Position, ProbeError, ReadAt, Rules, Section, Side};
use std::{
    fs::File,
    io::{self, Cursor, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

fn golden(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../formats/tests/golden", name].iter().collect()
}

/// Bytes in memory, of which every read is counted.
struct Counted {
    bytes: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl ReadAt for Counted {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let part = self.bytes.get(offset as usize..offset as usize + bytes.len());
        bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A source that can be read for a while.
struct Failing {
    bytes: Vec<u8>,
    left: AtomicU64,
}

impl ReadAt for Failing {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err() {
            return Err(io::Error::other("the disc was taken out"));
        }
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }
}

#[test]
fn every_source_gives_the_answers_of_the_file() {
    for name in ["v2-size.dtb", "v2-speed.dtb", "v2-team.dtb", "v2-cops.dtb"] {
        let whole = std::fs::read(golden(name)).unwrap();
        let expected = Open::path(golden(name)).pursuit().unwrap();
        let mut pack = tempfile::NamedTempFile::new().unwrap();
        pack.write_all(&[vec![1; 777], whole.clone(), vec![2; 99]].concat()).unwrap();
        let pack: Arc<File> = Arc::new(pack.reopen().unwrap());
        let section = || Section::new(Arc::clone(&pack), 777, whole.len() as u64);
        let shared: Arc<[u8]> = [&[1; 13], &whole[..]].concat().into();
        let read = Arc::new(AtomicU64::new(0));
        let tables = [
            Open::source(section()).pursuit().unwrap(),
            Open::source(section()).cache(&Cache::new(0)).pursuit().unwrap(),
            Open::source(Counted { bytes: whole.clone(), read }).pursuit().unwrap(),
            Open::bytes(Bytes::from_owner(shared).slice(13..)).pursuit().unwrap(),
        ];
        for at in positions(expected.board(), expected.officers()) {
            for table in &tables {
                assert_eq!(table.value(at).unwrap(), expected.value(at).unwrap(), "{name} {at}");
            }
        }
        let AnyTable::Pursuit(any) = Open::source(section()).any().unwrap() else {
            panic!("a pursuit table")
        };
        assert_eq!(any.header(), expected.header());
        assert_eq!(tables[0].check_sums(|_| ()).unwrap(), tables[3].check_sums(|_| ()).unwrap());
    }
    let whole = std::fs::read(golden("v2-graph.dtb")).unwrap();
    let expected = Open::path(golden("v2-graph.dtb")).game().unwrap();
    let read = Arc::new(AtomicU64::new(0));
    let counted = Open::source(Counted { bytes: whole.clone(), read }).game().unwrap();
    for number in 0..expected.positions() {
        let value = expected.value(number).unwrap();
        assert_eq!(counted.value(number).unwrap(), value);
    }
}

#[test]
fn first_value_of_a_large_table_reads_few_bytes() {
    let board = make::random(90, 90, 0.2, 1).unwrap();
    let plan = Plan::new(board, Rules::classic(), Encoding { favour: Favour::Speed, level: 4 }).unwrap();
    let generator = Generator::new(2).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    let bytes = blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner();
    assert!(bytes.len() > 10 << 20, "{} bytes", bytes.len());
    let read = Arc::new(AtomicU64::new(0));
    let table = Open::source(Counted { bytes, read: Arc::clone(&read) }).pursuit().unwrap();
    let cells: Vec<_> = table.board().open_cells().collect();
    table.value(Position::new(cells[100], cells[cells.len() - 1], Side::Police)).unwrap();
    let read = read.load(Ordering::Relaxed);
    assert!(read <= 64 << 10, "{read} bytes read");
}

#[test]
fn source_that_fails_is_an_error_with_its_message() {
    let bytes = std::fs::read(golden("v2-speed.dtb")).unwrap();
    let failing = |reads| Failing { bytes: bytes.clone(), left: AtomicU64::new(reads) };
    let error = Open::source(failing(0)).pursuit().unwrap_err();
    assert_eq!(error.to_string(), "cannot read the table: the disc was taken out");
    let table = (1..).find_map(|reads| Open::source(failing(reads)).pursuit().ok()).unwrap();
    let at = positions(table.board(), table.officers());
    let errors = at.iter().filter(|&&at| matches!(table.value(at), Err(ProbeError::Source { .. })));
    assert!(errors.count() > 10);
}

#[test]
fn section_beyond_its_source_is_no_table() {
    let file = || File::open(golden("v2-speed.dtb")).unwrap();
    let len = file().metadata().unwrap().len();
    for (offset, length) in [(0, len - 1), (1, len), (len, 5), (u64::MAX, u64::MAX), (0, 0)] {
        let error = Open::source(Section::new(file(), offset, length)).pursuit().unwrap_err();
        assert!(matches!(error, ProbeError::Table(_)), "{error:?}");
    }
}
