package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// untilOrphaned ends with ctx, or when the parent process does.
func untilOrphaned(ctx context.Context, parent int) context.Context {
	ctx, orphaned := context.WithCancel(ctx)
	// The kernel tells of the end of the thread that started this process, which need not be that of the parent: so the signal
	// only makes it look. A clock looks too, where there is no such signal or it came too early.
	told := make(chan os.Signal, 1)
	signal.Notify(told, deathSignal)
	tellOfDeath()
	go func() {
		clock := time.NewTicker(time.Second)
		defer clock.Stop()
		for os.Getppid() == parent {
			select {
			case <-told:
			case <-clock.C:
			case <-ctx.Done():
				return
			}
		}
		orphaned()
	}()
	return ctx
}

const deathSignal = syscall.SIGUSR1
