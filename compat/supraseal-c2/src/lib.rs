//! The Rust interface of supraseal-c2 0.1.2, proved by c2prover. With
//!
//! ```toml
//! [patch.crates-io]
//! supraseal-c2 = { path = "…/c2prover/compat/supraseal-c2" }
//! ```
//!
//! bellperson 0.26 and 0.27 with their feature `cuda-supraseal`, and all that is built on them, prove through c2prover, unchanged,
//! with or without a GPU.
//!
//! - [`SRS`]: parameters, read once and shared ([`SRS::try_new`], [`SRS::evict`]);
//! - [`generate_groth16_proofs`] and [`Assignment`]: what bellperson 0.27 calls;
//! - [`generate_groth16_proof`]: what bellperson 0.26 calls.
//!
//! A proof that fails is a panic, as the interface has no other way. Its payload is always a `&'static str`, the one kind that
//! filecoin-ffi passes on. Messages go to the `log` crate; no logger is ever installed, no file locked, no variable needed.
#![deny(unsafe_code, missing_docs, clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

mod assignment;
mod call;
pub mod cuda;
mod payload;
mod process;
mod prove;
mod srs;

pub use self::assignment::Assignment;
pub use self::prove::{generate_groth16_proof, generate_groth16_proofs};
pub use self::srs::SRS;
