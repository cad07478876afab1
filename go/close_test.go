//go:build cgo

package c2prover_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestCloseTwiceAndUseAfterIt(t *testing.T) {
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	srs := must(c2prover.LoadSRS(chainParams, c2prover.SRSOptions{}))(t)
	key := must(srs.Key())(t)
	circuit, w := first(t)
	ended, cancel := context.WithCancel(background)
	cancel()
	for i := 0; i < 3; i++ {
		for _, err := range []error{engine.Close(), engine.Shutdown(background), engine.Shutdown(ended), srs.Close(), key.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	}
	request := window(t)
	results := map[string]func() error{
		"Prove":  func() error { _, err := engine.Prove(background, request); return err },
		"Verify": func() error { _, err := engine.Verify(background, request, nil); return err },
		"Seal":   func() error { _, err := engine.SealCommitPhase2(background, nil, 0, proverID); return err },
		"SRS.Prove": func() error {
			_, err := srs.Prove(background, []c2prover.Assignment{circuit}, c2prover.ProveOptions{})
			return err
		},
		"Info":          func() error { _, err := srs.Info(); return err },
		"Evict":         srs.Evict,
		"SRS.Key":       func() error { _, err := srs.Key(); return err },
		"Inputs":        func() error { _, err := key.Inputs(); return err },
		"VerifyCircuit": func() error { _, err := key.VerifyCircuit(nil, w.Proof); return err },
	}
	for name, use := range results {
		if err := use(); !errors.Is(err, c2prover.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCloseWhileProofsRun(t *testing.T) {
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	srs := must(c2prover.LoadSRS(chainParams, c2prover.SRSOptions{}))(t)
	circuit, _ := first(t)
	request := window(t)
	var begun, wait sync.WaitGroup
	use := func(prove func() error) {
		begun.Add(1)
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := 0; ; n++ {
				err := prove()
				if n == 0 {
					begun.Done()
				}
				if err != nil {
					// Close refuses, and cancels what is under way.
					if !errors.Is(err, c2prover.ErrClosed) && !errors.Is(err, c2prover.ErrCancelled) && !errors.Is(err, c2prover.ErrShutDown) {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	for i := 0; i < 3; i++ {
		use(func() error { _, err := engine.Prove(background, request); return err })
		use(func() error {
			_, err := srs.Prove(background, []c2prover.Assignment{circuit}, c2prover.ProveOptions{})
			return err
		})
	}
	begun.Wait()
	for i := 0; i < 2; i++ {
		wait.Add(2)
		go func() { defer wait.Done(); engine.Close() }()
		go func() { defer wait.Done(); srs.Close() }()
	}
	wait.Wait()
}
