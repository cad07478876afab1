//! Reading and checking of points: in parallel, into memory of our own, each result looked at.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use blstrs::{G1Affine, G2Affine};
use group::prime::PrimeCurveAffine;
use rayon::prelude::*;

use super::cache::Identity;
use super::layout::{self, Extent};
use super::{OpenOptions, Points, VerifyingKey};
use crate::error::{try_vec, Section};
use crate::Error;

/// Points that one task reads and decodes: large enough for the disk, small enough to spread.
const BLOCK: usize = 4096;

/// An open parameter file.
pub struct Source<'a> {
    path: &'a Path,
    file: File,
    identity: Identity,
}

impl<'a> Source<'a> {
    /// Opens the file and fixes its identity.
    pub fn open(path: &'a Path) -> Result<Source<'a>, Error> {
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => Error::ParamsMissing { path: path.to_owned() },
            _ => Error::ParamsUnreadable { path: path.to_owned(), reason: e.to_string() },
        };
        let file = File::open(path).map_err(unreadable)?;
        let meta = file.metadata().map_err(unreadable)?;
        if !meta.is_file() {
            return Err(Error::ParamsUnreadable { path: path.to_owned(), reason: "not a regular file".to_owned() });
        }
        if meta.len() == 0 {
            return Err(Error::ParamsEmpty { path: path.to_owned() });
        }
        Ok(Source { path, file, identity: Identity::of(&meta) })
    }

    pub fn path(&self) -> &Path {
        self.path
    }

    pub fn bytes(&self) -> u64 {
        self.identity.bytes
    }

    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Reads at an offset; short reads are resumed, a file that has become shorter is an error.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        self.file.read_exact_at(buffer, offset).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Error::ParamsChanged { path: self.path.to_owned() },
            _ => Error::ParamsUnreadable { path: self.path.to_owned(), reason: format!("at offset {offset}: {e}") },
        })
    }

    /// Refuses a file that was written to since it was opened.
    fn unchanged(&self) -> Result<(), Error> {
        let now = self.file.metadata().map_err(|e| Error::ParamsUnreadable { path: self.path.to_owned(), reason: e.to_string() })?;
        if Identity::of(&now) != self.identity || now.nlink() == 0 {
            return Err(Error::ParamsChanged { path: self.path.to_owned() });
        }
        Ok(())
    }
}

/// A group whose points a parameter file holds.
trait FilePoint: PrimeCurveAffine + Copy + Send + Sync {
    /// Decodes an uncompressed point and checks that it lies on the curve.
    fn decode(bytes: &[u8]) -> Option<Self>;
    fn in_subgroup(&self) -> bool;
}

macro_rules! file_point {
    ($group:ty) => {
        impl FilePoint for $group {
            fn decode(bytes: &[u8]) -> Option<Self> {
                // "unchecked" leaves out the subgroup; encoding and curve equation are checked while decoding.
                Option::from(<$group>::from_uncompressed_unchecked(bytes.try_into().ok()?))
            }
            fn in_subgroup(&self) -> bool {
                bool::from(self.is_torsion_free())
            }
        }
    };
}
file_point!(G1Affine);
file_point!(G2Affine);

fn decode<P: FilePoint>(source: &Source, extent: &Extent, index: usize, bytes: &[u8], subgroup_check: bool) -> Result<P, Error> {
    let refuse = |reason| Error::ParamsPoint {
        path: source.path().to_owned(),
        section: extent.section,
        index,
        offset: extent.offset + index as u64 * extent.point_bytes,
        reason,
    };
    let point = P::decode(bytes).ok_or_else(|| refuse("not the encoding of a point on the curve"))?;
    if bool::from(point.is_identity()) {
        return Err(refuse("the point at infinity"));
    }
    if subgroup_check && !point.in_subgroup() {
        return Err(refuse("not in the subgroup of order r"));
    }
    Ok(point)
}

fn one<P: FilePoint>(source: &Source, extent: &Extent) -> Result<P, Error> {
    let mut bytes = vec![0; extent.point_bytes as usize];
    source.read_exact_at(&mut bytes, extent.offset)?;
    // Six points: the subgroup check costs nothing here, and a verifier relies on it.
    decode(source, extent, 0, &bytes, true)
}

fn section<P: FilePoint>(source: &Source, extent: &Extent, subgroup_check: bool) -> Result<Vec<P>, Error> {
    let mut points = try_vec("the points of a parameter file", extent.count)?;
    points.resize(extent.count, P::generator());
    let point_bytes = extent.point_bytes as usize;
    points.par_chunks_mut(BLOCK).enumerate().try_for_each_init(
        || vec![0; BLOCK * point_bytes],
        |buffer, (block, out)| {
            let first = block * BLOCK;
            let bytes = &mut buffer[..out.len() * point_bytes];
            source.read_exact_at(bytes, extent.offset + (first * point_bytes) as u64)?;
            for (i, (point, bytes)) in out.iter_mut().zip(bytes.chunks_exact(point_bytes)).enumerate() {
                *point = decode(source, extent, first + i, bytes, subgroup_check)?;
            }
            Ok(())
        },
    )?;
    Ok(points)
}

fn key(source: &Source, ic: impl FnOnce() -> Result<Vec<G1Affine>, Error>) -> Result<VerifyingKey, Error> {
    let mut head = layout::head(source);
    let mut next = || head.next().unwrap_or_else(|| Err(Error::Internal("the head has six points".to_owned())));
    // Point by point: a file that is no parameter file fails here, before its lengths are believed.
    let alpha_g1 = one(source, &next()?)?;
    let beta_g1 = one(source, &next()?)?;
    let beta_g2 = one(source, &next()?)?;
    let gamma_g2 = one(source, &next()?)?;
    let delta_g1 = one(source, &next()?)?;
    let delta_g2 = one(source, &next()?)?;
    Ok(VerifyingKey { alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, ic: ic()? })
}

/// Reads a `.vk` file.
pub fn verifying_key(path: &Path) -> Result<VerifyingKey, Error> {
    let source = Source::open(path)?;
    let key = key(&source, || section(&source, &layout::counted(&source, 1)?[0], true))?;
    source.unchanged()?;
    Ok(key)
}

/// Reads a whole parameter file, in the current rayon pool.
pub fn points(source: &Source, options: OpenOptions) -> Result<Points, Error> {
    let mut extents = Vec::new();
    let key = key(source, || {
        extents = layout::counted(source, 6)?;
        section(source, &extents[0], options.subgroup_check)
    })?;
    let g1 = |i: usize| section::<G1Affine>(source, &extents[i], options.subgroup_check);
    let points = Points {
        key,
        h: g1(1)?,
        l: g1(2)?,
        a: g1(3)?,
        b_g1: g1(4)?,
        b_g2: section::<G2Affine>(source, &extents[5], options.subgroup_check)?,
        path: source.path().to_owned(),
        identity: source.identity().clone(),
    };
    debug_assert_eq!(extents[5].section, Section::BG2);
    source.unchanged()?;
    Ok(points)
}
