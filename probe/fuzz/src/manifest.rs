//! Batch manifests.

/// No message is longer than this and a few copies of the manifest: it may quote a name.
const LONGEST_MESSAGE: usize = 4_000;
/// More tables are a slip of the finger; the program says so.
const MOST_TABLES: usize = 100_000;

/// Any text gives a list of tables, not absurdly long, or an error in one line. No file is touched.
///
/// # Panics
/// When a promise is broken.
pub fn manifest(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match dragnet::fuzzing::manifest(text) {
        Ok(tables) => assert!(tables <= MOST_TABLES, "{tables} tables"),
        Err(message) => {
            assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE + 4 * text.len(), "{message}");
            assert!(!message.contains('\n'), "{message:?}");
        }
    }
}
