//! The harness of the texts from which games are made.

use dragnet_formats::setting::Setting;

/// Checks that any text is a setting or an error, and that a setting comes back from its text. The pieces
/// start on open cells.
///
/// # Panics
/// Panics if a promise is broken.
pub fn setting(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Setting::from_source(text) {
        Ok(setting) => {
            for &start in setting.police.iter().chain(&setting.thief) {
                assert_eq!(setting.board.require_open(start), Ok(start));
            }
            setting.rules.check_on(&setting.board).expect("rules that can be played");
            let source = setting.to_source();
            let again = Setting::from_source(&source).unwrap_or_else(|error| panic!("{error}: {source}"));
            assert_eq!((&again.board, &again.rules), (&setting.board, &setting.rules), "{source}");
            assert_eq!(again.to_source(), source);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
