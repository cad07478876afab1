package worker

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

var background = context.Background()

// fakeEngine does what its functions say, and counts.
type fakeEngine struct {
	prove   func(ctx context.Context, r c2prover.Request) (*c2prover.Proof, error)
	verify  func(r c2prover.Request, proof []byte) (bool, error)
	began   atomic.Int32
	ended   atomic.Int32
	options atomic.Int32
}

func (f *fakeEngine) Prove(ctx context.Context, r c2prover.Request, o ...c2prover.CallOption) (*c2prover.Proof, error) {
	f.began.Add(1)
	defer f.ended.Add(1)
	f.options.Store(int32(len(o)))
	return f.prove(ctx, r)
}

func (f *fakeEngine) Verify(_ context.Context, r c2prover.Request, proof []byte) (bool, error) {
	return f.verify(r, proof)
}

// hang proves until its context ends.
func hang(ctx context.Context, _ c2prover.Request) (*c2prover.Proof, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// echo proves a PoRep by its C1.
func echo(_ context.Context, r c2prover.Request) (*c2prover.Proof, error) {
	return &c2prover.Proof{Bytes: r.(c2prover.PoRep).C1}, nil
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// within fails the test if a condition does not come about.
func within(t testing.TB, d time.Duration, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(d); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			buffer := make([]byte, 1<<16)
			t.Fatalf("%s: not within %v\n%s", what, d, buffer[:runtime.Stack(buffer, true)])
		}
	}
}

// leavesNothing is to be called first: at the end of the test there are no more goroutines and descriptors than now.
func leavesNothing(t *testing.T) {
	t.Helper()
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return 0
		}
		return len(entries)
	}
	before, open := runtime.NumGoroutine(), descriptors()
	t.Cleanup(func() {
		within(t, 10*time.Second, "no goroutine left", func() bool { return runtime.NumGoroutine() <= before })
		within(t, 10*time.Second, "no descriptor left", func() bool { return descriptors() <= open })
	})
}

// serving is a Serve that runs.
type serving struct {
	socket string
	stop   context.CancelFunc
	result chan error // what Serve returned
}

func serve(t *testing.T, engine Engine, o ServeOptions) *serving {
	t.Helper()
	s := &serving{socket: filepath.Join(t.TempDir(), "s"), result: make(chan error, 1)}
	l := must(net.Listen("unix", s.socket))(t)
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(testWriter{t}, nil))
	}
	ctx, stop := context.WithCancel(background)
	s.stop = stop
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.result <- Serve(ctx, l, engine, o)
	}()
	t.Cleanup(func() {
		stop()
		<-over
	})
	return s
}

func (s *serving) dial(t *testing.T) *Client {
	t.Helper()
	c := must(Dial(background, s.socket))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Log(string(b))
	return len(b), nil
}
