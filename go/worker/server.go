package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// Engine is what a worker serves: a *[c2prover.Engine].
type Engine interface {
	Prove(ctx context.Context, r c2prover.Request, o ...c2prover.CallOption) (*c2prover.Proof, error)
	Verify(ctx context.Context, r c2prover.Request, proof []byte) (bool, error)
}

// ServeOptions say how to serve. The zero value is the default.
type ServeOptions struct {
	Grace       time.Duration // how long requests may still run when the context has ended; 0: a minute; below 0: not at all
	MaxRequest  int64         // bytes of a request; 0: 1 GiB
	MaxRequests int           // requests at once, of all clients; 0: 256
	Logger      *slog.Logger  // for clients that break the protocol; nil: nobody is told
}

const (
	bytesOfARequest = "bytes of a request"
	requestsAtOnce  = "requests at once"
	// lastWords is how long an end whose connection is over may take to say or hear why.
	lastWords = time.Second
)

// ErrGaveUp is the error of [Serve] when requests still ran at the end of the grace time.
var ErrGaveUp = errors.New("worker: requests were given up")

// server is what the sessions of one Serve share.
type server struct {
	engine Engine
	o      ServeOptions
	work   context.Context // that of all requests; its cause is ErrClosed when the grace time is over
	fault  context.CancelCauseFunc

	mu       sync.Mutex
	refusing bool // no more requests are taken
	closing  bool // and what is there is waited for
	requests int
	idle     chan struct{} // closed when none is left, while closing
	sessions map[*session]struct{}
	ends     sync.WaitGroup
}

// Serve lets clients prove with an engine until ctx ends. Then it takes no more requests and waits for those it has; after
// the grace time it gives them up and returns [ErrGaveUp]. It closes the listener, and not the engine. A client that goes
// away has its requests given up. A device that failed works no more in this process, so c2prover.ErrDeviceFault ends it
// too, and is returned.
func Serve(ctx context.Context, l net.Listener, engine Engine, o ServeOptions) error {
	if o.Grace == 0 {
		o.Grace = time.Minute
	}
	if o.MaxRequest <= 0 {
		o.MaxRequest = 1 << 30
	}
	if o.MaxRequests <= 0 {
		o.MaxRequests = 256
	}
	work, giveUp := context.WithCancelCause(context.WithoutCancel(ctx))
	defer giveUp(nil)
	ctx, fault := context.WithCancelCause(ctx)
	defer fault(nil)
	s := &server{engine: engine, o: o, work: work, fault: fault, idle: make(chan struct{}), sessions: map[*session]struct{}{}}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	err := s.accept(ctx, l)
	l.Close()
	if cause := context.Cause(ctx); errors.Is(cause, c2prover.ErrDeviceFault) {
		err = cause
	}
	return errors.Join(err, s.drain(giveUp))
}

func (s *server) accept(ctx context.Context, l net.Listener) error {
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			s.open(conn)
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ECONNABORTED):
			// These pass, and the clients that are there go on.
			s.log("accepting a client", err)
			time.Sleep(100 * time.Millisecond)
		default:
			return err
		}
	}
}

func (s *server) open(conn net.Conn) {
	c := newSession(s, conn)
	s.mu.Lock()
	s.sessions[c] = struct{}{}
	s.mu.Unlock()
	s.ends.Add(1)
	go func() {
		defer s.ends.Done()
		c.run()
		s.mu.Lock()
		delete(s.sessions, c)
		s.mu.Unlock()
	}()
}

// admit counts a request in, if there is room.
func (s *server) admit(size uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.refusing:
		return c2prover.ErrClosed
	case size > uint64(s.o.MaxRequest):
		return &LimitError{What: bytesOfARequest, Value: int64(min(size, 1<<63-1)), Limit: s.o.MaxRequest}
	case s.requests >= s.o.MaxRequests:
		return &LimitError{What: requestsAtOnce, Value: int64(s.requests) + 1, Limit: int64(s.o.MaxRequests)}
	}
	s.requests++
	return nil
}

// leave is called once for each admit, after the answer was handed over.
func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requests--; s.requests == 0 && s.closing {
		close(s.idle)
	}
}

// deviceFault ends the server. Nothing is taken any more when it returns.
func (s *server) deviceFault(err error) {
	s.mu.Lock()
	s.refusing = true
	s.mu.Unlock()
	s.fault(err)
}

// drain waits for the requests, gives up those that take too long, and ends the sessions.
func (s *server) drain(giveUp context.CancelCauseFunc) (err error) {
	s.mu.Lock()
	s.refusing, s.closing = true, true
	if s.requests == 0 {
		close(s.idle)
	}
	sessions := make([]*session, 0, len(s.sessions))
	for c := range s.sessions {
		sessions = append(sessions, c)
	}
	s.mu.Unlock()
	for _, c := range sessions {
		c.dropPartial(c2prover.ErrClosed)
	}
	select {
	case <-s.idle:
	case <-time.After(s.o.Grace):
		s.mu.Lock()
		err = fmt.Errorf("%w: %d", ErrGaveUp, s.requests)
		s.mu.Unlock()
		giveUp(c2prover.ErrClosed)
		// An engine returns at once. Whoever does not is left behind.
		select {
		case <-s.idle:
		case <-time.After(lastWords):
		}
	}
	for _, c := range sessions {
		c.finish()
	}
	s.ends.Wait()
	return err
}

func (s *server) log(what string, err error) {
	if s.o.Logger != nil {
		s.o.Logger.Warn("worker: "+what, "error", err)
	}
}
