//go:build cgo

package c2prover_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestNineDamagedFiles(t *testing.T) {
	circuit, w := first(t)
	one := []c2prover.Assignment{circuit}
	good := must(os.ReadFile(chainParams))(t)
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// In the fifth point of l: the head, then ic, h and l, each after its number of points.
	l := int64(864 + 4 + 3*96 + 4 + 63*96 + 4)
	flipped := bytes.Clone(good)
	flipped[l+4*96+50] ^= 1
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(uint32(i) * 2_654_435_761 >> 13)
	}
	cases := []struct {
		name    string
		path    string
		status  c2prover.Status
		section string
		index   int64
		offset  int64
	}{
		{"missing", filepath.Join(folder, "missing"), c2prover.ErrParamsMissing, "", -1, -1},
		{"empty", file("empty", nil), c2prover.ErrParamsEmpty, "", -1, -1},
		{"100 bytes", file("100", good[:100]), c2prover.ErrParamsTruncated, "beta_g1", -1, 96},
		{"1,000 bytes", file("1000", good[:1000]), c2prover.ErrParamsTruncated, "ic", -1, 868},
		{"last byte cut", file("cut", good[:len(good)-1]), c2prover.ErrParamsTruncated, "b_g2", -1, -2},
		{"trailing bytes", file("trailing", append(bytes.Clone(good), 0, 0, 0)), c2prover.ErrParamsTrailing, "", -1, int64(len(good))},
		{"one flipped byte", file("flipped", flipped), c2prover.ErrParamsPoint, "l", 4, l + 4*96},
		{"random", file("random", noise), c2prover.ErrParamsPoint, "alpha_g1", 0, 0},
	}
	type kind struct {
		status  c2prover.Status
		section string
	}
	seen := map[kind]bool{}
	distinct := func(name string, e *c2prover.Error) {
		if k := (kind{e.Status, e.Section}); seen[k] {
			t.Errorf("%s: no error of its own: %v", name, e)
		} else {
			seen[k] = true
		}
	}
	for _, k := range cases {
		srs, err := c2prover.LoadSRS(k.path, c2prover.SRSOptions{})
		var e *c2prover.Error
		if srs != nil || !errors.As(err, &e) || !errors.Is(err, k.status) || e.Section != k.section || e.Index != k.index || k.offset != -2 && e.Offset != k.offset {
			t.Errorf("%s: %+v", k.name, err)
			continue
		}
		distinct(k.name, e)
	}
	window := must(filepath.Glob(filepath.Join(keys, "*.params")))(t)
	proof, err := load(t, window[0]).Prove(background, one, c2prover.ProveOptions{})
	var e *c2prover.Error
	if proof != nil || !errors.As(err, &e) || !errors.Is(err, c2prover.ErrParamsMismatch) {
		t.Fatal("another circuit's:", err)
	}
	distinct("another circuit's", e)

	if proof := must(load(t, chainParams).Prove(background, one, blinded(w)))(t); !bytes.Equal(proof.Bytes, w.Proof) {
		t.Error("another proof afterwards")
	}
}

func TestInfoAndEviction(t *testing.T) {
	circuit, w := first(t)
	srs := must(c2prover.LoadSRS(chainParams, c2prover.SRSOptions{SubgroupCheck: true, Keep: true}))(t)
	defer srs.Close()
	info := must(srs.Info())(t)
	if info.Inputs != 3 || info.Aux != 58 || info.Domain != 64 || info.H != 63 || info.A != 3+circuit.AAux.Popcount ||
		info.B != circuit.BInput.Popcount+circuit.BAux.Popcount || info.Bytes < 30_000 {
		t.Errorf("%+v", info)
	}
	for i := 0; i < 2; i++ {
		if err := srs.Evict(); err != nil {
			t.Error(err)
		}
	}
	// The handle stays valid.
	if proof := must(srs.Prove(background, []c2prover.Assignment{circuit}, blinded(w)))(t); !bytes.Equal(proof.Bytes, w.Proof) {
		t.Error("another proof")
	}
	if srs, err := c2prover.LoadSRS("a\x00b", c2prover.SRSOptions{}); srs != nil || !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Error(err)
	}
	if key, err := c2prover.LoadKey(chainParams); key != nil || !errors.Is(err, c2prover.ErrParamsTrailing) {
		t.Error(err)
	}
}

func TestEightLoadsAtOnce(t *testing.T) {
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			srs, err := c2prover.LoadSRS(chainParams, c2prover.SRSOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			if err := srs.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
}
