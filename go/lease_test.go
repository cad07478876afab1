package c2prover

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestAHandleIsFreedOnceAfterTheLastCall(t *testing.T) {
	for round := 0; round < 200; round++ {
		var inside, freed atomic.Int32
		l := newLease(func() {
			if inside.Load() != 0 {
				t.Error("freed during a call")
			}
			freed.Add(1)
		})
		var wait sync.WaitGroup
		for i := 0; i < 8; i++ {
			closes := i >= 6
			wait.Add(1)
			go func() {
				defer wait.Done()
				if closes {
					<-l.close()
					return
				}
				for l.begin() == nil {
					inside.Add(1)
					inside.Add(-1)
					l.end()
				}
			}()
		}
		wait.Wait()
		if freed.Load() != 1 || !errors.Is(l.begin(), ErrClosed) {
			t.Fatal(freed.Load())
		}
	}
}
