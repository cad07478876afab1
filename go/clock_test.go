//go:build cgo

package c2prover_test

import (
	"context"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// The caller's stopwatch and the report agree. On a machine that does other work a goroutine can wait for a core between
// the two, so the best of some proofs counts: time that the report swallows is missing in all of them.
func TestTheReportShowsWhatTheStopwatchDoes(t *testing.T) {
	engine, srs := open(t, keys), load(t, chainParams)
	circuit, _ := first(t)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	for name, prove := range map[string]func() (*c2prover.Proof, error){
		"engine":                           func() (*c2prover.Proof, error) { return engine.Prove(background, window(t)) },
		"engine, a context that could end": func() (*c2prover.Proof, error) { return engine.Prove(ctx, window(t)) },
		"circuit": func() (*c2prover.Proof, error) {
			return srs.Prove(ctx, []c2prover.Assignment{circuit}, c2prover.ProveOptions{})
		},
	} {
		var difference, allowed time.Duration
		for n := 0; n == 0 || n < 8 && difference > allowed; n++ {
			began := time.Now()
			proof, err := prove()
			stopwatch := time.Since(began)
			if err != nil {
				t.Fatal(err)
			}
			report := must(proof.Report())(t)
			if us := time.Duration(report.WallUS) * time.Microsecond; us != proof.Timings.Total {
				t.Errorf("%s: the report says %v, the timings say %v", name, us, proof.Timings.Total)
			}
			difference, allowed = (stopwatch - proof.Timings.Total).Abs(), max(stopwatch/100, 2*time.Millisecond)
			t.Logf("%s: stopwatch %v, report %v, unaccounted %v", name, stopwatch, proof.Timings.Total, proof.Timings.Unaccounted)
		}
		if difference > allowed {
			t.Errorf("%s: they differ by %v, more than %v", name, difference, allowed)
		}
	}
}
