//! Structured reference strings: Filecoin's `.params` files, read, checked and shared.
//!
//! An [`Srs`] is an open file whose head was checked. Its points are checked as a backend makes them resident, in a form of
//! its own ([`Backend::load`]), so points that were not checked cannot reach a prover; those that a backend gives up are
//! read again from the file, which stays open.

mod cache;
mod digest;
mod layout;
mod read;
mod resident;
mod source;

use std::path::Path;
use std::sync::Arc;

use blstrs::{G1Affine, G2Affine};

pub use self::digest::digest;
pub use self::layout::{Extent, Layout};
pub(crate) use self::resident::Holder;
use self::resident::Residents;
use self::source::Source;
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

/// The parameters of one circuit. Cheap to clone; all clones share the memory.
#[derive(Clone, Debug)]
pub struct Srs(Arc<Parameters>);

/// What is behind an [`Srs`]. `h` may hold 2^k - 1 points; `a` begins with the inputs, `b` with those inputs whose density
/// bit is set.
#[derive(Debug)]
pub struct Parameters {
    /// The head of the file.
    pub key: VerifyingKey,
    layout: Layout,
    source: Source,
    residents: Residents,
}

/// The points of the queries in host memory.
#[derive(Debug)]
#[allow(missing_docs)] // the names are those of the file layout
pub struct Points {
    pub h: Vec<G1Affine>,
    pub l: Vec<G1Affine>,
    pub a: Vec<G1Affine>,
    pub b_g1: Vec<G1Affine>,
    pub b_g2: Arc<Vec<G2Affine>>,
}

const HOST: Holder = ("host", 0);
const HOST_B_G2: Holder = ("host.b_g2", 0);

impl std::ops::Deref for Srs {
    type Target = Parameters;
    fn deref(&self) -> &Parameters {
        &self.0
    }
}

/// Numbers of points and where they lie: `srs.h.len()`.
impl std::ops::Deref for Parameters {
    type Target = Layout;
    fn deref(&self) -> &Layout {
        &self.layout
    }
}

impl Srs {
    /// Opens a parameter file for the CPU, with threads made for reading it, or shares the points in memory if the same file
    /// (by device, inode, size and modification time) is open. When several callers ask at once, one reads and the others
    /// wait for it.
    ///
    /// The file is not mapped: once points are in memory, what happens to it has no effect on them.
    ///
    /// # Errors
    /// One of the `Params…` errors, naming file, section, index and offset.
    pub fn open(path: &Path, options: OpenOptions, scope: &Scope) -> Result<Srs, Error> {
        let srs = cache::open(path)?;
        srs.host_points(options.subgroup_check, scope, |read| match rayon::ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(read),
            Err(e) => Err(Error::Internal(format!("cannot start threads: {e}"))),
        })?;
        Ok(srs.kept(options))
    }

    /// As [`Srs::open`], for a backend and with its means; also tells whether the points were resident already.
    ///
    /// # Errors
    /// As for [`Srs::open`], and those of the backend, such as out of memory.
    pub fn open_on<B: Backend>(backend: &B, path: &Path, options: OpenOptions, scope: &Scope) -> Result<(Srs, bool), Error> {
        let srs = cache::open(path)?;
        let was_resident = backend.load(&srs, options.subgroup_check, scope)?;
        Ok((srs.kept(options), was_resident))
    }

    /// As [`Srs::open`], without points: reads and checks the head alone.
    ///
    /// # Errors
    /// As for [`Srs::open`].
    pub fn open_head(path: &Path, options: OpenOptions) -> Result<Srs, Error> {
        Ok(cache::open(path)?.kept(options))
    }

    /// Whether nobody but its keepers (the cache, and the caller) has a handle.
    #[cfg(feature = "filecoin")]
    pub(crate) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.0) <= 2
    }

    fn kept(self, options: OpenOptions) -> Srs {
        if options.keep {
            cache::keep(&self);
        }
        self
    }

    /// Forgets the file: the next `open` reads it again. Handles in use stay valid and keep their memory.
    /// Returns whether it was known.
    pub fn evict(&self) -> bool {
        cache::evict(self)
    }

    /// The file the points come from.
    pub fn path(&self) -> &Path {
        self.source.path()
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

    /// All points in host memory, read by `on` if they are not there; also tells whether they were.
    pub(crate) fn host_points(
        &self,
        subgroup_check: bool,
        scope: &Scope,
        on: impl FnOnce(Read<Points>) -> Result<Points, Error> + Send,
    ) -> Result<(Arc<Points>, bool), Error> {
        let read = || {
            let g1 = |extent| read::section(&self.source, extent, subgroup_check);
            let b_g2 = Arc::new(read::section(&self.source, &self.b_g2, subgroup_check)?);
            let points = Points { h: g1(&self.h)?, l: g1(&self.l)?, a: g1(&self.a)?, b_g1: g1(&self.b_g1)?, b_g2 };
            self.source.unchanged().map(|()| points)
        };
        self.residents.get(HOST, subgroup_check, self.bytes(), scope, || on(Box::new(read)))
    }

    /// The points of b_g2 in host memory, beside points that a device holds.
    pub(crate) fn host_b_g2(
        &self,
        scope: &Scope,
        on: impl FnOnce(Read<Vec<G2Affine>>) -> Result<Vec<G2Affine>, Error> + Send,
    ) -> Result<Arc<Vec<G2Affine>>, Error> {
        if let Some(points) = self.residents.peek::<Points>(HOST) {
            return Ok(points.b_g2.clone());
        }
        let read = || {
            let points = read::section(&self.source, &self.b_g2, false)?;
            self.source.unchanged().map(|()| points)
        };
        let bytes = self.b_g2.len() * std::mem::size_of::<G2Affine>();
        self.residents.get(HOST_B_G2, false, bytes, scope, || on(Box::new(read))).map(|(points, _)| points)
    }
}

/// What backends that keep points in a form of their own need of an SRS.
#[cfg(feature = "cuda")]
impl Srs {
    /// See [`Residents::get`].
    pub(crate) fn resident<T: std::any::Any + Send + Sync>(
        &self,
        holder: Holder,
        subgroup_check: bool,
        scope: &Scope,
        load: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<(Arc<T>, bool), Error> {
        self.residents.get(holder, subgroup_check, self.bytes(), scope, load)
    }

    /// Bytes of b_g2 that host memory does not have yet.
    pub(crate) fn b_g2_to_read(&self) -> usize {
        let there = self.residents.peek::<Points>(HOST).is_some() || self.residents.peek::<Vec<G2Affine>>(HOST_B_G2).is_some();
        if there {
            0
        } else {
            self.b_g2.len() * std::mem::size_of::<G2Affine>()
        }
    }

    /// See [`Residents::peek`].
    pub(crate) fn peek<T: std::any::Any + Send + Sync>(&self, holder: Holder) -> Option<Arc<T>> {
        self.residents.peek(holder)
    }

    /// See [`Residents::release`].
    pub(crate) fn release(&self, holder: Holder) -> bool {
        self.residents.release(holder)
    }

    /// Reads bytes of a section as they stand in the file, from byte `at` of the section on.
    pub(crate) fn read(&self, extent: &Extent, at: usize, buffer: &mut [u8]) -> Result<(), Error> {
        self.source.read_exact_at(buffer, extent.offset + at as u64)
    }

    /// Hands over a section's points, decoded and checked for the subgroup, in blst's memory form.
    pub(crate) fn with_decoded(&self, extent: &Extent, take: impl FnOnce(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        read::with_decoded(&self.source, extent, take)
    }

    /// Refuses a file that was written to since it was opened.
    pub(crate) fn unchanged(&self) -> Result<(), Error> {
        self.source.unchanged()
    }

    /// The error for a point that a backend refused.
    pub(crate) fn bad_point(&self, extent: &Extent, index: usize, reason: &'static str) -> Error {
        read::bad_point(&self.source, extent, index, reason)
    }

    /// Whether both are the same parameters.
    pub(crate) fn is(&self, other: &Srs) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A handle that keeps nothing.
    pub(crate) fn downgrade(&self) -> WeakSrs {
        WeakSrs(Arc::downgrade(&self.0))
    }
}

/// See [`Srs::downgrade`].
#[cfg(feature = "cuda")]
#[derive(Clone, Debug)]
pub(crate) struct WeakSrs(std::sync::Weak<Parameters>);

#[cfg(feature = "cuda")]
impl WeakSrs {
    /// The parameters, if anybody still has them.
    pub(crate) fn upgrade(&self) -> Option<Srs> {
        self.0.upgrade().map(Srs)
    }
}

/// A read, to be run on the threads that are to do it.
pub(crate) type Read<'a, T> = Box<dyn FnOnce() -> Result<T, Error> + Send + 'a>;
