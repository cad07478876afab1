//! The blinding r, s: the only place that asks for entropy.

use blstrs::Scalar;
use ff::Field;

use crate::Error;

/// r and s of one proof. Secret: two proofs of one witness with equal r, or r and s that can be guessed, give the
/// witness away. Neither `Debug` nor `Clone`, so that it is not printed and not used twice.
pub struct Blinding {
    pub(super) r: Scalar,
    pub(super) s: Scalar,
}

impl Blinding {
    /// Fresh blinding from the kernel's entropy; neither is zero.
    ///
    /// # Errors
    /// `Entropy` if the kernel gives none.
    pub fn fresh() -> Result<Blinding, Error> {
        Ok(Blinding { r: random()?, s: random()? })
    }

    /// Blinding that the caller chose and answers for: for callers that draw their own, and for tests.
    pub fn given(r: Scalar, s: Scalar) -> Blinding {
        Blinding { r, s }
    }
}

/// Uniform and non-zero, by rejection: a candidate of 255 bits is below r in nine of ten cases.
fn random() -> Result<Scalar, Error> {
    for _ in 0..256 {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(|e| Error::Entropy(e.to_string()))?;
        bytes[31] &= 0x7f;
        let scalar: Option<Scalar> = Option::from(Scalar::from_bytes_le(&bytes));
        if let Some(scalar) = scalar.filter(|s| !s.is_zero_vartime()) {
            return Ok(scalar);
        }
    }
    Err(Error::Entropy("256 candidates in a row were refused: the source is broken".to_owned()))
}
