package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand"
	"net"
	"strings"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// raw is a connection to a worker without a client.
func raw(t *testing.T, s *serving) net.Conn {
	t.Helper()
	conn := must(net.Dial("unix", s.socket))(t)
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// hello is the first frame of a client of a version.
func hello(version uint32) []byte {
	return appendFrame(nil, frameHello, 0, magic, binary.BigEndian.AppendUint32(nil, version), []byte("{}"))
}

// request is the frames of a request in one piece.
func request(t *testing.T, id uint32, r c2prover.Request) []byte {
	t.Helper()
	message := bytes.Join(must(packRequest(r, Options{}))(t), nil)
	b := appendFrame(nil, frameBegin, id, begin(kindProve, uint64(len(message))))
	return appendFrame(b, frameData, id, message)
}

// lastFrame is what a connection says before it ends.
func lastFrame(t *testing.T, conn net.Conn) (last frame) {
	t.Helper()
	for {
		f, err := readFrame(conn, nil)
		if err != nil {
			// A reset, where the worker had not read all.
			var wrong *ProtocolError
			if errors.As(err, &wrong) || errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(err)
			}
			return last
		}
		last = f
	}
}

func TestFramesThatBreakTheRules(t *testing.T) {
	leavesNothing(t)
	engine := &fakeEngine{prove: echo}
	s := serve(t, engine, ServeOptions{MaxRequest: 1 << 20})
	good := hello(version)
	join := func(frames ...[]byte) []byte { return bytes.Join(append([][]byte{good}, frames...), nil) }
	one := request(t, 1, c2prover.PoRep{C1: []byte("x")})
	for name, b := range map[string][]byte{
		"garbage":             bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 10),
		"zeros":               make([]byte, 100),
		"no hello":            one,
		"hello without magic": appendFrame(nil, frameHello, 0, []byte("C3PW\x00\x00\x00\x01{}")),
		"hello without end":   appendFrame(nil, frameHello, 0, magic),
		"hello of no JSON":    appendFrame(nil, frameHello, 0, magic, []byte{0, 0, 0, version}, []byte("{")),
		"garbage after hello": join(bytes.Repeat([]byte{0xa5}, 1000)),
		"too large a frame":   join(binary.BigEndian.AppendUint32(nil, 6+maxPayload), make([]byte, 100)),
		"too small a frame":   join([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}),
		"unknown type":        join(appendFrame(nil, 77, 1)),
		"hello again":         join(good),
		"fault from a client": join(appendFrame(nil, frameFault, 0)),
		"begin cut":           join(appendFrame(nil, frameBegin, 1, []byte{kindProve, 0, 0})),
		"begin of nothing":    join(appendFrame(nil, frameBegin, 1, begin(kindProve, 0))),
		"begin of an answer":  join(appendFrame(nil, frameBegin, 1, begin(kindProof, 10))),
		"begin of id 0":       join(appendFrame(nil, frameBegin, 0, begin(kindProve, 10))),
		"begin twice":         join(appendFrame(nil, frameBegin, 1, begin(kindProve, 10)), appendFrame(nil, frameBegin, 1, begin(kindProve, 10))),
		"more than announced": join(appendFrame(nil, frameBegin, 1, begin(kindProve, 2)), appendFrame(nil, frameData, 1, []byte("abc"))),
		"an empty piece":      join(appendFrame(nil, frameBegin, 1, begin(kindProve, 2)), appendFrame(nil, frameData, 1)),
	} {
		conn := raw(t, s)
		if _, err := conn.Write(b); err != nil {
			t.Error(name, err)
		}
		last := lastFrame(t, conn)
		if bytes.HasPrefix(b, good) && (last.kind != frameFault || len(last.payload) == 0) {
			t.Errorf("%s: the last frame was %d %q", name, last.kind, last.payload)
		}
		conn.Close()
	}
	if engine.began.Load() != 0 {
		t.Error("something was proved")
	}
	if proof := must(s.dial(t).Prove(background, c2prover.PoRep{C1: []byte("x")}, Options{}))(t); string(proof.Bytes) != "x" {
		t.Errorf("%q", proof.Bytes)
	}
}

// A client that goes away in the middle of anything leaves nothing behind.
func TestCutConnections(t *testing.T) {
	leavesNothing(t)
	engine := &fakeEngine{prove: hang}
	s := serve(t, engine, ServeOptions{})
	whole := append(hello(version), request(t, 1, c2prover.PoRep{C1: []byte("x")})...)
	for n := 0; n <= len(whole); n += 3 {
		conn := raw(t, s)
		if _, err := conn.Write(whole[:n]); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	random := rand.New(rand.NewSource(2))
	for i := 0; i < 300; i++ {
		b := bytes.Clone(whole)
		b[random.Intn(len(b))] ^= byte(1 << random.Intn(8))
		conn := raw(t, s)
		_, _ = conn.Write(b)
		conn.Close()
	}
	quiet := func() bool { return engine.began.Load() == engine.ended.Load() }
	within(t, 5*time.Second, "all proofs are given up", quiet)
	conn := raw(t, s)
	if _, err := conn.Write(whole); err != nil {
		t.Fatal(err)
	}
	before := engine.began.Load()
	within(t, 5*time.Second, "the proof begins", func() bool { return engine.began.Load() > before || !quiet() })
	conn.Close()
	within(t, 5*time.Second, "the proof is given up", quiet)
}

func TestAMessageThatCannotBeRead(t *testing.T) {
	s := serve(t, &fakeEngine{prove: echo}, ServeOptions{})
	conn := raw(t, s)
	b := append(hello(version), appendFrame(nil, frameBegin, 9, begin(kindProve, 4))...)
	b = appendFrame(b, frameData, 9, []byte("oops"))
	b = append(b, request(t, 10, c2prover.PoRep{C1: []byte("x")})...)
	if _, err := conn.Write(b); err != nil {
		t.Fatal(err)
	}
	must(readHello(conn))(t)
	// It is that request's error alone.
	kinds := map[uint32]byte{}
	for i := 0; i < 4; i++ {
		if f := must(readFrame(conn, nil))(t); f.kind == frameBegin {
			kinds[f.id] = f.payload[0]
		}
	}
	if kinds[9] != kindFailure || kinds[10] != kindProof {
		t.Error(kinds)
	}
}

func TestACancelBeforeAllHasCome(t *testing.T) {
	engine := &fakeEngine{prove: echo}
	conn := raw(t, serve(t, engine, ServeOptions{MaxRequests: 1}))
	b := append(hello(version), appendFrame(nil, frameBegin, 1, begin(kindProve, 100))...)
	b = appendFrame(appendFrame(b, frameData, 1, []byte("some")), frameCancel, 1)
	// The rest was on its way; and there is room for another now.
	b = appendFrame(b, frameData, 1, []byte("more"))
	if _, err := conn.Write(append(b, request(t, 2, c2prover.PoRep{C1: []byte("x")})...)); err != nil {
		t.Fatal(err)
	}
	must(readHello(conn))(t)
	kinds, data := map[uint32]byte{}, map[uint32]string{}
	for i := 0; i < 4; i++ {
		if f := must(readFrame(conn, nil))(t); f.kind == frameBegin {
			kinds[f.id] = f.payload[0]
		} else {
			data[f.id] = string(f.payload)
		}
	}
	if kinds[1] != kindFailure || !strings.Contains(data[1], `"canceled"`) || kinds[2] != kindProof {
		t.Error(kinds, data)
	}
}

func TestVersions(t *testing.T) {
	leavesNothing(t)
	s := serve(t, &fakeEngine{prove: echo}, ServeOptions{})
	// An older client of this worker reads its version before the connection ends.
	conn := raw(t, s)
	if _, err := conn.Write(hello(0)); err != nil {
		t.Fatal(err)
	}
	must(readHello(conn))(t)
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the worker talks to another version")
	}
	// A worker of another version, and somebody who is no worker.
	for _, k := range []struct {
		says  []byte
		check func(error) bool
	}{
		{hello(version + 1), func(err error) bool {
			var v *VersionError
			return errors.As(err, &v) && v.Ours == version && v.Theirs == version+1 && errors.Is(err, ErrProtocol)
		}},
		{[]byte("220 mail.example.org ESMTP\r\n"), func(err error) bool {
			var p *ProtocolError
			return errors.As(err, &p)
		}},
	} {
		path := s.socket + "2"
		l := must(net.Listen("unix", path))(t)
		go func(says []byte) {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write(says)
			_, _ = io.Copy(io.Discard, conn)
			conn.Close()
		}(k.says)
		if _, err := Dial(background, path); !k.check(err) {
			t.Errorf("%#v", err)
		}
		l.Close()
	}
}

// A worker that breaks the rules, or ends, is an error of the call, and no panic.
func TestWorkersThatBreakTheRules(t *testing.T) {
	leavesNothing(t)
	data := appendFrame(appendFrame(nil, frameBegin, 1, begin(kindProof, 3)), frameData, 1, []byte("abc"))
	for name, says := range map[string][]byte{
		"nothing":         nil,
		"garbage":         bytes.Repeat([]byte{7}, 100),
		"fault":           appendFrame(nil, frameFault, 0, []byte("the reason")),
		"unreadable":      data,
		"too much":        appendFrame(nil, frameBegin, 1, begin(kindProof, 1<<60)),
		"data first":      appendFrame(nil, frameData, 1, []byte("abc")),
		"a client's":      appendFrame(nil, frameCancel, 1),
		"unknown kind":    appendFrame(appendFrame(nil, frameBegin, 1, begin(9, 3)), frameData, 1, []byte("abc")),
		"begin cut":       appendFrame(nil, frameBegin, 1),
		"cut in a frame":  data[:len(data)-1],
		"others' answers": append(appendFrame(nil, frameBegin, 5, begin(kindProof, 3)), appendFrame(nil, frameData, 5, []byte("abc"))...),
	} {
		path := t.TempDir() + "/s"
		l := must(net.Listen("unix", path))(t)
		go func(says []byte) {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write(appendFrame(nil, frameHello, 0, magic, []byte{0, 0, 0, version}, []byte(`{"pid":7,"max_request":1000000}`)))
			_, _ = readHello(conn)
			_, _ = readFrame(conn, nil)
			_, _ = readFrame(conn, nil)
			_, _ = conn.Write(says)
			conn.Close()
		}(says)
		client := must(Dial(background, path))(t)
		_, err := client.Prove(background, c2prover.PoRep{}, Options{RequestID: "r"})
		var died *DiedError
		if !errors.Is(err, ErrDied) || !errors.As(err, &died) || died.PID != 7 || died.RequestID != "r" || died.Cause == nil {
			t.Errorf("%s: %#v", name, err)
		}
		if name == "fault" && (!errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "the reason")) {
			t.Error(err)
		}
		client.Close()
		l.Close()
	}
}
