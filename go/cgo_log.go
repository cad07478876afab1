//go:build cgo

package c2prover

import "time"

// #include "c2prover.h"
import "C"

// logSubscribe begins to keep lines of a level, 1 (error) to 5 (trace), and more urgent ones; 0 ends it.
func logSubscribe(level int) error {
	if err := checkABI(); err != nil {
		return err
	}
	var object *C.c2p_error
	return failure(C.c2p_log_subscribe(C.int32_t(level), &object), object)
}

// logNext waits for a line, as long as timeout.
func logNext(timeout time.Duration) (line string, ok bool) {
	s := C.c2p_log_next(C.uint64_t(timeout.Milliseconds()))
	if s == nil {
		return "", false
	}
	defer C.c2p_string_free(s)
	return C.GoString(s), true
}
