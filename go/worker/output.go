package worker

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
)

const (
	// tailSize is how much of a worker's last lines an error quotes.
	tailSize = 1 << 10
	// lineSize is what a line may have at most: whoever writes no end of line is not given memory without end.
	lineSize = 1 << 16
)

// output takes what a worker writes: it passes it on and keeps the end.
type output struct {
	to     io.Writer
	logger *slog.Logger
	pid    func() int

	mu     sync.Mutex
	line   []byte // not ended yet
	kept   []byte
	traced bool
}

// Write never fails: a log that is full must not stop the worker.
func (o *output) Write(b []byte) (int, error) {
	if o.to != nil {
		_, _ = o.to.Write(b)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.line = append(o.line, b...)
	for {
		line, rest, found := bytes.Cut(o.line, []byte{'\n'})
		if !found && len(o.line) < lineSize {
			return len(b), nil
		}
		o.take(string(line))
		o.line = append(o.line[:0], rest...)
	}
}

// end is called when no more comes.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.take(string(o.line))
	o.line = nil
}

func (o *output) take(line string) {
	line = strings.TrimRight(line, "\r ")
	if line == "" {
		return
	}
	if o.logger != nil {
		o.logger.Log(context.Background(), lineLevel(line), line, "pid", o.pid())
	}
	// A Go program that dies of a signal says why, and then for hundreds of lines where it was.
	if o.traced = o.traced || strings.HasPrefix(line, "PC=") || strings.HasPrefix(line, "goroutine "); o.traced {
		return
	}
	o.kept = append(append(o.kept, line...), '\n')
	if excess := len(o.kept) - tailSize; excess > 0 {
		o.kept = append(o.kept[:0], o.kept[excess:]...)
	}
}

// tail is the last lines, without those of a trace.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(o.kept), "?"))
}

// lineLevel is the level that a line names as its second word, as the library's do.
func lineLevel(line string) slog.Level {
	words := strings.Fields(line)
	if len(words) > 1 {
		switch words[1] {
		case "ERROR":
			return slog.LevelError
		case "WARN":
			return slog.LevelWarn
		case "DEBUG", "TRACE":
			return slog.LevelDebug
		}
	}
	return slog.LevelInfo
}
