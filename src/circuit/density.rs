//! Which variables occur in a query: bit i of word i / 64 stands for variable i, least significant bit first.

/// A density as a caller hands it over: bits, their number, and how many are set.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Density<'a> {
    pub words: &'a [u64],
    pub bit_len: usize,
    pub popcount: usize,
}

impl Density<'_> {
    /// Words that `bits` bits take.
    pub fn words_for(bits: usize) -> usize {
        bits.div_ceil(64)
    }

    /// Whether variable `i` occurs.
    pub fn get(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }
}

/// A growing vector of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitVec {
    words: Vec<u64>,
    len: usize,
}

impl BitVec {
    /// Appends a zero bit.
    pub fn push_zero(&mut self) {
        if self.len % 64 == 0 {
            self.words.push(0);
        }
        self.len += 1;
    }

    /// Sets bit `i`, which must exist.
    pub fn set(&mut self, i: usize) {
        debug_assert!(i < self.len);
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Whether bit `i` is set.
    pub fn get(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Appends the bits of `other` from bit `from` on, by words.
    pub fn extend_from(&mut self, other: &BitVec, from: usize) {
        let added = other.len.saturating_sub(from);
        self.words.resize((self.len + added).div_ceil(64), 0);
        let mut done = 0;
        while done < added {
            let n = (added - done).min(64);
            let word = other.bits_at(from + done, n);
            let at = self.len + done;
            self.words[at / 64] |= word << (at % 64);
            if at % 64 + n > 64 {
                self.words[at / 64 + 1] |= word >> (64 - at % 64);
            }
            done += n;
        }
        self.len += added;
    }

    fn bits_at(&self, at: usize, n: usize) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        let low = self.words[word] >> shift;
        let high = if shift > 0 && word + 1 < self.words.len() { self.words[word + 1] << (64 - shift) } else { 0 };
        let all = low | high;
        if n == 64 {
            all
        } else {
            all & ((1 << n) - 1)
        }
    }

    /// The bits as a density.
    pub fn density(&self) -> Density<'_> {
        let popcount = self.words.iter().map(|w| w.count_ones() as usize).sum();
        Density { words: &self.words, bit_len: self.len, popcount }
    }
}

#[cfg(test)]
mod tests {
    use super::BitVec;

    #[test]
    fn extending_by_words_equals_extending_by_bits() {
        for (len, other_len, from) in [(0, 1, 0), (5, 130, 1), (63, 64, 0), (64, 64, 1), (65, 200, 7), (100, 3, 3), (127, 65, 64)] {
            let make = |n: usize, salt: usize| {
                let mut v = BitVec::default();
                for i in 0..n {
                    v.push_zero();
                    if (i * 7 + salt) % 3 == 0 {
                        v.set(i);
                    }
                }
                v
            };
            let (mut by_words, other) = (make(len, 0), make(other_len, 1));
            let mut by_bits = by_words.clone();
            for i in from..other_len {
                by_bits.push_zero();
                if other.get(i) {
                    by_bits.set(by_bits.density().bit_len - 1);
                }
            }
            by_words.extend_from(&other, from);
            assert_eq!(by_words, by_bits, "{len} {other_len} {from}");
        }
    }
}
