//! Structured reference strings: Filecoin's `.params` files, read, checked and shared.
//!
//! An [`Srs`] can be had only from [`Srs::open`], so points that were not checked cannot reach a prover.

mod cache;
mod layout;
mod read;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blstrs::{G1Affine, G2Affine};

pub use self::layout::{Extent, Layout};
use crate::backend::Backend;
use crate::timing::Scope;
use crate::Error;

/// How to open a parameter file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    /// Check that each point lies in the subgroup of order r; on the curve it must lie in any case.
    pub subgroup_check: bool,
    /// Keep the points in memory after the last handle is gone, until [`Srs::evict`].
    pub keep: bool,
}

/// What a verifier needs: the head of a parameter file, which is also the whole of a `.vk` file.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are those of the paper
pub struct VerifyingKey {
    pub alpha_g1: G1Affine,
    pub beta_g1: G1Affine,
    pub beta_g2: G2Affine,
    pub gamma_g2: G2Affine,
    pub delta_g1: G1Affine,
    pub delta_g2: G2Affine,
    /// One point for each input, the constant one first.
    pub ic: Vec<G1Affine>,
}

impl VerifyingKey {
    /// Reads and checks a `.vk` file.
    ///
    /// # Errors
    /// Those of a parameter file; see [`Srs::open`].
    pub fn open(path: &Path) -> Result<VerifyingKey, Error> {
        read::verifying_key(path)
    }
}

/// The checked points of one circuit. Cheap to clone; all clones share the memory.
#[derive(Clone, Debug)]
pub struct Srs(Arc<Points>);

/// The points behind an [`Srs`]. `h` may hold 2^k - 1 points; `a` begins with the inputs, `b` with those inputs
/// whose density bit is set.
#[derive(Debug)]
#[allow(missing_docs)] // the names are those of the file layout
pub struct Points {
    pub key: VerifyingKey,
    pub h: Vec<G1Affine>,
    pub l: Vec<G1Affine>,
    pub a: Vec<G1Affine>,
    pub b_g1: Vec<G1Affine>,
    pub b_g2: Vec<G2Affine>,
    path: PathBuf,
    identity: cache::Identity,
}

impl std::ops::Deref for Srs {
    type Target = Points;
    fn deref(&self) -> &Points {
        &self.0
    }
}

impl Srs {
    /// Opens a parameter file, or shares the points already in memory if the same file (by device, inode, size and
    /// modification time) is open. When several callers ask at once, one reads and the others wait for it.
    ///
    /// The file is read by threads made for it, and not mapped: what happens to it afterwards has no effect.
    ///
    /// # Errors
    /// One of the `Params…` errors, naming file, section, index and offset.
    pub fn open(path: &Path, options: OpenOptions, scope: &Scope) -> Result<Srs, Error> {
        let on_own_threads = |read: cache::Read| match rayon::ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(read),
            Err(e) => Err(Error::Internal(format!("cannot start threads: {e}"))),
        };
        cache::open(path, options, scope, on_own_threads).map(|(srs, _)| srs)
    }

    /// As [`Srs::open`], reading with the backend's cores; also tells whether the points were in memory already.
    ///
    /// # Errors
    /// As for [`Srs::open`].
    pub fn open_on<B: Backend>(backend: &B, path: &Path, options: OpenOptions, scope: &Scope) -> Result<(Srs, bool), Error> {
        cache::open(path, options, scope, |read| backend.on_cores(read))
    }

    /// Forgets the file: the next `open` reads it again. Handles in use stay valid and keep their memory.
    /// Returns whether it was known.
    pub fn evict(&self) -> bool {
        cache::evict(&self.0.identity)
    }

    /// The file the points came from.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Bytes of memory the points take.
    pub fn bytes(&self) -> usize {
        let g1 = self.key.ic.len() + self.h.len() + self.l.len() + self.a.len() + self.b_g1.len();
        g1 * std::mem::size_of::<G1Affine>() + self.b_g2.len() * std::mem::size_of::<G2Affine>()
    }

    /// Size of the domain the h section was made for: a power of two.
    pub fn domain(&self) -> usize {
        match self.h.len() {
            len if len > 1 && len.is_power_of_two() => len,
            len => (len + 1).next_power_of_two(),
        }
    }
}
