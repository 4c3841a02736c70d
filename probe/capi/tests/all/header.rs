//! The header declares exactly the functions that the library exports, and compiles under every supported
//! standard.

use crate::support::{CRATE, c_type, check, compile, header, library, squeezed, text};
use std::{collections::BTreeMap, fs, io::Write as _, path::Path, process::Command};

/// Returns the declarations of the header by the name of the function.
fn declared() -> BTreeMap<String, String> {
    let header = header();
    let lines: String = header
        .lines()
        .filter(|line| !line.starts_with('#'))
        .fold(String::new(), |all, line| all + line + "\n");
    let functions = lines.split(';').map(|text| squeezed(text.rsplit('{').next().unwrap()));
    // Pointers to functions are fields of a structure.
    let named = functions.filter(|text| text.ends_with(')') && !text.contains("(*")).map(|text| {
        let name = text.split('(').next().unwrap().rsplit([' ', '*']).next().unwrap().to_owned();
        (name, text)
    });
    named.collect()
}

/// Returns the functions that `src` exports, by name, as C would declare them.
fn exported() -> BTreeMap<String, String> {
    let mut functions = BTreeMap::new();
    for entry in fs::read_dir(Path::new(CRATE).join("src")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let source = fs::read_to_string(path).unwrap();
        for function in source.split("#[unsafe(no_mangle)]\npub extern \"C\" fn ").skip(1) {
            let (name, rest) = function.split_once('(').unwrap();
            let (arguments, rest) = rest.split_once(") -> ").unwrap();
            let result = c_type(rest.split_once(" {").unwrap().0);
            let arguments = arguments.split(',').map(squeezed).filter(|argument| !argument.is_empty());
            let arguments: Vec<String> = arguments
                .map(|argument| {
                    let (name, kind) = argument.split_once(": ").unwrap();
                    spaced(&c_type(kind), name)
                })
                .collect();
            let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
            functions.insert(name.to_owned(), format!("{}({arguments})", spaced(&result, name)));
        }
    }
    functions
}

fn spaced(kind: &str, name: &str) -> String {
    if kind.ends_with('*') { format!("{kind}{name}") } else { format!("{kind} {name}") }
}

#[test]
fn the_library_exports_the_functions_of_the_header() {
    let (declared, exported) = (declared(), exported());
    assert!(declared.len() > 20, "{declared:?}");
    assert_eq!(declared.keys().collect::<Vec<_>>(), exported.keys().collect::<Vec<_>>());
    for (name, declaration) in declared {
        // The Rust sources have plain integers in the place of `dragnet_side` and `dragnet_kind`.
        let plain = declaration.replace("dragnet_side ", "int32_t ").replace("dragnet_kind ", "int32_t ");
        assert_eq!(plain, exported[&name]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_has_no_other_symbols() {
    let library = library().folder.path().join("libdragnet.so");
    let Ok(output) =
        Command::new("nm").args(["--dynamic", "--defined-only", "--format=posix"]).arg(library).output()
    else {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no nm").unwrap();
        return;
    };
    let listed = text(&output.stdout);
    let mut symbols: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    symbols.sort_unstable();
    assert_eq!(symbols, declared().keys().collect::<Vec<_>>());
}

#[test]
fn the_headers_compile_under_every_supported_standard() {
    let folder = tempfile::tempdir().unwrap();
    for (header, extension, standard) in [
        ("dragnet.h", "c", "c99"),
        ("dragnet.h", "c", "c11"),
        ("dragnet.h", "cpp", "c++17"),
        ("dragnet.hpp", "cpp", "c++17"),
        ("dragnet.hpp", "cpp", "c++20"),
    ] {
        let file = folder.path().join(format!("user.{extension}"));
        // Including a header twice must do no harm.
        let source =
            format!("#include <{header}>\n#include <{header}>\nint main(void) {{ return DRAGNET_OK; }}\n");
        fs::write(&file, source).unwrap();
        let Some(mut command) = compile(&file, standard) else { continue };
        check(command.arg("-fsyntax-only"));
    }
}

#[test]
fn the_header_states_the_version_of_the_library() {
    assert!(header().contains(&format!("#define DRAGNET_VERSION \"{}\"", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_examples_in_the_headers_compile() {
    let folder = tempfile::tempdir().unwrap();
    for (header, mark, extension, standard) in
        [("dragnet.h", " *     ", "c", "c99"), ("dragnet.hpp", "//     ", "cpp", "c++17")]
    {
        let text = fs::read_to_string(Path::new(CRATE).join("include").join(header)).unwrap();
        let lines = text.lines().take_while(|line| !line.starts_with('#'));
        let example: String = lines
            .filter_map(|line| line.strip_prefix(mark))
            .fold(String::new(), |all, line| all + line + "\n");
        assert!(example.contains("main("), "{example}");
        let file = folder.path().join(format!("example.{extension}"));
        fs::write(&file, example).unwrap();
        let Some(mut command) = compile(&file, standard) else { continue };
        check(command.arg("-fsyntax-only"));
    }
}
