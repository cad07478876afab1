package worker

import (
	"encoding/binary"
	"io"
)

// version is that of everything after the hello. Ends of different versions do not talk.
const version = 1

// A frame is four bytes of length (of what follows), its type, four bytes of id, then the payload; numbers are big-endian. The
// id is the caller's for one request, and its answer bears the same.
const (
	frameHello  = 1 // first, both ways: magic, version, JSON
	frameBegin  = 2 // a message begins: its kind, eight bytes of its size
	frameData   = 3 // the next piece of it
	frameCancel = 4 // from the client: give up the request
	frameFault  = 5 // from the server: a sentence about what broke the rules; the connection ends
)

// Kinds of messages.
const (
	kindProve   = 1
	kindVerify  = 2
	kindProof   = 3
	kindVerdict = 4
	kindFailure = 5
)

const (
	frameHead = 9
	// pieceSize is short enough that whatever else has to be sent waits for no time one could notice, and long enough that
	// frames cost nothing.
	pieceSize = 256 << 10
	// maxPayload is what a reader accepts: garbage shows as a length, before any memory is taken.
	maxPayload = 1 << 20
	beginSize  = 9
)

type frame struct {
	kind    byte
	id      uint32
	payload []byte
}

// appendFrame appends a frame whose payload is the given parts.
func appendFrame(b []byte, kind byte, id uint32, parts ...[]byte) []byte {
	size := 5
	for _, p := range parts {
		size += len(p)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(size))
	b = append(b, kind)
	b = binary.BigEndian.AppendUint32(b, id)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// readFrame reads one frame; its payload lies in buffer if that has room. The error is io.EOF only between frames.
func readFrame(r io.Reader, buffer []byte) (frame, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size < 5 || size > 5+maxPayload {
		return frame{}, protocolError("a frame of %d bytes", size)
	}
	n := int(size) - 5
	if cap(buffer) < n {
		buffer = make([]byte, n)
	}
	f := frame{kind: head[4], id: binary.BigEndian.Uint32(head[5:]), payload: buffer[:n]}
	if _, err := io.ReadFull(r, f.payload); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	return f, nil
}

// begin is the payload of frameBegin.
func begin(kind byte, size uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind}, size)
}

func readBegin(payload []byte) (kind byte, size uint64, err error) {
	if len(payload) != beginSize {
		return 0, 0, protocolError("%d bytes begin a message", len(payload))
	}
	return payload[0], binary.BigEndian.Uint64(payload[1:]), nil
}
