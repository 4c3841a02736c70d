//! `dragnet pack`: a table encoded anew, with the same values.

mod game_table;
mod partial;

use super::{may_replace, open, output, print_json, takers::refused};
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
    table::repacked::Repacked,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    cell::Side,
    codec::RawBlock,
    container::TableHeader,
    header::{Header, Keep, tile_sizes},
    stored::section_blocks,
};
use dragnet_generator::{encode::Encoding, solution::BlockSource};
use dragnet_probe::{AnyTable, ProbeError, Table};
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
        match open(&self.table)? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_generator::solution::SourceError;
    use dragnet_probe::Open;
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
            |path| Open::path(path).pursuit().unwrap(),
            |table| Repacked::new(table, table.header().numbering()).unwrap().blocks(&|_, _| Ok(())),
        );
    }
}
