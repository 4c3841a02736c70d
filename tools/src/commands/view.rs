//! `dragnet view`: a table, a board, a graph or a folder of tables in a browser.

mod browser;

use crate::{
    catalogue::{Facts, Item},
    failure::Failure,
    input::{arguments::PositionArguments, boards::StartCells, limits::Memory, map_options::GroundOptions},
    link::Link,
    messages::{self, Kind},
    output::console::print_line,
    serve::{HangUp, Library, RequestLimits, Server, Settings},
};
use clap::Args;
use dragnet_probe::{AnyTable, Open, Position, Table};
use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

/// Show a table, a board, a graph or a folder of tables in a browser
///
/// Serves the file to this machine alone, prints the address and opens it. A board is solved by the page
/// itself while it is drawn. Ctrl-C ends it, with exit status 0, and so does the end of its terminal.
///
/// The browser is the one that $BROWSER names, or else the desktop's.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct View {
    /// A table, a board, a graph, or a folder of tables
    #[arg(value_name = "TABLE|BOARD|GRAPH|DIR")]
    file: PathBuf,
    #[command(flatten)]
    map: GroundOptions,
    #[command(flatten)]
    position: PositionArguments,
    /// The vertex that is shown, of a table of a game on a graph
    #[arg(long, value_name = "N")]
    vertex: Option<u64>,
    /// Print the address only
    #[arg(long)]
    no_browser: bool,
}

/// Bytes of blocks that are kept, decompressed, of the table.
const CACHE: u64 = 64 << 20;

const AFTER_HELP: &str = "\
Examples:
  dragnet view tables/castle.dtb
  dragnet view tables/castle.dtb --police 7,7 --thief 0,3 --turn thief
  dragnet view tables                        all tables of a folder
  dragnet view castle.txt                    a board to draw on
  dragnet view world.ldtk --map-level Cave   a map of an editor
  dragnet view tables/castle.dtb --no-browser";

impl View {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let library = Library::new(vec![self.file.clone()], CACHE, self.map.selectors())?;
        let items = library.list();
        let link =
            if self.file.is_dir() { self.check_folder(&items).map(|()| None) } else { self.link(&items) };
        let link = link.map_err(|failure| failure.in_file(&self.file))?;
        let settings = Settings {
            limits: RequestLimits::default(),
            origins: Vec::new(),
            hosts: Vec::new(),
            access_log: None,
            hang_up: HangUp::Ends,
            solving: None,
            memory: Memory::default().limit(),
        };
        let server = Server::new(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), library, settings)?;
        let root = format!("http://{}/", server.address());
        let address = link.map_or_else(|| root.clone(), |link| link.at(&root));
        print_line(&address)?;
        messages::say(Kind::Note, "Ctrl-C ends it");
        if !self.no_browser {
            browser::open(address);
        }
        server.run()
    }

    /// Checks that a folder has tables, and that no option asks for something of one of them.
    fn check_folder(&self, items: &[Item]) -> Result<(), Failure> {
        if items.is_empty() {
            let failure = Failure::input("expected a folder with tables, found none in it");
            return Err(failure.with_hint("'dragnet view FILE' shows a board or a graph"));
        }
        if let Some(option) = self.map.first_given() {
            return Err(Failure::input(format!("--{option} is for maps of editors")));
        }
        if !self.position.is_empty() || self.vertex.is_some() {
            return Err(Failure::input("--police, --thief, --turn and --vertex are for a single table"));
        }
        Ok(())
    }

    /// Returns the link to the file that is shown, the only one of `items`.
    fn link(&self, items: &[Item]) -> Result<Option<Link>, Failure> {
        let item = items.first().ok_or_else(|| Failure::input("expected a file"))?;
        if let Some(option) = self.map.first_given().filter(|_| !matches!(item, Item::Board { .. })) {
            return Err(Failure::input(format!("--{option} is for maps of editors")));
        }
        self.link_to(item).map(Some)
    }

    /// Returns the link to an item.
    fn link_to(&self, item: &Item) -> Result<Link, Failure> {
        let (view, name, facts) = match item {
            Item::Table { name, facts, .. } => ("table", name, Some(facts)),
            Item::Board { name, .. } => ("draw", name, None),
            Item::Graph { name, .. } => ("graph", name, None),
        };
        let pursuit = matches!(facts, Some(Facts::Pursuit { .. }));
        if !pursuit && !self.position.is_empty() {
            return Err(Failure::input("--police, --thief and --turn are for tables of pursuit games"));
        }
        match (facts, self.vertex) {
            (Some(Facts::Damaged { message, .. }), _) => Err(Failure::input(message)),
            (Some(Facts::Graph { positions, .. }), Some(vertex)) if vertex >= *positions => {
                let last = positions.saturating_sub(1);
                Err(Failure::input(format!("--vertex: expected 0 to {last}, found {vertex}")))
            }
            (Some(Facts::Graph { .. }), Some(vertex)) => Ok(Link::new(view, name).vertex(vertex)),
            (_, Some(_)) => Err(Failure::input("--vertex is for tables of games on graphs")),
            (Some(Facts::Pursuit { .. }), None) => {
                let AnyTable::Pursuit(table) = Open::path(&self.file).any()? else {
                    return Err(Failure::input("expected a table of a pursuit game, found another one"));
                };
                self.place(Link::new(view, name), &table)
            }
            (Some(Facts::Graph { .. }), None) => Ok(Link::new(view, name)),
            (None, None) => Ok(Link::to_item(view, name)),
        }
    }

    /// Returns the link with the position that was asked for, or the marks of the table's board.
    fn place(&self, link: Link, table: &Table) -> Result<Link, Failure> {
        let board = table.board();
        let marked = StartCells::of_table(table);
        let police = match self.position.police(board)? {
            Some(police) => Some(police),
            None => self.position.police_or(board, table.officers(), marked.as_ref()).ok().flatten(),
        };
        let thief = self.position.thief(board)?.or_else(|| marked.and_then(|marked| marked.thief));
        let turn = self.position.turn();
        // Cells that no piece can stand on are refused here rather than by the page.
        let any_place = || table.header().thief.places.cells().next();
        if let (Some(police), Some(thief)) = (police, thief.or_else(any_place)) {
            table.value(Position::new(police, thief, turn).in_world(self.position.world()))?;
        }
        let link = police.iter().fold(link, Link::police);
        let link = thief.iter().fold(link, |link, &thief| link.thief(thief));
        Ok(if self.position.is_empty() { link } else { link.turn(turn) })
    }
}
