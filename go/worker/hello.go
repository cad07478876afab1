package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"os"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// magic and the version after it stand in the same place in every version, so that any two can tell one another apart.
var magic = []byte("C2PW")

// helloTime is how long the other end may take to say hello, if no context is stricter.
const helloTime = 10 * time.Second

// Hello is what a worker says of itself.
type Hello struct {
	PID        int    `json:"pid"`
	Library    string `json:"library"`     // version of libc2prover
	MaxRequest int64  `json:"max_request"` // bytes of the largest request that it takes
}

func ownHello(maxRequest int64) Hello {
	return Hello{PID: os.Getpid(), Library: c2prover.Version(), MaxRequest: maxRequest}
}

// greet says hello, and hears the other's.
func greet(conn net.Conn, own Hello, until time.Time) (other Hello, err error) {
	if err := conn.SetDeadline(until); err != nil {
		return other, err
	}
	text, err := json.Marshal(own)
	if err != nil {
		return other, err
	}
	number := binary.BigEndian.AppendUint32(nil, version)
	if _, err := conn.Write(appendFrame(nil, frameHello, 0, magic, number, text)); err != nil {
		return other, err
	}
	if other, err = readHello(conn); err != nil {
		return other, err
	}
	return other, conn.SetDeadline(time.Time{})
}

func readHello(r io.Reader) (other Hello, err error) {
	f, err := readFrame(r, nil)
	if err != nil {
		return other, err
	}
	text, ok := bytes.CutPrefix(f.payload, magic)
	if f.kind != frameHello || !ok || len(text) < 4 {
		return other, protocolError("no hello: this is not a worker's socket, or not its client")
	}
	if theirs := binary.BigEndian.Uint32(text); theirs != version {
		return other, &VersionError{Ours: version, Theirs: theirs}
	}
	if err := json.Unmarshal(text[4:], &other); err != nil {
		return other, protocolError("hello: %v", err)
	}
	return other, nil
}
