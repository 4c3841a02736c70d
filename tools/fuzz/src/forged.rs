//! The harness of tables that lie: small games whose header, sections, source or values were changed before
//! the checksums were made.

use crate::{
    bytes::{Choices, push_number},
    draft::Draft,
    games::{SMALL, compile, setting, tiles, wild},
    solved::solve,
    table::{Asked, ask},
};
use dragnet_formats::{
    container::TableError,
    game::{Places, Stuck, Team},
    header::{Header, Section, Summary},
    numbering::TileSize,
    rules::Undecided,
    stop::StopCheck,
    stored::StoredGame,
    value::Value,
};

/// The most changes to one table.
const CHANGES: usize = 4;
/// The most worlds of a table whose number of worlds was changed with its lists.
const MOST_WORLDS: u32 = 5;
/// The place of the field `keeps` in the header.
const KEEPS: std::ops::Range<usize> = 4..8;
/// The codes of outcomes, which are moves too.
const FEW_CODES: u32 = 3;

/// Makes a small game and its table as the bytes say, and lies about some of it: fields of the header, the
/// number of worlds, lists of moves and captures, arrivals, escapes, source, points, values, counts, or what
/// the table keeps. Then asks it like [`table`](crate::table()): a reader answers or errs, and `verify` takes
/// it if and only if it is right.
///
/// # Panics
/// Panics if a promise is broken.
pub fn forged_table(bytes: &[u8]) {
    let _ = forged(bytes);
}

/// Runs [`forged_table`] and returns what became of the table, and how many worlds it says to have; `None` if
/// there is no such small table.
///
/// # Panics
/// Panics if a promise is broken.
#[must_use]
pub fn forged(bytes: &[u8]) -> Option<(Asked, u32)> {
    let Forgery { file, worlds, is_whole } = forge_file(bytes)?;
    let asked = ask(file);
    assert!(!is_whole || asked == Asked::Right, "a whole table is {asked:?}");
    Some((asked, worlds))
}

/// A table that lies, or not.
struct Forgery {
    file: Vec<u8>,
    worlds: u32,
    /// Whether nothing in it was changed.
    is_whole: bool,
}

/// Returns the table that the bytes ask for; `None` if there is no such small table.
fn forge_file(bytes: &[u8]) -> Option<Forgery> {
    let mut choices = Choices(bytes);
    let (stored, is_its_source) = game(&mut choices);
    let tiles = tiles(&mut choices, stored.game.officers());
    let packed = stored.pack(tiles).expect("a small game");
    let mut draft = Draft::new(&packed, &solve(&stored.game, tiles).expect("a game"));
    let changes = choices.below(CHANGES + 1);
    for _ in 0..changes {
        change(&mut draft, &mut choices);
    }
    if changes > 0 && choices.byte().is_multiple_of(2) {
        set_right(&mut draft);
    }
    let mut header = match draft.header_bytes() {
        Ok(header) => header,
        // A header that nobody would write: the sections are those of the game before.
        Err(_) => {
            draft.header = packed.header.clone();
            draft.measure();
            draft.header_bytes().or_else(|_| packed.header.to_bytes()).expect("a header")
        }
    };
    let is_whole = is_its_source && changes == 0 && choices.byte() % 4 > 0;
    if !is_whole && choices.byte().is_multiple_of(4) {
        change_bytes(&mut header, &mut choices);
        let mut values = header.clone();
        values[KEEPS].fill(0);
        if let Ok(read) = Header::from_bytes(&values) {
            draft.header = read;
        }
    }
    Some(Forgery { file: draft.write(&header)?, worlds: draft.header.worlds, is_whole })
}

/// Returns a game, and whether its source is not that of another.
fn game(choices: &mut Choices) -> (StoredGame, bool) {
    match choices.byte() % 4 {
        0 => (compile(&setting(choices)), true),
        1 => {
            let source = setting(choices).to_source();
            (StoredGame { source, ..wild(choices, &SMALL) }, false)
        }
        _ => (wild(choices, &SMALL), true),
    }
}

/// Changes one thing.
fn change(draft: &mut Draft, choices: &mut Choices) {
    match choices.byte() % 14 {
        0 | 1 => change_section(draft, choices),
        2 => change_list(draft, choices),
        3 => swap_sections(draft, choices),
        4 => change_source(draft, choices),
        5 | 6 => change_header(draft, choices),
        7 => change_values(draft, choices),
        8 => change_summary(draft, choices),
        9 => draft.keeps = u32::from(choices.byte() % 5),
        10 => partial_codes(draft, choices),
        11 | 12 => change_worlds(draft, choices),
        _ => {
            let at = choices.below(draft.sections.len());
            draft.sections[at].resize(choices.below(70), u32::from(choices.byte()));
            draft.measure();
        }
    }
}

/// Returns a section that is not empty, the moves at least.
fn some_section(draft: &Draft, choices: &mut Choices) -> Option<usize> {
    let full: Vec<usize> = (0..draft.sections.len()).filter(|&at| !draft.sections[at].is_empty()).collect();
    full.get(choices.below(full.len())).copied()
}

/// Alters, inserts or removes a code of a section.
fn change_section(draft: &mut Draft, choices: &mut Choices) {
    let Some(section) = some_section(draft, choices) else { return };
    let codes = &mut draft.sections[section];
    let at = choices.below(codes.len());
    match choices.byte() % 6 {
        0 => codes[at] = u32::from(choices.byte()),
        1 => codes[at] ^= 1 << (choices.byte() % 8),
        2 => codes[at] = codes[at].wrapping_add(1) & 0xFF,
        // No byte.
        3 => codes[at] = 256 + u32::from(choices.byte()),
        4 => drop(codes.remove(at)),
        _ => codes.insert(at, choices.byte().into()),
    }
    if !choices.byte().is_multiple_of(8) {
        draft.measure();
    }
}

/// Returns the sections that are lists.
fn lists(draft: &Draft) -> Vec<Section> {
    let is_list = |section: &Section| {
        matches!(section, Section::OfficerMoves(_) | Section::Captures(_) | Section::ThiefMoves)
    };
    draft.header.sections().filter(is_list).collect()
}

/// Returns the places of the pieces of which a section is.
fn places_of(header: &Header, section: Section) -> &Places {
    match section {
        Section::OfficerMoves(kind) | Section::Captures(kind) | Section::Arrivals(kind) => {
            &header.kinds[usize::from(kind)].places
        }
        _ => &header.thief.places,
    }
}

/// Replaces moves or captures by other lists.
fn change_list(draft: &mut Draft, choices: &mut Choices) {
    let lists = lists(draft);
    forge_lists(draft, lists[choices.below(lists.len())], choices);
    draft.measure();
}

/// Gives a section a palette of lists of small differences, some of which lead to another world.
fn forge_lists(draft: &mut Draft, section: Section, choices: &mut Choices) {
    let (worlds, places) = (draft.header.worlds, places_of(&draft.header, section));
    let squares = places.squares().len() as u32;
    let count = 1 + choices.below(4);
    let mut bytes = vec![count as u8];
    for _ in 0..count {
        let len = choices.byte() % 4;
        bytes.push(len);
        for _ in 0..len {
            let number = choices.byte();
            // The first difference of a list is stored doubled, to have a sign.
            let far = if number >= 0xC0 { 2 * squares } else { 0 };
            push_number(&mut bytes, u32::from(number % 9) + far);
        }
    }
    let origins = worlds.min(MOST_WORLDS) as usize * places.count();
    bytes.extend((0..origins).map(|_| choices.byte() % count as u8));
    *draft.section(section) = bytes.into_iter().map(u32::from).collect();
}

/// Changes the number of worlds, and repeats what the sections say of one place for many or makes new lists.
/// Or lets several officers move in one turn, perhaps to different worlds.
fn change_worlds(draft: &mut Draft, choices: &mut Choices) {
    let header = &mut draft.header;
    let before = header.worlds;
    if before > 1 && choices.byte().is_multiple_of(2) {
        header.team = Team::All;
        if let [kind] = &mut header.kinds[..] {
            kind.pieces = kind.pieces.max(2);
        }
        return keep_count(draft);
    }
    header.worlds = 1 + u32::from(choices.byte()) % MOST_WORLDS;
    let after = header.worlds as usize;
    let ends: Vec<Section> = (header.sections())
        .filter(|section| matches!(section, Section::Arrivals(_) | Section::Escapes))
        .collect();
    for section in ends {
        let places = places_of(&draft.header, section).count();
        let codes = draft.section(section);
        if !codes.is_empty() {
            let (byte, bits) = (u32::from(choices.byte()), after * places);
            // Bits beyond the last place are 0.
            let unused = |first: usize| 8_usize.saturating_sub(bits - first);
            *codes = (0..bits).step_by(8).map(|first| byte & 0xFF >> unused(first)).collect();
        }
    }
    for section in lists(draft) {
        let places = places_of(&draft.header, section).count();
        let codes = draft.section(section);
        let must_be = !matches!(section, Section::Captures(_));
        if choices.byte().is_multiple_of(2) && (must_be || !codes.is_empty()) {
            forge_lists(draft, section, choices);
        } else if let Some(of_one) = codes.len().checked_sub(before as usize * places) {
            // Each world has the lists of the first one.
            let lists = codes[of_one..].iter().copied().take(places).collect::<Vec<u32>>();
            codes.truncate(of_one);
            (0..after).for_each(|_| codes.extend(&lists));
        }
    }
    draft.measure();
    keep_count(draft);
}

/// Gives a section the bytes of another one, or none.
fn swap_sections(draft: &mut Draft, choices: &mut Choices) {
    let all = draft.sections.len();
    let [one, other] = [choices.below(all), choices.below(all)];
    match choices.byte() % 3 {
        0 => draft.sections.swap(one, other),
        1 => draft.sections[one] = draft.sections[other].clone(),
        _ => draft.sections[one].clear(),
    }
    draft.measure();
}

/// Says that the game was made from something else, or the same in other words.
fn change_source(draft: &mut Draft, choices: &mut Choices) {
    let source = match choices.byte() % 5 {
        0 => setting(choices).to_source(),
        1 => String::new(),
        2 => format!("board = '''\n{}'''\n", "....\n".repeat(1 + choices.below(4))),
        _ => {
            // Bytes are text here, as far as they are ASCII.
            let old = draft.section(Section::Source).iter();
            old.map(|&code| code as u8 as char).collect::<String>() + "\n# and more\n"
        }
    };
    *draft.section(Section::Source) = source.bytes().map(u32::from).collect();
    draft.measure();
}

/// Changes a field of the header.
fn change_header(draft: &mut Draft, choices: &mut Choices) {
    let header = &mut draft.header;
    let small = 1 + choices.byte() % 6;
    let any = choices.below(2 * header.kinds.len().max(1));
    let kind = header.kinds.get_mut(any).unwrap_or(&mut header.thief);
    match choices.byte() % 12 {
        0 => kind.pieces = small % 4,
        1 => kind.layers = vec!["layer".to_owned(); usize::from(small)],
        2 => kind.name = ["", "other", "a\nb"][choices.below(3)].to_owned(),
        3 | 4 => {
            let mut squares = kind.places.squares().to_vec();
            let at = choices.below(squares.len());
            squares[at] = !squares[at];
            kind.places = Places::new(kind.places.height(), kind.places.width(), squares);
        }
        5 => kind.tile = TileSize::new(small, 1 + choices.byte() % 6).expect("a tile size"),
        6 => header.team = if header.team == Team::All { Team::One } else { Team::All },
        7 => header.stuck = if header.stuck == Stuck::Wins { Stuck::Loses } else { Stuck::Wins },
        8 => header.undecided = [Undecided::Draw, Undecided::Police, Undecided::Thief][choices.below(3)],
        9 => {
            let lens = &mut kind.lens;
            let len = [&mut lens.moves, &mut lens.captures, &mut lens.ends];
            *len.into_iter().nth(choices.below(3)).expect("three") = u32::from(choices.byte());
        }
        10 => header.worlds = [0, 1, 2, 3, 4096, 4097, u32::MAX][choices.below(7)],
        _ => header.points_len = 8 * u32::from(small),
    }
    keep_count(draft);
}

/// Makes a summary of draws if the game has another number of positions than before.
fn keep_count(draft: &mut Draft) {
    let header = &mut draft.header;
    if let Ok(positions) = header.side_positions()
        && positions != header.summary.police_to_move.total()
    {
        header.summary = Summary::of_draws(positions);
    }
}

/// Changes the codes of some positions, or of all.
fn change_values(draft: &mut Draft, choices: &mut Choices) {
    let mut keys: Vec<_> = draft.codes.keys().copied().collect();
    keys.sort_unstable();
    if keys.is_empty() || choices.byte().is_multiple_of(8) {
        return draft.codes.clear();
    }
    for _ in 0..1 + choices.below(4) {
        let code = match choices.byte() % 3 {
            0 => Value::Draw.code(),
            1 => u32::from(choices.byte()),
            _ => choices.word() as u32,
        };
        draft.codes.insert(keys[choices.below(keys.len())], code);
    }
}

/// Changes counts, longest wins or the digest.
fn change_summary(draft: &mut Draft, choices: &mut Choices) {
    let summary = &mut draft.header.summary;
    let counts = if choices.byte().is_multiple_of(2) {
        &mut summary.police_to_move
    } else {
        &mut summary.thief_to_move
    };
    let by = u64::from(choices.byte());
    match choices.byte() % 4 {
        0 => {
            let moved = by.min(counts.police);
            counts.police -= moved;
            counts.draw += moved;
        }
        1 => {
            let moved = by.min(counts.draw);
            counts.draw -= moved;
            counts.thief += moved;
        }
        2 => summary.longest.police = summary.longest.police.wrapping_add(by as u32),
        _ => summary.digest ^= by << 32,
    }
}

/// Gives all positions codes as partial tables have them.
fn partial_codes(draft: &mut Draft, choices: &mut Choices) {
    draft.keeps = 1 + u32::from(choices.byte() % 3);
    let few = FEW_CODES + u32::from(choices.byte().is_multiple_of(4));
    for code in draft.codes.values_mut() {
        *code %= few;
    }
}

/// Gives the table the values of the game that it has after the changes, if that is a game.
fn set_right(draft: &mut Draft) {
    draft.measure();
    let kinds = draft.header.kinds.len();
    let bytes = |section: Section| {
        let codes = draft.sections[section.index(kinds)].iter();
        Ok::<_, TableError>(codes.map(|&code| code as u8).collect())
    };
    if draft.header.side_positions().is_ok_and(|positions| positions <= 2_000)
        && let Ok(stored) = StoredGame::unpack(&draft.header, bytes, &mut StopCheck::never())
        && let Ok(solved) = solve(&stored.game, draft.header.tiles())
    {
        draft.claim(&solved);
    }
}

/// Alters one or two bytes of the header.
fn change_bytes(header: &mut [u8], choices: &mut Choices) {
    for _ in 0..1 + choices.below(2) {
        let at = choices.below(header.len());
        header[at] = match choices.byte() % 3 {
            0 => header[at] ^ 1 << (choices.byte() % 8),
            1 => header[at].wrapping_add(1),
            _ => choices.byte(),
        };
    }
}
