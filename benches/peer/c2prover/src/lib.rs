//! The harness's data as the library takes it.

use bench_common::batch::Batch;
use bench_common::field::Fr;
use bench_common::shape::{self, Shape};
use blstrs::Scalar;
use c2prover::circuit::{Assignment, Density};

/// Scalars in memory form.
pub fn scalars(values: &[Fr]) -> &[Scalar] {
    // SAFETY: both are four words of a Montgomery form.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// A density over `bit_len` variables.
pub fn density(density: &shape::Density, bit_len: usize) -> Density<'_> {
    Density { words: &density.words, bit_len, popcount: density.ones }
}

/// Circuit `k` of a batch; c is left to the prover.
pub fn assignment<'a>(shape: &'a Shape, batch: &'a Batch, k: usize) -> Assignment<'a> {
    Assignment {
        a: scalars(&batch.a),
        b: scalars(&batch.b),
        c: &[],
        inputs: scalars(&batch.inputs[k]),
        aux: scalars(&batch.aux[k]),
        a_aux_density: density(&shape.a_aux, shape.aux),
        b_input_density: density(&shape.b_inputs, shape.inputs),
        b_aux_density: density(&shape.b_aux, shape.aux),
    }
}
