package worker

import (
	"io"
	"sync"
)

// An outbox is what one end has to send. Messages take turns by pieces, so that a short one passes a long one, and a
// message can be taken back at any time. Bytes are read under the lock alone: those of a message that was taken back, or of an
// outbox that was closed, are the caller's again.
type outbox struct {
	mu      sync.Mutex
	control []byte // whole frames, before all messages
	queue   []*outgoing
	wake    chan struct{}
	last    bool // end when all is sent
	closed  bool // end now
}

type outgoing struct {
	id    uint32
	kind  byte
	begun bool
	parts [][]byte // what is left of them
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

func (o *outbox) send(id uint32, kind byte, parts [][]byte) {
	o.change(func() {
		o.queue = append(o.queue, &outgoing{id: id, kind: kind, parts: append([][]byte(nil), parts...)})
	})
}

func (o *outbox) sendControl(kind byte, id uint32, payload []byte) {
	o.change(func() { o.control = appendFrame(o.control, kind, id, payload) })
}

// withdraw takes a message back. It tells whether some or all of it has left.
func (o *outbox) withdraw(id uint32) (left bool) {
	left = true
	o.change(func() {
		for i, m := range o.queue {
			if m.id == id {
				left = m.begun
				o.queue = append(o.queue[:i], o.queue[i+1:]...)
				return
			}
		}
	})
	return left
}

// finish ends run when all is sent.
func (o *outbox) finish() { o.change(func() { o.last = true }) }

// close ends run and lets go of everything.
func (o *outbox) close() {
	o.change(func() { o.closed, o.control, o.queue = true, nil, nil })
}

func (o *outbox) change(f func()) {
	o.mu.Lock()
	if !o.closed {
		f()
	}
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run writes until finish or close was called, or writing fails.
func (o *outbox) run(w io.Writer) error {
	buffer := make([]byte, 0, frameHead+pieceSize)
	for {
		b, over := o.next(buffer[:0])
		if over {
			return nil
		}
		if len(b) == 0 {
			<-o.wake
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
}

// next copies what has to be sent next; nothing if there is nothing now.
func (o *outbox) next(b []byte) (frames []byte, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.control) > 0 {
		b = append(b, o.control...)
		o.control = o.control[:0]
		return b, false
	}
	if o.closed || o.last && len(o.queue) == 0 {
		return nil, true
	}
	if len(o.queue) == 0 {
		return nil, false
	}
	m := o.queue[0]
	o.queue = o.queue[1:]
	if !m.begun {
		m.begun = true
		b = appendFrame(b, frameBegin, m.id, begin(m.kind, uint64(sizeOf(m.parts))))
		o.queue = append(o.queue, m)
		return b, false
	}
	if b = m.piece(b); len(m.parts) > 0 {
		o.queue = append(o.queue, m)
	}
	return b, false
}

// piece appends the next frame of the message's bytes.
func (m *outgoing) piece(b []byte) []byte {
	var pieces [][]byte
	for left := pieceSize; left > 0 && len(m.parts) > 0; {
		n := min(left, len(m.parts[0]))
		pieces = append(pieces, m.parts[0][:n])
		left -= n
		if m.parts[0] = m.parts[0][n:]; len(m.parts[0]) == 0 {
			m.parts = m.parts[1:]
		}
	}
	return appendFrame(b, frameData, m.id, pieces...)
}
