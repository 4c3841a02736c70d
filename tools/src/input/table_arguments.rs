//! The tables that a command line asks for.

use crate::{
    failure::Failure,
    input::{
        arguments::{EngineName, Exit, FavourName, Threads, levels, officers, rules},
        board_files::boards_in,
        boards::{self, Maker},
        graphs::Streets,
        limits::{Limits, Memory},
        manifest::{self, is_manifest},
        map_options::MapOptions,
        parts,
        shard::Shard,
        size::{Size, SizeRange},
        table_list::{ListedTable, Origin, TableList, check_name, of_level, table_name},
    },
};
use clap::Args;
use dragnet_formats::{
    board::{Board, BoardError, Scenario},
    cell::Cell,
    codec::Encoder,
    doors::Door,
    guards::Guard,
    rules::Rules,
};
use dragnet_generator::{encode::Encoding, schedule::Order};
use dragnet_maps::MapReading;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The folder for the tables unless `--out` names another.
const OUT: &str = "tables";

/// The tables that a command is about: boards, sizes, the default set, or a manifest; and how they are made.
#[derive(Args)]
pub(crate) struct TableArguments {
    /// Board files, folders of which all boards are taken, or one manifest; '-' is a board on standard input
    #[arg(value_name = "BOARD|DIR|MANIFEST")]
    boards: Vec<PathBuf>,
    /// The folder for the tables, created if need be [default: tables]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The name of the table of the board on standard input, '-' [default: board]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Open boards of every size in a range, or of one size
    #[arg(long, value_name = "RxC[..RxC]")]
    size: Vec<SizeRange>,
    /// Where the thief escapes, in place of the boards' own exits; may be repeated. Open boards of --size and
    /// the default set have the first cell as their exit unless this says otherwise
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    /// classic, chase, cops, or a TOML file that names what differs from classic [default: classic, on graphs
    /// cops]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// The doors of the board, in a TOML file: see 'dragnet help boards'. The table is then of all positions
    /// in all states of the doors
    #[arg(long, value_name = "FILE")]
    doors: Option<PathBuf>,
    /// The guards of the board and their rounds, in a TOML file: see 'dragnet help boards' [default: those of
    /// the map]
    #[arg(long, value_name = "FILE")]
    guards: Option<PathBuf>,
    /// How many officers there are [default: as the rules say; if they say 1, as many as the board marks with
    /// P]
    #[arg(long, value_name = "N", value_parser = officers())]
    officers: Option<u8>,
    /// The files are graphs, along whose edges both sides step; vertex v is the cell 0,v
    #[arg(long)]
    graph: bool,
    #[command(flatten)]
    streets: Streets,
    #[command(flatten)]
    map: MapOptions,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// The folder for the logs of long solves, which are written there when they do not fit into the memory
    /// and at each checkpoint, and for sets that do not fit; created if need be [default: what the manifest
    /// says, or beside the tables]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// How to solve; the table does not depend on it [default: auto]
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    /// Optimise tables for speed or size [default: size]
    #[arg(long, value_enum)]
    favour: Option<FavourName>,
    /// Level of zstd under --favour size, 1 to 22 [default: 4]. A table does not record its level: generate
    /// --force makes it anew with another one
    #[arg(long, value_name = "N", value_parser = levels())]
    level: Option<i32>,
}

impl TableArguments {
    /// Returns the list of tables, in the order of the command line or of the manifest. Reads the manifest,
    /// or every board file.
    pub(crate) fn list(&self) -> Result<TableList, Failure> {
        if self.boards.iter().any(|path| is_manifest(path)) {
            if self.out.is_some() {
                return Err(beside_manifest("out").with_hint("with --shard it is the folder of the shard"));
            }
            return self.list_of_manifest();
        }
        Ok(TableList {
            manifest: None,
            key: 0,
            out: self.out.clone().unwrap_or_else(|| PathBuf::from(OUT)),
            limits: self.limits(Limits::default()),
            order: Order::default(),
            on_end: None,
            is_part: false,
            tables: self.tables()?,
        })
    }

    /// Returns the list of a shard of the manifest: `--out` may name a folder of the shard's own.
    pub(crate) fn list_of_shard(&self, shard: Shard) -> Result<TableList, Failure> {
        if !self.boards.iter().any(|path| is_manifest(path)) {
            if let Some(path) = self.boards.iter().find(|path| manifest::is_manifest_text(path)) {
                return Err(manifest::misnamed(path));
            }
            return Err(Failure::input("--shard: expected a manifest, whose tables are divided; found none"));
        }
        let list = self.list_of_manifest()?;
        let out = self.out.clone().unwrap_or(list.out);
        Ok(TableList { out, is_part: true, tables: shard.part(list.tables), ..list })
    }

    fn list_of_manifest(&self) -> Result<TableList, Failure> {
        let [manifest] = &self.boards[..] else {
            return Err(Failure::input("expected one manifest and nothing beside it"));
        };
        if let Some(name) = self.first_beside_manifest() {
            return Err(beside_manifest(name));
        }
        let list = manifest::read(manifest)?;
        Ok(TableList { limits: self.limits(list.limits), ..list })
    }

    /// Returns the limits with those of the command line.
    fn limits(&self, limits: Limits) -> Limits {
        limits.with_memory(self.memory).with_scratch(self.scratch.as_deref())
    }

    /// Returns the first argument on the command line, beside `--out`, that a manifest specifies itself.
    fn first_beside_manifest(&self) -> Option<&'static str> {
        let own = [
            ("name", self.name.is_some()),
            ("size", !self.size.is_empty()),
            ("exit", !self.exit.is_empty()),
            ("rules", self.rules.is_some()),
            ("doors", self.doors.is_some()),
            ("guards", self.guards.is_some()),
            ("officers", self.officers.is_some()),
            ("graph", self.graph),
            ("form", self.streets.form.is_some()),
            ("directed", self.streets.directed),
            ("undirected", self.streets.undirected),
            ("vertices", self.streets.vertices.is_some()),
            ("engine", self.engine.is_some()),
            ("favour", self.favour.is_some()),
            ("level", self.level.is_some()),
        ];
        let given = own.into_iter().find_map(|(name, given)| given.then_some(name));
        given.or_else(|| self.map.first_given())
    }

    /// Returns the tables of boards and sizes, or of the default set. Refuses boards that cannot be used; of
    /// a range of sizes it looks at the smallest, since an exit that is on the smallest board is on all.
    fn tables(&self) -> Result<Vec<ListedTable>, Failure> {
        if !self.graph && !self.streets.is_empty() {
            return Err(Failure::input(
                "--form, --names, --directed, --undirected and --vertices are for --graph",
            ));
        }
        if self.graph && self.boards.is_empty() {
            return Err(Failure::input("expected the file of a graph beside --graph, found none"));
        }
        if self.level.is_some() && !self.favour.is_none_or(FavourName::has_level) {
            return Err(Failure::input("--level is for --favour size"));
        }
        for (option, given) in [("doors", self.doors.is_some()), ("guards", self.guards.is_some())] {
            if given && self.boards.is_empty() && self.size.is_empty() {
                return Err(Failure::input(format!("expected a board beside --{option}, found none")));
            }
        }
        let rules = self.rules.as_deref().map(rules).transpose()?.map(Arc::new);
        let [on_squares, on_graphs] = [Rules::classic(), Rules::cops()].map(Arc::new);
        let doors = self.doors.as_deref().map(parts::doors).transpose()?.unwrap_or_default();
        let guards = self.guards.as_deref().map(parts::guards).transpose()?.unwrap_or_default();
        let (doors, guards): (Arc<[Door]>, Arc<[Guard]>) = (doors.into(), guards.into());
        let given: Arc<[Exit]> = self.exit.as_slice().into();
        let or_first = if given.is_empty() { Arc::new([Exit::First]) } else { Arc::clone(&given) };
        let encoding = Encoding {
            favour: self.favour.unwrap_or(FavourName::Size).into(),
            level: self.level.unwrap_or(Encoder::DEFAULT_LEVEL),
        };
        let table = |name, origin, exit: &Arc<[Exit]>| ListedTable {
            name,
            origin,
            exit: Arc::clone(exit),
            rules: Arc::clone(rules.as_ref().unwrap_or(&on_squares)),
            doors: Arc::clone(&doors),
            guards: Arc::clone(&guards),
            officers: self.officers,
            place: None,
            engine: self.engine.unwrap_or(EngineName::Auto),
            encoding,
        };
        let mut tables = Vec::new();
        if self.name.is_some() && !self.boards.iter().any(|path| path == Path::new("-")) {
            return Err(Failure::input("--name is for the board on standard input, '-'"));
        }
        for path in self.files()? {
            for (name, origin) in self.read(&path)? {
                let mut planned = table(name, origin, &given);
                if planned.read()?.scenario.board.graph().is_some() && rules.is_none() {
                    planned.rules = Arc::clone(&on_graphs);
                }
                tables.push(planned);
            }
        }
        for range in &self.size {
            let mut sizes = range
                .sizes()
                .map(|size| table(boards::open_name(size), Origin::Open(size), &or_first))
                .peekable();
            if let Some(smallest) = sizes.peek() {
                smallest.read().map_err(|failure| failure.about(&smallest.name))?;
            }
            tables.extend(sizes);
        }
        if self.are_default() {
            let rules = rules.as_ref().unwrap_or(&on_squares);
            let set = default_set(self.officers.unwrap_or(rules.officers))?;
            tables.extend(set.into_iter().map(|(name, origin)| table(name, origin, &or_first)));
        }
        without_repeats(tables)
    }

    /// Returns the files of the boards, in place of a folder those in it.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.boards {
            if self.graph || !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let found = boards_in(path)?;
            if found.is_empty() {
                let message = "expected a folder with boards or maps, found none there";
                return Err(Failure::input(message).in_file(path));
            }
            files.extend(found);
        }
        Ok(files)
    }

    /// Returns whether these are the tables of the default set.
    pub(crate) fn are_default(&self) -> bool {
        self.boards.is_empty() && self.size.is_empty()
    }

    /// Returns the name of the table of the board file `path`.
    fn table_name(&self, path: &Path) -> Result<String, Failure> {
        if path != Path::new("-") {
            return table_name(path);
        }
        let name = self.name.clone().unwrap_or_else(|| "board".to_owned());
        check_name(&name)?;
        Ok(name)
    }

    /// Reads the board file or graph `path`: one board, or of an LDtk project one for each level. Returns
    /// each with the name of its table.
    fn read(&self, path: &Path) -> Result<Vec<(String, Origin)>, Failure> {
        let given =
            |reading| Origin::Given { path: path.to_owned(), level: None, reading: Arc::new(reading) };
        if self.graph {
            if let Some(name) = self.map.first_given() {
                return Err(Failure::input(format!("--{name} is for maps of editors, not --graph")));
            }
            let board = self.streets.read_board(path)?;
            return Ok(vec![(
                self.table_name(path)?,
                given(MapReading::of_board(Scenario::from_board(board))),
            )]);
        }
        let in_file = |failure: Failure| failure.in_file(path);
        let bytes = boards::bytes(path)?;
        let Some(levels) = boards::of_levels(path, &bytes, &self.map.selectors())? else {
            let reading = boards::parse_any(path, &bytes, &self.map.selectors()).map_err(in_file).map_err(
                |failure| match manifest::is_manifest_text(path) {
                    true => manifest::misnamed(path),
                    false => failure,
                },
            )?;
            return Ok(vec![(self.table_name(path)?, given(boards::noted(path, reading)))]);
        };
        let map = self.table_name(path)?;
        levels.into_iter().map(|level| of_level(path, &map, level)).collect()
    }
}

/// Returns the failure of an argument that a manifest specifies itself.
fn beside_manifest(name: &str) -> Failure {
    Failure::input(format!("--{name} cannot stand beside a manifest, which specifies it itself"))
}

/// Returns the default set: every open board from 3×3 to 12×12, and some mazes, rooms and random boards. Each
/// marks start cells: the thief's is the last open cell, far from the exit, and those of so many officers are
/// spread over the open cells.
fn default_set(officers: u8) -> Result<Vec<(String, Origin)>, Failure> {
    let given = |name: String, board: Result<Board, BoardError>| -> Result<(String, Origin), Failure> {
        let board = board.map_err(|error| Failure::Input(error.into()))?;
        let cells: Vec<Cell> = board.open_cells().collect();
        let (among, officers) = (cells.len(), usize::from(officers));
        let police = (1..=officers).map(|officer| cells[officer * among / (officers + 1)]).collect();
        let scenario = Scenario { board, police, thief: cells.last().copied() };
        let reading = Arc::new(MapReading::of_board(scenario));
        Ok((name.clone(), Origin::Given { path: name.into(), level: None, reading }))
    };
    let mut boards = Vec::new();
    for size in (3..=12).flat_map(|height| (3..=12).map(move |width| Size { height, width })) {
        boards.push(given(boards::open_name(size), boards::open(size))?);
    }
    let mut add = |name: &str, maker: Maker, side: u16, seed, extra| {
        let size = Size { height: side, width: side };
        let board = maker.make(size, seed, Maker::DENSITY, extra);
        boards.push(given(format!("{name}-{side}x{side}"), board)?);
        Ok::<(), Failure>(())
    };
    for (side, seed) in [(15, 1), (21, 2), (31, 3)] {
        add("maze", Maker::Maze, side, seed, 0)?;
        add("loops", Maker::Maze, side, seed, side.into())?;
    }
    for (side, seed) in [(16, 1), (24, 2), (32, 3)] {
        add("rooms", Maker::Rooms, side, seed, 0)?;
        add("random", Maker::Random, side, seed, 0)?;
    }
    Ok(boards)
}

/// Returns each table once. Two different boards of one name are an error.
fn without_repeats(mut planned: Vec<ListedTable>) -> Result<Vec<ListedTable>, Failure> {
    let mut first: HashMap<&str, &ListedTable> = HashMap::with_capacity(planned.len());
    let mut is_first = Vec::with_capacity(planned.len());
    for table in &planned {
        match first.get(table.name.as_str()) {
            Some(other) if other.origin.is_same_board(&table.origin) => is_first.push(false),
            Some(other) => {
                return Err(Failure::input(format!(
                    "two different boards, {} and {}, would both become {}.dtb",
                    other.origin, table.origin, table.name
                ))
                .with_hint("rename one, or give them different folders with --out"));
            }
            None => {
                first.insert(&table.name, table);
                is_first.push(true);
            }
        }
    }
    let mut is_first = is_first.into_iter();
    planned.retain(|_| is_first.next() == Some(true));
    Ok(planned)
}
