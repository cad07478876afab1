package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// log is a buffer for several goroutines.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// options are those of a supervisor of a fake program; its folder has to be empty in the end.
func options(t *testing.T, kind string) SupervisorOptions {
	t.Helper()
	folder := t.TempDir()
	t.Cleanup(func() {
		if left := must(os.ReadDir(folder))(t); len(left) > 0 {
			t.Error("left behind:", left)
		}
	})
	return SupervisorOptions{
		Path: must(os.Executable())(t), Env: append(os.Environ(), program+"="+kind), Dir: folder,
		Output: new(log), Grace: 2 * time.Second, RestartDelay: 20 * time.Millisecond,
	}
}

func supervise(t *testing.T, o SupervisorOptions) *Supervisor {
	t.Helper()
	s := must(Start(background, o))(t)
	t.Cleanup(func() {
		pid := s.PID()
		s.Close()
		if pid != 0 && syscall.Kill(pid, 0) == nil {
			t.Error("the worker lives:", pid)
		}
	})
	return s
}

// gone tells whether a process has ended; one that nobody has waited for yet has.
func gone(pid int) bool {
	return exiting(pid) || syscall.Kill(pid, 0) != nil
}

func c1(what string) c2prover.PoRep { return c2prover.PoRep{C1: []byte(what)} }

func TestAWorkerThatDies(t *testing.T) {
	leavesNothing(t)
	o := options(t, "good")
	s := supervise(t, o)
	first := s.PID()
	failed := make(chan error, 3)
	for i := 0; i < 3; i++ {
		go func() {
			_, err := s.Prove(background, c1("hang"), Options{RequestID: "one"})
			failed <- err
		}()
	}
	time.Sleep(100 * time.Millisecond)
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	for i := 0; i < 3; i++ {
		var died *DiedError
		err := <-failed
		if !errors.Is(err, ErrDied) || !errors.As(err, &died) || died.PID != first || died.RequestID != "one" ||
			died.Exit != "signal: killed" || died.After < 50*time.Millisecond || !strings.Contains(died.Tail, "this is good") {
			t.Errorf("%#v", err)
		}
	}
	if took := time.Since(killed); took > time.Second {
		t.Error("heard of it after", took)
	}
	if proof := must(s.Prove(background, c1(""), Options{}))(t); string(proof.Bytes) == "" || s.PID() == first || s.PID() == 0 {
		t.Errorf("%s, %d", proof.Bytes, s.PID())
	}
	if !strings.Contains(o.Output.(*log).String(), "WARN fake > this is good\n") {
		t.Error(o.Output)
	}
}

func TestAWorkerThatIsSlowToEnd(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a process that is ending is told from others on Linux alone")
	}
	leavesNothing(t)
	o := options(t, "slow to end")
	o.Grace = time.Millisecond
	s := supervise(t, o)
	must(s.Prove(background, c1(""), Options{}))(t)
	began := time.Now()
	_, err := s.Prove(background, c1("end"), Options{})
	if took := time.Since(began); !errors.Is(err, ErrDied) || !errors.Is(err, errExits) || took > time.Second {
		t.Errorf("after %v: %#v", took, err)
	}
	must(s.Prove(background, c1(""), Options{}))(t)
}

func TestAWorkerThatCrashesOverAProof(t *testing.T) {
	leavesNothing(t)
	s := supervise(t, options(t, "good"))
	for i := 0; i < 3; i++ {
		_, err := s.Prove(background, c1("crash"), Options{})
		var died *DiedError
		if !errors.As(err, &died) || died.Exit != "exit status 2" ||
			!strings.HasSuffix(died.Tail, "'cuda_error'SIGABRT: abort") {
			t.Errorf("%#v", err)
		}
		must(s.Prove(background, c1(""), Options{}))(t)
	}
}

func TestADeviceFaultStartsANewWorker(t *testing.T) {
	leavesNothing(t)
	o := options(t, "good")
	lines := new(log)
	o.Output, o.Logger = nil, slog.New(slog.NewTextHandler(lines, nil))
	s := supervise(t, o)
	first := s.PID()
	sleeping := make(chan error, 1)
	go func() {
		_, err := s.Prove(background, c1("sleep"), Options{})
		sleeping <- err
	}()
	time.Sleep(50 * time.Millisecond)
	if _, err := s.Prove(background, c1("fault"), Options{}); !errors.Is(err, c2prover.ErrDeviceFault) {
		t.Error(err)
	}
	// The next goes to a new worker; what the old one was at comes to its end.
	must(s.Prove(background, c1(""), Options{}))(t)
	if err := <-sleeping; err != nil || s.PID() == first {
		t.Error(err, s.PID())
	}
	text := lines.String()
	if !strings.Contains(text, "level=WARN msg=\"2026-01-01T00:00:00.000 WARN fake > this is good\" pid=") || !strings.Contains(text, "exit status 6") {
		t.Error(text)
	}
}

func TestSIGTERMFromOutside(t *testing.T) {
	leavesNothing(t)
	s := supervise(t, options(t, "good"))
	first := s.PID()
	sleeping := make(chan error, 1)
	go func() {
		_, err := s.Prove(background, c1("sleep"), Options{})
		sleeping <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if err := syscall.Kill(first, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	must(s.Prove(background, c1(""), Options{}))(t)
	if err := <-sleeping; err != nil || s.PID() == first {
		t.Error(err, s.PID())
	}
}

func TestWorkersThatDoNotComeUp(t *testing.T) {
	leavesNothing(t)
	try := func(o SupervisorOptions) (*StartError, error) {
		t.Helper()
		_, err := Start(background, o)
		var e *StartError
		if !errors.As(err, &e) || e.Path != o.Path {
			t.Fatalf("%#v", err)
		}
		return e, err
	}
	o := options(t, "broken")
	if e, _ := try(o); e.Exit != "exit status 4" || !strings.Contains(e.Tail, "could not be made") {
		t.Errorf("%#v", e)
	}
	o = options(t, "mute")
	o.StartTimeout = 200 * time.Millisecond
	if e, _ := try(o); e.Cause != errNoHello || e.Exit != "signal: killed" {
		t.Errorf("%#v", e)
	}
	var v *VersionError
	if _, err := try(options(t, "older")); !errors.As(err, &v) {
		t.Error(err)
	}
	o = options(t, "good")
	o.Path = filepath.Join(o.Dir, "nothing")
	if _, err := try(o); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(background, 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, options(t, "mute")); err != context.DeadlineExceeded {
		t.Error(err)
	}
}

// When restarts fail, calls fail with the reason, no faster than the delay lets them.
func TestRestartsAreLimited(t *testing.T) {
	leavesNothing(t)
	o := options(t, "once")
	s := supervise(t, o)
	_, _ = s.Prove(background, c1("crash"), Options{})
	began, failures := time.Now(), 0
	for time.Since(began) < time.Second {
		_, err := s.Prove(background, c1(""), Options{})
		var e *StartError
		if !errors.As(err, &e) || e.Exit != "exit status 1" {
			t.Fatalf("%#v", err)
		}
		failures++
		time.Sleep(time.Millisecond)
	}
	s.mu.Lock()
	lives := s.lives
	s.mu.Unlock()
	// 20, 40, 80, 160, 320, 640 ms.
	if lives < 3 || lives > 8 {
		t.Error(lives, "lives", failures, "failures")
	}
	ctx, cancel := context.WithTimeout(background, 5*time.Millisecond)
	defer cancel()
	if _, err := s.Prove(ctx, c1(""), Options{}); err == nil {
		t.Error("there is no worker")
	}
}

func TestCloseOfASupervisor(t *testing.T) {
	leavesNothing(t)
	for kind, outcome := range map[string]func(error) bool{
		"good":     func(err error) bool { return err == c2prover.ErrClosed },
		"stubborn": func(err error) bool { return errors.Is(err, ErrDied) },
	} {
		o := options(t, kind)
		o.Grace = 300 * time.Millisecond
		s := supervise(t, o)
		pid := s.PID()
		hanging, sleeping := make(chan error, 1), make(chan error, 1)
		for what, outcome := range map[string]chan error{"hang": hanging, "sleep": sleeping} {
			go func(what string, outcome chan error) {
				_, err := s.Prove(background, c1(what), Options{})
				outcome <- err
			}(what, outcome)
		}
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		s.Close()
		s.Close()
		if took := time.Since(began); took < o.Grace || took > o.Grace+3*time.Second {
			t.Error(kind, took)
		}
		if err := <-sleeping; err != nil {
			t.Error(kind, err)
		}
		if err := <-hanging; !outcome(err) {
			t.Error(kind, err)
		}
		if _, err := s.Prove(background, c1(""), Options{}); err != c2prover.ErrClosed || syscall.Kill(pid, 0) == nil {
			t.Error(kind, err)
		}
		if _, child, found := strings.Cut(o.Output.(*log).String(), "child "); found {
			number := must(strconv.Atoi(strings.TrimSpace(child)))(t)
			within(t, time.Second, "the worker's own child ends", func() bool { return gone(number) })
		}
	}
}

func TestManyCallersAndManyDeaths(t *testing.T) {
	leavesNothing(t)
	s := supervise(t, options(t, "good"))
	var ends sync.WaitGroup
	for i := 0; i < 8; i++ {
		ends.Add(1)
		go func(i int) {
			defer ends.Done()
			for n := 0; n < 8; n++ {
				what := ""
				if i == 0 && n%2 == 0 {
					what = "crash"
				}
				// Another's crash is this one's too; then again.
				for died := true; died; {
					proof, err := s.Prove(background, c1(what), Options{})
					died = errors.Is(err, ErrDied) && what == ""
					if !died && (err == nil) != (what == "") || err == nil && len(proof.Bytes) == 0 {
						t.Error(err)
					}
				}
			}
		}(i)
	}
	ends.Wait()
}
