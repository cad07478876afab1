package worker

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// proving starts a proof and returns its outcome.
func proving(client *Client) chan error {
	failed := make(chan error, 1)
	go func() {
		_, err := client.Prove(background, c2prover.PoRep{}, Options{})
		failed <- err
	}()
	return failed
}

func TestServeWaitsForRunningProofs(t *testing.T) {
	leavesNothing(t)
	release := make(chan struct{})
	engine := &fakeEngine{prove: func(context.Context, c2prover.Request) (*c2prover.Proof, error) {
		<-release
		return &c2prover.Proof{Bytes: []byte("done")}, nil
	}}
	s := serve(t, engine, ServeOptions{})
	client, idle := s.dial(t), s.dial(t)
	mute := raw(t, s) // never says hello, and holds up nothing
	partial := raw(t, s)
	if _, err := partial.Write(append(hello(version), appendFrame(nil, frameBegin, 1, begin(kindProve, 100))...)); err != nil {
		t.Fatal(err)
	}
	failed := proving(client)
	within(t, time.Second, "the proof begins", func() bool { return engine.began.Load() == 1 })
	s.stop()
	within(t, time.Second, "the socket goes", func() bool { _, err := os.Stat(s.socket); return err != nil })
	for _, c := range []*Client{client, idle} {
		if _, err := c.Prove(background, c2prover.PoRep{}, Options{}); err != c2prover.ErrClosed {
			t.Error(err)
		}
	}
	close(release)
	if err := <-failed; err != nil {
		t.Error(err)
	}
	if err := <-s.result; err != nil {
		t.Error(err)
	}
	<-idle.Done()
	mute.Close()
}

func TestServeGivesUpAfterTheGraceTime(t *testing.T) {
	for _, grace := range []time.Duration{-1, 50 * time.Millisecond} {
		engine := &fakeEngine{prove: hang}
		s := serve(t, engine, ServeOptions{Grace: grace})
		failed := proving(s.dial(t))
		within(t, time.Second, "the proof begins", func() bool { return engine.began.Load() == 1 })
		began := time.Now()
		s.stop()
		// The caller did not cancel it: it hears that the worker closed.
		if err := <-failed; err != c2prover.ErrClosed {
			t.Error(err)
		}
		if err := <-s.result; !errors.Is(err, ErrGaveUp) || time.Since(began) < grace {
			t.Error(err)
		}
	}
}

func TestAnEngineThatIgnoresItsContext(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	engine := &fakeEngine{prove: func(context.Context, c2prover.Request) (*c2prover.Proof, error) {
		<-release
		return nil, c2prover.ErrInternal
	}}
	s := serve(t, engine, ServeOptions{Grace: -1})
	failed := proving(s.dial(t))
	within(t, time.Second, "the proof begins", func() bool { return engine.began.Load() == 1 })
	s.stop()
	if err := <-failed; !errors.Is(err, ErrDied) {
		t.Error(err)
	}
	if err := <-s.result; !errors.Is(err, ErrGaveUp) {
		t.Error(err)
	}
}

func TestADeviceThatFailsEndsTheWorker(t *testing.T) {
	fault := &c2prover.Error{Status: c2prover.ErrDeviceFault, Name: "DEVICE_FAULT", Message: "illegal address"}
	s := serve(t, &fakeEngine{prove: func(context.Context, c2prover.Request) (*c2prover.Proof, error) { return nil, fault }}, ServeOptions{})
	if err := <-proving(s.dial(t)); !errors.Is(err, c2prover.ErrDeviceFault) {
		t.Error(err)
	}
	if err := <-s.result; !errors.Is(err, c2prover.ErrDeviceFault) {
		t.Error(err)
	}
}

func TestListen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l := must(Listen(background, path))(t)
	if info := must(os.Stat(path))(t); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	if _, err := Listen(background, path); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	// The socket that a killed worker leaves behind.
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	must(os.Stat(path))(t)
	l = must(Listen(background, path))(t)
	l.Close()
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(background, path); err == nil || string(must(os.ReadFile(path))(t)) != "mine" {
		t.Error("a file that is no socket was removed:", err)
	}
}
