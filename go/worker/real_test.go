//go:build cgo

package worker

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// The real sector of tests/data, with the real engine in the real program.
var data = filepath.Join("..", "..", "tests", "data")

func file(t testing.TB, name string) []byte {
	t.Helper()
	return must(os.ReadFile(filepath.Join(data, name)))(t)
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaries, "c2prover-worker")
	text, err := exec.Command("go", "build", "-o", path, "../cmd/c2prover-worker").CombinedOutput()
	if err != nil {
		err = errors.New(string(text))
	}
	return path, err
})

// real is a supervisor of the real program. Without a folder of parameters it has those of the repository.
func real(t *testing.T, folder string) (*Supervisor, *log) {
	t.Helper()
	if folder == "" {
		folder = filepath.Join(data, "params")
	}
	o, lines := options(t, ""), new(log)
	o.Path, o.Args, o.Output = must(build())(t), []string{"-param-cache", folder, "-threads", "2"}, lines
	o.Env = append(os.Environ(), "C2PROVER_LOG=info")
	o.Grace = 2 * time.Minute
	return supervise(t, o), lines
}

func randomness() (a [32]byte) {
	for i := range a {
		a[i] = 3
	}
	return a
}

func deadline(t *testing.T) (w c2prover.WindowPoSt) {
	w = c2prover.WindowPoSt{Proof: c2prover.StackedDrgWindow2KiBV1_1, ProverID: c2prover.ProverID(1000), Randomness: randomness(), AllPartitions: true}
	if err := json.Unmarshal(file(t, "window5-vanilla.json"), &w.Vanilla); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRealProofs(t *testing.T) {
	leavesNothing(t)
	s, lines := real(t, "")
	w := deadline(t)
	for round := 0; round < 2; round++ {
		proof := must(s.Prove(background, w, Options{RequestID: "deadline", Priority: c2prover.Critical, Timeout: 5 * time.Minute}))(t)
		report := must(proof.Report())(t)
		if len(proof.Bytes) != 3*192 || report.Job != "deadline" || proof.Timings.Total <= 0 || len(proof.TraceJSON) < 1000 {
			t.Errorf("%+v", proof.Timings)
		}
		if round > 0 && !proof.Timings.SRSWasResident {
			t.Error("the parameters were not kept")
		}
		if !must(s.Verify(background, w, proof.Bytes))(t) {
			t.Error("the proof does not verify")
		}
		proof.Bytes[20] ^= 1
		if must(s.Verify(background, w, proof.Bytes))(t) {
			t.Error("a changed proof verifies")
		}
	}
	// The library's own errors, in full.
	var e *c2prover.Error
	_, err := s.Prove(background, c2prover.PoRep{C1: file(t, "c1-raw.json"), Sector: 1, ProverID: c2prover.ProverID(1000)}, Options{})
	if !errors.Is(err, c2prover.ErrParamsMissing) || !errors.As(err, &e) || e.Advice == "" || e.Index != -1 {
		t.Errorf("%#v", err)
	}
	if _, err := s.Prove(background, c2prover.PoRep{C1: []byte("{")}, Options{}); !errors.Is(err, c2prover.ErrBadInput) {
		t.Error(err)
	}
	if _, err := s.Prove(background, w, Options{Timeout: time.Millisecond}); !errors.Is(err, c2prover.ErrTimedOut) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	if _, err := s.Prove(ctx, w, Options{RequestID: "abandoned"}); err != context.DeadlineExceeded {
		t.Error(err)
	}
	within(t, 10*time.Second, "the worker stops it", func() bool {
		return strings.Contains(lines.String(), "job=abandoned") && strings.Contains(lines.String(), "CANCELLED")
	})
}

func TestARealWorkerIsKilledOverAProof(t *testing.T) {
	const variable = "C2PROVER_TEST_PARAMS"
	folder := os.Getenv(variable)
	found, _ := filepath.Glob(filepath.Join(folder, "v28-stacked-proof-of-replication-*.params"))
	if folder == "" || len(found) == 0 {
		t.Skipf("no worker is killed over a PoRep: %s names no folder of its parameters", variable)
	}
	leavesNothing(t)
	s, _ := real(t, must(filepath.Abs(folder))(t))
	porep := c2prover.PoRep{C1: file(t, "c1-raw.json"), Sector: 1, ProverID: c2prover.ProverID(1000)}
	first := s.PID()
	failed := make(chan error, 1)
	go func() {
		_, err := s.Prove(background, porep, Options{RequestID: "porep"})
		failed <- err
	}()
	select {
	case err := <-failed:
		t.Fatal("the proof was over before it could be disturbed:", err)
	case <-time.After(2 * time.Second):
	}
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	err := <-failed
	var died *DiedError
	if took := time.Since(killed); !errors.As(err, &died) || died.Exit != "signal: killed" || died.RequestID != "porep" || took > time.Second {
		t.Errorf("after %v: %#v", took, err)
	}
	t.Logf("heard of it after %v", time.Since(killed))
	began := time.Now()
	proof := must(s.Prove(background, porep, Options{}))(t)
	t.Logf("the next proof came after %v, the worker's own time was %v", time.Since(began), proof.Timings.Total)
	if s.PID() == first || !must(s.Verify(background, porep, proof.Bytes))(t) {
		t.Error("no proof from a new worker")
	}
}
