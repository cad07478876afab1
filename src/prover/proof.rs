//! A proof and its 192 bytes.

use blstrs::{G1Affine, G2Affine};

/// Length of a proof: A (48 bytes), B (96), C (48), each compressed as Zcash does.
pub const PROOF_BYTES: usize = 192;

/// A Groth16 proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the paper
pub struct Proof {
    pub a: G1Affine,
    pub b: G2Affine,
    pub c: G1Affine,
}

impl Proof {
    /// The bytes that Filecoin's verifiers take.
    pub fn to_bytes(&self) -> [u8; PROOF_BYTES] {
        let mut bytes = [0; PROOF_BYTES];
        bytes[..48].copy_from_slice(&self.a.to_compressed());
        bytes[48..144].copy_from_slice(&self.b.to_compressed());
        bytes[144..].copy_from_slice(&self.c.to_compressed());
        bytes
    }

    /// Reads a proof; `None` where a point is not on its curve, not in its subgroup or not in canonical encoding.
    pub fn from_bytes(bytes: &[u8; PROOF_BYTES]) -> Option<Proof> {
        let (a, b, c) = (bytes[..48].try_into().ok()?, bytes[48..144].try_into().ok()?, bytes[144..].try_into().ok()?);
        Some(Proof {
            a: Option::from(G1Affine::from_compressed(a))?,
            b: Option::from(G2Affine::from_compressed(b))?,
            c: Option::from(G1Affine::from_compressed(c))?,
        })
    }
}
