//! Decoding and checking of points into host memory: in parallel, each result looked at.

use blstrs::{G1Affine, G2Affine};
use group::prime::PrimeCurveAffine;
use rayon::prelude::*;

use super::layout::{self, Extent, Layout};
use super::source::Source;
use super::VerifyingKey;
use crate::error::try_vec;
use crate::Error;

/// Points that one task reads and decodes: large enough for the disk, small enough to spread.
const BLOCK: usize = 4096;

/// A group whose points a parameter file holds.
pub trait FilePoint: PrimeCurveAffine + Copy + Send + Sync {
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

/// The error that names a point.
pub fn bad_point(source: &Source, extent: &Extent, index: usize, reason: &'static str) -> Error {
    Error::ParamsPoint {
        path: source.path().to_owned(),
        section: extent.section,
        index,
        offset: extent.offset + index as u64 * extent.point_bytes,
        reason,
    }
}

fn decode<P: FilePoint>(source: &Source, extent: &Extent, index: usize, bytes: &[u8], subgroup_check: bool) -> Result<P, Error> {
    let refuse = |reason| bad_point(source, extent, index, reason);
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

/// Reads a section, in the current rayon pool.
pub fn section<P: FilePoint>(source: &Source, extent: &Extent, subgroup_check: bool) -> Result<Vec<P>, Error> {
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

/// Decodes a section, checks it for the subgroup, and hands over its points as bytes in blst's memory form.
#[cfg(feature = "cuda")]
#[allow(unsafe_code)]
pub fn with_decoded(source: &Source, extent: &Extent, take: impl FnOnce(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
    fn bytes<P: FilePoint>(points: &[P]) -> &[u8] {
        // SAFETY: affine points are two coordinates of whole words, without padding.
        unsafe { std::slice::from_raw_parts(points.as_ptr().cast(), std::mem::size_of_val(points)) }
    }
    match extent.point_bytes {
        layout::G1_BYTES => take(bytes(&section::<G1Affine>(source, extent, true)?)),
        _ => take(bytes(&section::<G2Affine>(source, extent, true)?)),
    }
}

/// Reads the head and the `ic` section. Point by point: a file that is no parameter file fails here, before its lengths
/// are believed.
fn key(source: &Source, ic: impl FnOnce() -> Result<Vec<G1Affine>, Error>) -> Result<VerifyingKey, Error> {
    let mut head = layout::head(source);
    let mut next = || head.next().unwrap_or_else(|| Err(Error::Internal("the head has six points".to_owned())));
    let alpha_g1 = one(source, &next()?)?;
    let beta_g1 = one(source, &next()?)?;
    let beta_g2 = one(source, &next()?)?;
    let gamma_g2 = one(source, &next()?)?;
    let delta_g1 = one(source, &next()?)?;
    let delta_g2 = one(source, &next()?)?;
    Ok(VerifyingKey { alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, ic: ic()? })
}

/// Reads a `.vk` file.
pub fn verifying_key(path: &std::path::Path) -> Result<VerifyingKey, Error> {
    let source = Source::open(path)?;
    let key = key(&source, || section(&source, &layout::counted(&source, 1)?[0], true))?;
    source.unchanged()?;
    Ok(key)
}

/// Reads all but the queries of a parameter file, and learns where those lie. The subgroup check of `ic` is cheap, and a
/// verifier relies on it.
pub fn head(source: &Source) -> Result<(VerifyingKey, Layout), Error> {
    let mut layout = None;
    let key = key(source, || {
        let all = layout::of_queries(source)?;
        let ic = section(source, &all.ic, true);
        layout = Some(all);
        ic
    })?;
    let layout = layout.ok_or_else(|| Error::Internal("the sections were not laid out".to_owned()))?;
    Ok((key, layout))
}
