package worker

import (
	"errors"
	"fmt"
	"time"
)

// What errors.Is compares with.
var (
	ErrDied     = errors.New("worker: the worker died") // a *DiedError
	ErrLimit    = errors.New("worker: over a limit")    // a *LimitError
	ErrProtocol = errors.New("worker: protocol broken") // a *ProtocolError or *VersionError
)

// DiedError says that the worker died, or closed the connection, while a request was with it. Whether the proof was made
// is not known; making it again does no harm.
type DiedError struct {
	RequestID string        // as in Options
	PID       int           // of the worker
	After     time.Duration // how long the request had been with it
	Exit      string        // how it ended, such as "signal: killed"; "" if that is not known
	Tail      string        // the last lines that it wrote, if a Supervisor read them
	Cause     error         // what the connection said

	unsent bool // the connection had ended before the request came
}

func (e *DiedError) Error() string {
	text := fmt.Sprintf("%v (pid %d) after %v", ErrDied, e.PID, e.After.Round(time.Millisecond))
	if e.RequestID != "" {
		text += " of " + e.RequestID
	}
	if e.Exit != "" {
		text += ": " + e.Exit
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Tail != "" {
		text += "; it last wrote: " + e.Tail
	}
	return text
}

// Unwrap is ErrDied and the cause.
func (e *DiedError) Unwrap() []error { return some(ErrDied, e.Cause) }

// StartError says that the worker did not come up.
type StartError struct {
	Path  string
	Exit  string // how it ended; "" if it did not
	Tail  string // the last lines that it wrote
	Cause error
}

func (e *StartError) Error() string {
	text := "worker: " + e.Path + " did not come up"
	if e.Exit != "" {
		text += ": " + e.Exit
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Tail != "" {
		text += "; it last wrote: " + e.Tail
	}
	return text
}

// Unwrap is the cause.
func (e *StartError) Unwrap() error { return e.Cause }

// VersionError says that the other end speaks another version of the protocol.
type VersionError struct{ Ours, Theirs uint32 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("worker: this end speaks version %d of the protocol, the other %d: install both from one release", e.Ours, e.Theirs)
}

// Unwrap is ErrProtocol.
func (e *VersionError) Unwrap() error { return ErrProtocol }

// ProtocolError says that the other end broke the rules of the protocol.
type ProtocolError struct{ Message string }

func (e *ProtocolError) Error() string { return ErrProtocol.Error() + ": " + e.Message }

// Unwrap is ErrProtocol.
func (e *ProtocolError) Unwrap() error { return ErrProtocol }

func protocolError(format string, args ...any) *ProtocolError {
	return &ProtocolError{Message: fmt.Sprintf(format, args...)}
}

// LimitError says that a worker does not take so much.
type LimitError struct {
	What  string `json:"what"` // "bytes of a request" or "requests at once"
	Value int64  `json:"value"`
	Limit int64  `json:"limit"`
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: %d %s, at most %d are taken", ErrLimit, e.Value, e.What, e.Limit)
}

// Unwrap is ErrLimit.
func (e *LimitError) Unwrap() error { return ErrLimit }

func some(errs ...error) (all []error) {
	for _, err := range errs {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}
