//! The installation, and the commands and programs of README.md, run as they stand.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod support;

use std::{fs, io::Write as _, os::unix::fs::symlink, path::Path, process::Command};
use support::{CRATE, compile, run};
use tempfile::TempDir;

/// The blocks of README.md in this language.
fn blocks(language: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let opening = format!("```{language}\n");
    page.split(&opening).skip(1).map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
}

/// A folder where the repository seems to be, so that nothing is written to the real one.
fn repository() -> TempDir {
    let folder = TempDir::new().unwrap();
    let real = Path::new(CRATE).join("../..").canonicalize().unwrap();
    for name in ["probe", "formats"] {
        symlink(real.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// A shell in the repository that builds as these tests are built.
fn shell(folder: &TempDir) -> Command {
    let mut shell = Command::new("sh");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    shell.current_dir(folder.path()).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
    shell.env("DRAGNET_PROFILE", if cfg!(debug_assertions) { "dev" } else { "release" });
    shell.arg("-euc");
    shell
}

fn there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        writeln!(std::io::stderr(), "skipped in part: no {program}").unwrap();
    }
    there
}

/// Whether programs can be linked with a static C library.
fn static_programs(folder: &TempDir) -> bool {
    let source = folder.path().join("empty.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut command = compile(&source, "c11").unwrap();
    let built = command.arg("-static").arg("-o").arg(folder.path().join("empty")).output().unwrap();
    if !built.status.success() {
        writeln!(std::io::stderr(), "skipped in part: no static C library").unwrap();
    }
    built.status.success()
}

#[test]
fn the_page_runs_as_it_stands() {
    if !(there("pkg-config") && there("c++")) {
        return;
    }
    let folder = repository();
    let mut script = String::new();
    let with_static = static_programs(&folder);
    for line in blocks("sh").concat().lines().filter(|line| !line.starts_with("cargo test")) {
        if with_static || !line.starts_with("cc -static") {
            script.push_str(&format!("{line}\n"));
        }
    }
    for (language, compiler) in [("c", "cc"), ("cpp", "c++ -std=c++17")] {
        for (i, block) in blocks(language).iter().enumerate() {
            let name = format!("page-{i}.{language}");
            fs::write(folder.path().join(&name), block).unwrap();
            script.push_str(&format!(
                "{compiler} -o page {name} $(pkg-config --cflags --libs dragnet)\n./page\n"
            ));
        }
    }
    if with_static {
        script
            .push_str("LD_LIBRARY_PATH= ./ask-static $table >static.txt\n./ask $table | cmp - static.txt\n");
    }
    let printed = run(shell(&folder).arg(script), "");
    assert!(printed.contains(&format!("\n{}\n", env!("CARGO_PKG_VERSION"))), "{printed}");
    let promised = blocks("text");
    assert!(promised.len() > 3);
    for text in &promised {
        assert!(printed.contains(text), "{text}\nis not in\n{printed}");
    }
    assert_eq!(printed.matches(&promised[3]).count(), 2, "in C and in C++:\n{printed}");
}

#[test]
fn a_package_is_put_below_another_root() {
    let folder = repository();
    let script = "DESTDIR=$PWD/root probe/capi/install.sh /opt/games\n\
                  grep -x prefix=/opt/games root/opt/games/lib/pkgconfig/dragnet.pc\n\
                  test -f root/opt/games/include/dragnet.hpp -a -f root/opt/games/lib/libdragnet.a\n\
                  test -f root/opt/games/lib/libdragnet.so\n\
                  ! probe/capi/install.sh\n\
                  ! probe/capi/install.sh --help\n";
    run(shell(&folder).arg(script), "");
}
