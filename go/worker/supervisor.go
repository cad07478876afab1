package worker

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// SupervisorOptions say which program to run, and how.
type SupervisorOptions struct {
	// Path and Args start the worker: c2prover-worker, or a program that calls [Serve]. Behind Args come -socket with a path,
	// -parent with this process's number, and -grace.
	Path string
	Args []string
	Env  []string // of the worker; nil: this process's
	// Output gets what the worker writes, as it comes; Logger gets it by lines, and what the supervisor has to say. If there is
	// neither, it goes to stderr.
	Output io.Writer
	Logger *slog.Logger
	// Dir is where the private folder for the socket is made; "": os.TempDir.
	Dir string

	StartTimeout    time.Duration // for the worker's hello; 0: two minutes
	Grace           time.Duration // for proofs under way when the worker is to end; 0: a minute
	RestartDelay    time.Duration // doubled with each life that was a short one; 0: 250 ms
	MaxRestartDelay time.Duration // 0: 30 s
}

// stable is how long a worker has to live for its next restart to come without delay.
const stable = time.Minute

// Supervisor keeps a worker running and proves through it. Any number of goroutines may use it at once. Close it.
type Supervisor struct {
	o      SupervisorOptions
	folder string
	live   context.Context // ends with Close
	end    context.CancelFunc
	ended  chan struct{}

	mu      sync.Mutex
	current *life
	lives   int
}

// Start starts the worker and waits until it answers, or ctx ends. An error says why it did not come up, and leaves
// nothing behind.
func Start(ctx context.Context, o SupervisorOptions) (*Supervisor, error) {
	defaults := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	defaults(&o.StartTimeout, 2*time.Minute)
	defaults(&o.Grace, time.Minute)
	defaults(&o.RestartDelay, 250*time.Millisecond)
	defaults(&o.MaxRestartDelay, 30*time.Second)
	if o.Output == nil && o.Logger == nil {
		o.Output = os.Stderr
	}
	// MkdirTemp gives it the mode 0700.
	folder, err := os.MkdirTemp(o.Dir, "c2prover-")
	if err != nil {
		return nil, err
	}
	s := &Supervisor{o: o, folder: folder, ended: make(chan struct{})}
	s.live, s.end = context.WithCancel(context.Background())
	first := s.next()
	go s.run(first)
	if _, err := s.worker(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close refuses further calls, asks the worker to end, and waits for that: for the grace time proofs under way may come to
// their end, then the worker is killed. It may be called more than once.
func (s *Supervisor) Close() error {
	s.end()
	<-s.ended
	return nil
}

// PID is the number of the worker's process, and 0 while there is none.
func (s *Supervisor) PID() int {
	s.mu.Lock()
	l := s.current
	s.mu.Unlock()
	select {
	case <-l.over:
		return 0
	default:
	}
	select {
	case <-l.ready:
		return l.cmd.Process.Pid
	default:
		return 0
	}
}

// Prove makes the proof that a request asks for. If the worker dies over it, the error is a [*DiedError] within a second.
// While there is no worker, it waits for the next start, and if that fails its error is a [*StartError].
func (s *Supervisor) Prove(ctx context.Context, r c2prover.Request, o Options) (*c2prover.Proof, error) {
	return through(ctx, s, func(c *Client) (*c2prover.Proof, error) { return c.Prove(ctx, r, o) })
}

// Verify tells whether a proof holds for the statement of a request. Errors are those of Prove.
func (s *Supervisor) Verify(ctx context.Context, r c2prover.Request, proof []byte) (bool, error) {
	return through(ctx, s, func(c *Client) (bool, error) { return c.Verify(ctx, r, proof) })
}

// through calls f with a worker. A worker that had ended before the request came, or ends and takes no more, leaves it to
// the next one.
func through[T any](ctx context.Context, s *Supervisor, f func(*Client) (T, error)) (T, error) {
	for {
		var none T
		l, err := s.worker(ctx)
		if err != nil {
			return none, err
		}
		value, err := f(l.client)
		var died *DiedError
		if refused := errors.Is(err, c2prover.ErrClosed) || errors.As(err, &died) && died.unsent; !refused {
			return value, l.explain(err)
		}
		select {
		case <-l.replaced:
		case <-ctx.Done():
			return none, ctx.Err()
		case <-s.live.Done():
			return none, c2prover.ErrClosed
		}
	}
}

// worker is the current life, when it is ready.
func (s *Supervisor) worker(ctx context.Context) (*life, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	l := s.current
	s.mu.Unlock()
	select {
	case <-s.live.Done():
		return nil, c2prover.ErrClosed
	default:
	}
	select {
	case <-l.ready:
		return l, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.live.Done():
		return nil, c2prover.ErrClosed
	}
}

// next makes the next life the current one.
func (s *Supervisor) next() *life {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lives++
	l := newLife(&s.o, s.folder, s.lives)
	if s.current != nil {
		close(s.current.replaced)
	}
	s.current = l
	return l
}

// run goes from life to life until Close.
func (s *Supervisor) run(l *life) {
	defer close(s.ended)
	defer os.RemoveAll(s.folder)
	var delay time.Duration
	for {
		l.start(s.live)
		if l.err == nil {
			s.attend(l)
		}
		if s.live.Err() != nil {
			return
		}
		if lived := time.Since(l.began); l.err == nil && lived >= stable {
			delay = 0
		} else {
			delay = min(max(2*delay, s.o.RestartDelay), s.o.MaxRestartDelay)
		}
		if s.o.Logger != nil {
			s.o.Logger.Warn("worker: it ended, and starts again", "exit", l.exit, "error", l.err, "delay", delay)
		}
		l = s.next()
		select {
		case <-time.After(delay):
		case <-s.live.Done():
			close(l.over)
			return
		}
	}
}

// attend returns when the worker has ended: by itself, or because of Close.
func (s *Supervisor) attend(l *life) {
	look := time.NewTicker(lastWords / 5)
	defer look.Stop()
	for looking := true; looking; {
		looking = false
		select {
		case <-l.over:
		case <-l.client.Done():
			// It is ending, or is of no more use: there is one connection, and nobody else knows the socket.
			l.endWithin(lastWords)
		case <-s.live.Done():
			l.stop()
		case <-look.C:
			if looking = true; exiting(l.cmd.Process.Pid) {
				l.client.exiting()
			}
		}
	}
	// Answers that it gave before its end are still read; whoever has none then hears that it died, not of a Close.
	t := time.NewTimer(lastWords)
	defer t.Stop()
	select {
	case <-l.client.Done():
	case <-t.C:
		l.client.fail(io.ErrUnexpectedEOF)
	}
	l.client.Close()
}
