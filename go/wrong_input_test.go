//go:build cgo

package c2prover_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

// fails sees a typed error with a reason, its name in the text, and no proof.
func fails(t *testing.T, proof *c2prover.Proof, err error, status c2prover.Status, reason string) {
	t.Helper()
	var e *c2prover.Error
	switch {
	case proof != nil:
		t.Error("a proof beside", err)
	case !errors.As(err, &e) || !errors.Is(err, status):
		t.Errorf("expected %v, got %v", status, err)
	case !strings.Contains(err.Error(), status.String()) || !strings.Contains(err.Error(), reason) || e.Advice == "":
		t.Errorf("%v (advice %q) does not mention %q", err, e.Advice, reason)
	}
}

func TestWrongInputs(t *testing.T) {
	engine := open(t, keys)
	fail := func(name string, r c2prover.Request, status c2prover.Status, reason string) {
		t.Run(name, func(t *testing.T) {
			proof, err := engine.Prove(background, r)
			fails(t, proof, err, status, reason)
		})
	}

	p := porep(t)
	fail("truncated JSON", c2prover.PoRep{C1: p.C1[:len(p.C1)/2], Sector: sector, ProverID: proverID}, c2prover.ErrBadInput, "JSON")
	fail("no JSON", c2prover.PoRep{Sector: sector, ProverID: proverID}, c2prover.ErrBadInput, "JSON")
	fail("other sector", c2prover.PoRep{C1: p.C1, Sector: sector + 1, ProverID: proverID}, c2prover.ErrBadInput, "replica id")
	fail("other miner", c2prover.PoRep{C1: p.C1, Sector: sector, ProverID: c2prover.ProverID(1001)}, c2prover.ErrBadInput, "replica id")
	unknown := bytes.Replace(p.C1, []byte("StackedDrg2KiBV1_1"), []byte("StackedDrg3KiBV1_1"), 1)
	fail("unknown seal proof", c2prover.PoRep{C1: unknown, Sector: sector, ProverID: proverID}, c2prover.ErrBadInput, "StackedDrg32GiBV1_1")

	w := window(t)
	w.Vanilla = nil
	fail("no vanilla proofs", w, c2prover.ErrBadInput, "")
	w.Vanilla = [][]byte{{}}
	fail("an empty vanilla proof", w, c2prover.ErrBadInput, "vanilla")
	w.Vanilla = [][]byte{read(t, "window-vanilla.bin")[:100]}
	fail("truncated vanilla proof", w, c2prover.ErrBadInput, "vanilla")
	w = window(t)
	w.Randomness = filled(4)
	fail("other randomness", w, c2prover.ErrBadInput, "sector")
	w = window(t)
	w.Proof = c2prover.StackedDrgWinning2KiBV1
	fail("proof type of another kind", w, c2prover.ErrBadInput, "Winning")
	w.Proof = 99
	fail("unknown proof type", w, c2prover.ErrBadInput, "known")
	w = window(t)
	w.Partition = 1 << 32
	if proof, err := engine.Prove(background, w); proof != nil || !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Error(err)
	}
	proof, err := engine.Prove(background, window(t), c2prover.WithRequestID("a\x00b"))
	if proof != nil || !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Error(err)
	}

	provesAndVerifies(t, engine, "window", window(t), func() (*c2prover.Proof, error) { return engine.Prove(background, window(t)) }, 1)
}

func TestTwoHundredMegabytesOfGarbage(t *testing.T) {
	engine := open(t, keys)
	const size = 200_000_000
	for name, piece := range map[string]string{"text": "a", "brackets": "[", "fields": `{"comm_r":`, "numbers": "[0,1,2,3],"} {
		c1 := append([]byte(`{"registered_proof":"StackedDrg2KiBV1_1","vanilla_proofs":{"StackedDrg2KiBV1":[`), bytes.Repeat([]byte(piece), size/len(piece))...)
		proof, err := engine.Prove(background, c2prover.PoRep{C1: c1, Sector: sector, ProverID: proverID})
		fails(t, proof, err, c2prover.ErrBadInput, "JSON")
		if len(err.Error()) > 1000 {
			t.Errorf("%s: a message of %d bytes", name, len(err.Error()))
		}
		w := window(t)
		w.Vanilla = [][]byte{c1}
		proof, err = engine.Prove(background, w)
		fails(t, proof, err, c2prover.ErrBadInput, "vanilla")
	}
}

func TestMissingParametersNameTheFile(t *testing.T) {
	engine := open(t, t.TempDir())
	proof, err := engine.Prove(background, window(t))
	fails(t, proof, err, c2prover.ErrParamsMissing, "v28-proof-of-spacetime-fallback")
	_, err = engine.Verify(context.Background(), window(t), read(t, "window-proof.bin"))
	fails(t, nil, err, c2prover.ErrParamsMissing, "v28-proof-of-spacetime-fallback")
}

func TestWrongOptions(t *testing.T) {
	open := func(o c2prover.Options, reason string) {
		t.Helper()
		engine, err := c2prover.Open(o)
		var e *c2prover.Error
		if engine != nil || !errors.As(err, &e) || e.Status != c2prover.ErrInvalidArgument || !strings.Contains(err.Error(), reason) {
			t.Error(err)
		}
	}
	open(c2prover.Options{CPUThreads: -1}, "CPUThreads")
	open(c2prover.Options{SelfVerify: 7}, "self_verify")
	open(c2prover.Options{ParamCache: "a\x00b"}, "ParamCache")
	t.Setenv("C2PROVER_CPU_THREADS", "many")
	open(c2prover.Options{}, "C2PROVER_CPU_THREADS=many")
}
