//! A made-up table of the largest open board, 1024×1024: 2^41 positions, and blocks up to the last byte that
//! an index entry can point to. Only the few bytes that are read exist.

use dragnet_formats::{
    board::make,
    checksum::Seed,
    codec::{Codec, Encoded, Encoder, Favour, RawBlock},
    container::{
        Preamble,
        index::{Extent, IndexEntry, page_to_bytes},
        layout::{Layout, MAX_DATA_LEN, PAGE_ENTRIES, PAGE_LEN, VERSION},
    },
    header::{Header, Summary, tile_sizes},
    value::Value,
};
use dragnet_probe::{Cell, Position, ReadAt, Rules, Side, Table};
use std::{collections::BTreeMap, io};

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
    let (police_tile, thief_tile) = tile_sizes(&board, 1, Favour::Size);
    let side = Header::positions_of(&board, &rules).unwrap();
    let header = Header { board, rules, police_tile, thief_tile, summary: Summary::of_draws(side) };
    assert_eq!(header.positions(), 1 << 41);
    let bytes = header.to_bytes().unwrap();
    let seed = Seed::of_header(&bytes);
    let blocks = header.block_count();
    let layout = Layout::new(bytes.len() as u32, blocks);

    // The last block of all, at the end of all that an entry can point to: its first slot is a win.
    let slots = (police_tile.squares() * thief_tile.squares()) as usize;
    let mut codes = vec![Value::Loss(2000).code(); slots];
    codes[0] = Value::Win(2045).code();
    let Encoded::Packed(body) = Encoder::for_speed().encode(&RawBlock::new(&codes)) else {
        panic!("a block of two values is packed");
    };
    let len = 4 + body.len() as u64;
    let offset = MAX_DATA_LEN - len;
    let last = IndexEntry::Extent(Extent { codec: Codec::Packed, offset, len });
    let checksum = seed.checksum(&[&offset.to_le_bytes(), &body]);
    // The first block of all is constant.
    let page_of = |block: u64, entry: IndexEntry| {
        let page = block / PAGE_ENTRIES;
        let count = PAGE_ENTRIES.min(blocks - page * PAGE_ENTRIES) as usize;
        let mut entries = vec![0; count];
        entries[(block % PAGE_ENTRIES) as usize] = entry.to_bits();
        (layout.index + page * PAGE_LEN as u64, page_to_bytes(seed, page, &entries).to_vec())
    };
    let pieces = BTreeMap::from([
        (0, [&Preamble::to_bytes(VERSION, &bytes, MAX_DATA_LEN)[..], &bytes].concat()),
        page_of(0, IndexEntry::Constant(Value::Win(7).code())),
        page_of(blocks - 1, last),
        (layout.data + offset, [&checksum.to_le_bytes()[..], &body].concat()),
    ]);
    let table = Table::from_source(Sparse { len: layout.data + MAX_DATA_LEN, pieces }).unwrap();
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
