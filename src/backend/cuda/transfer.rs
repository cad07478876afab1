//! Copies of scalars that check them on the way.
//!
//! What goes to the device is not read again by the host, so it is written past the caches where the processor can: a plain
//! store would first fetch the line that it overwrites, and memory is what bounds an upload.

use blstrs::Scalar;

use crate::circuit::is_canonical;

/// Copies scalars as bytes; tells the first that is not below r, if any.
pub fn copy_checked(to: &mut [u8], from: &[Scalar]) -> Option<usize> {
    assert!(to.len() == std::mem::size_of_val(from));
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") && to.as_ptr().align_offset(32) == 0 {
        // SAFETY: the processor has AVX, the destination is aligned and has room for as many scalars.
        return unsafe { past_the_caches(to.as_mut_ptr(), from) };
    }
    for (i, (to, from)) in to.chunks_exact_mut(32).zip(from).enumerate() {
        if !is_canonical(from) {
            return Some(i);
        }
        // SAFETY: a scalar is four words, without padding.
        to.copy_from_slice(unsafe { std::slice::from_raw_parts(std::ptr::from_ref(from).cast::<u8>(), 32) });
    }
    None
}

/// As [`copy_checked`].
///
/// # Safety
/// The processor has AVX; 32-byte aligned memory for `from.len()` scalars lies at `to`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn past_the_caches(to: *mut u8, from: &[Scalar]) -> Option<usize> {
    use std::arch::x86_64::{_mm256_loadu_si256, _mm256_stream_si256, _mm_sfence};
    /// The highest word of r: a scalar with a smaller one is below r.
    const HIGHEST: u64 = 0x73ed_a753_299d_7d48;
    let mut bad = None;
    for (i, scalar) in from.iter().enumerate() {
        let words: *const u64 = std::ptr::from_ref(scalar).cast();
        // SAFETY: a scalar is four words; the destination has room by this function's contract.
        unsafe {
            if *words.add(3) >= HIGHEST && !is_canonical(scalar) {
                bad = Some(i);
                break;
            }
            _mm256_stream_si256(to.add(32 * i).cast(), _mm256_loadu_si256(words.cast()));
        }
    }
    // Before anybody is told that the bytes are there.
    _mm_sfence();
    bad
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_arrive_and_the_first_bad_scalar_is_told() {
        let mut scalars: Vec<Scalar> = (0..1000u64).map(|i| -Scalar::from(i)).collect();
        // Aligned as the pinned buffers are, and not.
        for offset in [0, 8] {
            let mut memory = vec![0u8; 32 * 1000 + 64];
            let at = memory.as_ptr().align_offset(32) + offset;
            let to = &mut memory[at..at + 32 * 1000];
            assert_eq!(copy_checked(to, &scalars), None);
            // SAFETY: scalars are words without padding.
            assert_eq!(to, unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast::<u8>(), 32 * 1000) });
        }
        // SAFETY: any words are a scalar's memory; these are r itself.
        let r = unsafe {
            std::mem::transmute::<[u64; 4], Scalar>([
                0xffff_ffff_0000_0001,
                0x53bd_a402_fffe_5bfe,
                0x3339_d808_09a1_d805,
                0x73ed_a753_299d_7d48,
            ])
        };
        (scalars[400], scalars[700]) = (r, r);
        assert_eq!(copy_checked(&mut vec![0; 32 * 1000], &scalars), Some(400));
    }
}
