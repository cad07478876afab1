//go:build cgo

package c2prover_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// logLines is what a slog handler wrote, one JSON object a line.
type logLines struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (l *logLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.Write(b)
}

// find is the first line with key=value that has all these keys.
func (l *logLines) find(key string, value any, having ...string) map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
next:
	for _, text := range bytes.Split(l.bytes.Bytes(), []byte("\n")) {
		var line map[string]any
		if json.Unmarshal(text, &line) != nil || line[key] != value {
			continue
		}
		for _, k := range having {
			if _, ok := line[k]; !ok {
				continue next
			}
		}
		return line
	}
	return nil
}

// collectLogs collects lines at level Info until stop is called.
func collectLogs(t *testing.T) (lines *logLines, stop func()) {
	t.Helper()
	lines = new(logLines)
	ctx, cancel := context.WithCancel(background)
	done := must(c2prover.Logs(ctx, slog.New(slog.NewJSONHandler(lines, nil))))(t)
	return lines, func() {
		cancel()
		<-done
	}
}

func TestLogsShowPhases(t *testing.T) {
	before := runtime.NumGoroutine()
	engine := open(t, keys)
	lines, stop := collectLogs(t)
	if _, err := c2prover.Logs(background, slog.Default()); !errors.Is(err, c2prover.ErrLogsTaken) {
		t.Error(err)
	}
	proof := must(engine.Prove(background, window(t), c2prover.WithRequestID("1234")))(t)
	_, err := engine.Prove(background, c2prover.PoRep{})
	if err == nil {
		t.Error("an empty request")
	}
	stop()
	settled(t, before)

	for _, phase := range []string{"parse", "input.verify", "synthesis", "verify"} {
		line := lines.find("phase", phase, "total_us", "lane", "target", "job", "kind", "critical_us")
		if line == nil || line["level"] != "INFO" || line["target"] != "c2prover::summary" || line["msg"] != "c2prover::summary" {
			t.Errorf("%s: %v", phase, line)
		}
	}
	summary := lines.find("job", "1234", "status", "total_ms")
	if summary == nil || summary["status"] != "OK" || summary["backend"] == "" {
		t.Fatal(summary)
	}
	if ms := summary["total_ms"].(float64); time.Duration(ms)*time.Millisecond != proof.Timings.Total.Truncate(time.Millisecond) {
		t.Error(ms, proof.Timings.Total)
	}
	if at := must(time.Parse(time.RFC3339, summary["time"].(string)))(t); time.Since(at).Abs() > time.Minute {
		t.Error(at)
	}
	if line := lines.find("status", "BAD_INPUT", "job"); line == nil {
		t.Error("the failure is not logged")
	}
}

func TestLogsOfALoggerThatTakesNone(t *testing.T) {
	engine := open(t, keys)
	lines := new(logLines)
	ctx, cancel := context.WithCancel(background)
	done := must(c2prover.Logs(ctx, slog.New(slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: slog.LevelError + 1}))))(t)
	must(engine.Prove(background, window(t)))(t)
	cancel()
	<-done
	if lines.bytes.Len() != 0 {
		t.Errorf("%s", lines.bytes.Bytes())
	}
	if _, err := c2prover.Logs(ctx, slog.Default()); err != context.Canceled {
		t.Error(err)
	}
}
