//! Programs in C++ without exceptions get the answers of programs with them, and the header compiles without
//! warnings.

use crate::support::{CRATE, GAME, GOLDEN, Linkage, check, folder_of_tables, golden, program, run};
use std::{fs, io::Write as _, path::Path, process::Command};
use tempfile::TempDir;

const PLAIN: [&str; 3] = ["-fno-exceptions", "-fno-rtti", "-Wconversion"];

#[test]
fn programs_without_exceptions_get_the_answers_of_programs_with_them() {
    let folder = folder_of_tables();
    for linkage in [Linkage::Static, Linkage::Shared] {
        let Some(ask) = program("tests/programs/ask.cpp", linkage, &[]) else { return };
        let Some(plain) = program("tests/programs/plain.cpp", linkage, &PLAIN) else { return };
        for name in GOLDEN {
            let expected = run(Command::new(&ask).arg(golden(name)).arg(folder.path()), "");
            let mut command = Command::new(&plain);
            let found = run(command.arg(golden(name)).arg(folder.path()).arg(golden(GAME)), "");
            assert!(found == expected, "{name}:\n{found}\nexpected\n{expected}");
        }
    }
}

#[test]
fn opponents_of_cpp_programs_choose_the_moves_of_the_page() {
    for flags in [&[][..], &PLAIN] {
        let Some(opponent) = program("tests/programs/opponent.cpp", Linkage::Shared, flags) else { return };
        let vectors = Path::new(CRATE).join("../tests/opponent/vectors.txt");
        run(Command::new(&opponent).arg(vectors).arg(golden("")), "");
    }
}

#[test]
fn the_header_compiles_without_warnings_with_and_without_exceptions() {
    let programs = Path::new(CRATE).join("tests/programs");
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow"];
    let mut compiled = 0;
    for compiler in ["g++", "clang++", "clang++-22"] {
        let there =
            Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
        if !there {
            let mut stderr = std::io::stderr();
            writeln!(stderr, "skipped in part: no {compiler}").unwrap();
            continue;
        }
        for standard in ["-std=c++17", "-std=c++20"] {
            for (source, flags) in
                [("ask.cpp", &[][..]), ("game.cpp", &[]), ("plain.cpp", &PLAIN), ("opponent.cpp", &PLAIN)]
            {
                let mut command = Command::new(compiler);
                command.args([standard, "-fsyntax-only", "-Werror"]).args(warnings).args(flags);
                check(command.arg("-I").arg(Path::new(CRATE).join("include")).arg(programs.join(source)));
                compiled += 1;
            }
        }
    }
    if compiled == 0 {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no C++ compiler").unwrap();
    }
}

#[test]
fn functions_that_throw_are_missing_without_exceptions() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("user.cpp");
    let text = "#include <dragnet.hpp>\nint main() { (void)dragnet::Open::path(\"x\").pursuit().value(); }\n";
    fs::write(&source, text).unwrap();
    let Some(mut with) = crate::support::compile(&source, "c++17") else { return };
    check(with.arg("-fsyntax-only"));
    let mut without = crate::support::compile(&source, "c++17").unwrap();
    let output = without.args(PLAIN).arg("-fsyntax-only").output().unwrap();
    let said = crate::support::text(&output.stderr);
    assert!(!output.status.success() && said.contains("value"), "{said}");
}

#[test]
fn parts_with_and_without_exceptions_make_one_program() {
    let folder = TempDir::new().unwrap();
    let part_text = "#include <dragnet.hpp>\n#include <vector>\n\
                bool plain(const char *path) {\n    \
                    const auto table = dragnet::Open::path(path).pursuit();\n    \
                    const dragnet::Pieces seven(std::vector<dragnet::Cell>(7));\n    \
                    return table && !table->value({seven, {0, 0}, dragnet::Side::thief});\n}\n";
    let main_text = "#include <dragnet.hpp>\n#include <vector>\nbool plain(const char *path);\n\
                   int main(int, char **argv) {\n    \
                       try {\n        \
                           const dragnet::Pieces seven(std::vector<dragnet::Cell>(7));\n    \
                       } catch (const dragnet::Error &) {\n        \
                           return plain(argv[1]) ? 0 : 1;\n    \
                       }\n    return 2;\n}\n";
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let plain = write("plain.cpp", part_text);
    let main = write("main.cpp", main_text);
    let (part, rest) = (folder.path().join("plain.o"), folder.path().join("main.o"));
    let Some(mut compile) = crate::support::compile(&plain, "c++17") else { return };
    check(compile.args(PLAIN).arg("-c").arg("-o").arg(&part));
    check(crate::support::compile(&main, "c++17").unwrap().arg("-c").arg("-o").arg(&rest));
    // The linker keeps the first of several functions with one name.
    for order in [[&part, &rest], [&rest, &part]] {
        let program = folder.path().join("program");
        let mut link = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
        link.args(order).arg(crate::support::library().folder.path().join("libdragnet.a"));
        check(link.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program));
        run(Command::new(&program).arg(golden(GOLDEN[0])), "");
    }
}
