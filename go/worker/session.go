package worker

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// session is one client of a server.
type session struct {
	*server
	conn net.Conn
	out  *outbox

	mu      sync.Mutex
	partial map[uint32]*incoming
	running map[uint32]context.CancelFunc
	greeted bool
	let     bool // it is to be let go
	over    bool // it has gone
}

func newSession(s *server, conn net.Conn) *session {
	return &session{server: s, conn: conn, out: newOutbox(), partial: map[uint32]*incoming{}, running: map[uint32]context.CancelFunc{}}
}

// run serves the client until it goes away, breaks the rules, or is let go.
func (c *session) run() {
	defer c.conn.Close()
	if _, err := greet(c.conn, ownHello(c.o.MaxRequest), time.Now().Add(helloTime)); err != nil {
		c.complain(err)
		return
	}
	c.mu.Lock()
	c.greeted = true
	let := c.let
	c.mu.Unlock()
	if let {
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_ = c.out.run(c.conn)
		// All was sent, or nobody reads: either way the reader has to end.
		c.conn.Close()
	}()
	err := c.read()
	c.dropPartial(nil)
	c.mu.Lock()
	c.over = true
	for _, cancel := range c.running {
		cancel()
	}
	c.mu.Unlock()
	c.complain(err)
	var broken *ProtocolError
	if errors.As(err, &broken) {
		c.out.sendControl(frameFault, 0, []byte(broken.Message))
		c.finish()
	} else {
		c.out.close()
		c.conn.Close()
	}
	<-written
}

// finish lets the client go when it has its answers; one that does not read them waits in vain.
func (c *session) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.let = true
	if !c.greeted {
		c.conn.Close()
		return
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(lastWords))
	c.out.finish()
}

func (c *session) complain(err error) {
	// That a client went away is no fault of anybody's.
	for _, gone := range []error{io.EOF, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET} {
		if errors.Is(err, gone) {
			return
		}
	}
	c.log("a client", err)
}

func (c *session) read() error {
	in := bufio.NewReaderSize(c.conn, 1<<16)
	buffer := make([]byte, pieceSize)
	for {
		f, err := readFrame(in, buffer)
		if err == nil {
			err = c.take(f)
		}
		if err != nil {
			return err
		}
	}
}

// take handles one frame of the client.
func (c *session) take(f frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch f.kind {
	case frameBegin:
		return c.begin(f)
	case frameData:
		m := c.partial[f.id]
		if m == nil {
			return nil // the rest of one that was refused
		}
		complete, err := m.add(f.payload)
		if complete {
			delete(c.partial, f.id)
			ctx, cancel := context.WithCancel(c.work)
			c.running[f.id] = cancel
			go c.serve(ctx, f.id, m)
		}
		return err
	case frameCancel:
		if cancel := c.running[f.id]; cancel != nil {
			cancel()
		} else if c.partial[f.id] != nil {
			c.drop(f.id, context.Canceled)
		}
		return nil
	}
	return protocolError("a frame of type %d from a client", f.kind)
}

// begin is called under the lock.
func (c *session) begin(f frame) error {
	kind, size, err := readBegin(f.payload)
	if err != nil {
		return err
	}
	if c.running[f.id] != nil || c.partial[f.id] != nil || f.id == 0 {
		return protocolError("a request with the id of another, or 0")
	}
	if kind != kindProve && kind != kindVerify || size == 0 {
		return protocolError("a request of kind %d and %d bytes", kind, size)
	}
	if err := c.admit(size); err != nil {
		c.answer(f.id, answerFailure(err))
		return nil
	}
	c.partial[f.id] = newIncoming(kind, size)
	return nil
}

// drop gives up a request of which not all has come. It is called under the lock; without an error nobody waits for one.
func (c *session) drop(id uint32, err error) {
	delete(c.partial, id)
	if err != nil {
		c.answer(id, answerFailure(err))
	}
	c.leave()
}

func (c *session) dropPartial(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.partial {
		c.drop(id, err)
	}
}

// serve lets the engine do what a request asks for, and answers.
func (c *session) serve(ctx context.Context, id uint32, m *incoming) {
	a, err := c.ask(ctx, m)
	if err != nil {
		if errors.Is(err, context.Canceled) && context.Cause(c.work) != nil {
			err = c2prover.ErrClosed // this end gave it up, not the caller
		}
		a = answerFailure(err)
	}
	if errors.Is(err, c2prover.ErrDeviceFault) {
		c.deviceFault(err) // before the answer, which may bring the next request
	}
	c.mu.Lock()
	c.running[id]()
	delete(c.running, id)
	if !c.over {
		c.answer(id, a)
	}
	c.mu.Unlock()
	c.leave()
}

func (c *session) ask(ctx context.Context, m *incoming) (answer, error) {
	r, o, proof, err := unpackRequest(m.data, m.kind == kindVerify)
	if err != nil {
		return answer{}, err
	}
	if m.kind == kindVerify {
		holds, err := c.engine.Verify(ctx, r, proof)
		if err != nil {
			return answer{}, err
		}
		return answerVerdict(holds)
	}
	p, err := c.engine.Prove(ctx, r, callOptions(o)...)
	if err != nil {
		return answer{}, err
	}
	return answerProof(p)
}

func (c *session) answer(id uint32, a answer) { c.out.send(id, a.kind, a.parts) }
