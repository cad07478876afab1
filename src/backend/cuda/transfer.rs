//! Copies of scalars that check them on the way.
//!
//! The buffers that they go to are few enough to stay in the caches, from which the copy engine takes them: then memory is read
//! once, and nothing is written to it. (Past the caches, to more buffers, a domain of 2^25 takes 51 ms to go up, so 44.)

use blstrs::Scalar;

use crate::circuit::is_canonical;

/// The highest word of r: a scalar with a smaller one is below r.
const HIGHEST: u64 = 0x73ed_a753_299d_7d48;

/// Copies scalars as bytes; tells the first that is not below r, if any.
pub fn copy_checked(to: &mut [u8], from: &[Scalar]) -> Option<usize> {
    assert!(to.len() == std::mem::size_of_val(from));
    for (i, (to, scalar)) in to.chunks_exact_mut(32).zip(from).enumerate() {
        // Two scalars share a line.
        if i % 2 == 0 {
            fetch_ahead(scalar);
        }
        // SAFETY: a scalar is four words, without padding.
        let words = unsafe { &*std::ptr::from_ref(scalar).cast::<[u64; 4]>() };
        if words[3] >= HIGHEST && !is_canonical(scalar) {
            return Some(i);
        }
        // SAFETY: as before.
        to.copy_from_slice(unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), 32) });
    }
    None
}

/// Tells the processor to fetch the page after a scalar's: its own guesses end with a page, and reading waits for memory alone. For a
/// domain of 2^27 a look at all scalars takes 68 ms on 16 cores, without this 80.
#[inline(always)]
pub fn fetch_ahead(scalar: &Scalar) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_NTA};
        // SAFETY: every x86-64 processor has it, and past the end of the memory nothing happens.
        unsafe { _mm_prefetch::<_MM_HINT_NTA>(std::ptr::from_ref(scalar).cast::<i8>().wrapping_add(4096)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = scalar;
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
