package c2prover

import "sync"

// A lease counts the calls that use a handle of the library, so that it is freed once, after the last of them.
type lease struct {
	mu     sync.Mutex
	calls  int
	closed bool
	free   func()
	freed  chan struct{}
}

func newLease(free func()) *lease {
	return &lease{free: free, freed: make(chan struct{})}
}

// begin is to be called before a call that uses the handle, and end after it.
func (l *lease) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	l.calls++
	return nil
}

func (l *lease) end() {
	l.mu.Lock()
	l.calls--
	last := l.closed && l.calls == 0
	l.mu.Unlock()
	if last {
		l.release()
	}
}

// close refuses further calls. The channel it returns is closed when the handle is freed.
func (l *lease) close() <-chan struct{} {
	l.mu.Lock()
	last := !l.closed && l.calls == 0
	l.closed = true
	l.mu.Unlock()
	if last {
		l.release()
	}
	return l.freed
}

func (l *lease) release() {
	l.free()
	close(l.freed)
}
