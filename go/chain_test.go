//go:build cgo

package c2prover_test

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

// The circuit in testdata: a chain of products with bits in between. x' = (x + 7)(x + i + 1) at every `every`-th step i, and
// x' = x + bit at the others; the public inputs are the first x and the last.
const (
	chainParams = "testdata/chain.params"
	chainKey    = "testdata/chain.vk"
)

var r, _ = new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)

// number is what Go's tests compute with.
type number = *big.Int

func integer(n int) number { return big.NewInt(int64(n)) }

func sum(a, b number) number     { return reduce(new(big.Int).Add(a, b)) }
func product(a, b number) number { return reduce(new(big.Int).Mul(a, b)) }
func reduce(a number) number     { return a.Mod(a, r) }

// scalar is a number in blst's Montgomery form.
func scalar(n number) (s c2prover.Scalar) {
	m := reduce(new(big.Int).Lsh(n, 256))
	for i := range s {
		s[i] = new(big.Int).Rsh(m, uint(64*i)).Uint64()
	}
	return s
}

func scalars(numbers []number) []c2prover.Scalar {
	s := make([]c2prover.Scalar, len(numbers))
	for i, n := range numbers {
		s[i] = scalar(n)
	}
	return s
}

// hexBytes are bytes that JSON has in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func (h hexBytes) number() number {
	bigEndian := slices.Clone(h)
	slices.Reverse(bigEndian)
	return new(big.Int).SetBytes(bigEndian)
}

// witness is one circuit of testdata, with the proof that bellperson made of it with R and S.
type witness struct {
	Inputs, Aux []hexBytes
	R, S        hexBytes
	Proof       hexBytes
}

type chain struct {
	Steps, Every int
	Circuits     []witness
}

func readChain(t testing.TB) (c chain) {
	t.Helper()
	if err := json.Unmarshal(must(os.ReadFile("testdata/chain.json"))(t), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func numbers(h []hexBytes) []number {
	n := make([]number, len(h))
	for i := range h {
		n[i] = h[i].number()
	}
	return n
}

// combination is a linear combination of the variables: its value, and which of them occur in it.
type combination struct {
	value  number
	inputs []int
	aux    []int
}

func (l combination) plus(constant number) combination {
	return combination{sum(l.value, constant), append(slices.Clone(l.inputs), 0), slices.Clone(l.aux)}
}

// synthesize makes the assignment, row by row.
func (c chain) synthesize(w witness) c2prover.Assignment {
	inputs := append([]number{integer(1)}, numbers(w.Inputs)...)
	aux := numbers(w.Aux)
	x := c2prover.Assignment{
		Inputs: scalars(inputs), Aux: scalars(aux),
		AAux: c2prover.NewDensity(len(aux)), BInput: c2prover.NewDensity(len(inputs)), BAux: c2prover.NewDensity(len(aux)),
	}
	enforce := func(a, b combination, c number) {
		x.A, x.B, x.C = append(x.A, scalar(a.value)), append(x.B, scalar(b.value)), append(x.C, scalar(c))
		for _, i := range a.aux {
			x.AAux.Set(i)
		}
		for _, i := range b.inputs {
			x.BInput.Set(i)
		}
		for _, i := range b.aux {
			x.BAux.Set(i)
		}
	}
	one := combination{integer(1), []int{0}, nil}
	at := combination{inputs[1], []int{1}, nil}
	for i, value := range aux {
		variable := combination{value, nil, []int{i}}
		if i%c.Every == 0 {
			enforce(at.plus(integer(7)), at.plus(integer(i+1)), value)
			at = variable
			continue
		}
		enforce(variable, combination{sum(integer(1), new(big.Int).Neg(value)), []int{0}, []int{i}}, integer(0))
		at = combination{sum(at.value, value), at.inputs, append(slices.Clone(at.aux), i)}
	}
	enforce(at, one, inputs[2])
	for _, value := range inputs {
		enforce(combination{value: value}, combination{value: integer(0)}, integer(0))
	}
	return x
}

// first is the first circuit and its witness.
func first(t testing.TB) (c2prover.Assignment, witness) {
	c := readChain(t)
	return c.synthesize(c.Circuits[0]), c.Circuits[0]
}

func load(t testing.TB, path string) *c2prover.SRS {
	t.Helper()
	srs := must(c2prover.LoadSRS(path, c2prover.SRSOptions{}))(t)
	t.Cleanup(func() { srs.Close() })
	return srs
}

func blinded(w ...witness) (o c2prover.ProveOptions) {
	for _, w := range w {
		o.R, o.S = append(o.R, scalar(w.R.number())), append(o.S, scalar(w.S.number()))
	}
	return o
}
