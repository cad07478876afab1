//! SRS files (`.params` layout) whose points all have known logarithms, distinct, made at some million points a second.
//!
//! Point i of a section has the logarithm chunk(section, i / 4096) + step(i % 4096): one full multiplication a chunk, and
//! one affine addition a point with the inversions of a chunk shared.

use crate::field::{hash, Fr};
use crate::shape::Shape;
use blst::*;
use rayon::prelude::*;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const CHUNK: usize = 4096;

#[derive(Clone, Copy)]
pub enum Section {
    Key = 1,
    H,
    L,
    A,
    B1,
    B2,
    Ic,
}

fn chunk_log(section: Section, chunk: usize) -> u64 {
    hash(0x5EC0 + section as u64, chunk as u64) | 1
}
fn step_log(step: usize) -> u64 {
    hash(0x7AB1E, step as u64) | 1
}

/// The logarithm of point `index`.
pub fn logarithm(section: Section, index: usize) -> Fr {
    Fr::from_u128(chunk_log(section, index / CHUNK) as u128 + step_log(index % CHUNK) as u128)
}

/// Logarithms of the verifying key's points.
pub struct KeyLogs {
    pub alpha: u64,
    pub beta: u64,
    pub gamma: u64,
    pub delta: u64,
}
pub fn key_logs() -> KeyLogs {
    let log = |i| chunk_log(Section::Key, i);
    KeyLogs { alpha: log(0), beta: log(1), gamma: log(2), delta: log(3) }
}

/// What the two groups differ in.
trait Group {
    const BYTES: usize;
    type Element: Copy + Default + PartialEq;
    type Point: Copy + Default + Send + Sync;
    fn multiple_of_generator(k: u64) -> Self::Point;
    fn coordinates(p: &Self::Point) -> (Self::Element, Self::Element);
    fn serialize(x: Self::Element, y: Self::Element, out: &mut [u8]);
    fn mul(a: &Self::Element, b: &Self::Element) -> Self::Element;
    fn sub(a: &Self::Element, b: &Self::Element) -> Self::Element;
    fn invert(a: &Self::Element) -> Self::Element;
}

macro_rules! group {
    ($name:ident, $bytes:expr, $element:ty, $point:ident, $projective:ident, $generator:ident, $mult:ident,
     $to_affine:ident, $serialize:ident, $mul:ident, $sub:ident, $invert:ident) => {
        struct $name;
        // SAFETY (all blocks): blst reads and writes only the values and slices given, of the sizes its types say.
        impl Group for $name {
            const BYTES: usize = $bytes;
            type Element = $element;
            type Point = $point;
            fn multiple_of_generator(k: u64) -> $point {
                let (mut p, mut affine) = ($projective::default(), $point::default());
                unsafe {
                    $mult(&mut p, $generator(), k.to_le_bytes().as_ptr(), 64);
                    $to_affine(&mut affine, &p);
                }
                affine
            }
            fn coordinates(p: &$point) -> ($element, $element) {
                (p.x, p.y)
            }
            fn serialize(x: $element, y: $element, out: &mut [u8]) {
                assert!(out.len() >= $bytes);
                unsafe { $serialize(out.as_mut_ptr(), &$point { x, y }) }
            }
            fn mul(a: &$element, b: &$element) -> $element {
                let mut out = <$element>::default();
                unsafe { $mul(&mut out, a, b) };
                out
            }
            fn sub(a: &$element, b: &$element) -> $element {
                let mut out = <$element>::default();
                unsafe { $sub(&mut out, a, b) };
                out
            }
            fn invert(a: &$element) -> $element {
                let mut out = <$element>::default();
                unsafe { $invert(&mut out, a) };
                out
            }
        }
    };
}
group!(
    G1,
    96,
    blst_fp,
    blst_p1_affine,
    blst_p1,
    blst_p1_generator,
    blst_p1_mult,
    blst_p1_to_affine,
    blst_p1_affine_serialize,
    blst_fp_mul,
    blst_fp_sub,
    blst_fp_inverse
);
group!(
    G2,
    192,
    blst_fp2,
    blst_p2_affine,
    blst_p2,
    blst_p2_generator,
    blst_p2_mult,
    blst_p2_to_affine,
    blst_p2_affine_serialize,
    blst_fp2_mul,
    blst_fp2_sub,
    blst_fp2_inverse
);

/// Serialises base + steps[j] for all j; one inversion (Montgomery's trick).
fn add_chunk<G: Group>(base: &G::Point, steps: &[G::Point], products: &mut Vec<G::Element>, out: &mut [u8]) {
    let (bx, by) = G::coordinates(base);
    let difference = |j: usize| G::sub(&G::coordinates(&steps[j]).0, &bx);
    products.clear();
    let mut product = difference(0);
    products.push(product);
    for j in 1..steps.len() {
        product = G::mul(&product, &difference(j));
        products.push(product);
    }
    let mut inverse = G::invert(&product);
    assert!(inverse != G::Element::default(), "two points with one x");
    for (j, bytes) in out.chunks_mut(G::BYTES).enumerate().rev() {
        let (x, y) = G::coordinates(&steps[j]);
        let one_over = if j > 0 { G::mul(&inverse, &products[j - 1]) } else { inverse };
        inverse = G::mul(&inverse, &difference(j));
        let slope = G::mul(&G::sub(&y, &by), &one_over);
        let sum_x = G::sub(&G::sub(&G::mul(&slope, &slope), &bx), &x);
        let sum_y = G::sub(&G::mul(&G::sub(&bx, &sum_x), &slope), &by);
        G::serialize(sum_x, sum_y, bytes);
    }
}

fn write_section<G: Group>(file: &std::fs::File, section: Section, points: usize, at: &mut u64) -> io::Result<()> {
    file.write_all_at(&(points as u32).to_be_bytes(), *at)?;
    let base = *at + 4;
    let steps: Vec<G::Point> = (0..CHUNK).into_par_iter().map(|j| G::multiple_of_generator(step_log(j))).collect();
    (0..points.div_ceil(CHUNK)).into_par_iter().try_for_each_init(
        || (vec![0u8; CHUNK * G::BYTES], Vec::with_capacity(CHUNK)),
        |(bytes, products), chunk| {
            let count = CHUNK.min(points - chunk * CHUNK);
            let start = G::multiple_of_generator(chunk_log(section, chunk));
            add_chunk::<G>(&start, &steps[..count], products, &mut bytes[..count * G::BYTES]);
            file.write_all_at(&bytes[..count * G::BYTES], base + (chunk * CHUNK * G::BYTES) as u64)
        },
    )?;
    *at = base + (points * G::BYTES) as u64;
    Ok(())
}

pub fn write(path: &Path, shape: &Shape) -> io::Result<u64> {
    let file = std::fs::File::create(path)?;
    let mut key = vec![0u8; 3 * 96 + 3 * 192];
    let KeyLogs { alpha, beta, gamma, delta } = key_logs();
    for (at, log) in [(0, alpha), (96, beta), (576, delta)] {
        let (x, y) = G1::coordinates(&G1::multiple_of_generator(log));
        G1::serialize(x, y, &mut key[at..]);
    }
    for (at, log) in [(192, beta), (384, gamma), (672, delta)] {
        let (x, y) = G2::coordinates(&G2::multiple_of_generator(log));
        G2::serialize(x, y, &mut key[at..]);
    }
    file.write_all_at(&key, 0)?;
    let mut at = key.len() as u64;
    write_section::<G1>(&file, Section::Ic, shape.inputs, &mut at)?;
    write_section::<G1>(&file, Section::H, shape.h_points(), &mut at)?;
    write_section::<G1>(&file, Section::L, shape.aux, &mut at)?;
    write_section::<G1>(&file, Section::A, shape.a_points(), &mut at)?;
    write_section::<G1>(&file, Section::B1, shape.b_points(), &mut at)?;
    write_section::<G2>(&file, Section::B2, shape.b_points(), &mut at)?;
    Ok(at)
}
