use super::*;
use crate::{
    checkpoint::{BlockFile, PacketHead, Preamble},
    solution::BlockSink,
    table::packets::Beyond,
};
use dragnet_formats::header::{GameHeader, GameNumbering, GameSummary};
use rayon::{ThreadPool, prelude::*};
use std::{
    fs,
    io::{self, Cursor},
    path::{Path, PathBuf},
};

/// Slots of a block.
const SLOTS: u64 = 64;
const KEY: u128 = 5 << 70;

/// Blocks some of which are constant and some equal to those of other bundles.
struct Fake(Vec<Vec<u64>>);

impl Fake {
    fn new() -> Fake {
        Fake(vec![vec![3, 0, 7, 10, 11], vec![], vec![4, 1, 2, 12], vec![9], vec![5, 6, 8]])
    }

    fn blocks(&self) -> u64 {
        self.0.iter().map(|bundle| bundle.len() as u64).sum()
    }

    fn raw(block: u64) -> RawBlock {
        let code = |slot: u64| match block % 6 {
            0 => 3,
            1 => slot % 2,
            2 => slot * slot % 17,
            _ => (slot * block + slot / 3) % (3 + block),
        };
        RawBlock::new(&(0..SLOTS).map(|slot| code(slot) as u32).collect::<Vec<_>>())
    }
}

impl BlockBundles for Fake {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn key(&self) -> u64 {
        0
    }

    fn len(&self, bundle: usize) -> u64 {
        self.0[bundle].len() as u64
    }

    fn block(&self, bundle: usize, before: u64) -> Option<u64> {
        self.0[bundle].get(before as usize).copied()
    }

    fn work(&self, _: usize) -> u64 {
        0
    }

    fn memory_needed(&self, _: usize) -> u64 {
        0
    }

    fn make(&self, bundle: usize, sink: BlockSink) -> Result<u64, SourceError> {
        self.0[bundle].iter().try_for_each(|&block| sink(block, Fake::raw(block)))?;
        Ok(1 << bundle)
    }
}

impl BlockSource<u64> for Fake {
    fn blocks(&self, sink: BlockSink) -> Result<u64, SourceError> {
        (0..self.count()).into_par_iter().map(|bundle| self.make(bundle, sink)).sum()
    }
}

/// An observer that stops when it has been asked so often, and remembers what it receives.
#[derive(Default)]
struct Watch {
    stop_after: Option<u64>,
    asked: AtomicU64,
    /// The first number of blocks that are reported as encoded, and how often it had been asked then.
    first: Mutex<Option<(u64, u64)>>,
    warnings: Mutex<Vec<String>>,
}

impl Observer for Watch {
    fn written(&self, blocks: u64) {
        lock(&self.first).get_or_insert((blocks, self.asked.load(Relaxed)));
    }

    fn warning(&self, warning: &Warning) {
        lock(&self.warnings).push(warning.to_string());
    }

    fn stop(&self) -> bool {
        let asked = self.asked.fetch_add(1, Relaxed);
        self.stop_after.is_some_and(|after| asked >= after)
    }
}

const ENCODING: Encoding = Encoding { favour: Favour::Size, level: 1 };

fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn written(blocks: &EncodedBlocks<u64>) -> Result<(Vec<u8>, Written), WriteError> {
    let numbering = GameNumbering::new(Fake::new().blocks() * SLOTS, SLOTS as u32).unwrap();
    let summary = GameSummary { drawn: numbering.positions(), ..GameSummary::default() };
    let header = GameHeader { name: "fake".to_owned(), key: 0, numbering, summary };
    let (output, written) = blocks.write(&header, Cursor::new(Vec::new()))?;
    assert_eq!(blocks.summary, 0b11111);
    assert_eq!(blocks.table_bytes(&header).unwrap(), written.bytes);
    Ok((output.into_inner(), written))
}

fn expected() -> (Vec<u8>, Written) {
    let source = Fake::new();
    written(&pool(1).install(|| encode(&source, &[], source.blocks(), ENCODING, &())).unwrap()).unwrap()
}

/// Encodes with a file and no memory, or with as much as need be.
fn encode_named(
    pool: &ThreadPool,
    path: &Path,
    memory: u64,
    watch: &Watch,
) -> Result<EncodedBlocks<u64>, EncodeError> {
    let (source, beyond) = (Fake::new(), Beyond::Named { path: path.to_owned(), key: KEY });
    let room = Room { memory, encoders: 2, beyond };
    pool.install(|| encode_bundles(room, &source, None, &[], source.blocks(), ENCODING, watch))
}

fn open(path: &Path, create: bool) -> io::Result<BlockFile> {
    BlockFile::open(path, Preamble::new::<PacketHead>(0, KEY), create)
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blocks");
    (folder, path)
}

#[test]
fn blocks_make_the_same_bytes_wherever_they_wait() {
    let expected = expected();
    assert!(expected.1.distinct < expected.1.blocks);
    for threads in [1, 2, 8] {
        let pool = pool(threads);
        for memory in [0, 500, u64::MAX] {
            let (folder, path) = folder();
            let blocks = encode_named(&pool, &path, memory, &Watch::default()).unwrap();
            assert_eq!(written(&blocks).unwrap(), expected);
            assert_eq!((path.exists(), blocks.file_bytes().is_some()), (memory < 600, memory < 600));
            assert_eq!(blocks.take_back(), memory < 600);
            assert_eq!(written(&blocks).unwrap(), expected);
            assert!(!path.exists() && !blocks.take_back());
            let source = Fake::new();
            let room = Room { memory, encoders: 2, beyond: Beyond::Unnamed(folder.path().to_owned()) };
            let encode = || encode_into(room, &source, &[], source.blocks(), ENCODING, &());
            let blocks = pool.install(encode).unwrap();
            assert_eq!(written(&blocks).unwrap(), expected);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_run_goes_on_where_another_one_was_stopped() {
    let (pool, source) = (pool(1), Fake::new());
    for stop_after in 0..source.blocks() {
        let (_folder, path) = folder();
        let watch = Watch { stop_after: Some(stop_after), ..Watch::default() };
        let stopped = encode_named(&pool, &path, 0, &watch);
        assert!(matches!(stopped, Err(EncodeError::Source(SourceError::Stopped))));
        // One thread makes bundle after bundle.
        let mut whole = 0;
        for len in source.0.iter().map(|bundle| bundle.len() as u64) {
            if whole + len > stop_after {
                break;
            }
            whole += len;
        }
        let watch = Watch::default();
        let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
        assert_eq!(written(&blocks).unwrap(), expected());
        // It is asked once for each packet and for each block that is encoded.
        let (restored, asked) = lock(&watch.first).unwrap();
        assert_eq!((restored, watch.asked.load(Relaxed) - asked), (whole, source.blocks() - whole));
        assert!(lock(&watch.warnings).is_empty());
    }
}

#[test]
fn damaged_files_cost_time_and_change_no_byte() {
    let (pool, expected, (_folder, path)) = (pool(2), expected(), folder());
    let whole = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
    drop(whole);
    let bytes = fs::read(&path).unwrap();
    let check = |damaged: &[u8], what: &str| {
        fs::write(&path, damaged).unwrap();
        let blocks = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
        assert_eq!(written(&blocks).unwrap(), expected, "{what}");
        drop(blocks);
        // What was missing has been put there.
        let watch = Watch::default();
        encode_named(&pool, &path, 0, &watch).unwrap();
        assert_eq!(lock(&watch.first).unwrap().0, Fake::new().blocks(), "{what}");
    };
    check(&bytes, "whole");
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        check(&damaged, &format!("byte {at}"));
        check(&bytes[..at], &format!("cut at {at}"));
    }
    check(&[&bytes[..], b"more"].concat(), "longer");
    check(b"a diary", "another file");
    // Behind a packet that is damaged come those of a second run, and what is whole counts.
    let again = [&bytes[..], &bytes[Preamble::BYTES..]].concat();
    for at in (0..again.len()).step_by(7) {
        let mut damaged = again.clone();
        damaged[at] ^= 4;
        check(&damaged, &format!("byte {at} of two runs"));
    }
}

#[test]
fn blocks_of_another_table_are_not_taken() {
    let (pool, (_folder, path)) = (pool(2), folder());
    let other = Fake(vec![(0..Fake::new().blocks()).rev().collect()]);
    let room = Room { memory: 0, encoders: 2, beyond: Beyond::Named { path: path.clone(), key: KEY ^ 1 } };
    pool.install(|| encode_bundles(room, &other, None, &[], other.blocks(), ENCODING, &())).unwrap();
    let watch = Watch::default();
    let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
    assert_eq!(watch.asked.into_inner(), other.blocks());
    assert_eq!(written(&blocks).unwrap(), expected());
}

#[test]
fn a_file_that_is_damaged_while_it_is_used_is_an_error_and_not_another_table() {
    let (pool, expected, (_folder, path)) = (pool(1), expected(), folder());
    let blocks = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).unwrap();
        match written(&blocks) {
            Ok(made) => assert_eq!(made, expected, "byte {at}"),
            Err(error) => {
                assert!(error.to_string().contains("is damaged"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > bytes.len() / 4, "{refused} of {}", bytes.len());
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(written(&blocks).is_err() && !blocks.take_back());
}

#[test]
fn a_file_that_another_run_has_or_that_cannot_be_written_costs_no_table() {
    let (pool, expected, (folder, path)) = (pool(2), expected(), folder());
    drop(encode_named(&pool, &path, 0, &Watch::default()).unwrap());
    let other = open(&path, false).unwrap();
    let before = fs::read(&path).unwrap();
    let watch = Watch::default();
    let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
    assert_eq!(written(&blocks).unwrap(), expected);
    assert!(blocks.file_bytes().is_some() && fs::read(&path).unwrap() == before);
    assert!(lock(&watch.warnings).is_empty());
    drop(other);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let unnamed = Beyond::Unnamed(folder.path().join("none"));
    for beyond in [Beyond::Named { path: path.clone(), key: KEY }, unnamed] {
        let (watch, source) = (Watch::default(), Fake::new());
        let room = Room { memory: 0, encoders: 2, beyond };
        let blocks =
            pool.install(|| encode_bundles(room, &source, None, &[], source.blocks(), ENCODING, &watch));
        let blocks = blocks.unwrap();
        assert_eq!(written(&blocks).unwrap(), expected);
        let warnings = lock(&watch.warnings);
        assert!(warnings.len() == 1 && warnings[0].contains("stay in memory"), "{warnings:?}");
        assert!(blocks.file_bytes().is_none());
    }
}

/// An observer that opens the file, as another run does, when there has been nothing to restore.
struct AnotherRun(PathBuf, Mutex<Option<BlockFile>>, Watch);

impl Observer for AnotherRun {
    fn written(&self, _: u64) {
        lock(&self.1).get_or_insert_with(|| open(&self.0, true).unwrap());
    }

    fn warning(&self, warning: &Warning) {
        self.2.warning(warning);
    }
}

#[test]
fn blocks_wait_in_a_file_without_a_name_if_another_run_has_created_theirs_meanwhile() {
    let (pool, expected, (_folder, path)) = (pool(2), expected(), folder());
    let another = AnotherRun(path.clone(), Mutex::default(), Watch::default());
    let (source, beyond) = (Fake::new(), Beyond::Named { path, key: KEY });
    let room = Room { memory: 0, encoders: 2, beyond };
    let encode = || encode_bundles(room, &source, None, &[], source.blocks(), ENCODING, &another);
    let blocks = pool.install(encode).unwrap();
    assert_eq!(written(&blocks).unwrap(), expected);
    assert!(blocks.file_bytes().is_some());
    let warnings = lock(&another.2.warnings);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn a_source_that_does_not_pass_each_block_once_is_refused() {
    for (bundles, blocks, wrong) in [(vec![vec![0, 1, 1]], 3, 1), (vec![vec![0], vec![2]], 3, 1)] {
        let source = Fake(bundles);
        let refused = |result: Result<EncodedBlocks<u64>, EncodeError>| match result {
            Err(EncodeError::Blocks { blocks: 3, found }) => found == wrong,
            _ => false,
        };
        assert!(refused(encode(&source, &[], blocks, ENCODING, &())));
        assert!(refused(encode_bundles(Room::IN_MEMORY, &source, None, &[], blocks, ENCODING, &())));
    }
}
