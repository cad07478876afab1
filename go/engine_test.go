//go:build cgo

package c2prover_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

var background = context.Background()

// keep writes a proof to the folder C2PROVER_TEST_PROOFS, if it is set, for other verifiers.
func keep(t *testing.T, name string, proof []byte) {
	t.Helper()
	folder := os.Getenv("C2PROVER_TEST_PROOFS")
	if folder == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(folder, name+".bin"), proof, 0o666); err != nil {
		t.Error(err)
	}
}

// provesAndVerifies makes a proof, verifies it, and sees that a changed one is refused.
func provesAndVerifies(t *testing.T, engine *c2prover.Engine, name string, r c2prover.Request, prove func() (*c2prover.Proof, error), partitions int) *c2prover.Proof {
	t.Helper()
	proof := must(prove())(t)
	if len(proof.Bytes) != 192*partitions || proof.Timings.Partitions != partitions {
		t.Fatalf("%d bytes, %d partitions, expected %d", len(proof.Bytes), proof.Timings.Partitions, partitions)
	}
	if !must(engine.Verify(background, r, proof.Bytes))(t) {
		t.Fatal("the proof does not verify")
	}
	keep(t, name, proof.Bytes)
	changed := bytes.Clone(proof.Bytes)
	changed[20] ^= 1
	if must(engine.Verify(background, r, changed))(t) {
		t.Fatal("a changed proof verifies")
	}
	if _, err := engine.Verify(background, r, proof.Bytes[1:]); !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Fatal("a short proof:", err)
	}
	return proof
}

func TestStoredProofsVerify(t *testing.T) {
	engine := open(t, keys)
	for name, r := range map[string]c2prover.Request{
		"porep-proof.bin":   porep(t),
		"winning-proof.bin": winning(t),
		"window-proof.bin":  window(t),
		"window5-proof.bin": deadline(t),
		"update-proof.bin":  update(t),
	} {
		if !must(engine.Verify(background, r, read(t, name)))(t) {
			t.Error(name, "does not verify")
		}
	}
	if must(engine.Verify(background, winning(t), read(t, "window-proof.bin")))(t) {
		t.Error("a proof of another kind verifies")
	}
}

func TestWindowPoSt(t *testing.T) {
	engine, w := open(t, keys), window(t)
	for round := 0; round < 2; round++ {
		proof := provesAndVerifies(t, engine, "window", w, func() (*c2prover.Proof, error) {
			return engine.GenerateSinglePartitionWindowPoStWithVanilla(background, w.Proof, w.ProverID, w.Randomness, w.Vanilla, 0)
		}, 1)
		if round > 0 && !proof.Timings.SRSWasResident {
			t.Error("the parameters were not kept")
		}
	}
}

func TestWindowPoStOfADeadline(t *testing.T) {
	engine, w := open(t, keys), deadline(t)
	provesAndVerifies(t, engine, "window5", w, func() (*c2prover.Proof, error) {
		return engine.GenerateWindowPoStWithVanilla(background, w.Proof, w.ProverID, w.Randomness, w.Vanilla)
	}, 3)
}

func TestPoRep(t *testing.T) {
	engine, p := open(t, params(t, "porep")), porep(t)
	provesAndVerifies(t, engine, "porep", p, func() (*c2prover.Proof, error) {
		return engine.SealCommitPhase2(background, p.C1, p.Sector, p.ProverID)
	}, 1)
	// Curio's wrapper around the same C1 output states the same.
	wrapped := c2prover.PoRep{C1: read(t, "c2in.json"), Sector: sector, ProverID: proverID}
	if !must(engine.Verify(background, wrapped, read(t, "porep-proof.bin")))(t) {
		t.Error("the wrapper states something else")
	}
}

func TestWinningPoSt(t *testing.T) {
	engine, w := open(t, params(t, "winning-post")), winning(t)
	provesAndVerifies(t, engine, "winning", w, func() (*c2prover.Proof, error) {
		return engine.GenerateWinningPoStWithVanilla(background, w.Proof, w.ProverID, w.Randomness, w.Vanilla)
	}, 1)
}

func TestSectorUpdate(t *testing.T) {
	engine, u := open(t, params(t, "snap")), update(t)
	provesAndVerifies(t, engine, "update", u, func() (*c2prover.Proof, error) {
		return engine.GenerateUpdateProofWithVanilla(background, u.Proof, u.CommROld, u.CommRNew, u.CommDNew, u.Vanilla)
	}, 1)
}

func TestOptionsReachTheReport(t *testing.T) {
	engine := open(t, keys)
	proof := must(engine.Prove(background, window(t), c2prover.WithRequestID("sector-1"), c2prover.WithoutSelfVerify()))(t)
	report := must(proof.Report())(t)
	if report.Job != "sector-1" || report.Kind != "window-post" || report.Status != "OK" {
		t.Errorf("%+v", report)
	}
	for _, p := range report.Phases {
		if p.Phase == "verify" {
			t.Error("the proof was verified")
		}
	}
	if proof.Timings.Verify != 0 || proof.Timings.CPU == 0 || proof.Timings.PeakHostBytes == 0 {
		t.Errorf("%+v", proof.Timings)
	}
	var events []struct {
		Name string         `json:"name"`
		Args map[string]any `json:"args"`
	}
	if err := json.Unmarshal(proof.TraceJSON, &events); err != nil || len(events) < 10 {
		t.Errorf("%d events, %v", len(events), err)
	}
	verified := must(engine.Prove(background, window(t)))(t)
	if verified.Timings.Verify == 0 {
		t.Error("the proof was not verified")
	}
}

func TestSelfVerifyOfTheEngine(t *testing.T) {
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys, SelfVerify: c2prover.Off, CPUThreads: 1}))(t)
	defer engine.Close()
	proof := must(engine.Prove(background, window(t)))(t)
	if proof.Timings.Verify != 0 {
		t.Error("the proof was verified")
	}
	if !strings.Contains(string(proof.ReportJSON), "threads=1") {
		t.Errorf("%s", proof.ReportJSON)
	}
}

func TestProverID(t *testing.T) {
	for actor, first := range map[uint64][]byte{0: {0}, 127: {127}, 128: {128, 1}, 1000: {0xe8, 0x07}, 1 << 63: {128, 128, 128, 128, 128, 128, 128, 128, 128, 1}} {
		var expected [32]byte
		copy(expected[:], first)
		if c2prover.ProverID(actor) != expected {
			t.Error(actor)
		}
	}
}

func TestVersion(t *testing.T) {
	if v := c2prover.Version(); strings.Count(v, ".") != 2 || !strings.Contains(c2prover.BuildInfo(), v) {
		t.Errorf("%q %q", v, c2prover.BuildInfo())
	}
}
