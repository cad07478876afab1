//! Groth16 (eprint 2016/260), with the letters of the paper and of the parameter file. With u, v, w the polynomials of
//! A, B, C, z the assignment, and r, s the blinding:
//!
//! ```text
//! A   = alpha + sum z_i u_i + r delta                                          (a,    G1)
//! B   = beta  + sum z_i v_i + s delta                                          (b_g2, G2)
//! B_1 = beta  + sum z_i v_i + s delta                                          (b_g1, G1)
//! C   = sum over aux of z_i l_i + sum h_i H_i + s A + r B_1 - r s delta        (l, h, G1)
//! ```
//!
//! [`start`] puts the operations of one circuit on the backend's lanes in the order below; [`Pending::finish`] waits,
//! assembles and verifies. Nothing waits for B_G2 before assembly.
//!
//! 1. the assignment is uploaded and classified;
//! 2. B_G2, wherever the backend places it;
//! 3. l, a, b_g1: they need the assignment alone, so they run while the evaluations are uploaded;
//! 4. evaluations, quotient, the MSM of h.

mod assemble;
mod batch;
mod pending;
mod proof;
mod randomness;
mod self_verify;

pub use self::batch::{prove_batch, prove_each, Part, ProveOptions};
pub use self::pending::{start, Pending};
pub use self::proof::{Proof, PROOF_BYTES};
pub use self::randomness::Blinding;
pub use self::self_verify::verify;
