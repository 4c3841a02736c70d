//! Numbers in LEB128: seven bits a byte, lowest first, the high bit set in all bytes but the last.

/// Appends `number`.
pub(crate) fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The reason why bytes do not begin with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoNumber {
    /// A text for "expected ...".
    pub(crate) expected: &'static str,
    /// As much of the number as was read.
    pub(crate) found: u64,
}

/// Takes a number of at most 32 bits off the beginning of `bytes`, in at most 5 of them.
pub(crate) fn take(bytes: &mut &[u8]) -> Result<u32, NoNumber> {
    let mut found = 0u64;
    for shift in (0..35).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(NoNumber { expected: "a whole number", found });
        };
        *bytes = rest;
        found |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return u32::try_from(found)
                .map_err(|_| NoNumber { expected: "a number of at most 32 bits", found });
        }
    }
    Err(NoNumber { expected: "a number of at most 5 bytes", found })
}
