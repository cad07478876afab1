package c2prover

import "math/bits"

// Density tells which variables occur in a matrix: bit i of word i / 64, the least significant first, stands for
// variable i.
type Density struct {
	Words    []uint64
	Bits     int // number of variables
	Popcount int // number of bits that are set
}

// NewDensity is the density of so many variables, none of which occurs yet.
func NewDensity(variables int) Density {
	return Density{Words: make([]uint64, (variables+63)/64), Bits: variables}
}

// Set notes that variable i occurs.
func (d *Density) Set(i int) {
	word, bit := &d.Words[i/64], uint64(1)<<(i%64)
	if *word&bit == 0 {
		*word |= bit
		d.Popcount++
	}
}

// DensityOf is the density of so many variables whose words are at hand; it counts their bits.
func DensityOf(words []uint64, variables int) Density {
	d := Density{Words: words, Bits: variables}
	for _, w := range words {
		d.Popcount += bits.OnesCount64(w)
	}
	return d
}
