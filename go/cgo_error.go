//go:build cgo

package c2prover

import "encoding/json"

// #include "c2prover.h"
import "C"

// failure is the error of a call, nil if there was none. It frees the library's object.
func failure(status C.c2p_status, object *C.c2p_error) error {
	if status == C.C2P_OK {
		return nil
	}
	defer C.c2p_error_free(object)
	e := newError(Status(status), "%s", C.GoString(C.c2p_error_message(object)))
	e.Name = C.GoString(C.c2p_status_name(C.int32_t(status)))
	e.Advice = C.GoString(C.c2p_status_advice(C.int32_t(status)))
	e.Section = C.GoString(C.c2p_error_section(object))
	e.Field = C.GoString(C.c2p_error_field(object))
	e.Index = int64(C.c2p_error_index(object))
	e.Circuit = int64(C.c2p_error_circuit(object))
	e.Offset = int64(C.c2p_error_offset(object))
	var more struct{ Sectors []uint64 }
	if json.Unmarshal([]byte(C.GoString(C.c2p_error_json(object))), &more) == nil && len(more.Sectors) > 0 {
		e.Sectors = more.Sectors
	}
	return e
}

func libraryStatusName(s Status) string { return C.GoString(C.c2p_status_name(C.int32_t(s))) }
