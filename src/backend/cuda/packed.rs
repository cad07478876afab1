//! An assignment packed on the host: two bits for each variable, and the scalars that are neither zero nor one.
//!
//! Most of a PoRep's assignment is bits. Reading it once with all cores and sending a fortieth of it is quicker than sending
//! all and classifying it on the device, which waits meanwhile.

use blst::blst_fr;
use blstrs::Scalar;
use rayon::prelude::*;

use super::transfer::fetch_ahead;
use crate::circuit::{check_run, Assignment, Density};
use crate::Error;

/// Variables that one task packs; a multiple of 64.
const BLOCK: usize = 1 << 15;
/// Variables that are looked at to see whether packing pays.
const SAMPLES: usize = 1 << 12;
/// It does while at most this share of the variables is full-size: above it, what is sent is no longer little, and copying it
/// twice on the host costs more than the link saves.
const MOST_FULL_SIZE: f64 = 0.4;
const SCALAR: usize = std::mem::size_of::<Scalar>();
/// One in Montgomery form.
const ONE: [u64; 4] = [0x0000_0001_ffff_fffe, 0x5884_b7fa_0003_4802, 0x998c_4fef_ecbc_4ff5, 0x1824_b159_acc5_056f];

/// See the module's head. Bit i of word i / 64 is variable i.
pub struct Packed {
    pub ones: Vec<u64>,
    pub others: Vec<u64>,
    /// What each of the densities asked for keeps.
    pub counts: [Counts; 3],
    /// By blocks, and how many scalars come before each.
    lists: Vec<Vec<Scalar>>,
    before: Vec<usize>,
    total: usize,
}

/// How many variables of a query are one, and how many neither zero nor one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub ones: usize,
    pub others: usize,
}

fn is_other(scalar: &Scalar) -> bool {
    let words = blst_fr::from(*scalar).l;
    words != [0; 4] && words != ONE
}

impl Packed {
    /// Whether packing pays, by a sample.
    pub fn pays(x: &Assignment) -> bool {
        let step = (x.aux.len() / SAMPLES).max(1) | 1;
        let (seen, full) = x.aux.iter().step_by(step).fold((0usize, 0usize), |(n, full), v| (n + 1, full + usize::from(is_other(v))));
        full as f64 <= MOST_FULL_SIZE * seen as f64
    }

    /// Packs, in the current rayon pool, and counts what each density keeps, or all variables without one; scalars that are not
    /// below r are an error.
    pub fn new(circuit: usize, x: &Assignment, densities: [Option<Density>; 3]) -> Result<Packed, Error> {
        let words = Density::words_for(x.aux.len());
        let (mut ones, mut others) = (vec![0u64; words], vec![0u64; words]);
        let blocks = ones.par_chunks_mut(BLOCK / 64).zip(others.par_chunks_mut(BLOCK / 64)).zip(x.aux.par_chunks(BLOCK)).enumerate();
        let packed = blocks.map(|(block, ((ones, others), values))| {
            let list = pack(values, ones, others);
            let counts = densities.map(|density| Counts::of(ones, others, density.map(|d| &d.words[block * (BLOCK / 64)..])));
            match list.iter().any(|v| blst_fr::from(*v).l[3] >= 0x73ed_a753_299d_7d48) {
                // Rare among random scalars: then the run is looked at as it stands, so that the index is right.
                true => check_run(circuit, "aux_assignment", block * BLOCK, values).map(|()| (list, counts)),
                false => Ok((list, counts)),
            }
        });
        let (lists, counted): (Vec<Vec<Scalar>>, Vec<[Counts; 3]>) = packed.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let before = lists.iter().scan(0, |sum, list| Some(std::mem::replace(sum, *sum + list.len()))).collect();
        let total = lists.iter().map(Vec::len).sum();
        let counts = counted.into_iter().fold([Counts::default(); 3], |[l, a, b], [m, c, d]| [l.plus(m), a.plus(c), b.plus(d)]);
        Ok(Packed { ones, others, counts, lists, before, total })
    }

    /// Number of scalars that are neither zero nor one.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Copies the scalars from number `first` on, as many as there is room for.
    pub fn copy_scalars(&self, first: usize, mut to: &mut [u8]) {
        let mut block = self.before.partition_point(|before| *before <= first).saturating_sub(1);
        let mut skip = first - self.before.get(block).copied().unwrap_or(0);
        while !to.is_empty() {
            let Some(list) = self.lists.get(block) else { return };
            let n = (list.len() - skip).min(to.len() / SCALAR);
            // SAFETY: a scalar is four words, without padding.
            let bytes = unsafe { std::slice::from_raw_parts(list[skip..].as_ptr().cast::<u8>(), n * SCALAR) };
            let (here, rest) = to.split_at_mut(bytes.len());
            here.copy_from_slice(bytes);
            (to, block, skip) = (rest, block + 1, 0);
        }
    }
}

impl Counts {
    fn of(ones: &[u64], others: &[u64], density: Option<&[u64]>) -> Counts {
        let of = |bits: &[u64]| -> usize {
            match density {
                None => bits.iter().map(|w| w.count_ones() as usize).sum(),
                Some(d) => bits.iter().zip(d).map(|(w, d)| (w & d).count_ones() as usize).sum(),
            }
        };
        Counts { ones: of(ones), others: of(others) }
    }

    fn plus(self, other: Counts) -> Counts {
        Counts { ones: self.ones + other.ones, others: self.others + other.others }
    }
}

/// Sets a block's bits and lists its scalars.
fn pack(values: &[Scalar], ones: &mut [u64], others: &mut [u64]) -> Vec<Scalar> {
    let mut list = Vec::with_capacity(values.len() / 16);
    for ((values, ones), others) in values.chunks(64).zip(ones).zip(others) {
        let (zero, one) = classes(values);
        let mut left = !(one | zero) & (u64::MAX >> (64 - values.len()));
        (*ones, *others) = (one, left);
        while left != 0 {
            list.push(values[left.trailing_zeros() as usize]);
            left &= left - 1;
        }
    }
    list
}

/// Which of up to 64 values are zero, and which are one. Without branches: of bits that a coin decides, every other would be
/// guessed wrong.
fn classes(values: &[Scalar]) -> (u64, u64) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { classes_avx2(values) };
    }
    let (mut zero, mut one) = (0, 0);
    for (bit, value) in values.iter().enumerate() {
        let w = blst_fr::from(*value).l;
        zero |= u64::from(w[0] | w[1] | w[2] | w[3] == 0) << bit;
        one |= u64::from((w[0] ^ ONE[0]) | (w[1] ^ ONE[1]) | (w[2] ^ ONE[2]) | (w[3] ^ ONE[3]) == 0) << bit;
    }
    (zero, one)
}

/// As [`classes`].
///
/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn classes_avx2(values: &[Scalar]) -> (u64, u64) {
    use std::arch::x86_64::{_mm256_loadu_si256, _mm256_testz_si256, _mm256_xor_si256};
    // SAFETY: a scalar is four words without padding, and so is ONE.
    let load = |words: *const u64| unsafe { _mm256_loadu_si256(words.cast()) };
    let (mut zero, mut one, unit) = (0u64, 0u64, load(ONE.as_ptr()));
    for (bit, value) in values.iter().enumerate() {
        // Two scalars share a line.
        if bit % 2 == 0 {
            fetch_ahead(value);
        }
        let v = load(std::ptr::from_ref(value).cast());
        let d = _mm256_xor_si256(v, unit);
        zero |= (_mm256_testz_si256(v, v) as u64) << bit;
        one |= (_mm256_testz_si256(d, d) as u64) << bit;
    }
    (zero, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::Field;

    fn none() -> Density<'static> {
        Density { words: &[], bit_len: 0, popcount: 0 }
    }

    fn of(aux: &[Scalar]) -> Assignment<'_> {
        Assignment { a: &[], b: &[], c: &[], inputs: &[], aux, a_aux_density: none(), b_input_density: none(), b_aux_density: none() }
    }

    #[test]
    fn classes_and_scalars_are_those_of_the_assignment() {
        let value = |i: usize| match i * 7 % 10 {
            0..=4 => Scalar::ZERO,
            5..=8 => Scalar::ONE,
            _ => -Scalar::from(i as u64 + 2),
        };
        for n in [1, 63, 64, 65, 1000, BLOCK - 1, BLOCK, 2 * BLOCK + 77] {
            let aux: Vec<Scalar> = (0..n).map(value).collect();
            let every_other = vec![0x5555_5555_5555_5555; n.div_ceil(64)];
            let density = Density { words: &every_other, bit_len: n, popcount: 0 };
            let packed = Packed::new(0, &of(&aux), [None, Some(density), None]).unwrap();
            let mut copied = vec![0u8; SCALAR * packed.len()];
            for (i, piece) in copied.chunks_mut(SCALAR * 777).enumerate() {
                packed.copy_scalars(777 * i, piece);
            }
            let mut scalars = copied.chunks_exact(SCALAR);
            for (i, v) in aux.iter().enumerate() {
                let bit = |words: &[u64]| words[i / 64] >> (i % 64) & 1 == 1;
                assert_eq!((bit(&packed.ones), bit(&packed.others)), (*v == Scalar::ONE, is_other(v)), "{n} {i}");
                if is_other(v) {
                    let words = blst_fr::from(*v).l.map(u64::to_le_bytes).concat();
                    assert_eq!(scalars.next(), Some(&words[..]));
                }
            }
            assert!(scalars.next().is_none() && Packed::pays(&of(&aux)));
            let expected = |step: usize| {
                let number = |class: fn(&Scalar) -> bool| aux.iter().step_by(step).filter(|v| class(v)).count();
                Counts { ones: number(|v| *v == Scalar::ONE), others: number(is_other) }
            };
            assert_eq!(packed.counts, [expected(1), expected(2), expected(1)]);
        }
        assert!(!Packed::pays(&of(&vec![-Scalar::ONE; 5000])));
    }

    #[test]
    fn a_scalar_out_of_range_is_told_by_its_index() {
        let mut aux = vec![Scalar::ONE; BLOCK + 500];
        // SAFETY: any words are a scalar's memory.
        aux[BLOCK + 123] = unsafe { std::mem::transmute::<[u64; 4], Scalar>([u64::MAX; 4]) };
        match Packed::new(3, &of(&aux), [None; 3]) {
            Err(Error::BadScalar { circuit: 3, index, .. }) => assert_eq!(index, BLOCK + 123),
            other => panic!("{:?}", other.err()),
        }
    }
}
