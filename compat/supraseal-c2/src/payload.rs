//! Texts that outlive a panic: filecoin-ffi passes a payload on only if it is a `&'static str`.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use c2prover::Error;

/// Distinct texts that are kept: a text is leaked once however often it is needed, and no more than these.
const MOST: usize = 256;
const BEYOND: &str = "c2prover: proving failed; the log says why";

static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// An error in one line: name, text, what to do.
pub fn text(e: &Error) -> String {
    format!("c2prover: {}: {e} ({})", e.status().name(), e.status().advice())
}

/// Panics with the text of the error.
#[track_caller]
pub fn panic(e: &Error) -> ! {
    std::panic::panic_any(kept(&text(e), MOST))
}

fn kept(text: &str, most: usize) -> &'static str {
    // A set is whole between its operations, so a panic elsewhere does not spoil it.
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = texts.get(text) {
        return text;
    }
    if texts.len() >= most {
        return BEYOND;
    }
    let text: &'static str = Box::leak(text.into());
    texts.insert(text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_leaked_once_and_their_number_is_bounded() {
        let first = kept("one", 2);
        assert!(std::ptr::eq(first, kept(&String::from("one"), 2)));
        assert_eq!(kept("two", 2), "two");
        assert_eq!(kept("three", 2), BEYOND);
        assert!(std::ptr::eq(first, kept("one", 2)));
    }
}
