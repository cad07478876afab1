package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// program names what this executable is when a supervisor starts it: a worker with a fake engine.
const program = "C2PROVER_TEST_WORKER"

// endMain ends the main thread of a program that is "slow to end".
var endMain = make(chan struct{})

func init() {
	if os.Getenv(program) != "" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if kind := os.Getenv(program); kind != "" {
		os.Exit(fakeProgram(kind))
	}
	var err error
	if binaries, err = os.MkdirTemp("", "c2prover-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(binaries)
	os.Exit(code)
}

// binaries is a folder for what tests build.
var binaries string

func fakeProgram(kind string) int {
	flags := flag.NewFlagSet("worker", flag.ExitOnError)
	socket, grace := flags.String("socket", "", ""), flags.Duration("grace", 0, "")
	flags.Int("parent", 0, "")
	_ = flags.Parse(os.Args[1:])
	fmt.Fprintln(os.Stderr, "2026-01-01T00:00:00.000 WARN fake > this is", kind)
	switch kind {
	case "broken":
		fmt.Fprintln(os.Stderr, "the engine could not be made")
		return 4
	case "mute":
		time.Sleep(time.Minute)
	case "older":
		l, _ := net.Listen("unix", *socket)
		conn, _ := l.Accept()
		_, _ = conn.Write(appendFrame(nil, frameHello, 0, magic, binary.BigEndian.AppendUint32(nil, 0)))
		time.Sleep(time.Minute)
	case "once": // the second life does not come up
		if !strings.HasSuffix(*socket, "/1") {
			return 1
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if kind == "stubborn" {
		ctx = context.Background()
		child := exec.Command("sleep", "60")
		_ = child.Start()
		fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
	}
	l, err := Listen(ctx, *socket)
	if err != nil {
		return 1
	}
	if kind == "slow to end" {
		go Serve(ctx, l, &fakeEngine{prove: fakeProof}, ServeOptions{})
		<-endMain
		// The thread, not the process: as if the kernel were taking its memory back.
		syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
	}
	err = Serve(ctx, l, &fakeEngine{prove: fakeProof}, ServeOptions{Grace: *grace})
	if errors.Is(err, c2prover.ErrDeviceFault) {
		return 6
	}
	return 0
}

// fakeProof does what the C1 says.
func fakeProof(ctx context.Context, r c2prover.Request) (*c2prover.Proof, error) {
	switch c1 := string(r.(c2prover.PoRep).C1); c1 {
	case "crash":
		fmt.Fprint(os.Stderr, "terminate called after throwing an instance of 'cuda_error'")
		_ = syscall.Kill(os.Getpid(), syscall.SIGABRT)
		select {}
	case "end":
		close(endMain)
		return hang(ctx, r)
	case "fault":
		return nil, c2prover.ErrDeviceFault
	case "sleep":
		time.Sleep(300 * time.Millisecond)
	case "hang":
		return hang(ctx, r)
	}
	return &c2prover.Proof{Bytes: fmt.Appendf(nil, "%d", os.Getpid())}, nil
}
