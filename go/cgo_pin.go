//go:build cgo

package c2prover

import (
	"runtime"
	"strings"
	"unsafe"
)

import "C"

// pins holds Go memory in place while the library reads it.
type pins struct{ runtime.Pinner }

// pin is the address of a slice's first element, nil for an empty one.
func pin[T any](p *pins, s []T) *T {
	if len(s) == 0 {
		return nil
	}
	first := unsafe.SliceData(s)
	p.Pin(first)
	return first
}

// text is a string as C wants it; nil for "".
func (p *pins) text(name, s string) (*C.char, error) {
	if s == "" {
		return nil, nil
	}
	if strings.IndexByte(s, 0) >= 0 {
		return nil, newError(ErrInvalidArgument, "%s %q contains a zero byte", name, s)
	}
	return (*C.char)(unsafe.Pointer(pin(p, append([]byte(s), 0)))), nil
}
