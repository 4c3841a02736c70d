//! Game tables: they are read as they were written, the golden one for ever, damage is found, and a hostile
//! header gets the error that names its fault.

use crate::support::{Forge, Random, code_of, write};
use dragnet_formats::{
    codec::{Encoded, Favour},
    container::{
        BlockNumbering, BlockStatistics, Reader, TableError, TableHeader, TableKind, WriteError, Writer,
        index::IndexEntry,
    },
    header::{GameHeader, GameHeaderError, GameNumbering, GameSummary, Header},
    value::Value,
};
use proptest::prelude::*;
use std::io::Cursor;

fn open(file: &[u8]) -> Result<Reader<&[u8], GameHeader>, TableError> {
    Reader::open_as(file)
}

/// Returns the header of a table with these codes, one after the other.
fn header(slots: u32, codes: &[u32]) -> GameHeader {
    let mut summary = GameSummary::default();
    for (number, &code) in (0..).zip(codes) {
        summary.add(number, Value::from_code(code).unwrap());
    }
    let numbering = GameNumbering::new(codes.len() as u64, slots).unwrap();
    GameHeader { name: "a game of the tests".to_owned(), key: 3, numbering, summary }
}

/// Returns the table with these codes.
fn table(slots: u32, favour: Favour, codes: &[u32]) -> Vec<u8> {
    let code = |block: u64, slot: u32| codes[(block * u64::from(slots) + u64::from(slot)) as usize];
    write(&header(slots, codes), favour, code)
}

/// Returns codes of which some blocks have one, some few and some many.
fn sample(seed: u64, positions: usize) -> Vec<u32> {
    let mut random = Random(seed);
    (0..positions)
        .map(|number| match number / 50 % 4 {
            0 => 7,
            1 => random.below(5) as u32,
            2 => random.below(3) as u32 * 100_000,
            _ => (number % 9) as u32,
        })
        .collect()
}

/// The golden file is never made again: if this test fails, the reader is wrong.
#[test]
fn golden_file_keeps_its_header_and_values() {
    let file = include_bytes!("../golden/v2-graph.dtb");
    // The dump that `dump.py` makes of the file, by `FORMAT.md` alone.
    let dump = include_str!("../golden/v2-graph.txt");
    let reader = open(file).unwrap();
    let expected = GameHeader {
        name: GameHeader::GRAPH.to_owned(),
        key: 9_166_146_416_312_328_315,
        numbering: GameNumbering::new(131, 32).unwrap(),
        summary: GameSummary {
            won: 53,
            lost: 74,
            drawn: 4,
            longest_win: 31,
            longest_loss: 30,
            digest: 17_335_173_774_021_974_046,
        },
    };
    assert_eq!(*reader.header(), expected);
    let statistics = BlockStatistics {
        blocks: 5,
        constant: 2,
        shared: 1,
        packed: 1,
        packed_bytes: 51,
        zstd: 1,
        zstd_bytes: 55,
    };
    assert_eq!(reader.check_all(|_| {}), Ok(statistics));
    let rows = dump.lines().filter_map(|line| line.strip_prefix("positions from ")?.split_once(':'));
    let codes: Vec<u32> = rows.flat_map(|(_, row)| row.split_whitespace().map(code_of)).collect();
    assert_eq!(codes.len(), 131);
    for (number, &code) in (0..).zip(&codes) {
        let at = reader.numbering().locate(number).unwrap();
        assert_eq!(reader.block(at.block).unwrap().code(at.slot), Ok(code), "position {number}");
    }
    assert_eq!(header(32, &codes).summary, expected.summary);
    assert_eq!(Forge::of_kind::<GameHeader>(file).bytes(), file);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &expected).unwrap();
    let forge = Forge::of_kind::<GameHeader>(file);
    writer.push(&Encoded::Zstd(forge.bodies[0].clone())).unwrap();
    writer.push(&Encoded::Packed(forge.bodies[1].clone())).unwrap();
    for block in 2..5 {
        writer.push_entry(reader.entry(block).unwrap());
    }
    assert_eq!(writer.finish().unwrap().0.into_inner(), file);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn game_tables_are_read_as_they_were_written(
        seed in any::<u64>(), positions in 1usize..700, slots in 1u32..200, size in any::<bool>(),
    ) {
        let favour = if size { Favour::Size } else { Favour::Speed };
        let codes = sample(seed, positions);
        let file = table(slots, favour, &codes);
        let reader = open(&file).unwrap();
        prop_assert_eq!(reader.header(), &header(slots, &codes));
        let statistics = reader.check_all(|_| {}).unwrap();
        prop_assert_eq!(statistics.blocks, reader.header().block_count());
        let read: Vec<u32> = crate::support::codes::<GameHeader>(&file).unwrap().concat();
        prop_assert_eq!(&read, &codes);
        for (number, &code) in (0..).zip(&codes) {
            let at = reader.numbering().locate(number).unwrap();
            prop_assert_eq!(at.slots, reader.numbering().slots(at.block));
            prop_assert_eq!(reader.block(at.block).unwrap().code(at.slot), Ok(code));
            if let Some(found) = reader.code_in_place(at).unwrap() {
                prop_assert_eq!(found, code);
            }
        }
    }
}

#[test]
fn altered_game_tables_are_refused_or_mean_the_same() {
    for favour in [Favour::Speed, Favour::Size] {
        let file = table(40, favour, &sample(1, 700));
        let donor = table(40, favour, &sample(2, 700));
        crate::support::mutations_are_found::<GameHeader>(&file, &donor);
    }
}

#[test]
fn table_of_the_other_kind_is_refused() {
    let pursuit = crate::support::sample(Favour::Speed).bytes();
    let game = table(40, Favour::Speed, &sample(1, 300));
    let kinds = (TableKind::Game, TableKind::Pursuit);
    let error = open(&pursuit).unwrap_err();
    assert_eq!(error, TableError::Kind { expected: kinds.0, found: kinds.1 });
    assert!(error.to_string().ends_with("found a pursuit table: open it as a pursuit table"), "{error}");
    let error = Reader::open(&game[..]).unwrap_err();
    assert_eq!(error, TableError::Kind { expected: kinds.1, found: kinds.0 });
    assert!(error.to_string().ends_with("open it as a game table"), "{error}");
    // A number that no game has is refused.
    let mut forge = Forge::of_kind::<GameHeader>(&game);
    forge.header[0] = 9;
    assert!(matches!(open(&forge.bytes()), Err(TableError::Table { found: 9 })));
    assert!(matches!(Reader::open(&forge.bytes()[..]), Err(TableError::Table { found: 9 })));
    forge.header.truncate(3);
    assert!(open(&forge.bytes()).is_err());
    assert!(Header::read(&[]).is_err() && GameHeader::read(&[]).is_err());
}

#[test]
fn hostile_headers_take_no_memory_and_have_their_own_error() {
    use GameHeaderError as H;
    let good = Forge::of_kind::<GameHeader>(&table(4, Favour::Speed, &sample(1, 90)));
    let name = 19;
    let altered = |at: usize, by: &[u8]| {
        let mut forge = good.clone();
        forge.header[at..at + by.len()].copy_from_slice(by);
        open(&forge.bytes()).map(|_| ()).unwrap_err()
    };
    let positions = 12 + name + 8;
    let slots = positions + 8;
    assert_eq!(good.header.len(), slots + 4 + 3 * 8 + 2 * 4 + 8);
    for len in [20u64, 1 << 20, u64::MAX] {
        let error = altered(4, &len.to_le_bytes());
        assert!(matches!(error, TableError::GameHeader(H::Fields { .. } | H::Counts { .. })), "{error:?}");
    }
    assert_eq!(altered(12, b"\n"), TableError::GameHeader(H::NameCharacter { found: 10 }));
    assert_eq!(altered(positions, &[0]), TableError::GameHeader(H::NoPosition));
    assert_eq!(altered(slots, &[0]), TableError::GameHeader(H::Slots { found: 0 }));
    assert_eq!(altered(slots, &[255; 4]), TableError::GameHeader(H::Slots { found: u32::MAX }));
    assert!(matches!(altered(positions, &[255; 8]), TableError::GameHeader(H::Blocks { .. })));
    assert!(matches!(
        altered(positions, &[91]),
        TableError::GameHeader(H::Counts { expected: 91, found: 90 })
    ));
    // Positions for which counts and limits are right, and which the file does not have.
    let mut forge = good.clone();
    let many = 1u64 << 42;
    forge.header[positions..slots].copy_from_slice(&many.to_le_bytes());
    forge.header[slots + 4..slots + 28].fill(0);
    forge.header[slots + 4..slots + 12].copy_from_slice(&many.to_le_bytes());
    assert!(matches!(open(&forge.bytes()), Err(TableError::Truncated { .. })));
    // Other blocks, for which there are too few or too many bytes.
    assert!(matches!(altered(slots, &[1]), TableError::Truncated { .. } | TableError::Trailing { .. }));
    let mut forge = good;
    forge.header[slots] = 5;
    assert!(open(&forge.bytes()).and_then(|reader| reader.check_all(|_| {})).is_err());
}

#[test]
fn writer_refuses_wrong_headers_and_missing_blocks() {
    let mut wrong = header(4, &sample(1, 90));
    wrong.summary.won += 1;
    let new = |header: &GameHeader| Writer::new(Cursor::new(Vec::new()), header);
    assert!(matches!(new(&wrong), Err(WriteError::GameHeader(GameHeaderError::Counts { .. }))));
    let mut writer = new(&header(4, &sample(1, 90))).unwrap();
    writer.push_entry(IndexEntry::Constant(0));
    assert!(matches!(writer.finish(), Err(WriteError::BlockCount { expected: 23, found: 1 })));
}
