//! A file that is hashed as it is written.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Error;

/// Size and digest of a file made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes.
    pub bytes: u64,
    /// SHA-256 in hex.
    pub sha256: String,
}

/// The file.
pub(crate) struct Output {
    path: PathBuf,
    file: File,
    hasher: Sha256,
    bytes: u64,
}

impl Output {
    /// Creates or truncates.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file, hasher: Sha256::new(), bytes: 0 })
    }

    /// Appends. Not buffered: callers write megabytes at a time.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|source| Error::Io { path: self.path.clone(), source })?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Size and digest.
    pub(crate) fn finish(self) -> Written {
        let sha256 = self.hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Written { bytes: self.bytes, sha256 }
    }
}
