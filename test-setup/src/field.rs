//! The coordinate fields of G1 and G2 by blst's raw calls: all the unsafe code of this crate.

#![allow(unsafe_code)]

use blst::{blst_fp, blst_fp2, blst_p1_affine, blst_p2_affine};
use blstrs::{G1Affine, G2Affine};

/// A field that holds the coordinates of a curve's points, in Montgomery form.
pub(crate) trait Field: Copy + Default + Send + Sync {
    /// self - other.
    fn sub(&self, other: &Self) -> Self;
    /// self * other.
    fn mul(&self, other: &Self) -> Self;
    /// self squared.
    fn square(&self) -> Self;
    /// 1 / self; zero for zero.
    fn invert(&self) -> Self;
}

/// A point in affine coordinates, other than infinity.
#[derive(Clone, Copy, Default)]
pub(crate) struct Point<F> {
    pub(crate) x: F,
    pub(crate) y: F,
}

/// A group whose points have coordinates in [`Field`]: G1 or G2 by the field.
pub(crate) trait Coordinates: Field {
    /// Bytes of a point in parameter files: uncompressed, big-endian.
    const POINT_BYTES: usize;
    /// blstrs' type of such a point.
    type Affine;
    /// The coordinates of a point other than infinity.
    fn point(affine: &Self::Affine) -> Point<Self>;
    /// Writes a point to [`Self::POINT_BYTES`] bytes.
    fn serialize(point: &Point<Self>, out: &mut [u8]);
}

macro_rules! field {
    ($field:ty, $affine:ty, $point:ident, $bytes:literal, $sub:ident, $mul:ident, $sqr:ident, $inv:ident, $ser:ident) => {
        impl Field for $field {
            #[inline]
            fn sub(&self, other: &Self) -> Self {
                let mut out = Self::default();
                // SAFETY: three valid, aligned elements; blst reads two and writes the third.
                unsafe { blst::$sub(&mut out, self, other) };
                out
            }

            #[inline]
            fn mul(&self, other: &Self) -> Self {
                let mut out = Self::default();
                // SAFETY: as for sub.
                unsafe { blst::$mul(&mut out, self, other) };
                out
            }

            #[inline]
            fn square(&self) -> Self {
                let mut out = Self::default();
                // SAFETY: two valid, aligned elements; blst reads one and writes the other.
                unsafe { blst::$sqr(&mut out, self) };
                out
            }

            fn invert(&self) -> Self {
                let mut out = Self::default();
                // SAFETY: as for square.
                unsafe { blst::$inv(&mut out, self) };
                out
            }
        }

        impl Coordinates for $field {
            const POINT_BYTES: usize = $bytes;
            type Affine = $affine;

            fn point(affine: &$affine) -> Point<Self> {
                let $point { x, y } = *affine.as_ref();
                Point { x, y }
            }

            fn serialize(point: &Point<Self>, out: &mut [u8]) {
                assert_eq!(out.len(), $bytes);
                // SAFETY: blst writes exactly the number of bytes asserted above and reads one valid point.
                unsafe { blst::$ser(out.as_mut_ptr(), &$point { x: point.x, y: point.y }) };
            }
        }
    };
}

field!(blst_fp, G1Affine, blst_p1_affine, 96, blst_fp_sub, blst_fp_mul, blst_fp_sqr, blst_fp_eucl_inverse, blst_p1_affine_serialize);
field!(blst_fp2, G2Affine, blst_p2_affine, 192, blst_fp2_sub, blst_fp2_mul, blst_fp2_sqr, blst_fp2_eucl_inverse, blst_p2_affine_serialize);
