//go:build cgo

package c2prover_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// settled waits until there are no more goroutines than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			buffer := make([]byte, 1<<16)
			t.Fatalf("goroutines are left:\n%s", buffer[:runtime.Stack(buffer, true)])
		}
	}
}

func TestAnEndedContextBeginsNothing(t *testing.T) {
	engine, srs := open(t, t.TempDir()), load(t, chainParams)
	circuit, _ := first(t)
	ctx, cancel := context.WithCancel(background)
	cancel()
	// The folder is empty: a call that began would say so.
	proof, err := engine.Prove(ctx, window(t))
	if proof != nil || err != context.Canceled {
		t.Error(err)
	}
	if _, err := engine.Verify(ctx, window(t), nil); err != context.Canceled {
		t.Error(err)
	}
	if proof, err := srs.Prove(ctx, []c2prover.Assignment{circuit}, c2prover.ProveOptions{}); proof != nil || err != context.Canceled {
		t.Error(err)
	}
}

func TestAContextThatEndsDuringAProof(t *testing.T) {
	before := runtime.NumGoroutine()
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	lines, stop := collectLogs(t)
	w := deadline(t)
	must(engine.Prove(background, window(t)))(t) // the parameters are in memory now

	ctx, cancel := context.WithTimeout(background, 30*time.Millisecond)
	defer cancel()
	began := time.Now()
	proof, err := engine.Prove(ctx, w, c2prover.WithRequestID("abandoned"))
	if took := time.Since(began); proof != nil || !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
		t.Fatal(err, took)
	}
	// The inputs are the caller's again.
	for _, v := range w.Vanilla {
		for i := range v {
			v[i] = 0xff
		}
	}
	runtime.GC()
	// What is under way for it stops; the engine goes on.
	must(engine.Prove(background, window(t)))(t)
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	if _, err := engine.Prove(background, window(t)); !errors.Is(err, c2prover.ErrClosed) {
		t.Error(err)
	}
	stop()
	if line := lines.find("job", "abandoned", "status"); line == nil || line["status"] != "CANCELLED" {
		t.Errorf("the abandoned proof: %v", line)
	}
	settled(t, before)
}

func TestAContextThatEndsDuringACircuitsProof(t *testing.T) {
	srs := load(t, chainParams)
	circuit, _ := first(t)
	circuits := make([]c2prover.Assignment, 40)
	for i := range circuits {
		circuits[i] = circuit
	}
	ctx, cancel := context.WithTimeout(background, 5*time.Millisecond)
	defer cancel()
	if proof, err := srs.Prove(ctx, circuits, c2prover.ProveOptions{}); proof != nil || err != context.DeadlineExceeded {
		t.Error(err)
	}
}

func TestCancelAtManyMoments(t *testing.T) {
	before := runtime.NumGoroutine()
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	w := window(t)
	for i := 0; i < 12; i++ {
		ctx, cancel := context.WithTimeout(background, time.Duration(i*i)*2*time.Millisecond)
		proof, err := engine.Prove(ctx, w)
		if (proof == nil) != errors.Is(err, context.DeadlineExceeded) {
			t.Error(proof, err)
		}
		cancel()
	}
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	settled(t, before)
}
