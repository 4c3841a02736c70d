//! Folders of tables opened as one.

use crate::support::{Solved, board};
use dragnet_formats::codec::Favour;
use dragnet_probe::{Board, ProbeError, Rules, Scenario, Setting, Tablebase, TablebaseError};
use std::{fs, path::Path};

const YARD: &str = "...#\n.#.E\n....\n";
const LANE: &str = ".....E\n";

/// Returns the setting of a board and rules.
fn of(board: &Board, rules: &Rules) -> Setting {
    Setting::new(Scenario::from_board(board.clone()), rules.clone())
}

fn write(path: impl AsRef<Path>, text: &str, rules: Rules) -> Board {
    let solved = Solved::new(board(text), rules, (2, 2), (3, 3));
    fs::write(path, solved.table(Favour::Size)).unwrap();
    board(text)
}

#[test]
fn tables_are_found_by_board_and_rules_in_every_folder() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let yard = write(one.path().join("yard.dtb"), YARD, Rules::classic());
    write(one.path().join("yard-chase.dtb"), YARD, Rules::chase());
    let lane = write(two.path().join("lane.dtb"), LANE, Rules::classic());
    // Neither is a table by its name: another ending, and one that is being written.
    write(two.path().join("yard.old"), YARD, Rules::classic());
    write(two.path().join(".lane.dtb"), LANE, Rules::chase());
    for open_tables in [1, 64] {
        let tables = Tablebase::open([one.path(), two.path()]).unwrap().keep_open(open_tables);
        assert_eq!(tables.paths().len(), 3);
        assert!(tables.unreadable().is_empty());
        for _ in 0..3 {
            for (board, rules) in
                [(&yard, Rules::classic()), (&yard, Rules::chase()), (&lane, Rules::classic())]
            {
                let table = tables.table(&of(board, &rules)).unwrap();
                let setting = table.setting().unwrap();
                assert_eq!((&setting.board, &setting.rules), (board, &rules));
            }
        }
        let missing = tables.table(&of(&lane, &Rules::chase())).unwrap_err();
        assert!(matches!(missing, TablebaseError::Missing { tables: 3, unreadable: 0, .. }));
        assert_eq!(missing.to_string(), "no table for this board of 1x6 and these rules among 3");
    }
}

#[test]
fn a_missing_table_is_told_from_a_damaged_one() {
    let folder = tempfile::tempdir().unwrap();
    let yard = write(folder.path().join("yard.dtb"), YARD, Rules::classic());
    let whole = fs::read(folder.path().join("yard.dtb")).unwrap();
    // One cut short behind its header, one within it, one that is no table at all, and an empty one.
    fs::write(folder.path().join("yard.dtb"), &whole[..whole.len() - 1]).unwrap();
    fs::write(folder.path().join("a.dtb"), &whole[..60]).unwrap();
    fs::write(folder.path().join("b.dtb"), "a text").unwrap();
    fs::write(folder.path().join("c.dtb"), "").unwrap();
    let tables = Tablebase::open([folder.path()]).unwrap();
    assert_eq!((tables.paths().len(), tables.unreadable().len()), (1, 3));
    for (error, name) in tables.unreadable().iter().zip(["a.dtb", "b.dtb", "c.dtb"]) {
        assert!(matches!(error, ProbeError::InFile { path, .. } if path.ends_with(name)), "{error}");
    }
    let damaged = tables.table(&of(&yard, &Rules::classic())).unwrap_err();
    assert!(matches!(&damaged, TablebaseError::Damaged { .. }));
    assert!(damaged.to_string().contains("yard.dtb: the table is cut short"), "{damaged}");
    // Its header does not tell by which moves the pieces step.
    assert!(matches!(tables.table(&of(&yard, &Rules::chase())), Err(TablebaseError::Damaged { .. })));
    let two = Rules { officers: 2, ..Rules::classic() };
    let missing = tables.table(&of(&yard, &two)).unwrap_err();
    assert!(matches!(missing, TablebaseError::Missing { tables: 1, unreadable: 3, .. }), "{missing}");

    // A whole one in another folder takes the place of the damaged one.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("whole.dtb"), &whole).unwrap();
    let tables = Tablebase::open([folder.path(), other.path()]).unwrap();
    assert_eq!(tables.table(&of(&yard, &Rules::classic())).unwrap().board(), &yard);
}

#[test]
fn exchanged_or_missing_file_gives_no_wrong_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.dtb");
    let yard = write(&path, YARD, Rules::classic());
    let tables = Tablebase::open([folder.path()]).unwrap();
    fs::remove_file(&path).unwrap();
    let gone = tables.table(&of(&yard, &Rules::classic())).unwrap_err();
    assert!(matches!(gone, TablebaseError::Damaged { source: ProbeError::File { .. } }), "{gone}");
    write(&path, LANE, Rules::classic());
    let exchanged = tables.table(&of(&yard, &Rules::classic())).unwrap_err();
    assert!(matches!(exchanged, TablebaseError::Missing { .. }), "{exchanged}");
    assert!(Tablebase::open([folder.path().join("nowhere")]).is_err());
}

#[test]
fn a_header_longer_than_the_first_read_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let rows = format!("{}\n", "#".repeat(150)).repeat(149) + &".".repeat(3) + &"#".repeat(147) + "\n";
    let long = write(folder.path().join("long.dtb"), &rows, Rules::classic());
    let tables = Tablebase::open([folder.path()]).unwrap();
    assert!(tables.unreadable().is_empty());
    assert_eq!(tables.table(&of(&long, &Rules::classic())).unwrap().board(), &long);
}
