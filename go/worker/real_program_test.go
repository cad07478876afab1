//go:build cgo

package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// start starts the program without a supervisor.
func start(t *testing.T, arguments ...string) (*exec.Cmd, *log) {
	t.Helper()
	lines := new(log)
	c := exec.Command(must(build())(t), append([]string{"-param-cache", filepath.Join(data, "params"), "-threads", "2"}, arguments...)...)
	c.Stdout, c.Stderr = lines, lines
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c, lines
}

func TestTheProgram(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	ready := func(lines *log) {
		t.Helper()
		within(t, 10*time.Second, "the line", func() bool { return strings.Contains(lines.String(), "ready at "+socket) })
	}
	code := func(c *exec.Cmd) int {
		_ = c.Wait()
		return c.ProcessState.ExitCode()
	}
	first, lines := start(t, "-socket", socket)
	ready(lines)
	if strings.Count(lines.String(), "\n") != 1 {
		t.Errorf("%q", lines)
	}
	if info := must(os.Stat(socket))(t); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	second, lines := start(t, "-socket", socket)
	if got := code(second); got != 3 || !strings.Contains(lines.String(), socket) {
		t.Error(got, lines)
	}
	// SIGTERM waits for what runs.
	client := must(Dial(background, socket))(t)
	defer client.Close()
	if client.Worker().PID != first.Process.Pid || client.Worker().Library != c2prover.Version() {
		t.Errorf("%+v", client.Worker())
	}
	w := deadline(t)
	failed := make(chan error, 4)
	for i := 0; i < cap(failed); i++ {
		go func() {
			_, err := client.Prove(background, w, Options{})
			failed <- err
		}()
	}
	time.Sleep(100 * time.Millisecond)
	_ = first.Process.Signal(syscall.SIGTERM)
	for i := 0; i < cap(failed); i++ {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if got := code(first); got != 0 {
		t.Error(got)
	}
	// What a killed one leaves behind is removed.
	third, lines := start(t, "-socket", socket)
	ready(lines)
	_ = third.Process.Kill()
	_ = third.Wait()
	must(os.Stat(socket))(t)
	fourth, lines := start(t, "-socket", socket, "-grace", "0s")
	ready(lines)
	client = must(Dial(background, socket))(t)
	defer client.Close()
	go client.Prove(background, w, Options{})
	time.Sleep(50 * time.Millisecond)
	_ = fourth.Process.Signal(syscall.SIGINT)
	if got := code(fourth); got != 5 {
		t.Error(got)
	}
	for _, arguments := range [][]string{{}, {"-socket", socket, "more"}, {"-socket", socket, "-grace", "-1s"}, {"-nothing"}} {
		c, _ := start(t, arguments...)
		if got := code(c); got != 2 {
			t.Error(arguments, got)
		}
	}
}

// A worker whose parent is killed does not stay: the kernel tells it, if the shell is its parent.
func TestOrphans(t *testing.T) {
	folder := t.TempDir()
	socket, number := filepath.Join(folder, "s"), filepath.Join(folder, "pid")
	shell := exec.Command("sh", "-c", `"$0" -socket "$1" -param-cache "$3" -parent $$ & echo $! > "$2"; wait`,
		must(build())(t), socket, number, filepath.Join(data, "params"))
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	within(t, 10*time.Second, "the worker is ready", func() bool {
		c, err := Dial(background, socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	pid := must(strconv.Atoi(strings.TrimSpace(string(must(os.ReadFile(number))(t)))))(t)
	time.Sleep(1200 * time.Millisecond)
	if err := syscall.Kill(pid, 0); err != nil {
		t.Error("it ended too early:", err)
	}
	_ = shell.Process.Kill()
	_ = shell.Wait()
	within(t, 5*time.Second, "the worker ends", func() bool {
		_, err := os.Stat(socket)
		return err != nil
	})
}
