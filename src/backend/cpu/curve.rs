//! The two groups as blst's raw multi-scalar functions see them: the only unsafe code of the CPU backend.
#![allow(unsafe_code)]

use blst::*;
use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};
use group::Group;

/// A canonical scalar, little-endian: what blst's Pippenger reads.
pub type Bytes = [u8; 32];

/// Bits of a scalar.
pub const BITS: usize = 255;

/// A group with blst's tile of Pippenger's algorithm and its sum of affine points.
pub trait Curve: Group + Copy + Send + Sync + 'static {
    /// Points as the parameters hold them.
    type Affine: Copy + Send + Sync;
    /// Cost of an addition, relative to G1.
    const COST: f64;

    /// Words of scratch memory that a tile with this window needs.
    fn scratch_words(window: usize) -> usize;
    /// Sum of 2^0 d_i P_i, with d_i the signed digit of scalar i at bit `bit0`, `window` bits wide.
    /// `points` and `scalars` end with `None`; both are equally long.
    fn tile(points: &[Option<&Self::Affine>], scalars: &[Option<&Bytes>], scratch: &mut [u64], bit0: usize, window: usize) -> Self;
    /// Sum of points, by batched affine additions. `points` ends with `None`.
    fn add_points(points: &[Option<&Self::Affine>]) -> Self;
    /// 2^n times the point.
    fn double_times(self, n: usize) -> Self {
        (0..n).fold(self, |p, _| p.double())
    }
}

/// Number of entries before the closing `None`.
fn entries<T>(list: &[Option<&T>]) -> usize {
    debug_assert!(list.last().is_some_and(Option::is_none) && list[..list.len() - 1].iter().all(Option::is_some));
    list.len() - 1
}

macro_rules! curve {
    ($group:ty, $affine:ty, $raw:ty, $raw_affine:ty, $cost:expr, $scratch:ident, $tile:ident, $sum:ident) => {
        impl Curve for $group {
            type Affine = $affine;
            const COST: f64 = $cost;

            fn scratch_words(window: usize) -> usize {
                // SAFETY: the function only computes a size. Zero points asks for that of one bucket.
                let bucket_bytes = unsafe { $scratch(0) };
                (bucket_bytes / 8) << (window - 1)
            }

            fn tile(points: &[Option<&$affine>], scalars: &[Option<&Bytes>], scratch: &mut [u64], bit0: usize, window: usize) -> Self {
                let n = entries(points);
                assert!(entries(scalars) == n && scratch.len() >= Self::scratch_words(window));
                let mut sum = <$raw>::default();
                match n {
                    0 => return <$group>::identity(),
                    // blst reads a point ahead and would look beyond a single one.
                    1 => return Self::tile(&[points[0], points[0], None], &[scalars[0], Some(&[0; 32]), None], scratch, bit0, window),
                    _ => {}
                }
                // SAFETY: both lists hold n valid pointers, at least two, and then null; blstrs's affine points are transparent over
                // blst's; `Option<&T>` has the layout of a pointer; the scratch is as large as the function asks.
                unsafe {
                    $tile(
                        &mut sum,
                        points.as_ptr().cast::<*const $raw_affine>(),
                        n,
                        scalars.as_ptr().cast::<*const u8>(),
                        BITS,
                        scratch.as_mut_ptr(),
                        bit0,
                        window,
                    );
                }
                // SAFETY: blstrs's projective points are transparent over blst's.
                unsafe { std::mem::transmute::<$raw, $group>(sum) }
            }

            fn add_points(points: &[Option<&$affine>]) -> Self {
                let n = entries(points);
                if n == 0 {
                    return <$group>::identity();
                }
                let mut sum = <$raw>::default();
                // SAFETY: as in `tile`.
                unsafe {
                    $sum(&mut sum, points.as_ptr().cast::<*const $raw_affine>(), n);
                    std::mem::transmute::<$raw, $group>(sum)
                }
            }
        }
    };
}

curve!(G1Projective, G1Affine, blst_p1, blst_p1_affine, 1.0, blst_p1s_mult_pippenger_scratch_sizeof, blst_p1s_tile_pippenger, blst_p1s_add);
// An addition in G2 is three multiplications in Fp for each one in G1; measured 2.7.
curve!(G2Projective, G2Affine, blst_p2, blst_p2_affine, 2.7, blst_p2s_mult_pippenger_scratch_sizeof, blst_p2s_tile_pippenger, blst_p2s_add);
