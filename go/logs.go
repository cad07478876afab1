package c2prover

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// LevelTrace is the level of the library's most detailed lines.
const LevelTrace = slog.LevelDebug - 4

// ErrLogsTaken is the error of [Logs] while an earlier call's lines still flow.
var ErrLogsTaken = errors.New("c2prover: the library's log lines go to another logger already")

var logsTaken atomic.Bool

// logPoll is how long the drain can take to see that its context ended.
const logPoll = 100 * time.Millisecond

// Logs hands the library's log lines to a logger, from now on until ctx ends; done is closed when the last of them was
// handed over. Lines of levels that the logger has not enabled now are not made at all. Key=value pairs become
// attributes, beside "target". Phase timings come at level Info. One goroutine does it; a logger that is slow loses
// lines, and is told how many, but delays no proof.
func Logs(ctx context.Context, logger *slog.Logger) (done <-chan struct{}, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !logsTaken.CompareAndSwap(false, true) {
		return nil, ErrLogsTaken
	}
	if err := logSubscribe(logLevel(ctx, logger)); err != nil {
		logsTaken.Store(false)
		return nil, err
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		drain(ctx, logger)
		logsTaken.Store(false)
	}()
	return closed, nil
}

// logLevel is the library's number of the lowest level that the logger takes.
func logLevel(ctx context.Context, logger *slog.Logger) int {
	levels := []slog.Level{slog.LevelError, slog.LevelWarn, slog.LevelInfo, slog.LevelDebug, LevelTrace}
	lowest := 1
	for i, level := range levels {
		if logger.Enabled(ctx, level) {
			lowest = i + 1
		}
	}
	return lowest
}

func drain(ctx context.Context, logger *slog.Logger) {
	// Handlers may look at the context; that it ended must not lose the last lines.
	live := context.WithoutCancel(ctx)
	emit := func(line string) {
		if r := logRecord(line); logger.Enabled(live, r.Level) {
			_ = logger.Handler().Handle(live, r)
		}
	}
	for ctx.Err() == nil {
		if line, ok := logNext(logPoll); ok {
			emit(line)
		}
	}
	// What the library kept until now, but not what it goes on to say.
	const kept = 4096
	for i := 0; i < kept; i++ {
		line, ok := logNext(0)
		if !ok {
			break
		}
		emit(line)
	}
	_ = logSubscribe(0)
}
