//! Tables to be written part by part, right or not, under right checksums.

use crate::{bytes::push_number, solved::Solved};
use dragnet_formats::{
    codec::{Encoded, Encoder, Favour, RawBlock, packed},
    container::{TableHeader, TableKind, Writer},
    header::{GameNumbering, Header, HeaderError, Section, SectionLens},
    stored::PackedGame,
};
use dragnet_probe::{Cell, Pieces, Position, Side, Value};
use std::{collections::HashMap, io::Cursor};

/// The most positions with one side to move whose codes a draft writes one by one.
const MOST_POSITIONS: u64 = 1 << 15;
/// The most blocks of a draft.
const MOST_BLOCKS: u64 = 1 << 12;
/// The most slots of all sections of a draft.
const MOST_SECTION_SLOTS: u64 = 1 << 17;
/// The bytes of the header before the field `keeps`.
const KEEPS: usize = 4;

/// A pursuit table or a partial one, as it is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// The header, whose lengths of sections need not be right.
    pub(crate) header: Header,
    /// The number of what the table keeps.
    pub(crate) keeps: u32,
    /// The codes of the sections' slots, section by section, of the kinds that the header had first.
    pub(crate) sections: Vec<Vec<u32>>,
    kinds: usize,
    /// The codes of positions with the police to move, by world and cells; 0 for any that is not here.
    pub(crate) codes: HashMap<(u32, Pieces, Cell), u32>,
}

impl Draft {
    /// Creates the draft of the table of a game with these values.
    pub(crate) fn new(packed: &PackedGame, solved: &Solved) -> Draft {
        let header = packed.header.clone();
        let bytes = |section| packed.section(section).iter().map(|&byte| byte.into()).collect();
        let mut draft = Draft {
            sections: header.sections().map(bytes).collect(),
            kinds: header.kinds.len(),
            header,
            keeps: 0,
            codes: HashMap::new(),
        };
        draft.claim(solved);
        draft
    }

    /// Takes over these values, and their summary.
    pub(crate) fn claim(&mut self, solved: &Solved) {
        let stored = solved.values.iter().filter(|(at, _)| at.turn == Side::Police);
        let code = |(at, value): &(Position, Value)| ((at.world, at.police, at.thief), value.code());
        self.codes = stored.map(code).collect();
        self.header.summary = solved.summary;
    }

    /// Returns the codes of a section.
    pub(crate) fn section(&mut self, section: Section) -> &mut Vec<u32> {
        &mut self.sections[section.index(self.kinds)]
    }

    /// Says the lengths of all sections in the header.
    pub(crate) fn measure(&mut self) {
        let mut lens = self.sections.iter().map(|codes| codes.len() as u32);
        let mut next = || lens.next().unwrap_or(0);
        for kind in self.header.kinds.iter_mut().take(self.kinds) {
            kind.lens = SectionLens { moves: next(), captures: next(), ends: next() };
        }
        self.header.thief.lens = SectionLens { moves: next(), captures: 0, ends: next() };
        [self.header.source_len, self.header.points_len] = [next(), next()];
    }

    /// Returns the bytes of the header.
    ///
    /// # Errors
    /// When no reader would take them.
    pub(crate) fn header_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        let mut bytes = self.header.to_bytes()?;
        bytes[KEEPS..KEEPS + 4].copy_from_slice(&self.keeps.to_le_bytes());
        Ok(bytes)
    }

    /// Returns the file with the blocks of the draft behind the bytes of a header, which need not be its own.
    /// Slots that the draft knows nothing of have code 0. `None` if there is too much to write.
    pub(crate) fn write(&self, header: &[u8]) -> Option<Vec<u8>> {
        let count = self.header.block_count();
        if count > MOST_BLOCKS {
            return None;
        }
        let numbering = self.header.numbering();
        if numbering.slot_count() - numbering.positions().slot_count() > MOST_SECTION_SLOTS {
            return None;
        }
        let positions_end = numbering.positions().block_count();
        let few = self.header.side_positions().is_ok_and(|positions| positions <= MOST_POSITIONS);
        let slots = |block| if few || block >= positions_end { numbering.slots(block) } else { 1 };
        let mut blocks: Vec<Vec<u32>> = (0..count).map(|block| vec![0; slots(block) as usize]).collect();
        if few {
            let cells = |side| self.header.places(side).cells().collect::<Vec<Cell>>();
            let (officers, thieves) = (cells(Side::Police), cells(Side::Thief));
            let teams: Vec<Pieces> = self.header.team_numbers().teams(&officers).collect();
            let pairs = || teams.iter().flat_map(|&team| thieves.iter().map(move |&thief| (team, thief)));
            for (world, (police, thief)) in
                (0..self.header.worlds).flat_map(|world| pairs().map(move |pair| (world, pair)))
            {
                let at = numbering.positions().locate(world, police, thief).expect("places");
                let code = self.codes.get(&(world, police, thief)).copied().unwrap_or(0);
                blocks[at.block as usize][at.slot as usize] = code;
            }
        }
        for (section, codes) in self.header.sections().zip(&self.sections) {
            let mut codes = codes.iter().copied();
            for at in numbering.section(section) {
                blocks[at.block as usize].iter_mut().zip(&mut codes).for_each(|(slot, code)| *slot = code);
            }
        }
        let encoded = (0..).zip(&blocks).map(|(number, codes)| encode(number, &RawBlock::new(codes)));
        Some(seal(header, &encoded.collect::<Vec<_>>()))
    }
}

/// Encodes blocks packed and compressed by turns. The encoder would not compress blocks so small.
fn encode(number: u64, block: &RawBlock) -> Encoded {
    match (block.palette(), number % 2) {
        ([code], _) => Encoded::Constant(*code),
        (palette, _) if palette.len() > 200 => Encoder::new(Favour::Size, 1).encode(block),
        (_, 0) => Encoded::Zstd(compressed(block)),
        _ => Encoded::Packed(packed::encode(block)),
    }
}

/// Returns the zstd body of a block of few codes.
fn compressed(block: &RawBlock) -> Vec<u8> {
    let mut plain = Vec::new();
    push_number(&mut plain, block.palette().len() as u32);
    let mut last = 0;
    for &code in block.palette() {
        push_number(&mut plain, code - last);
        last = code;
    }
    plain.extend(block.low());
    zstd::bulk::compress(&plain, 3).expect("zstd")
}

/// Returns the file of any header and these blocks, with right checksums.
fn seal(header: &[u8], blocks: &[Encoded]) -> Vec<u8> {
    let header = AnyHeader { bytes: header.to_vec(), blocks: blocks.len() as u64 };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).expect("memory can be written");
    for block in blocks {
        writer.push(block).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// A header that says anything.
struct AnyHeader {
    bytes: Vec<u8>,
    blocks: u64,
}

impl TableHeader for AnyHeader {
    const KIND: TableKind = TableKind::Pursuit;
    type Numbering = GameNumbering;
    type Summary = ();
    type Error = HeaderError;

    fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        Ok(self.bytes.clone())
    }

    fn from_bytes(_: &[u8]) -> Result<AnyHeader, HeaderError> {
        unreachable!("nobody reads these headers")
    }

    fn block_count(&self) -> u64 {
        self.blocks
    }

    fn numbering(&self) -> GameNumbering {
        unreachable!("nobody reads these headers")
    }
}
