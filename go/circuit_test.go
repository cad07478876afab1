//go:build cgo

package c2prover_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestCircuitsEqualBellperson(t *testing.T) {
	c, srs := readChain(t), load(t, chainParams)
	var all []c2prover.Assignment
	var expected []byte
	for _, w := range c.Circuits {
		circuit := c.synthesize(w)
		proof := must(srs.Prove(background, []c2prover.Assignment{circuit}, blinded(w)))(t)
		if !bytes.Equal(proof.Bytes, w.Proof) {
			t.Errorf("%x, bellperson has %x", proof.Bytes, w.Proof)
		}
		all, expected = append(all, circuit), append(expected, w.Proof...)
	}
	for threads := 0; threads <= 3; threads++ {
		o := blinded(c.Circuits...)
		o.Threads, o.CheckSatisfied, o.RequestID = threads, true, "batch"
		proof := must(srs.Prove(background, all, o))(t)
		if !bytes.Equal(proof.Bytes, expected) || proof.Timings.Partitions != 2 {
			t.Errorf("%d threads: another proof", threads)
		}
		if report := must(proof.Report())(t); report.Job != "batch" || report.Kind != "circuit" {
			t.Errorf("%+v", report)
		}
	}
}

func TestFreshBlindingAndKeys(t *testing.T) {
	circuit, w := first(t)
	srs := load(t, chainParams)
	prove := func() []byte {
		return must(srs.Prove(background, []c2prover.Assignment{circuit}, c2prover.ProveOptions{}))(t).Bytes
	}
	proofs := [][]byte{prove(), prove(), w.Proof}
	if bytes.Equal(proofs[0], proofs[1]) {
		t.Error("the blinding is not fresh")
	}
	fromSRS, fromFile := must(srs.Key())(t), must(c2prover.LoadKey(chainKey))(t)
	srs.Close() // a key is a copy
	public := scalars(numbers(w.Inputs))
	for _, key := range []*c2prover.Key{fromSRS, fromFile} {
		if n := must(key.Inputs())(t); n != 2 {
			t.Error(n)
		}
		for _, proof := range proofs {
			if !must(key.VerifyCircuit(public, proof))(t) {
				t.Error("a proof does not verify")
			}
			if must(key.VerifyCircuit([]c2prover.Scalar{public[1], public[0]}, proof))(t) {
				t.Error("other inputs verify")
			}
		}
		if must(key.VerifyCircuit(public, make([]byte, 192)))(t) {
			t.Error("zeros verify")
		}
		if _, err := key.VerifyCircuit(public[:1], proofs[0]); !errors.Is(err, c2prover.ErrInvalidArgument) {
			t.Error(err)
		}
		if _, err := key.VerifyCircuit([]c2prover.Scalar{public[0], {0, 0, 0, 1 << 63}}, proofs[0]); !errors.Is(err, c2prover.ErrBadScalar) {
			t.Error(err)
		}
		key.Close()
	}
}

func TestUnsatisfiedCircuits(t *testing.T) {
	srs := load(t, chainParams)
	circuit, _ := first(t)
	circuit.C = slices.Clone(circuit.C)
	circuit.C[5] = c2prover.One
	prove := func(o c2prover.ProveOptions) error {
		proof, err := srs.Prove(background, []c2prover.Assignment{circuit}, o)
		if proof != nil && err != nil {
			t.Error("a proof beside", err)
		}
		return err
	}
	var e *c2prover.Error
	if err := prove(c2prover.ProveOptions{CheckSatisfied: true}); !errors.As(err, &e) || e.Status != c2prover.ErrUnsatisfied || e.Index != 5 || e.Circuit != 0 {
		t.Errorf("%+v", err)
	}
	circuit.C = nil
	if err := prove(c2prover.ProveOptions{}); err != nil {
		t.Error("without C:", err)
	}
	circuit.Aux = slices.Clone(circuit.Aux)
	circuit.Aux[5] = scalar(integer(2))
	if err := prove(c2prover.ProveOptions{}); !errors.Is(err, c2prover.ErrProofInvalid) {
		t.Error(err)
	}
	if err := prove(c2prover.ProveOptions{SelfVerify: c2prover.Off}); err != nil {
		t.Error("not verified:", err)
	}
}

func TestWrongAssignments(t *testing.T) {
	srs := load(t, chainParams)
	c := readChain(t)
	grow := func(s *[]c2prover.Scalar, n int) {
		if n < 0 {
			*s = (*s)[:len(*s)+n]
			return
		}
		*s = append(slices.Clone(*s), make([]c2prover.Scalar, n)...)
	}
	tooLarge := c2prover.Scalar{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}
	type change func(x *c2prover.Assignment)
	cases := []struct {
		name   string
		change change
		status c2prover.Status
		field  string
		index  int64
	}{
		{"a density word missing", func(x *c2prover.Assignment) { x.AAux.Words = nil }, c2prover.ErrBadAssignment, "a_aux_density words", -1},
		{"bits beyond the end", func(x *c2prover.Assignment) { x.BAux.Words = []uint64{x.BAux.Words[0] | 1<<63} }, c2prover.ErrBadAssignment, "b_aux_density bits beyond the end", -1},
		{"no bits at all", func(x *c2prover.Assignment) { x.BInput.Bits = -1 }, c2prover.ErrBadAssignment, "b_inp_bit_len", -1},
		{"very many bits", func(x *c2prover.Assignment) { x.AAux.Bits = 1<<63 - 1 }, c2prover.ErrBadAssignment, "a_aux_bit_len", -1},
		{"no rows", func(x *c2prover.Assignment) { x.A, x.B, x.C = nil, nil, nil }, c2prover.ErrParamsMismatch, "abc_size", -1},
		{"first input 2", func(x *c2prover.Assignment) { x.Inputs[0] = scalar(integer(2)) }, c2prover.ErrBadScalar, "inp_assignment", 0},
		{"an input of r", func(x *c2prover.Assignment) { x.Inputs[1] = tooLarge }, c2prover.ErrBadScalar, "inp_assignment", 1},
		{"a variable of r", func(x *c2prover.Assignment) { x.Aux[17] = tooLarge }, c2prover.ErrBadScalar, "aux_assignment", 17},
		{"an evaluation of r", func(x *c2prover.Assignment) { x.B[3] = tooLarge }, c2prover.ErrBadScalar, "b", 3},
	}
	add := func(name string, status c2prover.Status, field string, of func(x *c2prover.Assignment, by int)) {
		for _, by := range []int{-1, 1} {
			by := by
			cases = append(cases, struct {
				name   string
				change change
				status c2prover.Status
				field  string
				index  int64
			}{name, func(x *c2prover.Assignment) { of(x, by) }, status, field, -1})
		}
	}
	add("size of b", c2prover.ErrBadAssignment, "b size", func(x *c2prover.Assignment, by int) { grow(&x.B, by) })
	add("size of c", c2prover.ErrBadAssignment, "c size", func(x *c2prover.Assignment, by int) { grow(&x.C, by) })
	add("inputs", c2prover.ErrParamsMismatch, "inp_assignment_size", func(x *c2prover.Assignment, by int) { grow(&x.Inputs, by) })
	add("aux", c2prover.ErrParamsMismatch, "aux_assignment_size", func(x *c2prover.Assignment, by int) { grow(&x.Aux, by) })
	add("bits of a", c2prover.ErrBadAssignment, "a_aux_bit_len", func(x *c2prover.Assignment, by int) { x.AAux.Bits += by })
	add("bits of b_inp", c2prover.ErrBadAssignment, "b_inp_bit_len", func(x *c2prover.Assignment, by int) { x.BInput.Bits += by })
	add("bits of b_aux", c2prover.ErrBadAssignment, "b_aux_bit_len", func(x *c2prover.Assignment, by int) { x.BAux.Bits += by })
	add("popcount of a", c2prover.ErrBadAssignment, "a_aux_popcount", func(x *c2prover.Assignment, by int) { x.AAux.Popcount += by })
	add("popcount of b_inp", c2prover.ErrBadAssignment, "b_inp_popcount", func(x *c2prover.Assignment, by int) { x.BInput.Popcount += by })
	add("popcount of b_aux", c2prover.ErrBadAssignment, "b_aux_popcount", func(x *c2prover.Assignment, by int) { x.BAux.Popcount += by })
	add("rows within the domain", c2prover.ErrProofInvalid, "", func(x *c2prover.Assignment, by int) {
		grow(&x.A, by)
		grow(&x.B, by)
		grow(&x.C, by)
		x.A[len(x.A)-1] = c2prover.One
	})
	for _, k := range cases {
		good, bad := c.synthesize(c.Circuits[0]), c.synthesize(c.Circuits[1])
		k.change(&bad)
		// The wrong one is the second of its batch.
		proof, err := srs.Prove(background, []c2prover.Assignment{good, bad}, c2prover.ProveOptions{})
		var e *c2prover.Error
		if proof != nil || !errors.As(err, &e) || e.Status != k.status || e.Field != k.field || e.Index != k.index || e.Circuit != 1 {
			t.Errorf("%s: %+v", k.name, err)
		}
	}

	circuit, w := first(t)
	one := []c2prover.Assignment{circuit}
	for name, prove := range map[string]func() (*c2prover.Proof, error){
		"no circuits": func() (*c2prover.Proof, error) { return srs.Prove(background, nil, c2prover.ProveOptions{}) },
		"r without s": func() (*c2prover.Proof, error) {
			return srs.Prove(background, one, c2prover.ProveOptions{R: blinded(w).R})
		},
		"too many r, s": func() (*c2prover.Proof, error) { return srs.Prove(background, one, blinded(w, w)) },
		"threads":       func() (*c2prover.Proof, error) { return srs.Prove(background, one, c2prover.ProveOptions{Threads: -1}) },
		"switch": func() (*c2prover.Proof, error) {
			return srs.Prove(background, one, c2prover.ProveOptions{SelfVerify: 9})
		},
		"name with a NUL": func() (*c2prover.Proof, error) {
			return srs.Prove(background, one, c2prover.ProveOptions{RequestID: "\x00"})
		},
	} {
		if proof, err := prove(); proof != nil || !errors.Is(err, c2prover.ErrInvalidArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := blinded(w)
	bad.S[0] = tooLarge
	if _, err := srs.Prove(background, one, bad); !errors.Is(err, c2prover.ErrBadScalar) {
		t.Error(err)
	}
	if proof := must(srs.Prove(background, one, blinded(w)))(t); !bytes.Equal(proof.Bytes, w.Proof) {
		t.Error("another proof afterwards")
	}
}

func TestDensityOf(t *testing.T) {
	d := c2prover.NewDensity(130)
	for _, i := range []int{0, 64, 129, 129} {
		d.Set(i)
	}
	if again := c2prover.DensityOf(d.Words, 130); d.Popcount != 3 || again.Popcount != 3 || again.Bits != 130 || len(d.Words) != 3 {
		t.Errorf("%+v %+v", d, again)
	}
}
