//! The harness of batch manifests.

/// The most bytes of an error message, beside a few copies of the manifest, of which it may quote a name.
const LONGEST_MESSAGE: usize = 4_000;
/// The most tables of a manifest; the program refuses more.
const MOST_TABLES: usize = 100_000;

/// Checks that any text is a list of at most `MOST_TABLES` tables, or an error in one line. Touches no
/// file.
///
/// # Panics
/// Panics if a promise is broken.
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
