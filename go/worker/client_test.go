package worker

import (
	"bytes"
	"context"
	"errors"
	"net"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestTwentyRequestsAtOnce(t *testing.T) {
	leavesNothing(t)
	const n = 20
	var all sync.WaitGroup
	all.Add(n)
	engine := &fakeEngine{
		prove: func(_ context.Context, r c2prover.Request) (*c2prover.Proof, error) {
			all.Done()
			all.Wait() // none ends before the last has come
			p := r.(c2prover.PoRep)
			return &c2prover.Proof{Bytes: append([]byte{byte(p.Sector)}, p.C1...), TraceJSON: bytes.Repeat([]byte{'1'}, 700_000)}, nil
		},
		verify: func(r c2prover.Request, proof []byte) (bool, error) {
			return proof[0] == byte(r.(c2prover.PoRep).Sector), nil
		},
	}
	client := serve(t, engine, ServeOptions{}).dial(t)
	var ends sync.WaitGroup
	for i := 0; i < n; i++ {
		ends.Add(1)
		go func(i int) {
			defer ends.Done()
			r := c2prover.PoRep{C1: bytes.Repeat([]byte{byte(i)}, 1<<i), Sector: uint64(i)}
			proof, err := client.Prove(background, r, Options{})
			if err != nil || !bytes.Equal(proof.Bytes, append([]byte{byte(i)}, r.C1...)) || len(proof.TraceJSON) != 700_000 {
				t.Error(i, err)
				return
			}
			for _, sector := range []int{i, i + 1} {
				r.Sector = uint64(sector)
				if holds, err := client.Verify(background, r, proof.Bytes); err != nil || holds != (sector == i) {
					t.Error(i, holds, err)
				}
			}
		}(i)
	}
	ends.Wait()
}

func TestOptionsReachTheEngine(t *testing.T) {
	engine := &fakeEngine{prove: echo}
	client := serve(t, engine, ServeOptions{}).dial(t)
	for n, o := range []Options{{}, {RequestID: "sector-1"}, {RequestID: "sector-1", SkipSelfVerify: true}, {Priority: c2prover.Low, Timeout: time.Second, SkipSelfVerify: true}} {
		must(client.Prove(background, c2prover.PoRep{}, o))(t)
		if got := engine.options.Load(); got != int32(n) {
			t.Errorf("%+v became %d options", o, got)
		}
	}
}

func TestErrorsOfTheEngine(t *testing.T) {
	full := filled[c2prover.Error]()
	full.Status = c2prover.ErrParamsMissing
	client := serve(t, &fakeEngine{
		prove:  func(context.Context, c2prover.Request) (*c2prover.Proof, error) { return nil, &full },
		verify: func(c2prover.Request, []byte) (bool, error) { return true, &full },
	}, ServeOptions{}).dial(t)
	var e *c2prover.Error
	proof, err := client.Prove(background, c2prover.PoRep{}, Options{})
	if proof != nil || !errors.Is(err, c2prover.ErrParamsMissing) || !errors.As(err, &e) || !reflect.DeepEqual(*e, full) {
		t.Error(proof, err)
	}
	if holds, err := client.Verify(background, c2prover.PoRep{}, nil); holds || !errors.Is(err, c2prover.ErrParamsMissing) {
		t.Error(holds, err)
	}
}

func TestACancelledRequest(t *testing.T) {
	leavesNothing(t)
	engine := &fakeEngine{prove: hang, verify: func(c2prover.Request, []byte) (bool, error) { return true, nil }}
	client := serve(t, engine, ServeOptions{MaxRequests: 1}).dial(t)
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, err := client.Prove(ended, c2prover.PoRep{}, Options{}); err != context.Canceled || engine.began.Load() != 0 {
		t.Error(err)
	}
	for i := int32(1); i <= 5; i++ {
		ctx, cancel := context.WithCancel(background)
		failed := make(chan error, 1)
		go func() {
			_, err := client.Prove(ctx, c2prover.PoRep{}, Options{})
			failed <- err
		}()
		within(t, 5*time.Second, "the proof begins", func() bool { return engine.began.Load() == i })
		cancel()
		if err := <-failed; err != context.Canceled {
			t.Error(err)
		}
		within(t, time.Second, "the proof ends", func() bool { return engine.ended.Load() == i })
		// Its place is free soon.
		within(t, time.Second, "another request", func() bool {
			holds, _ := client.Verify(background, c2prover.PoRep{}, nil)
			return holds
		})
	}
	ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	if _, err := client.Prove(ctx, c2prover.PoRep{}, Options{}); err != context.DeadlineExceeded {
		t.Error(err)
	}
}

func TestAHundredMegabytes(t *testing.T) {
	leavesNothing(t)
	c1 := bytes.Repeat([]byte("0123456789abcdef"), 100<<20/16)
	engine := &fakeEngine{prove: echo, verify: func(c2prover.Request, []byte) (bool, error) { return true, nil }}
	client := serve(t, engine, ServeOptions{}).dial(t)
	proof := must(client.Prove(background, c2prover.PoRep{C1: c1}, Options{}))(t)
	if !bytes.Equal(proof.Bytes, c1) {
		t.Fatal("other bytes came back")
	}
	// One whose context ends while it is sent never begins, and the caller may change its bytes then.
	for i := 0; i < 10; i++ {
		ctx, cancel := context.WithTimeout(background, time.Duration(i)*time.Millisecond)
		if _, err := client.Prove(ctx, c2prover.PoRep{C1: c1}, Options{}); err != nil && err != context.DeadlineExceeded {
			t.Error(err)
		}
		cancel()
		for j := 0; j < len(c1); j += 4096 {
			c1[j]++
		}
	}
	if !must(client.Verify(background, c2prover.PoRep{}, nil))(t) {
		t.Error("the connection is of no more use")
	}
}

// A worker that reads slowly holds up the long message; a short one and a cancel pass it.
func TestShortMessagesPassLongOnes(t *testing.T) {
	out := newOutbox()
	out.send(1, kindProve, [][]byte{make([]byte, 100<<20)})
	read, write := net.Pipe()
	defer read.Close()
	go out.run(write)
	defer out.close()
	frames := func() frame { return must(readFrame(read, nil))(t) }
	for i := 0; i < 3; i++ {
		frames()
	}
	out.send(2, kindVerify, [][]byte{[]byte("short"), []byte("er")})
	out.sendControl(frameCancel, 3, nil)
	var short []byte
	cancelled := false
	for i := 0; i < 8; i++ {
		f := frames()
		cancelled = cancelled || f.kind == frameCancel && f.id == 3
		if f.kind == frameData && f.id == 2 {
			short = f.payload
		}
	}
	if string(short) != "shorter" || !cancelled {
		t.Errorf("%q %v", short, cancelled)
	}
	if !out.withdraw(1) || !out.withdraw(2) {
		t.Error("both had left")
	}
	out.send(4, kindVerify, [][]byte{make([]byte, 10<<20)})
	out.close()
	if len(out.queue) > 0 {
		t.Error("bytes of the caller are held on to")
	}
}

func TestLimits(t *testing.T) {
	engine := &fakeEngine{prove: hang}
	s := serve(t, engine, ServeOptions{MaxRequest: 1 << 20, MaxRequests: 2})
	client := s.dial(t)
	var limit *LimitError
	refused := func(c *Client, size int, what string, max int64) {
		t.Helper()
		_, err := c.Prove(background, c2prover.PoRep{C1: make([]byte, size)}, Options{})
		if !errors.Is(err, ErrLimit) || !errors.As(err, &limit) || limit.What != what || limit.Limit != max || limit.Value <= max {
			t.Errorf("%#v", err)
		}
	}
	refused(client, 1<<20, bytesOfARequest, 1<<20)
	client.worker.MaxRequest = 1 << 40 // as if it had not heard
	refused(client, 30<<20, bytesOfARequest, 1<<20)
	client.out.mu.Lock()
	if len(client.out.queue) > 0 {
		t.Error("it is still being sent")
	}
	client.out.mu.Unlock()
	ctx, cancel := context.WithCancel(background)
	var ends sync.WaitGroup
	for i := 0; i < 2; i++ {
		ends.Add(1)
		go func() {
			defer ends.Done()
			_, _ = client.Prove(ctx, c2prover.PoRep{}, Options{})
		}()
	}
	within(t, time.Second, "two run", func() bool { return engine.began.Load() == 2 })
	refused(s.dial(t), 10, requestsAtOnce, 2)
	cancel()
	ends.Wait()
}

func TestCloseOfAClient(t *testing.T) {
	leavesNothing(t)
	engine := &fakeEngine{prove: hang}
	client := serve(t, engine, ServeOptions{}).dial(t)
	failed := make(chan error, 1)
	go func() {
		_, err := client.Prove(background, c2prover.PoRep{}, Options{})
		failed <- err
	}()
	within(t, time.Second, "the proof begins", func() bool { return engine.began.Load() == 1 })
	client.Close()
	client.Close()
	if err := <-failed; err != c2prover.ErrClosed {
		t.Error(err)
	}
	if _, err := client.Prove(background, c2prover.PoRep{}, Options{}); err != c2prover.ErrClosed {
		t.Error(err)
	}
	within(t, time.Second, "the worker gives the proof up", func() bool { return engine.ended.Load() == 1 })
	if _, err := Dial(background, filepath.Join(t.TempDir(), "nobody")); err == nil {
		t.Error("nobody answered")
	}
}
