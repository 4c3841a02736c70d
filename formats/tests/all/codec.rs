//! Block codecs: codes are decoded as they were encoded, and no body makes a reader panic.

use dragnet_formats::codec::{
    ANY_CODE, Block, BlockError, Encoded, Encoder, Favour, RawBlock,
    packed::{self, Packed},
    zstd::{Compressed, Decompressed},
};
use proptest::prelude::*;

/// Returns the plain contents of a zstd block, as `FORMAT.md` §6 words them.
fn plain(block: &RawBlock) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut number = |mut n: u32| {
        while n >= 128 {
            bytes.push(n as u8 | 128);
            n >>= 7;
        }
        bytes.push(n as u8);
    };
    number(block.palette().len() as u32);
    let mut last = 0;
    for &code in block.palette() {
        number(code - last);
        last = code;
    }
    bytes.extend(block.indices().map(|index| index as u8));
    if block.palette().len() > 256 {
        bytes.extend(block.indices().map(|index| (index >> 8) as u8));
    }
    bytes
}

/// Returns the codes of a block, and checks that single slots and the whole block agree.
fn read(block: &Block<'_>, slots: u32) -> Vec<u32> {
    let mut codes = Vec::new();
    block.codes(slots, &mut codes).unwrap();
    for (slot, &code) in (0..).zip(&codes) {
        assert_eq!(block.code(slot), Ok(code));
    }
    if !matches!(block, Block::Constant(_)) {
        assert!(matches!(block.code(slots), Err(BlockError::Field { .. })), "a slot too many");
        assert!(block.code(u32::MAX).is_err());
    }
    codes
}

/// Checks that every codec returns these codes again, and some code of the block for "any".
fn check(codes: &[u32]) {
    let slots = codes.len() as u32;
    let raw = RawBlock::new(codes);
    let same = |found: Vec<u32>, how: &str| {
        assert_eq!(found.len(), codes.len(), "{how}");
        for (slot, (&expected, &found)) in codes.iter().zip(&found).enumerate() {
            if expected == ANY_CODE {
                assert!(raw.palette().contains(&found), "{how}, slot {slot}: {found}");
            } else {
                assert_eq!(expected, found, "{how}, slot {slot}");
            }
        }
    };
    for favour in [Favour::Speed, Favour::Size] {
        match Encoder::new(favour, 3).encode(&raw) {
            Encoded::Constant(code) => same(read(&Block::Constant(code), slots), "constant"),
            Encoded::Packed(body) => {
                let packed = Packed::new(&body, slots).unwrap();
                packed.check().unwrap();
                same(read(&Block::Packed(packed), slots), "packed");
            }
            Encoded::Zstd(body) => {
                assert!(favour == Favour::Size && body.len() < packed::encoded_len(&raw));
                same(read(&Block::Zstd(Compressed::new(&body, slots).decompress().unwrap()), slots), "zstd");
            }
        }
    }
    if raw.palette().len() < 2 {
        return;
    }
    // Both codecs for every block, whichever the encoder prefers.
    let body = packed::encode(&raw);
    assert_eq!(body.len(), packed::encoded_len(&raw));
    let packed = Packed::new(&body, slots).unwrap();
    packed.check().unwrap();
    same(read(&Block::Packed(packed), slots), "packed");
    let frame = zstd::bulk::compress(&plain(&raw), 1).unwrap();
    same(read(&Block::Zstd(Decompressed::new(&frame, slots).unwrap()), slots), "zstd");
}

/// Returns a packed body as `FORMAT.md` §6 words it, bit by bit.
fn packed_by_hand(palette: &[u32], codes: &[u32], bits: u32, entry_bytes: usize) -> Vec<u8> {
    let mut body = vec![bits as u8, entry_bytes as u8];
    body.extend((palette.len() as u16 - 1).to_le_bytes());
    palette.iter().for_each(|code| body.extend(&code.to_le_bytes()[..entry_bytes]));
    let mut indices = vec![0u8; (codes.len() * bits as usize).div_ceil(8) + 3];
    for (slot, code) in codes.iter().enumerate() {
        let index = palette.binary_search(code).unwrap();
        for bit in (0..bits as usize).filter(|bit| index >> bit & 1 == 1) {
            let at = slot * bits as usize + bit;
            indices[at / 8] |= 1 << (at % 8);
        }
    }
    body.extend(indices);
    body
}

/// The greatest code of a value: won in 2^30 - 1 plies.
const TOP: u32 = 1 << 31;

fn codes() -> impl Strategy<Value = Vec<u32>> {
    let code = prop_oneof![
        Just((0u32, 1u32)),
        Just((7, 3)),
        Just((0, 40)),
        Just((60_000, 9_000)),
        Just((0, 1 << 16)),
        Just((0, 1 << 20)),
        Just((TOP - 5, 6)),
        Just((0, TOP)),
    ];
    let length = prop_oneof![5 => 1usize..70, 2 => 200usize..900, 1 => 2000usize..5000];
    (code, length, 0u32..4).prop_flat_map(|((low, span), length, any)| {
        prop::collection::vec(
            prop_oneof![
                6 => (0..span).prop_map(move |code| low + code),
                any => Just(ANY_CODE),
            ],
            length,
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn codes_of_any_block_are_decoded_as_encoded(codes in codes()) {
        check(&codes);
    }

    #[test]
    fn every_width_of_index_and_palette_is_read(
        codes in prop::collection::vec(0u32..60_000, 1..300), distinct in 1usize..300, wide in any::<bool>(), spare in 0u32..16,
    ) {
        let codes: Vec<u32> = codes.iter().cycle().take(codes.len().max(2)).copied().collect();
        let mut palette: Vec<u32> = codes.iter().copied().take(distinct).chain([60_001, 60_002]).collect();
        palette.sort_unstable();
        palette.dedup();
        let codes: Vec<u32> = codes.iter().map(|&code| palette[code as usize % palette.len()]).collect();
        let bits = ((palette.len() as u32 - 1).ilog2() + 1 + spare).min(16);
        let entry_bytes = if wide { 4 } else { 2 };
        let body = packed_by_hand(&palette, &codes, bits, entry_bytes);
        let packed = Packed::new(&body, codes.len() as u32).unwrap();
        packed.check().unwrap();
        prop_assert_eq!(packed.palette().collect::<Vec<_>>(), palette);
        prop_assert_eq!(read(&Block::Packed(packed), codes.len() as u32), &codes[..]);
        // A byte more or less is another block.
        prop_assert!(Packed::new(&[&body[..], &[0]].concat(), codes.len() as u32).is_err());
        prop_assert!(Packed::new(&body[..body.len() - 1], codes.len() as u32).is_err());
    }

    #[test]
    fn no_packed_body_makes_the_reader_panic(
        start in prop_oneof![Just(vec![]), (1u8..17, 0u8..5, 0u16..9)
            .prop_map(|(w, e, n)| [&[w, e][..], &n.to_le_bytes()].concat())],
        rest in prop::collection::vec(any::<u8>(), 0..60),
        slots in 1u32..40,
    ) {
        let body = [start, rest].concat();
        if let Ok(packed) = Packed::new(&body, slots) {
            let _ = packed.check();
            let _ = Block::Packed(packed).codes(slots, &mut Vec::new());
            (0..slots + 2).for_each(|slot| { let _ = packed.code(slot); });
        }
    }

    #[test]
    fn no_zstd_contents_make_the_reader_panic(
        plain in prop::collection::vec(prop_oneof![3 => 0u8..6, 1 => any::<u8>()], 0..60),
        flip in prop::option::of((any::<prop::sample::Index>(), 1u8..=255)),
        slots in 1u32..40,
    ) {
        let mut frame = zstd::bulk::compress(&plain, 1).unwrap();
        if let Some((at, mask)) = flip {
            let at = at.index(frame.len());
            frame[at] ^= mask;
        }
        if let Ok(decompressed) = Decompressed::new(&frame, slots) {
            (0..slots + 2).for_each(|slot| { let _ = decompressed.code(slot); });
            let _ = Block::Zstd(decompressed).codes(slots, &mut Vec::new());
        }
    }
}

#[test]
fn codes_of_the_largest_blocks_are_decoded_as_encoded() {
    // 65,536 slots with as many different codes, close together and far apart, and with 256, 257 and 65,535.
    for distinct in [2u32, 256, 257, 65_535, 65_536] {
        for step in [1, 30_011] {
            let codes: Vec<u32> =
                (0..65_536u32).map(|i| i.wrapping_mul(40_503) % 65_536 % distinct * step + 3).collect();
            check(&codes);
        }
    }
}

#[test]
fn palettes_at_the_limits_of_index_widths_are_decoded_as_encoded() {
    for codes in [
        vec![0, 65_535],
        vec![0, 65_536],
        vec![65_535, 65_536, 65_535],
        vec![0, TOP],
        vec![TOP - 1, TOP, ANY_CODE],
        vec![ANY_CODE; 5],
        vec![ANY_CODE, TOP, ANY_CODE],
        vec![5],
        vec![ANY_CODE],
    ] {
        check(&codes);
    }
    for bits in 1..=16u32 {
        for distinct in [(1u32 << bits) - 1, 1 << bits, (1 << bits) + 1] {
            check(&(0..distinct.clamp(1, 65_536)).map(|i| 2 * i).collect::<Vec<_>>());
        }
    }
}
