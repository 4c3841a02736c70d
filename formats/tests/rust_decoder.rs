//! A build with the decoder written in Rust: it gives what the zstd library gives, and refuses what is
//! damaged.

#![cfg(all(feature = "zstd", not(feature = "libzstd")))]
#![allow(clippy::unwrap_used)]

use dragnet_formats::{codec::zstd::Decompressed, container::Reader};
use proptest::prelude::*;

/// The bytes of a block's content: palette, then indices.
fn content(palette: &[u32], indices: &[u8]) -> Vec<u8> {
    let mut plain = vec![palette.len() as u8];
    let mut last = 0;
    for &code in palette {
        plain.push((code - last) as u8);
        last = code;
    }
    plain.extend(indices);
    plain
}

#[test]
fn tables_optimised_for_size_are_read() {
    for name in ["v2-size.dtb", "v2-cops.dtb", "v2-team.dtb", "v2-graph.dtb"] {
        let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        if name == "v2-graph.dtb" {
            let table = Reader::<_, dragnet_formats::header::GameHeader>::open_as(bytes).unwrap();
            table.check_all(|_| ()).unwrap();
        } else {
            Reader::open(bytes).unwrap().check_all(|_| ()).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn decoder_agrees_with_the_library(
        indices in prop::collection::vec(prop_oneof![8 => 0u8..3, 1 => 0u8..40], 40..3000),
        level in prop::sample::select(vec![-5, 1, 3, 9, 19, 22]),
    ) {
        let palette: Vec<u32> = (1..=40).map(|i| i * 3).collect();
        let frame = zstd::bulk::compress(&content(&palette, &indices), level).unwrap();
        let block = Decompressed::new(&frame, indices.len() as u32).unwrap();
        prop_assert_eq!(block.palette(), &palette[..]);
        prop_assert_eq!(block.low(), &indices[..]);
    }

    #[test]
    fn damaged_frame_is_refused_or_a_block_of_as_many_slots(
        indices in prop::collection::vec(0u8..5, 100..600),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let palette = [1, 5, 9, 13, 17];
        let mut frame = zstd::bulk::compress(&content(&palette, &indices), 3).unwrap();
        for (at, byte) in damage {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        // Frames are under checksums. Of one that is not valid the two decoders may make different blocks.
        if let Ok(block) = Decompressed::new(&frame, indices.len() as u32) {
            prop_assert_eq!(block.low().len(), indices.len());
            prop_assert!((0..indices.len() as u32).all(|slot| block.index(slot).is_ok()));
            prop_assert!(block.palette().is_sorted_by(|a, b| a < b));
        }
    }
}
