package c2prover

import (
	"errors"
	"fmt"
)

// ErrClosed is the error of every call on an engine, parameters or a key that was closed.
var ErrClosed = errors.New("c2prover: closed")

// ErrNotBuilt is the error of every call in a program that was built without cgo.
var ErrNotBuilt = errors.New("c2prover: built without cgo, hence without libc2prover")

// Error is a failure of the library, with the figures that let a caller act. It wraps its Status, so that
// errors.Is(err, [ErrParamsMissing]) and the like tell failures apart. Its text contains the status's name, which
// therefore survives layers that keep only the text.
type Error struct {
	Status  Status
	Name    string   // the status's name, such as PARAMS_MISSING
	Message string   // a sentence
	Advice  string   // what a caller can do about it, as a short sentence
	Section string   // of the parameter file, such as "b_g2", or ""
	Field   string   // of the assignment, such as "aux_assignment_size", or ""
	Index   int64    // of the point, scalar or constraint, or -1
	Circuit int64    // of the batch, or -1
	Offset  int64    // in the parameter file, in bytes, or -1
	Sectors []uint64 // whose vanilla proofs are bad, of a PoSt
}

// Error is "c2prover: NAME: message".
func (e *Error) Error() string { return "c2prover: " + e.Name + ": " + e.Message }

// Unwrap is the status.
func (e *Error) Unwrap() error { return e.Status }

// newError is an error that this package found before it called the library.
func newError(status Status, format string, args ...any) *Error {
	return &Error{Status: status, Name: status.String(), Message: fmt.Sprintf(format, args...), Index: -1, Circuit: -1, Offset: -1}
}
