//! The harness's data as the library takes it.

use bench_common::field::Fr;
use bench_common::shape;
use blstrs::Scalar;
use c2prover::circuit::Density;

/// Scalars in memory form.
pub fn scalars(values: &[Fr]) -> &[Scalar] {
    // SAFETY: both are four words of a Montgomery form.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// A density over `bit_len` variables.
pub fn density(density: &shape::Density, bit_len: usize) -> Density<'_> {
    Density { words: &density.words, bit_len, popcount: density.ones }
}
