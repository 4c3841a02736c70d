//! `dragnet pack`: a table encoded anew, with the same values.

mod game_table;
mod partial;

use super::{may_replace, open_whole, output, print_json, takers::refused};
use crate::{
    failure::Failure,
    input::arguments::{FavourName, Threads, levels},
    leftovers,
    output::{
        human,
        json::Hex,
        progress::{self, Progress},
    },
    signals,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::{ANY_CODE, RawBlock},
    container::TableHeader,
    game::terminal::TerminalRule,
    header::{Header, Keep, SectionedNumbering, Summary, tile_sizes},
    numbering::TeamList,
    pieces::Pieces,
    stop::StopCheck,
    stored::section_blocks,
};
use dragnet_generator::{
    encode::Encoding,
    solution::{BlockSink, BlockSource, SourceError},
};
use dragnet_probe::{AnyTable, GameTable, ProbeError, Table};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::{io::Write, path::PathBuf};

/// Encode a table anew, for shipping or for speed, without solving
///
/// Checks every checksum of the table first. The new table is of the same game, with the same values and
/// digest; with --keep it knows a part of them, in less space, and cannot be made whole again.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Pack {
    /// The table
    table: PathBuf,
    /// The file for the new table; a table of that name is replaced, and may be TABLE itself
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Optimise the new table for speed or size
    #[arg(long, value_enum, default_value = "size")]
    favour: FavourName,
    /// Level of zstd under --favour size, 1 to 22
    #[arg(long, value_name = "N", default_value_t = SHIPPING_LEVEL, value_parser = levels())]
    level: i32,
    /// Keep all values, only who wins, or only a best move of one side
    #[arg(long, value_enum, default_value = "all", value_name = "WHAT")]
    keep: KeepName,
    #[command(flatten)]
    threads: Threads,
    /// Replace FILE even if it is no table
    #[arg(long)]
    force: bool,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The words for what a table keeps.
#[derive(Clone, Copy, ValueEnum)]
enum KeepName {
    /// All values: a pursuit table or game table like the old one
    All,
    /// Only who wins each position, without distances
    Outcome,
    /// A best move of each position with the police to move
    MovesOfPolice,
    /// A best move of each position with the thief to move
    MovesOfThief,
}

impl KeepName {
    /// Returns the part that is kept, or `None` for all.
    fn part(self) -> Option<Keep> {
        match self {
            KeepName::All => None,
            KeepName::Outcome => Some(Keep::Outcomes),
            KeepName::MovesOfPolice => Some(Keep::MovesOf(Side::Police)),
            KeepName::MovesOfThief => Some(Keep::MovesOf(Side::Thief)),
        }
    }
}

/// The highest level but for those that need much memory and gain nothing on blocks of 16 KiB.
const SHIPPING_LEVEL: i32 = 19;

const AFTER_HELP: &str = "\
Examples:
  dragnet pack tables/castle.dtb --out ship/castle.dtb
  dragnet pack ship/castle.dtb --out quick/castle.dtb --favour speed
  dragnet pack tables/castle.dtb --out small/castle.dtb --keep outcome
  dragnet verify small/castle.dtb --against tables/castle.dtb";

impl Pack {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match open_whole(&self.table)? {
            AnyTable::Pursuit(table) => match self.keep.part() {
                None => self.pursuit(&table),
                Some(keep) => self.partial(&table, keep),
            },
            AnyTable::Game(_) if self.keep.part().is_some() => {
                Err(Failure::input("--keep is for pursuit tables, and this is a game table")
                    .in_file(&self.table))
            }
            AnyTable::Game(table) => self.game_table(&table),
            table @ AnyTable::Partial(_) => Err(refused("pack", &table, &self.table)),
        }
    }

    fn encoding(&self) -> Encoding {
        Encoding { favour: self.favour.into(), level: self.level }
    }

    fn pursuit(&self, table: &Table) -> Result<(), Failure> {
        table.check_sums(|_| ()).map_err(|error| Failure::from(error).in_file(&self.table))?;
        let header = self.retiled(table);
        let before =
            Before { bytes: table.file_len(), positions: header.positions(), digest: header.summary.digest };
        let sections = sections(table)?;
        self.write(&before, &header, &sections, &Repacked::new(table, header.numbering())?)
    }

    /// Returns the header of a table with tiles of the sizes that its new encoding has.
    fn retiled(&self, table: &Table) -> Header {
        let mut header = table.header().clone();
        let [police, thief] = tile_sizes(header.height(), table.officers(), self.encoding().favour);
        header.kinds.iter_mut().for_each(|kind| kind.tile = police);
        header.thief.tile = thief;
        header
    }

    /// Writes the new table and prints its size.
    fn write<H: TableHeader>(
        &self,
        before: &Before,
        header: &H,
        sections: &[RawBlock],
        source: &dyn BlockSource<H::Summary>,
    ) -> Result<(), Failure> {
        may_replace(&self.out, self.force)?;
        let generator = self.threads.generator()?;
        signals::watch(progress::say, "the table stays as it is")?;
        leftovers::remove_beside(&self.out);
        let name = self.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let progress = Progress::new(&name, "blocks", header.block_count());
        let written = generator.write(source, header, sections, self.encoding(), &self.out, &progress);
        progress.finish();
        let after = written.map_err(|error| Failure::of_table(error, &self.out))?.bytes;
        let bits = after as f64 * 8.0 / before.positions as f64;
        if self.json {
            return print_json(&PackAnswer {
                path: self.out.to_string_lossy().into_owned(),
                bytes_before: before.bytes,
                bytes: after,
                bits_per_position: bits,
                digest: Hex(before.digest),
            });
        }
        let (before, after) = (human::bytes(before.bytes), human::bytes(after));
        let mut output = output();
        writeln!(output, "{}: {after} from {before}, {bits:.3} bits per position", human::path(&self.out))?;
        Ok(output.flush()?)
    }
}

/// One object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PackAnswer {
    /// Path of the table.
    path: String,
    /// Length of the table that was read.
    bytes_before: u64,
    /// Length of the new table.
    bytes: u64,
    /// Bits of the new file per position.
    bits_per_position: f64,
    /// Digest of all values, which is that of the table before.
    digest: Hex,
}

/// Reads the blocks of the sections of a table.
fn sections(table: &Table) -> Result<Vec<RawBlock>, ProbeError> {
    let mut blocks = Vec::new();
    for section in table.header().sections() {
        blocks.extend(section_blocks(&table.section(section)?));
    }
    Ok(blocks)
}

/// The figures of the table before it is encoded anew.
struct Before {
    bytes: u64,
    positions: u64,
    digest: u64,
}

/// The values of a table in another numbering.
struct Repacked<'a> {
    table: &'a Table,
    numbering: SectionedNumbering,
    /// The teams of officers, tile after tile.
    teams: TeamList,
    /// The thief's cells by their numbers in reading order, tile after tile.
    thief_order: Vec<u32>,
    /// The cells of officers, and those of the thief, in reading order.
    cells: [Vec<Cell>; 2],
    ends: TerminalRule,
}

/// A team or cell of a block of the new numbering.
struct Moved<T> {
    /// The rank in the tile of the new numbering.
    rank: usize,
    /// The tile in the table.
    tile: u64,
    /// The rank in that tile.
    rank_there: usize,
    /// The number of teams or cells of that tile.
    size: usize,
    /// The numbers of the officers' cells, or the number of the thief's.
    cells: T,
}

impl<'a> Repacked<'a> {
    fn new(table: &'a Table, numbering: SectionedNumbering) -> Result<Repacked<'a>, ProbeError> {
        let header = table.header();
        let cells = Side::BOTH.map(|side| header.places(side).cells().collect());
        let positions = numbering.positions();
        let (teams, thief_order) = (positions.police().list(), positions.thief().order());
        let ends = table.terminal_rule(&mut StopCheck::never())?;
        Ok(Repacked { table, numbering, teams, thief_order, cells, ends })
    }

    /// Returns the teams of a new tile, sorted by their tiles in the table.
    fn moved_teams(&self, tile: u64) -> Vec<Moved<&[u32]>> {
        let there = self.table.numbering().police();
        let moved = |(rank, team)| {
            let cells = self.teams.cells(team);
            let officers: Vec<Cell> = cells.iter().map(|&cell| self.cells[0][cell as usize]).collect();
            let team = Pieces::new(&officers).expect("a team has as many officers as the rules allow");
            let place = there.place(&team).expect("both numberings have every team of the board");
            let (rank_there, size) = (place.rank as usize, place.size as usize);
            Moved { rank, tile: place.tile, rank_there, size, cells }
        };
        sorted(self.teams.range_of(tile).enumerate().map(moved).collect())
    }

    /// Returns the cells of the thief in a new tile, sorted by their tiles in the table.
    fn moved_cells(&self, tile: u32) -> Vec<Moved<u32>> {
        let there = self.table.numbering().thief();
        let moved = |(rank, &cells): (usize, &u32)| {
            let place = there.place(self.cells[1][cells as usize]);
            let place = place.expect("both numberings have every open cell of the board");
            let (tile, rank_there, size) = (place.tile.into(), place.rank.into(), place.size as usize);
            Moved { rank, tile, rank_there, size, cells }
        };
        let numbers = &self.thief_order[self.numbering.positions().thief().range_of(tile)];
        sorted(numbers.iter().enumerate().map(moved).collect())
    }
}

fn sorted<T>(mut moved: Vec<Moved<T>>) -> Vec<Moved<T>> {
    moved.sort_by_key(|moved| moved.tile);
    moved
}

impl BlockSource for Repacked<'_> {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        (0..self.numbering.positions().block_count()).into_par_iter().try_for_each_init(
            Vec::new,
            |codes, block| {
                self.codes(block, codes).map_err(|error| SourceError::Values(error.into()))?;
                sink(block, RawBlock::new(codes))
            },
        )?;
        self.table.check_unchanged().map_err(|error| SourceError::Values(error.into()))?;
        Ok(self.table.header().summary)
    }
}

impl Repacked<'_> {
    /// Reads the codes of a block of the new numbering into `codes`.
    fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        let tiles = self.numbering.positions().tiles(block);
        let (police, thief) = (self.moved_teams(tiles.police), self.moved_cells(tiles.thief));
        codes.clear();
        codes.resize(police.len() * thief.len(), ANY_CODE);
        let mut stored = Vec::new();
        for police_part in police.chunk_by(|a, b| a.tile == b.tile) {
            for thief_part in thief.chunk_by(|a, b| a.tile == b.tile) {
                let there = self.table.numbering();
                let police_tile = u64::from(tiles.world) * there.police().tile_count() + police_part[0].tile;
                let number = police_tile * u64::from(there.thief().tile_count());
                self.table.block_codes(number + thief_part[0].tile, &mut stored)?;
                for t in thief_part {
                    let goes_on =
                        |p: &&Moved<&[u32]>| self.ends.winner(tiles.world, p.cells, t.cells).is_none();
                    for p in police_part.iter().filter(goes_on) {
                        codes[t.rank * police.len() + p.rank] = stored[t.rank_there * p.size + p.rank_there];
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::{self, File},
        path::Path,
        time::SystemTime,
    };

    /// Checks that the source that `open` makes of a copy of `table` delivers its blocks, and ends with an
    /// error once the file has been written to.
    #[track_caller]
    pub(super) fn assert_changes_are_noticed<T, S>(
        table: &str,
        open: impl FnOnce(&Path) -> T,
        deliver: impl Fn(&T) -> Result<S, SourceError>,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.dtb");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(table), &copy).unwrap();
        let opened = open(&copy);
        assert!(deliver(&opened).is_ok());
        File::options().write(true).open(&copy).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let error = deliver(&opened).err().expect("expected an error, found a summary").to_string();
        assert!(error.contains("copy.dtb was changed while it was open"), "{error}");
    }

    #[test]
    fn packing_a_table_whose_file_is_written_to_ends_with_an_error() {
        assert_changes_are_noticed(
            "formats/tests/golden/v2-size.dtb",
            |path| Table::open(path).unwrap(),
            |table| Repacked::new(table, table.header().numbering()).unwrap().blocks(&|_, _| Ok(())),
        );
    }
}
