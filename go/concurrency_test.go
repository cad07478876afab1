//go:build cgo

package c2prover_test

import (
	"bytes"
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestEightGoroutines(t *testing.T) {
	engine, srs := open(t, keys), load(t, chainParams)
	c, request := readChain(t), window(t)
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		i := i
		wait.Add(1)
		go func() {
			defer wait.Done()
			proof, err := engine.Prove(background, request)
			if err != nil {
				t.Error(err)
				return
			}
			if ok, err := engine.Verify(background, request, proof.Bytes); !ok || err != nil {
				t.Error(ok, err)
			}
			w := c.Circuits[i%2]
			for n := 0; n < 5; n++ {
				proof, err := srs.Prove(background, []c2prover.Assignment{c.synthesize(w)}, blinded(w))
				if err != nil || !bytes.Equal(proof.Bytes, w.Proof) {
					t.Error("another proof:", err)
				}
			}
		}()
	}
	wait.Wait()
}

// Inputs that nobody but the library refers to, while the collector runs all the time and freed memory is overwritten.
func TestGarbageCollectionDuringProofs(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	engine, srs := open(t, keys), load(t, chainParams)
	c := readChain(t)
	stop := make(chan struct{})
	var collector, provers sync.WaitGroup
	collector.Add(1)
	go func() {
		defer collector.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				for n := 0; n < 100; n++ {
					sink = bytes.Repeat([]byte{0xff}, 1000+97*n)
				}
			}
		}
	}()
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	vanilla := deadline(t).Vanilla
	for i := 0; i < 4; i++ {
		i := i
		provers.Add(1)
		go func() {
			defer provers.Done()
			for n := 0; n < 3; n++ {
				w := c.Circuits[n%2]
				proof, err := srs.Prove(ctx, []c2prover.Assignment{c.synthesize(w)}, blinded(w))
				if err != nil || !bytes.Equal(proof.Bytes, w.Proof) {
					t.Error("another proof:", err)
				}
			}
			// With a context that can end the library reads copies, without one the caller's bytes.
			of := []context.Context{ctx, background}[i%2]
			if _, err := engine.GenerateWindowPoStWithVanilla(of, c2prover.StackedDrgWindow2KiBV1_1, proverID, randomness, clone(vanilla), c2prover.WithRequestID(string([]byte("gc")))); err != nil {
				t.Error(err)
			}
		}()
	}
	provers.Wait()
	close(stop)
	collector.Wait()
}

var sink []byte

func clone(all [][]byte) [][]byte {
	c := make([][]byte, len(all))
	for i, b := range all {
		c[i] = bytes.Clone(b)
	}
	return c
}
