//! `dragnet site`: the application and what it shows, as a folder of static files.

mod folder;

use super::{open, takers::refused};
use crate::{
    catalogue::{self, Catalogue, Facts, Found, Item},
    failure::{Failure, unless_closed},
    input::arguments::Threads,
    link::INDEX,
    output::{console::print_line, human, progress::Progress},
    pages,
    report::{self, entry::TableEntry, place::Place, status::Status, totals::RunReport},
    signals,
    table::{
        portrait::Portrait,
        statistics::{self, GameStatisticsAnswer, LongestExamples, PursuitStatistics, Reading},
    },
};
use clap::Args;
use dragnet_maps::MapSelectors;
use dragnet_probe::AnyTable;
use folder::Folder;
use std::path::{Path, PathBuf};

/// Write the application with tables, boards and graphs as a folder for any web host
///
/// The folder has the pages, the tables, what 'dragnet stats --json' prints of each, boards and graphs, and a
/// report with links to positions. All values of the tables are read first; if one of these is damaged,
/// nothing is written. Files of the same name in the folder are replaced, each when its successor is
/// complete, and others stay. README.txt there says how to put it on a web host.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Site {
    /// Tables, boards, graphs, or folders of tables
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// The folder, created if need be; one that has other things in it is refused
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Link the tables into the folder instead of copying them, where both are on one disk: they take no room
    #[arg(long)]
    link: bool,
    /// The title of the report
    #[arg(long, value_name = "TEXT", default_value = "Tables")]
    title: String,
    #[command(flatten)]
    threads: Threads,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet site --out www tables castle.txt
  python3 -m http.server --directory www      then open http://localhost:8000/";

/// The file that says how to put the folder on a web host.
const README: &str = "\
Dragnet: tables of pursuit games, and pages that show them.

Put this folder on any web host, under any path: every address in it is relative,
and nothing is fetched from another host. To try it here:

    python3 -m http.server --directory .        then http://localhost:8000/

Browsers do not open it from the disk (file:), since pages there may not read
the files beside them.

What a host can do for it:
  * Range requests, which most hosts have: a table is then fetched in pieces, as
    they are asked for. From others, such as python3 -m http.server, it is
    fetched whole.
  * Compression of .html, .js, .css, .json and .wasm, but not of .dtb: a part of
    a compressed file is no part of the table.
  * The type application/wasm for .wasm. Other types work too.
  * A content security policy is in index.html already.

    index.html, app.js, app.css, worker.js, engine.wasm    the application
    catalogue.json                                         what it opens
    tables/, boards/, graphs/                              what is opened
    report.html, report.json                               all tables at a glance
";

/// The files and rows that a site has of a table, beside the table itself.
struct Digested {
    /// The place of the statistics in the folder.
    statistics_at: String,
    statistics: String,
    /// The row of the report; none for tables of games on graphs.
    entry: Option<TableEntry>,
}

impl Site {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let folder = Folder::new(&self.out)?;
        let (found, digested) = self.threads.run(|| self.read())??;
        folder.begin(&serde_json::to_vec_pretty(&Catalogue::of_site(Vec::new()))?)?;
        let mut bytes = 0;
        for page in &pages::ALL {
            bytes += folder.write(page.name, page.bytes)?;
        }
        bytes += folder.write("README.txt", README.as_bytes())?;
        let progress = Progress::new("copying", "files", found.len() as u64);
        for ((done, Found { path, item, .. }), digested) in (0..).zip(&found).zip(&digested) {
            if let Some(Digested { statistics_at, statistics, .. }) = digested {
                bytes += folder.write(statistics_at, statistics.as_bytes())?;
            }
            let link = self.link && matches!(item, Item::Table { .. });
            bytes += folder.bring(path, &folder::decoded(item.url()), link)?;
            progress.set(done + 1, || human::path(path));
            stop_if_asked()?;
        }
        progress.finish();
        let entries = digested.into_iter().flatten().filter_map(|digested| digested.entry).collect();
        let place = Place { folder: None, application: Some(INDEX.to_owned()) };
        report::write(&RunReport::new(&self.title, entries), &self.out, &place)?;
        let items: Vec<Item> = found.into_iter().map(|found| found.item).collect();
        let counted = catalogue::counted(&items);
        // The last of all: a folder with a catalogue has everything that it names.
        let catalogue = serde_json::to_vec_pretty(&Catalogue::of_site(items))?;
        folder.write(folder::CATALOGUE, &catalogue)?;
        let line = format!("{}: {counted}, {}", human::path(&self.out), human::bytes(bytes));
        unless_closed(print_line(&line))
    }

    /// Finds everything that is to be shown, and reads all values of the tables.
    fn read(&self) -> Result<(Vec<Found>, Vec<Option<Digested>>), Failure> {
        let found = catalogue::find(&self.paths, &MapSelectors::default())?;
        if found.is_empty() {
            let paths: Vec<String> = self.paths.iter().map(|path| human::path(path)).collect();
            let message = format!("expected tables, NAME.dtb, found none in {}", paths.join(", "));
            return Err(Failure::input(message));
        }
        let progress = Progress::new("reading", "files", found.len() as u64);
        let mut digested = Vec::with_capacity(found.len());
        for (done, Found { path, item, .. }) in (0..).zip(&found) {
            digested.push(match item {
                Item::Table { facts: Facts::Damaged { message, .. }, .. } => {
                    return Err(match open(path) {
                        // A table that the catalogue cannot show is a partial one.
                        Ok(table) => refused("site", &table, path),
                        Err(failure @ Failure::Trouble(_)) => failure,
                        Err(_) => Failure::input(message).in_file(path),
                    });
                }
                Item::Table { name, url, statistics, .. } => {
                    let [url, statistics] = [url, statistics].map(|url| folder::decoded(url));
                    Some(digest(path, name, url, statistics).map_err(|failure| failure.in_file(path))?)
                }
                Item::Board { .. } | Item::Graph { .. } => None,
            });
            progress.set(done + 1, || human::path(path));
            stop_if_asked()?;
        }
        progress.finish();
        Ok((found, digested))
    }
}

/// Reads all values of the table called `name`, which will be at `table_at` in the folder, and its statistics
/// at `statistics_at`.
fn digest(path: &Path, name: &str, table_at: String, statistics_at: String) -> Result<Digested, Failure> {
    let file = format!("{name}.dtb");
    match open(path)? {
        AnyTable::Pursuit(table) => {
            let statistics = PursuitStatistics::of(&table, Reading::OF_COMMAND)?;
            let entry = TableEntry {
                path: Some(table_at),
                portrait: Some(Portrait::of(&table, None, Reading::OF_COMMAND)?),
                longest_examples: Some(LongestExamples::of(&statistics)),
                ..TableEntry::new(name, Status::Kept).with_table(path, &table)
            };
            let statistics = serde_json::to_string(&statistics.json(file))?;
            Ok(Digested { statistics_at, statistics, entry: Some(entry) })
        }
        AnyTable::Game(table) => {
            let histogram = statistics::of_game_table(&table, Reading::OF_COMMAND)?;
            let statistics = serde_json::to_string(&GameStatisticsAnswer::new(file, &table, &histogram))?;
            Ok(Digested { statistics_at, statistics, entry: None })
        }
        table @ AnyTable::Partial(_) => Err(refused("site", &table, path)),
    }
}

/// Returns a failure if a signal asks the work to stop.
fn stop_if_asked() -> Result<(), Failure> {
    if signals::received() { Err(Failure::Silent(signals::status())) } else { Ok(()) }
}
