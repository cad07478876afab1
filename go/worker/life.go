package worker

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// life is one process of a supervisor's worker, from before it starts to after its end.
type life struct {
	o      *SupervisorOptions
	socket string
	output *output

	ready  chan struct{} // closed when client or err is set
	client *Client
	err    error

	cmd   *exec.Cmd
	began time.Time
	over  chan struct{} // closed when the process is gone, or was never there
	exit  string        // how it ended

	replaced chan struct{} // closed when the supervisor has the next life
}

func newLife(o *SupervisorOptions, folder string, number int) *life {
	l := &life{
		o: o, socket: filepath.Join(folder, strconv.Itoa(number)),
		ready: make(chan struct{}), over: make(chan struct{}), replaced: make(chan struct{}),
	}
	l.output = &output{to: o.Output, logger: o.Logger, pid: func() int { return l.cmd.Process.Pid }}
	return l
}

// start starts the process and waits until it answers; afterwards ready is closed.
func (l *life) start(ctx context.Context) {
	defer close(l.ready)
	l.began = time.Now()
	l.cmd = exec.Command(l.o.Path, append(append([]string(nil), l.o.Args...),
		"-socket", l.socket, "-parent", strconv.Itoa(os.Getpid()), "-grace", l.o.Grace.String())...)
	l.cmd.Env = l.o.Env
	l.cmd.Stdout, l.cmd.Stderr = l.output, l.output
	// A group of its own: an interrupt at the terminal is the parent's to handle, and nothing is left of it when it is killed.
	l.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// What the worker itself may have started must not keep its pipe open.
	l.cmd.WaitDelay = lastWords
	if err := l.cmd.Start(); err != nil {
		l.err = &StartError{Path: l.o.Path, Cause: err}
		close(l.over)
		return
	}
	go func() {
		defer close(l.over)
		err := l.cmd.Wait()
		l.output.end()
		if l.exit = l.cmd.ProcessState.String(); err != nil && l.cmd.ProcessState.Success() {
			l.exit = err.Error()
		}
		os.Remove(l.socket)
	}()
	client, err := l.dial(ctx)
	if err != nil {
		l.kill()
		<-l.over
		l.err = &StartError{Path: l.o.Path, Exit: l.exit, Tail: l.output.tail(), Cause: err}
		return
	}
	l.client = client
}

var (
	errNoHello = errors.New("no hello in time")
	errEnded   = errors.New("it ended before its hello")
)

func (l *life) dial(ctx context.Context) (*Client, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.o.StartTimeout, errNoHello)
	defer cancel()
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		client, err := Dial(ctx, l.socket)
		if err == nil {
			return client, nil
		}
		if errors.Is(err, ErrProtocol) {
			return nil, err
		}
		select {
		case <-l.over:
			return nil, errEnded
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// stop asks the process to end, and kills it if it has not after the grace time.
func (l *life) stop() {
	_ = l.cmd.Process.Signal(syscall.SIGTERM)
	l.endWithin(l.o.Grace + lastWords)
}

// endWithin waits for the end of the process, and brings it about if it does not come.
func (l *life) endWithin(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-l.over:
	case <-t.C:
		l.kill()
		<-l.over
	}
}

// kill kills the process and whatever it started.
func (l *life) kill() {
	select {
	case <-l.over: // its number may be another's by now
	default:
		_ = syscall.Kill(-l.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// explain adds what is known of the process's end to the error of a call.
func (l *life) explain(err error) error {
	var died *DiedError
	if !errors.As(err, &died) {
		return err
	}
	t := time.NewTimer(lastWords / 3)
	defer t.Stop()
	select {
	case <-l.over:
		died.Exit = l.exit
	case <-t.C:
	}
	died.Tail = l.output.tail()
	return err
}
