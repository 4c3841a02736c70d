//! The built application, which `dragnet serve` answers with and `dragnet site` writes.
//!
//! The files are as the build writes them. Compressed ones would make the program a megabyte smaller, and
//! every writer of a folder would have to decompress them; the server compresses what it sends.

/// A file of the application.
#[derive(Debug)]
pub(crate) struct Page {
    /// The name of the file, beside the other ones.
    pub(crate) name: &'static str,
    /// The media type, as in the header Content-Type.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only the server tells it"))]
    pub(crate) content_type: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// Returns a file of the application with its content.
macro_rules! page {
    ($name:literal, $content_type:literal) => {
        Page {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../web/built/", $name)),
        }
    };
}

/// All files of the application; the first is the one that a browser opens.
pub(crate) static ALL: [Page; 5] = [
    page!("index.html", "text/html; charset=utf-8"),
    page!("app.js", "text/javascript; charset=utf-8"),
    page!("app.css", "text/css; charset=utf-8"),
    page!("worker.js", "text/javascript; charset=utf-8"),
    page!("engine.wasm", "application/wasm"),
];

/// Returns the file of the application at this path of an address, without the first slash. An empty path is
/// the page that a browser opens.
#[cfg(any(test, feature = "serve"))]
pub(crate) fn page(path: &str) -> Option<&'static Page> {
    let name = if path.is_empty() { ALL[0].name } else { path };
    ALL.iter().find(|page| page.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs};

    #[test]
    fn every_file_of_the_build_is_a_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web/built");
        let built: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(built, ALL.iter().map(|page| page.name.to_owned()).collect());
    }

    #[test]
    fn files_are_found_by_the_path_of_their_address() {
        assert!(page("").unwrap().bytes.starts_with(b"<!doctype html>"));
        assert_eq!(page("engine.wasm").unwrap().bytes[..4], *b"\0asm");
        for path in ["/", "../Cargo.toml", "APP.js", "app.js/"] {
            assert!(page(path).is_none(), "{path}");
        }
    }
}
