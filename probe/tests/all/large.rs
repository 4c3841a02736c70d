//! A made-up table of the largest open board, 1024×1024: 2^41 positions, and blocks up to the last byte that
//! an index entry can point to. Only the few bytes that are read exist.

use dragnet_formats::{
    board::make,
    checksum::Seed,
    codec::{Codec, Encoded, Encoder, Favour, RawBlock},
    container::{
        Preamble,
        index::{Extent, IndexEntry, page_to_bytes},
        layout::{Layout, MAX_DATA_LEN, PAGE_ENTRIES, PAGE_LEN},
    },
    game::PursuitGame,
    header::tile_sizes,
    stop::StopCheck,
    stored::StoredGame,
    value::Value,
};
use dragnet_probe::{Cell, Open, Position, ReadAt, Rules, Side};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

/// Bytes of which most are 0: pieces by their places.
struct Sparse {
    len: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl ReadAt for Sparse {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset + bytes.len() as u64;
        if end > self.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.fill(0);
        for (&start, piece) in self.pieces.range(..end) {
            let (from, to) = (start.max(offset), (start + piece.len() as u64).min(end));
            if from < to {
                bytes[(from - offset) as usize..(to - offset) as usize]
                    .copy_from_slice(&piece[(from - start) as usize..(to - start) as usize]);
            }
        }
        Ok(())
    }
}

#[test]
fn positions_and_offsets_beyond_40_bits_are_read() {
    let board = make::open(1024, 1024).unwrap();
    let rules = Rules::classic();
    let tiles = tile_sizes(1024, 1, Favour::Size);
    let game = PursuitGame::compile(&board, &rules, &mut StopCheck::never()).unwrap();
    let packed = StoredGame::new(game).pack(tiles).unwrap();
    let header = packed.header.clone();
    assert_eq!(header.positions(), 1 << 41);
    let bytes = header.to_bytes().unwrap();
    let seed = Seed::of_header(&bytes);
    let blocks = header.block_count();
    let layout = Layout::new(bytes.len() as u32, blocks);

    // The last block of all, at the end of all that an entry can point to: its first slot is a win.
    let slots = (tiles[0].squares() * tiles[1].squares()) as usize;
    let mut codes = vec![Value::Loss(2000).code(); slots];
    codes[0] = Value::Win(2045).code();
    let Encoded::Packed(body) = Encoder::for_speed().encode(&RawBlock::new(&codes)) else {
        panic!("a block of two values is packed");
    };
    let len = 4 + body.len() as u64;
    let offset = MAX_DATA_LEN - len;
    let last = IndexEntry::Extent(Extent { codec: Codec::Packed, offset, len });
    let checksum = seed.checksum(&[&offset.to_le_bytes(), &body]);
    // The first block of all is constant; those of the sections begin the data.
    let positions = header.numbering().positions().block_count();
    let mut entries =
        BTreeMap::from([(0, IndexEntry::Constant(Value::Win(7).code())), (positions - 1, last)]);
    let mut pieces = BTreeMap::from([
        (0, [&Preamble::to_bytes(&bytes, MAX_DATA_LEN)[..], &bytes].concat()),
        (layout.data + offset, [&checksum.to_le_bytes()[..], &body].concat()),
    ]);
    let mut at = 0;
    for (block, section) in (positions..).zip(packed.blocks()) {
        let body = match Encoder::for_speed().encode(&section) {
            Encoded::Constant(code) => {
                entries.insert(block, IndexEntry::Constant(code));
                continue;
            }
            Encoded::Packed(body) => body,
            Encoded::Zstd(_) => panic!("blocks for speed are packed"),
        };
        let len = 4 + body.len() as u64;
        entries.insert(block, IndexEntry::Extent(Extent { codec: Codec::Packed, offset: at, len }));
        let checksum = seed.checksum(&[&at.to_le_bytes(), &body]);
        pieces.insert(layout.data + at, [&checksum.to_le_bytes()[..], &body].concat());
        at += len;
    }
    let pages: BTreeSet<u64> = entries.keys().map(|block| block / PAGE_ENTRIES).collect();
    for page in pages {
        let first = page * PAGE_ENTRIES;
        let count = PAGE_ENTRIES.min(blocks - first);
        let entry = |block| entries.get(&block).map_or(0, |entry: &IndexEntry| entry.to_bits());
        let entries: Vec<u64> = (first..first + count).map(entry).collect();
        pieces.insert(layout.index + page * PAGE_LEN as u64, page_to_bytes(seed, page, &entries).to_vec());
    }
    let table = Open::source(Sparse { len: layout.data + MAX_DATA_LEN, pieces }).pursuit().unwrap();
    assert_eq!(table.header().positions(), 1 << 41);

    let value = |police: (u16, u16), thief: (u16, u16)| {
        let cell = |(row, col)| Cell::new(row, col);
        table.value(Position::new(cell(police), cell(thief), Side::Police))
    };
    assert_eq!(value((0, 0), (0, 1)).unwrap(), Value::Win(7));
    // The corners of the last tiles of both sides: the first slot, and others.
    assert_eq!(value((1008, 1008), (1016, 1016)).unwrap(), Value::Win(2045));
    assert_eq!(value((1023, 1022), (1023, 1023)).unwrap(), Value::Loss(2000));
    // A page that is not there is an error, not a value.
    assert!(value((512, 512), (3, 3)).is_err());
}
