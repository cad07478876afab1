package main

import (
	"runtime"
	"syscall"
)

// The kernel keeps the wish for a signal with a thread, and the main one is there to the end.
func init() { runtime.LockOSThread() }

// tellOfDeath has deathSignal sent when the parent dies. It is called by the main goroutine.
func tellOfDeath() {
	// If this fails, the clock is enough.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(deathSignal), 0)
}
