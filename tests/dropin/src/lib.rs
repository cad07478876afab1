//! What the tests of the drop-in share: the sector of `tests/data`, and what Filecoin's own verifier says of a proof.

pub mod data;
mod statement;

pub use self::statement::{PoRep, Post, Statement, Update};
