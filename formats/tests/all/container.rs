//! The container: tables are read as they were written, golden files are read for ever, and damage is found.

use crate::support::{Forge, Random, code_of, header_of, sample, write};
use dragnet_formats::{
    board::{Board, Square, text},
    cell::{Cell, Side},
    codec::{ANY_CODE, Codec, Encoder, Favour, RawBlock},
    container::{BlockStatistics, Reader, TableError, WriteError, Writer, index::IndexEntry},
    digest::digest_term,
    game::PursuitGame,
    graph::GraphBuilder,
    header::{Counts, Header, Longest, Summary},
    numbering::TileSize,
    pieces::Pieces,
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
    stop::StopCheck,
    value::Value,
};
use proptest::prelude::*;
use std::{
    collections::{HashMap, HashSet},
    io::Cursor,
};

fn codes(file: &[u8]) -> Result<Vec<Vec<u32>>, TableError> {
    crate::support::codes::<Header>(file)
}

fn check_all(file: &[u8]) -> Result<BlockStatistics, TableError> {
    Reader::open(file)?.check_all(|_| {})
}

// Golden files. They are never made again: if one of these tests fails, the reader is wrong.

struct Golden {
    file: &'static [u8],
    /// The dump that `dump.py` makes of the file, by `FORMAT.md` alone.
    dump: &'static str,
    board: Board,
    rules: Rules,
    tiles: [TileSize; 2],
    summary: Summary,
    statistics: BlockStatistics,
}

impl Golden {
    fn header(&self) -> Header {
        header_of(self.board.clone(), self.rules.clone(), self.tiles, self.summary)
    }
}

fn golden() -> [Golden; 4] {
    let board = |lines: &str| text::parse(lines.as_bytes()).unwrap().board;
    let tile = |side| TileSize::new(side, side).unwrap();
    let size = Golden {
        file: include_bytes!("../golden/v2-size.dtb"),
        dump: include_str!("../golden/v2-size.txt"),
        board: board("..#...##..##....#.\n.....#.#.E....#.#.\n"),
        rules: Rules::classic(),
        tiles: [tile(16), tile(8)],
        summary: Summary {
            police_to_move: Counts { police: 240, thief: 223, draw: 213 },
            thief_to_move: Counts { police: 221, thief: 242, draw: 213 },
            longest: Longest { police: 14, thief: 16 },
            digest: 2_268_390_537_186_148_555,
        },
        statistics: BlockStatistics {
            blocks: 10,
            constant: 3,
            shared: 0,
            packed: 3,
            packed_bytes: 115,
            zstd: 4,
            zstd_bytes: 426,
        },
    };
    let speed = Golden {
        file: include_bytes!("../golden/v2-speed.dtb"),
        dump: include_str!("../golden/v2-speed.txt"),
        board: board("....#\n.##.E\n.#...\n...#.\n"),
        rules: Rules {
            police: Movement::new(MoveSet::Offsets(vec![(0, 1), (1, 0), (1, 1), (-1, 0)])).without_pass(),
            thief: Movement::new(MoveSet::King).without_pass(),
            corner_cutting: false,
            wrap: Wrap::Horizontal,
            stuck: Stuck::Wins,
            ..Rules::classic()
        },
        tiles: [tile(8), tile(8)],
        summary: Summary {
            police_to_move: Counts { police: 46, thief: 179, draw: 0 },
            thief_to_move: Counts { police: 16, thief: 209, draw: 0 },
            longest: Longest { police: 3, thief: 20 },
            digest: 3_635_035_786_454_229_977,
        },
        statistics: BlockStatistics { blocks: 5, packed: 5, packed_bytes: 573, ..Default::default() },
    };
    [size, speed, golden_team(), golden_graph()]
}

/// Returns the golden table of two sliding officers, of whom one moves in a turn, and a thief of two steps.
fn golden_team() -> Golden {
    Golden {
        file: include_bytes!("../golden/v2-team.dtb"),
        dump: include_str!("../golden/v2-team.txt"),
        board: text::parse(b"....#....\n.#...#.E.\n").unwrap().board,
        rules: Rules {
            officers: 2,
            police: Movement { reach: 2, ..Movement::new(MoveSet::Diagonal) },
            thief: Movement { steps: 2, ..Movement::new(MoveSet::Orthogonal) }.without_pass(),
            corner_cutting: false,
            wrap: Wrap::Horizontal,
            team: Team::One,
            police_on_exit: PoliceOnExit::Barred,
            undecided: Undecided::Police,
            ..Rules::classic()
        },
        tiles: [TileSize::new(4, 4).unwrap(), TileSize::new(8, 8).unwrap()],
        summary: Summary {
            police_to_move: Counts { police: 432, thief: 1141, draw: 227 },
            thief_to_move: Counts { police: 246, thief: 1297, draw: 257 },
            longest: Longest { police: 8, thief: 10 },
            digest: 4_127_964_265_843_290_580,
        },
        statistics: BlockStatistics {
            blocks: 16,
            constant: 1,
            packed: 15,
            packed_bytes: 1431,
            ..Default::default()
        },
    }
}

/// Returns the golden table of two cops on a directed graph, who also win on the exit.
fn golden_graph() -> Golden {
    let mut edges = GraphBuilder::new();
    let targets: [&[u64]; 11] =
        [&[9], &[8, 10], &[4], &[9], &[2], &[10], &[2], &[], &[7], &[0, 3, 5], &[1, 5]];
    for (from, targets) in (0..).zip(targets) {
        targets.iter().for_each(|&to| edges.add(from, to).unwrap());
    }
    let cops = Rules::cops();
    Golden {
        file: include_bytes!("../golden/v2-cops.dtb"),
        dump: include_str!("../golden/v2-cops.txt"),
        board: Board::of_graph(&edges.build()).unwrap().with_exits(&[Cell::new(0, 6)]).unwrap(),
        rules: Rules {
            officers: 2,
            police: cops.police.clone().without_pass(),
            thief: Movement { steps: 2, ..cops.thief.clone() },
            police_on_exit: PoliceOnExit::Wins,
            undecided: Undecided::Thief,
            ..cops
        },
        tiles: [TileSize::new(1, 16).unwrap(), TileSize::new(1, 64).unwrap()],
        summary: Summary {
            police_to_move: Counts { police: 435, thief: 189, draw: 102 },
            thief_to_move: Counts { police: 430, thief: 194, draw: 102 },
            longest: Longest { police: 12, thief: 3 },
            digest: 1_872_739_217_515_511_963,
        },
        statistics: BlockStatistics {
            blocks: 6,
            shared: 1,
            packed: 3,
            packed_bytes: 144,
            zstd: 2,
            zstd_bytes: 389,
            ..Default::default()
        },
    }
}

#[test]
fn golden_files_keep_their_headers_and_values() {
    for golden in golden() {
        let reader = Reader::open(golden.file).unwrap();
        assert_eq!(*reader.header(), golden.header());
        assert_eq!(reader.check_all(|_| {}), Ok(golden.statistics));
        let (board, rules) = (&golden.board, &golden.rules);
        let cells: Vec<Cell> = board.open_cells().collect();
        let ends = PursuitGame::compile(board, rules, &mut StopCheck::never()).unwrap().ends;
        let (mut digest, mut number) = (0u64, 0);
        let mut counts = Counts::default();
        for police in golden.header().team_numbers().teams(&cells) {
            let row = golden.dump.lines().find_map(|line| line.strip_prefix(&format!("police-{police}:")));
            let row: Vec<u32> = row.unwrap().split_whitespace().map(code_of).collect();
            assert_eq!(row.len(), cells.len());
            let numbers: Vec<u32> =
                police.iter().map(|cell| cells.binary_search(cell).unwrap() as u32).collect();
            let terminals = ends.of_team(0, &numbers);
            for ((thief_number, &thief), expected) in cells.iter().enumerate().zip(row) {
                let code = match terminals.winner(thief_number as u32) {
                    Some(winner) => Value::terminal(winner, Side::Police).code(),
                    None => {
                        let at = reader.numbering().positions().locate(0, police, thief).unwrap();
                        reader.block(at.block).unwrap().code(at.slot).unwrap()
                    }
                };
                assert_eq!(code, expected, "police {police}, thief {thief}");
                digest = digest.wrapping_add(digest_term(number, code));
                counts.add(Value::from_code(code).unwrap().outcome(Side::Police), 1);
                number += 1;
            }
        }
        assert_eq!(digest, golden.summary.digest);
        assert_eq!(counts, golden.summary.police_to_move);
    }
}

#[test]
fn golden_files_hold_known_values() {
    let [size, speed, team, graph] = golden();
    let value = |file: &'static [u8], police: Pieces, thief| {
        let reader = Reader::open(file).unwrap();
        let at = reader.numbering().positions().locate(0, police, thief).unwrap();
        Value::from_code(reader.block(at.block).unwrap().code(at.slot).unwrap()).unwrap()
    };
    let cell = Cell::new;
    let one = |row, col| Pieces::one(cell(row, col));
    assert_eq!(value(size.file, one(0, 0), cell(0, 1)), Value::Win(1));
    assert_eq!(value(size.file, one(0, 17), cell(1, 17)), Value::Win(1), "alone in the last column");
    assert_eq!(value(size.file, one(0, 17), cell(0, 0)), Value::Draw, "walls between them");
    assert_eq!(value(speed.file, one(1, 3), cell(2, 2)), Value::Loss(20));
    assert_eq!(value(speed.file, one(3, 4), cell(2, 4)), Value::Win(1));
    assert_eq!(value(speed.file, one(1, 3), cell(3, 4)), Value::Win(3));
    let two = |a, b| Pieces::new(&[a, b]).unwrap();
    let slide = value(team.file, two(cell(0, 0), cell(0, 6)), cell(1, 8));
    assert_eq!(slide, Value::Win(1), "diagonally over the joined edge");
    let dead_end = value(graph.file, two(cell(0, 7), cell(0, 8)), cell(0, 9));
    assert_eq!(dead_end, Value::Loss(0), "one officer must move and cannot");
}

#[test]
fn golden_files_are_written_again_byte_by_byte() {
    for golden in golden() {
        let reader = Reader::open(golden.file).unwrap();
        let mut writer = Writer::new(Cursor::new(Vec::new()), reader.header()).unwrap();
        let forge = Forge::of(golden.file);
        let mut bodies = forge.bodies.iter();
        let mut written = HashSet::new();
        for block in 0..reader.numbering().block_count() {
            let entry = reader.entry(block).unwrap();
            let encoded = match entry {
                IndexEntry::Constant(code) => dragnet_formats::codec::Encoded::Constant(code),
                IndexEntry::Extent(_) if written.contains(&entry.to_bits()) => {
                    writer.push_entry(entry);
                    continue;
                }
                IndexEntry::Extent(extent) => {
                    let body = bodies.next().unwrap().clone();
                    match extent.codec {
                        Codec::Packed => dragnet_formats::codec::Encoded::Packed(body),
                        Codec::Zstd => dragnet_formats::codec::Encoded::Zstd(body),
                    }
                }
            };
            writer.push(&encoded).unwrap();
            written.insert(entry.to_bits());
        }
        assert_eq!(writer.finish().unwrap().0.into_inner(), golden.file);
        assert_eq!(forge.bytes(), golden.file);
    }
}

// Round trips.

fn shape() -> impl Strategy<Value = Header> {
    let tile = || (1u8..=4, 1u8..=4);
    (1usize..8, 1usize..12, tile(), tile())
        .prop_flat_map(|(height, width, police, thief)| {
            let square =
                prop_oneof![5 => Just(Square::Open), 2 => Just(Square::Wall), 1 => Just(Square::Exit)];
            (prop::collection::vec(square, height * width), Just((height, width, police, thief)))
        })
        .prop_map(|(mut squares, (height, width, police, thief))| {
            squares[0] = Square::Open;
            crate::support::header(Board::new(height, width, squares).unwrap(), police, thief)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_are_read_as_they_were_written(
        header in shape(),
        seed in any::<u64>(),
        span in prop::sample::select(vec![1usize, 2, 5, 300, 1 << 20]),
        size in any::<bool>(),
    ) {
        let favour = if size { Favour::Size } else { Favour::Speed };
        let code = |block: u64, slot: u32| {
            let mut random = Random(seed ^ block << 32 ^ u64::from(slot));
            match random.below(8) {
                0 => ANY_CODE,
                1..4 => 2,
                _ => random.below(span) as u32,
            }
        };
        let file = write(&header, favour, code);
        prop_assert_eq!(&Forge::with_codes(&header, favour, code).bytes(), &file);
        let reader = Reader::open(&file[..]).unwrap();
        prop_assert_eq!(reader.header(), &header);
        let statistics = reader.check_all(|_| {}).unwrap();
        prop_assert_eq!(statistics.blocks, header.numbering().block_count());
        prop_assert!(size || statistics.zstd == 0);
        for (block, codes) in (0..).zip(codes(&file).unwrap()) {
            for (slot, found) in (0..).zip(codes) {
                let expected = code(block, slot);
                prop_assert!(expected == ANY_CODE || found == expected, "block {} slot {}", block, slot);
            }
        }
    }
}

#[test]
fn shared_extents_are_counted_and_read() {
    let forge = sample(Favour::Speed);
    let reader_bytes = forge.bytes();
    let header = Reader::open(&reader_bytes[..]).unwrap().header().clone();
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let mut encoder = Encoder::new(Favour::Speed, 1);
    let numbering = header.numbering();
    let mut known = HashMap::new();
    for block in 0..numbering.block_count() {
        let codes: Vec<u32> = (0..numbering.slots(block)).map(|slot| slot % 7).collect();
        match known.get(&codes) {
            Some(&entry) => writer.push_entry(entry),
            None => {
                let entry = writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
                known.insert(codes, entry);
            }
        }
    }
    let file = writer.finish().unwrap().0.into_inner();
    let statistics = check_all(&file).unwrap();
    assert_eq!((statistics.packed, statistics.shared), (known.len() as u64, 18 - known.len() as u64));
    for codes in codes(&file).unwrap() {
        assert!(codes.iter().zip(0..).all(|(&code, slot)| code == slot % 7));
    }
}

#[test]
fn writer_refuses_missing_blocks_and_impossible_headers() {
    let header = crate::support::header(crate::support::board("...\n"), (1, 2), (1, 2));
    for pushed in [0, 3, 5] {
        let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
        (0..pushed).for_each(|_| writer.push_entry(IndexEntry::Constant(0)));
        assert!(matches!(
            writer.finish(),
            Err(WriteError::BlockCount { expected: 4, found }) if found == pushed
        ));
    }
    let mut bad = header.clone();
    bad.summary.police_to_move.draw += 1;
    assert!(matches!(Writer::new(Cursor::new(Vec::new()), &bad), Err(WriteError::Header(_))));
    let mut bad = header;
    bad.kinds[0].pieces = 2;
    assert!(matches!(Writer::new(Cursor::new(Vec::new()), &bad), Err(WriteError::Header(_))));
}

// Damage.

#[test]
fn altered_tables_are_refused_or_mean_the_same() {
    for favour in [Favour::Speed, Favour::Size] {
        let file = sample(favour).bytes();
        let mut other = Reader::open(&file[..]).unwrap().header().clone();
        other.summary.digest += 1;
        let donor = write(&other, favour, |block, slot| (block as u32 * 7 + slot) % 11);
        crate::support::mutations_are_found::<Header>(&file, &donor);
    }
}

#[test]
fn pages_and_blocks_of_another_table_are_refused() {
    // The same board, tiles and lengths everywhere, but other values and so another digest.
    let header = crate::support::header(
        crate::support::board("............\n......#.....\n............\n"),
        (2, 4),
        (1, 1),
    );
    let other = Header { summary: Summary { digest: 1, ..header.summary }, ..header.clone() };
    let code = |shift: u32| move |block: u64, slot: u32| (block as u32 + slot + shift) % 5 + 1;
    let (one, two) = (write(&header, Favour::Speed, code(0)), write(&other, Favour::Speed, code(1)));
    assert_eq!(one.len(), two.len());
    let layout_index = 512;
    let forge = Forge::of(&one);
    let pages = forge.entries.len().div_ceil(63);
    assert!(pages > 2);
    let data = layout_index + 512 * pages;
    assert_eq!(data + forge.data_end() as usize, one.len());
    let mut parts: Vec<std::ops::Range<usize>> =
        (0..pages).map(|page| layout_index + 512 * page..layout_index + 512 * (page + 1)).collect();
    let mut at = data;
    for body in &forge.bodies {
        parts.push(at..at + 4 + body.len());
        at += 4 + body.len();
    }
    for part in &parts {
        let mut spliced = one.clone();
        spliced[part.clone()].copy_from_slice(&two[part.clone()]);
        assert!(
            matches!(check_all(&spliced), Err(TableError::IndexChecksum { .. } | TableError::Block { .. })),
            "{part:?}"
        );
    }
    // The whole index, all blocks, the header: none of them fits the rest of another table.
    for part in [0..layout_index, layout_index..data, data..one.len(), 0..data, layout_index..one.len()] {
        let mut spliced = one.clone();
        spliced[part.clone()].copy_from_slice(&two[part.clone()]);
        assert!(check_all(&spliced).is_err(), "{part:?}");
    }
    // A block of the table in the place of another with its length.
    let mut copied = 0;
    for a in &parts[pages..] {
        for b in parts[pages..].iter().filter(|&b| b != a && b.len() == a.len()) {
            let mut spliced = one.clone();
            spliced.copy_within(a.clone(), b.start);
            assert!(matches!(check_all(&spliced), Err(TableError::Block { .. })), "{a:?} over {b:?}");
            copied += 1;
        }
    }
    assert!(copied > 0);
    // Pages of the table in each other's places.
    for pair in [0..1, 1..2].map(|places: std::ops::Range<usize>| (places.start, places.end)) {
        let (a, b) = (parts[pair.0].clone(), parts[pair.1].clone());
        let mut spliced = one.clone();
        spliced[a.clone()].copy_from_slice(&one[b.clone()]);
        spliced[b].copy_from_slice(&one[a]);
        assert!(matches!(check_all(&spliced), Err(TableError::IndexChecksum { .. })));
    }
}
