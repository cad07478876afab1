//! An assignment in three classes: zeros, ones (added up without multiplication) and the tail of all other scalars.

use blstrs::Scalar;
use ff::Field;
use rayon::prelude::*;

use super::curve::Bytes;
use crate::backend::Query;
use crate::circuit::{Assignment, Density};
use crate::error::try_vec;
use crate::Error;

/// Variables that one task classifies; a multiple of 64.
const BLOCK: usize = 1 << 14;

/// A density with the number of set bits before each word, so that a variable's place in the query is known.
#[derive(Debug)]
struct Ranked {
    words: Vec<u64>,
    before: Vec<u32>,
    /// Points of the query that belong to inputs: those of auxiliary variables come after.
    inputs: usize,
}

impl Ranked {
    fn new(words: &[u64], inputs: usize) -> Ranked {
        let before = words.iter().scan(0, |sum, w| Some(std::mem::replace(sum, *sum + w.count_ones()))).collect();
        Ranked { words: words.to_vec(), before, inputs }
    }

    /// Place in the query of variable `i`, if it occurs.
    fn place(&self, i: usize) -> Option<usize> {
        let (word, bit) = (self.words[i / 64], i % 64);
        (word >> bit & 1 == 1).then(|| self.inputs + (self.before[i / 64] + (word & ((1 << bit) - 1)).count_ones()) as usize)
    }
}

/// One circuit's assignment, classified; owned by the backend.
#[derive(Debug)]
pub struct Classified {
    ones: Vec<u64>,
    tail_variables: Vec<u32>,
    tail_scalars: Vec<Bytes>,
    inputs: Vec<Bytes>,
    b_inputs: Vec<usize>,
    a: Ranked,
    b: Ranked,
}

struct Block {
    ones: Vec<u64>,
    tail: Vec<(u32, Bytes)>,
}

fn classify(first: usize, values: &[Scalar], split: bool) -> Block {
    let mut block = Block { ones: vec![0; values.len().div_ceil(64)], tail: Vec::new() };
    for (i, value) in values.iter().enumerate() {
        if split && *value == Scalar::ONE {
            block.ones[i / 64] |= 1 << (i % 64);
        } else if !value.is_zero_vartime() {
            block.tail.push(((first + i) as u32, value.to_bytes_le()));
        }
    }
    block
}

impl Classified {
    /// Classifies an assignment, in the current rayon pool. Where more than half is significant, ones are left in the tail:
    /// an addition each is no cheaper there than a place in the buckets.
    pub fn new(x: &Assignment) -> Result<Classified, Error> {
        Classified::of_part(x, x.b_input_density.popcount)
    }

    /// As [`Classified::new`], of a part of an assignment; the first of its auxiliary variables in B has point `b_first`.
    pub fn of_part(x: &Assignment, b_first: usize) -> Result<Classified, Error> {
        let significant: usize =
            x.aux.par_chunks(BLOCK).map(|c| c.iter().filter(|v| !v.is_zero_vartime() && **v != Scalar::ONE).count()).sum();
        let split = significant * 2 <= x.aux.len();
        let blocks: Vec<Block> = x.aux.par_chunks(BLOCK).enumerate().map(|(i, values)| classify(i * BLOCK, values, split)).collect();
        let in_tail = blocks.iter().map(|b| b.tail.len()).sum();
        let mut ones = try_vec("the classes of the assignment", x.aux.len().div_ceil(64))?;
        let mut tail_variables = try_vec("the tail of the assignment", in_tail)?;
        let mut tail_scalars = try_vec("the tail of the assignment", in_tail)?;
        for block in blocks {
            ones.extend_from_slice(&block.ones);
            for (variable, scalar) in block.tail {
                tail_variables.push(variable);
                tail_scalars.push(scalar);
            }
        }
        let aux_words = Density::words_for(x.aux.len());
        Ok(Classified {
            ones,
            tail_variables,
            tail_scalars,
            inputs: x.inputs.iter().map(Scalar::to_bytes_le).collect(),
            b_inputs: (0..x.inputs.len()).filter(|i| x.b_input_density.get(*i)).collect(),
            a: Ranked::new(&x.a_aux_density.words[..aux_words], x.inputs.len()),
            b: Ranked::new(&x.b_aux_density.words[..aux_words], b_first),
        })
    }

    /// Number of scalars in the tail, and of ones, over all auxiliary variables.
    pub fn counts(&self) -> (usize, usize) {
        (self.tail_scalars.len(), self.ones.iter().map(|w| w.count_ones() as usize).sum())
    }

    /// How many auxiliary variables in B are neither zero nor one, and how many are one, whether or not they are listed apart.
    #[cfg(feature = "cuda")]
    pub fn counts_in_b(x: &Assignment) -> (usize, usize) {
        let of = |(block, values): (usize, &[Scalar])| {
            let in_b = values.iter().enumerate().filter(|(i, _)| x.b_aux_density.get(block * BLOCK + i)).map(|(_, v)| v);
            in_b.filter(|v| !v.is_zero_vartime())
                .fold((0, 0), |(tail, ones), v| if *v == Scalar::ONE { (tail, ones + 1) } else { (tail + 1, ones) })
        };
        x.aux.par_chunks(BLOCK).enumerate().map(of).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    fn ranked(&self, query: Query) -> Option<&Ranked> {
        match query {
            Query::L => None,
            Query::A => Some(&self.a),
            Query::BG1 => Some(&self.b),
        }
    }

    /// The points whose scalar is one, in parts that threads can add up apart: `points` are those of the query.
    pub fn ones<'p, P>(&self, query: Query, points: &'p [P], part: usize) -> Vec<Option<&'p P>> {
        let words = self.ones_part(part);
        let mut picked = Vec::new();
        for at in words {
            let mut word = match self.ranked(query) {
                None => self.ones[at],
                Some(ranked) => self.ones[at] & ranked.words[at],
            };
            while word != 0 {
                let variable = at * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                let place = self.ranked(query).map_or(Some(variable), |r| r.place(variable));
                picked.extend(place.map(|place| Some(&points[place])));
            }
        }
        picked.push(None);
        picked
    }

    /// Number of parts for [`Classified::ones`].
    pub fn ones_parts(&self) -> usize {
        self.ones.len().div_ceil(BLOCK / 64)
    }

    fn ones_part(&self, part: usize) -> std::ops::Range<usize> {
        let words = BLOCK / 64;
        part * words..((part + 1) * words).min(self.ones.len())
    }

    /// Points and scalars of a query that are neither zero nor one, those of the inputs first.
    pub fn tail<'s, P>(&'s self, query: Query, points: &'s [P]) -> (Vec<&'s P>, Vec<&'s Bytes>) {
        let inputs: Box<dyn Iterator<Item = (&'s P, &'s Bytes)>> = match query {
            Query::L => Box::new(std::iter::empty()),
            Query::A => Box::new(points.iter().zip(&self.inputs)),
            Query::BG1 => Box::new(self.b_inputs.iter().enumerate().map(|(place, i)| (&points[place], &self.inputs[*i]))),
        };
        let place = |variable: u32| self.ranked(query).map_or(Some(variable as usize), |r| r.place(variable as usize));
        let aux = self.tail_variables.iter().zip(&self.tail_scalars);
        let aux = aux.filter_map(|(variable, scalar)| Some((&points[place(*variable)?], scalar)));
        inputs.chain(aux).unzip()
    }
}
