//! Where the arithmetic runs. What is computed, in which order, and what overlaps is decided above, in
//! [`crate::prover`]; a backend has lanes that take operations in order, and buffers of its own.
//!
//! Operations enqueue and return a pending value at once; pending values are the inputs of later operations, on any
//! lane. Only the two uploads look at memory of the caller, and they have read it when they return. An operation
//! whose input failed fails with the same error.

pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod phase;
mod worker;

use blstrs::{G1Projective, G2Projective};

use self::phase::Phase;
use crate::circuit::Assignment;
use crate::srs::Srs;
use crate::timing::Scope;
use crate::Error;

/// The queries in G1 that are summed over the assignment; `h` is apart, as its scalars are the quotient's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the file layout
pub enum Query {
    L,
    A,
    BG1,
}

/// A value that an operation will deliver.
pub trait Pending<T>: Send {
    /// Waits for the value.
    ///
    /// # Errors
    /// That of the operation, or of the one it depended on.
    fn wait(self) -> Result<T, Error>;
}

/// A processor that proves. Vectors of scalars are opaque: the order and scale of coefficients are the backend's own.
pub trait Backend: Send + Sync + 'static {
    /// A value on its way.
    type Pending<T: Send + 'static>: Pending<T> + 'static;
    /// One circuit's a and b on the domain, in the backend's memory.
    type Evaluations: Send + 'static;
    /// A vector of scalars in the backend's memory.
    type Values: Send + 'static;
    /// One circuit's assignment, classified into zeros, ones and the rest.
    type Witness: Clone + Send + 'static;

    /// Name for logs, e.g. `cpu`.
    fn name(&self) -> &'static str;
    /// Facts about this backend that explain its timings.
    fn describe(&self) -> String;

    /// How many circuits of a batch are worth having under way at once: while one is computed, the next is uploaded.
    fn depth(&self) -> usize {
        1
    }

    /// Makes the points of an SRS resident, so that proofs find them, and returns whether they were. When several callers
    /// ask at once, one loads and the others wait for it.
    ///
    /// # Errors
    /// Those of the parameter file; out of memory.
    fn load(&self, srs: &Srs, subgroup_check: bool, scope: &Scope) -> Result<bool, Error>;

    /// Brings the assignment to the backend and classifies it.
    ///
    /// # Errors
    /// Out of memory.
    fn upload_witness(&self, scope: &Scope, x: &Assignment, srs: &Srs) -> Result<Self::Witness, Error>;
    /// Brings a and b to the backend, padded with zeros to the domain. The witness is not needed after.
    ///
    /// # Errors
    /// Out of memory.
    fn upload_evaluations(&self, scope: &Scope, x: &Assignment, witness: Self::Witness) -> Result<Self::Pending<Self::Evaluations>, Error>;

    /// The coefficients of h = (a b - c) / (x^n - 1), with c = a.b on the domain. One operation, as a backend may fuse its
    /// transforms.
    fn quotient(&self, scope: &Scope, evaluations: Self::Pending<Self::Evaluations>) -> Self::Pending<Self::Values>;

    /// Sum of h_i H_i.
    fn msm_h(&self, scope: &Scope, h: Self::Pending<Self::Values>, srs: &Srs) -> Self::Pending<G1Projective>;
    /// Sum of the points of a query times the assignment.
    fn sum(&self, scope: &Scope, query: Query, witness: &Self::Witness, srs: &Srs) -> Self::Pending<G1Projective>;
    /// As [`Backend::sum`], of b_g2.
    fn sum_b_g2(&self, scope: &Scope, witness: &Self::Witness, srs: &Srs) -> Self::Pending<G2Projective>;

    /// Runs work on host memory (checks, reading) with the backend's share of the cores.
    fn on_cores<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T;
}

/// Number of scalars as the multiplicative order of the root needs it.
pub(crate) fn log2(n: usize) -> u32 {
    debug_assert!(n.is_power_of_two());
    n.trailing_zeros()
}
