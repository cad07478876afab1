//! What can go wrong in making parameters.

use std::io;
use std::path::PathBuf;

use bellpepper_core::SynthesisError;
use c2prover_filecoin::CircuitId;

/// Why no parameters were made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The circuit does not synthesise without a witness.
    #[error("synthesis: {0}")]
    Synthesis(#[from] SynthesisError),
    /// A variable that no row mentions: a prover could give it any value.
    #[error("auxiliary variable {0} is unconstrained")]
    Unconstrained(usize),
    /// A file cannot be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bytes made are not those that every other machine makes: the circuit, the setup or the machine has changed.
    #[error("{file}: SHA-256 {found}, expected {expected}")]
    Digest {
        /// Name of the file.
        file: String,
        /// In hex.
        found: String,
        /// In hex.
        expected: &'static str,
    },
    /// Only circuits of 2 KiB sectors have a seed and a digest.
    #[error("{0} has no test parameters: only circuits of 2 KiB sectors have")]
    NoSeed(CircuitId),
}
