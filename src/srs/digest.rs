//! The digest by which Filecoin's list of parameters knows a file.

use std::path::Path;

use super::source::Source;
use crate::{Cancel, Error};

/// Bytes that are read at once.
const PIECE: usize = 4 << 20;
/// Hexadecimal digits of the BLAKE2b that the list keeps.
const DIGITS: usize = 32;

/// The first 32 hexadecimal digits of a file's BLAKE2b. Reads all of it, at about a gigabyte a second.
///
/// # Errors
/// Those of a file that cannot be read, or that changes meanwhile; `Cancelled`.
pub fn digest(path: &Path, cancel: &Cancel) -> Result<String, Error> {
    let source = Source::open(path)?;
    let mut state = blake2b_simd::State::new();
    let mut buffer = vec![0; PIECE];
    let mut at = 0;
    while at < source.bytes() {
        cancel.check()?;
        let piece = &mut buffer[..usize::try_from(source.bytes() - at).map_or(PIECE, |left| left.min(PIECE))];
        source.read_exact_at(piece, at)?;
        state.update(piece);
        at += piece.len() as u64;
    }
    source.unchanged()?;
    Ok(state.finalize().to_hex()[..DIGITS].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_that_of_other_programs() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/c1-raw.json");
        // By coreutils' b2sum.
        assert_eq!(digest(&file, &Cancel::default()).unwrap(), "b1e5b22360c0b4c61e3585adfd5a69fb");
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert!(matches!(digest(&file, &cancelled), Err(Error::Cancelled)));
    }
}
