// Command c2prover-worker proves for others, through a socket: see the package worker.
//
//	c2prover-worker -socket /run/c2prover/worker.sock
//
// It prints one line when it is ready, and serves until SIGTERM or SIGINT. It ends with
//
//	0  when it was asked to and all proofs came to their end
//	1  when serving failed
//	2  for flags that are wrong
//	3  when another worker answers at the socket
//	4  when the engine could not be made
//	5  when it was asked to end and gave proofs up after the grace time
//	6  when a device failed: a new process may be able to use it again
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
	"github.com/c2prover/c2prover/go/worker"
)

func main() { os.Exit(run()) }

func run() int {
	socket := flag.String("socket", "", "where to listen (required)")
	params := flag.String("param-cache", "", "folder of the parameter files (default: as the library's)")
	threads := flag.Int("threads", 0, "threads in all (default: as the library's)")
	grace := flag.Duration("grace", time.Minute, "how long proofs may still run when it is asked to end")
	parent := flag.Int("parent", 0, "end when the parent process, which has this number, does")
	flag.Parse()
	if *socket == "" || flag.NArg() > 0 || *grace < 0 || *threads < 0 {
		flag.Usage()
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if *parent != 0 {
		ctx = untilOrphaned(ctx, *parent)
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))

	// The socket first: a second worker must not fill the memory before it learns that it is one.
	mask := syscall.Umask(0o077)
	listener, err := worker.Listen(ctx, *socket)
	syscall.Umask(mask)
	if err != nil {
		fmt.Fprintln(os.Stderr, "c2prover-worker:", err)
		if errors.Is(err, worker.ErrTaken) {
			return 3
		}
		return 1
	}
	engine, err := c2prover.Open(c2prover.Options{ParamCache: *params, CPUThreads: *threads})
	if err != nil {
		listener.Close()
		fmt.Fprintln(os.Stderr, "c2prover-worker:", err)
		return 4
	}
	fmt.Printf("c2prover-worker %s ready at %s, pid %d\n", c2prover.Version(), *socket, os.Getpid())

	began := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { began <- time.Now() })
	if *grace == 0 {
		*grace = -1
	}
	err = worker.Serve(ctx, listener, engine, worker.ServeOptions{Grace: *grace, Logger: logger})
	if err != nil {
		fmt.Fprintln(os.Stderr, "c2prover-worker:", err)
	}
	switch {
	case errors.Is(err, c2prover.ErrDeviceFault):
		return 6 // without Close, which might wait for the device
	case errors.Is(err, worker.ErrGaveUp):
		return 5
	case err != nil:
		return 1
	}
	// What callers gave up runs out in the background, for what is left of the time.
	left, cancel := context.WithDeadline(context.Background(), (<-began).Add(*grace))
	defer cancel()
	if engine.Shutdown(left) != nil {
		return 5
	}
	return 0
}
