//go:build cgo

package c2prover

import (
	"runtime"
	"testing"
	"time"
)

func TestForgottenHandlesAreFreed(t *testing.T) {
	make := func() (freed []<-chan struct{}) {
		engine, err := Open(Options{})
		if err != nil {
			t.Fatal(err)
		}
		srs, err := LoadSRS("testdata/chain.params", SRSOptions{})
		if err != nil {
			t.Fatal(err)
		}
		key, err := srs.Key()
		if err != nil {
			t.Fatal(err)
		}
		return []<-chan struct{}{engine.lease.freed, srs.lease.freed, key.lease.freed}
	}
	for _, freed := range make() {
		for end := time.Now().Add(10 * time.Second); ; {
			runtime.GC()
			select {
			case <-freed:
			case <-time.After(time.Millisecond):
				if time.Now().Before(end) {
					continue
				}
				t.Error("not freed")
			}
			break
		}
	}
}
