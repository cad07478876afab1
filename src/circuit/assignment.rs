//! What a prover is given of one circuit.

use blstrs::Scalar;

use super::Density;

/// One circuit's evaluations, assignment and densities, borrowed from the caller.
///
/// The fields are those of supraseal-c2's `Assignment`, with the same meaning: scalars in blst's in-memory form
/// (Montgomery, 32 bytes), inputs beginning with the constant one.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'a> {
    /// Rows of A times the assignment: one for each constraint, then one for each input.
    pub a: &'a [Scalar],
    /// Rows of B times the assignment; as long as `a`.
    pub b: &'a [Scalar],
    /// Rows of C times the assignment. Not needed: on a satisfied circuit c = a.b. May be empty.
    pub c: &'a [Scalar],
    /// The public inputs, the constant one first.
    pub inputs: &'a [Scalar],
    /// The auxiliary variables.
    pub aux: &'a [Scalar],
    /// Which auxiliary variables occur in A. (All inputs do.)
    pub a_aux_density: Density<'a>,
    /// Which inputs occur in B.
    pub b_input_density: Density<'a>,
    /// Which auxiliary variables occur in B.
    pub b_aux_density: Density<'a>,
}

impl Assignment<'_> {
    /// Size of the evaluation domain: the power of two that holds all rows.
    pub fn domain(&self) -> usize {
        self.a.len().next_power_of_two()
    }
}
