//! Scalars in Montgomery form, and the generator of everything random: values depend on a seed and an index alone, so
//! that every prover and every check sees the same ones without storing them.

use blst::*;

fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// 64 random bits for (seed, index).
pub fn hash(seed: u64, index: u64) -> u64 {
    mix(mix(seed) ^ index.wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

/// Laid out like `blst_fr` and `blstrs::Scalar`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Fr(pub [u64; 4]);

impl Fr {
    pub const ZERO: Fr = Fr([0; 4]);
    pub const ONE: Fr = Fr([0x0000_0001_ffff_fffe, 0x5884_b7fa_0003_4802, 0x998c_4fef_ecbc_4ff5, 0x1824_b159_acc5_056f]);

    /// A full-size value: the top word is scaled below r's.
    pub fn random(seed: u64, index: u64) -> Fr {
        const TOP: u128 = 0x73ed_a753_299d_7d48;
        let s = hash(seed, index);
        Fr([mix(s ^ 1), mix(s ^ 2), mix(s ^ 3), ((mix(s ^ 4) as u128 * TOP) >> 64) as u64])
    }

    pub fn from_u128(v: u128) -> Fr {
        let words = [v as u64, (v >> 64) as u64, 0, 0];
        let mut out = blst_fr::default();
        // SAFETY: reads four words, writes one element.
        unsafe { blst_fr_from_uint64(&mut out, words.as_ptr()) };
        Fr(out.l)
    }

    pub fn mul(self, other: Fr) -> Fr {
        let mut out = blst_fr::default();
        // SAFETY: plain values.
        unsafe { blst_fr_mul(&mut out, &blst_fr { l: self.0 }, &blst_fr { l: other.0 }) };
        Fr(out.l)
    }

    pub fn add(self, other: Fr) -> Fr {
        let mut out = blst_fr::default();
        // SAFETY: plain values.
        unsafe { blst_fr_add(&mut out, &blst_fr { l: self.0 }, &blst_fr { l: other.0 }) };
        Fr(out.l)
    }

    /// Canonical, little-endian.
    pub fn to_bytes(self) -> [u8; 32] {
        let mut out = blst_scalar::default();
        // SAFETY: plain values.
        unsafe { blst_scalar_from_fr(&mut out, &blst_fr { l: self.0 }) };
        out.b
    }
}
