package worker

import (
	"bufio"
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// maxAnswer is more than the trace of the longest proof.
const maxAnswer = 1 << 30

var errExits = errors.New("its process is ending")

// Client proves through a worker. Any number of goroutines may use it at once. Close it.
type Client struct {
	conn   net.Conn
	worker Hello
	out    *outbox
	ends   sync.WaitGroup
	dead   chan struct{}
	exits  atomic.Bool

	mu    sync.Mutex
	last  uint32
	calls map[uint32]*clientCall
	cause error // why no call can be made any more
}

type clientCall struct {
	began  time.Time
	answer *incoming
	result chan result // with room for one
}

// Dial connects to the worker that listens at a path. A worker of another version is a *VersionError.
func Dial(ctx context.Context, path string) (*Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(helloTime)
	if d, ok := ctx.Deadline(); ok && d.Before(until) {
		until = d
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	hello, err := greet(conn, ownHello(0), until)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	c := &Client{conn: conn, worker: hello, out: newOutbox(), dead: make(chan struct{}), calls: map[uint32]*clientCall{}}
	c.ends.Add(2)
	go c.write()
	go c.read()
	return c, nil
}

// Worker is what the worker said of itself.
func (c *Client) Worker() Hello { return c.worker }

// Done is closed when the connection has ended, by whichever side.
func (c *Client) Done() <-chan struct{} { return c.dead }

// Close ends the connection. Calls under way end with c2prover.ErrClosed, and the worker gives their proofs up.
func (c *Client) Close() error {
	c.fail(c2prover.ErrClosed)
	c.conn.Close()
	c.ends.Wait()
	return nil
}

// Prove makes the proof that a request asks for, as [c2prover.Engine.Prove] does.
func (c *Client) Prove(ctx context.Context, r c2prover.Request, o Options) (*c2prover.Proof, error) {
	parts, err := packRequest(r, o)
	if err != nil {
		return nil, err
	}
	answer, err := c.call(ctx, kindProve, o.RequestID, parts)
	if err == nil && answer.proof == nil {
		err = protocolError("another answer than a proof")
	}
	return answer.proof, err
}

// Verify tells whether a proof holds for the statement of a request, as [c2prover.Engine.Verify] does.
func (c *Client) Verify(ctx context.Context, r c2prover.Request, proof []byte) (bool, error) {
	parts, err := packRequest(r, Options{}, proof)
	if err != nil {
		return false, err
	}
	answer, err := c.call(ctx, kindVerify, "", parts)
	return answer.holds && err == nil, err
}

func (c *Client) call(ctx context.Context, kind byte, name string, parts [][]byte) (result, error) {
	if err := ctx.Err(); err != nil {
		return result{}, err
	}
	if size := sizeOf(parts); size > c.worker.MaxRequest {
		return result{}, &LimitError{What: bytesOfARequest, Value: size, Limit: c.worker.MaxRequest}
	}
	id, call, err := c.register(name)
	if err != nil {
		return result{}, err
	}
	c.out.send(id, kind, parts)
	select {
	case answer := <-call.result:
		c.out.withdraw(id) // what was not sent yet, if the worker refused it
		return answer, answer.err
	case <-c.dead:
		c.forget(id)
		// The answer may have come just before.
		select {
		case answer := <-call.result:
			return answer, answer.err
		default:
			return result{}, c.died(name, time.Since(call.began), false)
		}
	case <-ctx.Done():
		c.forget(id)
		if c.out.withdraw(id) {
			c.out.sendControl(frameCancel, id, nil)
		}
		return result{}, ctx.Err()
	}
}

func (c *Client) register(name string) (uint32, *clientCall, error) {
	c.mu.Lock()
	dead := c.cause != nil
	if dead {
		c.mu.Unlock()
		return 0, nil, c.died(name, 0, true)
	}
	defer c.mu.Unlock()
	for used := true; used || c.last == 0; {
		c.last++
		_, used = c.calls[c.last]
	}
	call := &clientCall{began: time.Now(), result: make(chan result, 1)}
	c.calls[c.last] = call
	return c.last, call, nil
}

func (c *Client) forget(id uint32) {
	c.mu.Lock()
	delete(c.calls, id)
	c.mu.Unlock()
}

// died is the error of a call whose connection has ended.
func (c *Client) died(name string, after time.Duration, unsent bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == c2prover.ErrClosed {
		return c.cause
	}
	return &DiedError{RequestID: name, PID: c.worker.PID, After: after, Cause: c.cause, unsent: unsent}
}

// fail ends the connection for all calls. The first cause counts.
func (c *Client) fail(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return
	}
	c.cause = cause
	c.out.close()
	close(c.dead)
}

// exiting is called when the worker is known to write no more. What it wrote is still read.
func (c *Client) exiting() {
	c.exits.Store(true)
	_ = c.conn.SetReadDeadline(time.Now().Add(lastWords / 10))
}

func (c *Client) write() {
	defer c.ends.Done()
	if err := c.out.run(c.conn); err != nil {
		// Why the other end hung up may still wait to be read.
		_ = c.conn.SetReadDeadline(time.Now().Add(lastWords))
	}
}

func (c *Client) read() {
	defer c.ends.Done()
	in := bufio.NewReaderSize(c.conn, 1<<16)
	buffer := make([]byte, pieceSize)
	for {
		f, err := readFrame(in, buffer)
		if err == nil {
			err = c.take(f)
		}
		if err != nil {
			if c.exits.Load() {
				err = errExits
			}
			c.fail(err)
			c.conn.Close()
			return
		}
	}
}

// take handles one frame of the worker.
func (c *Client) take(f frame) error {
	if f.kind == frameFault {
		return &ProtocolError{Message: string(f.payload)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Nobody waits any more for some answers.
	call := c.calls[f.id]
	switch {
	case f.kind == frameBegin:
		kind, size, err := readBegin(f.payload)
		if err != nil || call == nil {
			return err
		}
		if size > maxAnswer || call.answer != nil {
			return protocolError("an answer of %d bytes", size)
		}
		call.answer = newIncoming(kind, size)
		return nil
	case f.kind == frameData && call == nil:
		return nil
	case f.kind == frameData && call.answer != nil:
		complete, err := call.answer.add(f.payload)
		if err != nil || !complete {
			return err
		}
		r, err := readResult(call.answer.kind, call.answer.data)
		if err != nil {
			return err
		}
		delete(c.calls, f.id)
		call.result <- r
		return nil
	}
	return protocolError("a frame of type %d from a worker", f.kind)
}
