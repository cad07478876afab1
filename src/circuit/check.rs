//! All checks of what a caller hands over, before any work is done with it.

use blst::blst_fr;
use blstrs::Scalar;
use ff::Field;
use rayon::prelude::*;

use super::{Assignment, Density};
use crate::error::Section;
use crate::srs::Srs;
use crate::Error;

/// r, least significant word first.
const MODULUS: [u64; 4] = [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];

/// Scalars that one task looks at.
const BLOCK: usize = 1 << 14;

/// Whether a scalar handed over in memory form is below r.
pub(crate) fn is_canonical(scalar: &Scalar) -> bool {
    let limbs = blst_fr::from(*scalar).l;
    limbs.iter().rev().lt(MODULUS.iter().rev())
}

/// Checks a run of a field's scalars that begins at index `first`.
pub(crate) fn check_run(circuit: usize, field: &'static str, first: usize, values: &[Scalar]) -> Result<(), Error> {
    match values.iter().position(|s| !is_canonical(s)) {
        Some(i) => Err(Error::BadScalar { circuit, field, index: first + i, reason: "is not below r" }),
        None => Ok(()),
    }
}

/// Checks a field's scalars, in the current rayon pool.
pub(crate) fn check_field(circuit: usize, field: &'static str, values: &[Scalar]) -> Result<(), Error> {
    let check = |(block, run)| check_run(circuit, field, block * BLOCK, run).err();
    match values.par_chunks(BLOCK).enumerate().find_map_first(check) {
        Some(e) => Err(e),
        None => Ok(()),
    }
}

/// Checks that every scalar is below r, in the current rayon pool. Backends do, as they read them anyway.
pub(crate) fn check_scalars(circuit: usize, x: &Assignment) -> Result<(), Error> {
    let fields = [("inp_assignment", x.inputs), ("aux_assignment", x.aux), ("a", x.a), ("b", x.b)];
    fields.into_iter().try_for_each(|(field, values)| check_field(circuit, field, values))
}

fn equal(circuit: usize, field: &'static str, got: usize, expected: usize) -> Result<(), Error> {
    if got == expected {
        Ok(())
    } else {
        Err(Error::BadAssignment { circuit, field, got, expected })
    }
}

struct DensityFields {
    bit_len: &'static str,
    popcount: &'static str,
    tail: &'static str,
}

fn density(circuit: usize, fields: &DensityFields, density: &Density, variables: usize) -> Result<(), Error> {
    equal(circuit, fields.bit_len, density.bit_len, variables)?;
    if density.words.len() < Density::words_for(variables) {
        return Err(Error::Internal("a density's words are fewer than its bits".to_owned()));
    }
    let words = &density.words[..Density::words_for(variables)];
    if let (Some(last), true) = (words.last(), variables % 64 > 0) {
        equal(circuit, fields.tail, (last >> (variables % 64)).count_ones() as usize, 0)?;
    }
    let counted = words.par_iter().with_min_len(BLOCK).map(|w| w.count_ones() as usize).sum();
    equal(circuit, fields.popcount, density.popcount, counted)
}

fn shape(circuit: usize, section: Section, field: &'static str, got: usize, expected: usize) -> Result<(), Error> {
    if got == expected {
        Ok(())
    } else {
        Err(Error::ParamsMismatch { circuit, section, field, got, expected })
    }
}

/// Checks one circuit's assignment in itself and against the parameters, in the current rayon pool: all but whether its
/// scalars are canonical, which backends check as they read them.
pub fn check(circuit: usize, x: &Assignment, srs: &Srs) -> Result<(), Error> {
    // The lengths in themselves first, so that the field named is the one that is wrong.
    equal(circuit, "b size", x.b.len(), x.a.len())?;
    if !x.c.is_empty() {
        equal(circuit, "c size", x.c.len(), x.a.len())?;
    }
    shape(circuit, Section::Ic, "inp_assignment_size", srs.key.ic.len(), x.inputs.len())?;
    shape(circuit, Section::L, "aux_assignment_size", srs.l.len(), x.aux.len())?;
    let a = DensityFields { bit_len: "a_aux_bit_len", popcount: "a_aux_popcount", tail: "a_aux_density bits beyond the end" };
    density(circuit, &a, &x.a_aux_density, x.aux.len())?;
    let b_input = DensityFields { bit_len: "b_inp_bit_len", popcount: "b_inp_popcount", tail: "b_inp_density bits beyond the end" };
    density(circuit, &b_input, &x.b_input_density, x.inputs.len())?;
    let b_aux = DensityFields { bit_len: "b_aux_bit_len", popcount: "b_aux_popcount", tail: "b_aux_density bits beyond the end" };
    density(circuit, &b_aux, &x.b_aux_density, x.aux.len())?;
    shape(circuit, Section::A, "a_aux_popcount", srs.a.len(), x.inputs.len() + x.a_aux_density.popcount)?;
    let b = x.b_input_density.popcount + x.b_aux_density.popcount;
    shape(circuit, Section::BG1, "b_inp_popcount + b_aux_popcount", srs.b_g1.len(), b)?;
    shape(circuit, Section::BG2, "b_inp_popcount + b_aux_popcount", srs.b_g2.len(), b)?;
    // h has degree n - 2: n - 1 points do; a power of two is the same file with one point to spare.
    if x.a.len() < 2 || x.domain() != srs.domain() || srs.h.len() + 1 < x.domain() {
        return shape(circuit, Section::H, "abc_size", srs.h.len(), x.domain().max(2) - 1).and(Err(Error::BadAssignment {
            circuit,
            field: "abc_size",
            got: x.a.len(),
            expected: srs.domain(),
        }));
    }
    if x.inputs.first() != Some(&Scalar::ONE) {
        return Err(Error::BadScalar { circuit, field: "inp_assignment", index: 0, reason: "is not one" });
    }
    Ok(())
}

/// The first row in which a.b differs from c, in the current rayon pool. Needs `c`.
pub fn first_unsatisfied(x: &Assignment) -> Option<usize> {
    x.a.par_iter().zip(x.b).zip(x.c).position_first(|((a, b), c)| *a * b != *c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_means_below_r() {
        let of = |l: [u64; 4]| Scalar::from(blst_fr { l });
        let mut below = MODULUS;
        below[0] -= 1;
        assert!(is_canonical(&Scalar::ZERO) && is_canonical(&Scalar::ONE) && is_canonical(&of(below)));
        assert!(!is_canonical(&of(MODULUS)) && !is_canonical(&of([u64::MAX; 4])));
    }
}
