//! One synthesised circuit as bellperson hands it over, and the borrowed slices it becomes.
#![allow(unsafe_code)]

use std::borrow::Cow;

use blstrs::Scalar as Fr;
use c2prover::circuit::{self, Density};
use c2prover::Error;

/// One circuit's evaluations, assignment and densities: pointers into memory of the caller, who keeps it as it is until the
/// call returns.
///
/// A scalar is blstrs's, in memory form. A density is a bit vector: bit i of word i / 64, the least significant first, tells
/// whether variable i occurs.
#[repr(C)]
#[derive(Debug)]
pub struct Assignment<Scalar> {
    /// Which auxiliary variables occur in A. (All inputs do.)
    pub a_aux_density: *const usize,
    /// Bits of it.
    pub a_aux_bit_len: usize,
    /// Bits of it that are set.
    pub a_aux_popcount: usize,

    /// Which inputs occur in B.
    pub b_inp_density: *const usize,
    /// Bits of it.
    pub b_inp_bit_len: usize,
    /// Bits of it that are set.
    pub b_inp_popcount: usize,

    /// Which auxiliary variables occur in B.
    pub b_aux_density: *const usize,
    /// Bits of it.
    pub b_aux_bit_len: usize,
    /// Bits of it that are set.
    pub b_aux_popcount: usize,

    /// Rows of A times the assignment: one for each constraint, then one for each input.
    pub a: *const Scalar,
    /// Rows of B times the assignment.
    pub b: *const Scalar,
    /// Rows of C times the assignment. Proofs do not need it: if it is there, a circuit that is not satisfied is refused by the
    /// row at fault.
    pub c: *const Scalar,
    /// Rows of a, of b and of c.
    pub abc_size: usize,

    /// The public inputs, the constant one first.
    pub inp_assignment_data: *const Scalar,
    /// Their number, the constant one counted.
    pub inp_assignment_size: usize,

    /// The auxiliary variables.
    pub aux_assignment_data: *const Scalar,
    /// Their number.
    pub aux_assignment_size: usize,
}

/// The slices behind an [`Assignment`].
pub struct Slices<'a> {
    a: &'a [Fr],
    b: &'a [Fr],
    c: &'a [Fr],
    inputs: &'a [Fr],
    aux: &'a [Fr],
    a_aux: Bits<'a>,
    b_input: Bits<'a>,
    b_aux: Bits<'a>,
}

impl<S> Assignment<S> {
    /// The slices of circuit number `circuit`. What they hold is checked by the prover.
    ///
    /// # Safety
    /// Each pointer that is not null has the memory its size claims, unchanged for `'a`; `S` is `blstrs::Scalar`.
    pub(crate) unsafe fn slices<'a>(&self, circuit: usize) -> Result<Slices<'a>, Error> {
        let (inputs, aux) = (self.inp_assignment_size, self.aux_assignment_size);
        let rows_of_c = if self.c.is_null() { 0 } else { self.abc_size };
        let named = |field| Named { circuit, field };
        // SAFETY: passed on from this function's contract, field by field.
        unsafe {
            Ok(Slices {
                a: scalars(self.a, self.abc_size, named("a"))?,
                b: scalars(self.b, self.abc_size, named("b"))?,
                c: scalars(self.c, rows_of_c, named("c"))?,
                inputs: scalars(self.inp_assignment_data, inputs, named("inp_assignment_data"))?,
                aux: scalars(self.aux_assignment_data, aux, named("aux_assignment_data"))?,
                a_aux: Bits::new(self.a_aux_density, [self.a_aux_bit_len, self.a_aux_popcount], aux, named("a_aux_density"))?,
                b_input: Bits::new(self.b_inp_density, [self.b_inp_bit_len, self.b_inp_popcount], inputs, named("b_inp_density"))?,
                b_aux: Bits::new(self.b_aux_density, [self.b_aux_bit_len, self.b_aux_popcount], aux, named("b_aux_density"))?,
            })
        }
    }
}

impl Slices<'_> {
    /// As the prover takes them.
    pub fn assignment(&self) -> circuit::Assignment<'_> {
        circuit::Assignment {
            a: self.a,
            b: self.b,
            c: self.c,
            inputs: self.inputs,
            aux: self.aux,
            a_aux_density: self.a_aux.density(),
            b_input_density: self.b_input.density(),
            b_aux_density: self.b_aux.density(),
        }
    }
}

/// A density, with zeros behind its last bit.
struct Bits<'a> {
    words: Cow<'a, [u64]>,
    bit_len: usize,
    popcount: usize,
}

const _: () = assert!(size_of::<usize>() == size_of::<u64>() && align_of::<usize>() == align_of::<u64>());

impl<'a> Bits<'a> {
    /// A bit length that differs from the number of variables is an error later, so no more is looked at.
    ///
    /// # Safety
    /// If `words` is not null, the words of a density over the smaller number of bits lie there for `'a`.
    unsafe fn new(words: *const usize, [bit_len, popcount]: [usize; 2], variables: usize, name: Named) -> Result<Bits<'a>, Error> {
        let bits = bit_len.min(variables);
        // SAFETY: a `usize` is a `u64` here (asserted above); the rest is this function's contract.
        let words = unsafe { slice(words.cast::<u64>(), Density::words_for(bits), name) }?;
        Ok(Bits { words: zero_beyond(words, bits), bit_len, popcount })
    }

    fn density(&self) -> Density<'_> {
        Density { words: &self.words, bit_len: self.bit_len, popcount: self.popcount }
    }
}

/// bitvec, which bellperson keeps its densities in, promises nothing of the bits behind the last one; the prover wants zeros.
fn zero_beyond(words: &[u64], bits: usize) -> Cow<'_, [u64]> {
    let live = match bits % 64 {
        0 => u64::MAX,
        n => (1 << n) - 1,
    };
    match words.last() {
        Some(last) if last & !live != 0 => {
            let mut words = words.to_vec();
            words.last_mut().into_iter().for_each(|last| *last &= live);
            Cow::Owned(words)
        }
        _ => Cow::Borrowed(words),
    }
}

/// What a pointer is called in errors.
#[derive(Clone, Copy)]
struct Named {
    circuit: usize,
    field: &'static str,
}

impl Named {
    fn refuse<T>(self, why: &str) -> Result<T, Error> {
        Err(Error::InvalidArgument(format!("circuit {}: {} {why}", self.circuit, self.field)))
    }
}

/// # Safety
/// If `ptr` is not null, `len` scalars lie there and stay unchanged for `'a`; `S` is `blstrs::Scalar`.
unsafe fn scalars<'a, S>(ptr: *const S, len: usize, name: Named) -> Result<&'a [Fr], Error> {
    const { assert!(size_of::<S>() == size_of::<Fr>() && align_of::<S>() == align_of::<Fr>()) };
    // SAFETY: passed on from this function's contract.
    unsafe { slice(ptr.cast::<Fr>(), len, name) }
}

/// # Safety
/// If `ptr` is not null, `len` values lie there and stay unchanged for `'a`.
unsafe fn slice<'a, T>(ptr: *const T, len: usize, name: Named) -> Result<&'a [T], Error> {
    match ptr {
        _ if len == 0 => Ok(&[]),
        ptr if ptr.is_null() => name.refuse("is null"),
        ptr if !ptr.is_aligned() => name.refuse("is not aligned"),
        _ if len > isize::MAX as usize / size_of::<T>() => name.refuse("is longer than memory can be"),
        // SAFETY: not null, aligned, of a size that can exist; the rest is this function's contract.
        ptr => Ok(unsafe { std::slice::from_raw_parts(ptr, len) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_behind_the_last_one_are_zeroed_in_a_copy() {
        let words = [u64::MAX, u64::MAX];
        assert_eq!(*zero_beyond(&words, 65), [u64::MAX, 1]);
        assert_eq!(*zero_beyond(&words, 127), [u64::MAX, u64::MAX >> 1]);
        for (words, bits) in [(&words[..], 128), (&[7, 1], 65), (&[], 0)] {
            assert!(matches!(zero_beyond(words, bits), Cow::Borrowed(same) if same == words), "{bits}");
        }
    }

    #[test]
    fn a_pointer_that_cannot_be_used_is_named() {
        let name = Named { circuit: 3, field: "aux_assignment_data" };
        let words = [0u64; 2];
        let odd = words.as_ptr().cast::<u8>().wrapping_add(1).cast::<u64>();
        // SAFETY: none of these pointers is followed.
        let refused = |ptr, len| unsafe { slice::<u64>(ptr, len, name) }.unwrap_err().to_string();
        assert_eq!(refused(std::ptr::null(), 1), "circuit 3: aux_assignment_data is null");
        assert_eq!(refused(odd, 1), "circuit 3: aux_assignment_data is not aligned");
        assert_eq!(refused(words.as_ptr(), usize::MAX / 8), "circuit 3: aux_assignment_data is longer than memory can be");
        // SAFETY: nothing is followed for no elements.
        assert!(unsafe { slice::<u64>(std::ptr::null(), 0, name) }.unwrap().is_empty());
    }
}
