//go:build cgo

package c2prover

import "unsafe"

// #include "c2prover.h"
import "C"

type jobHandle = *C.c2p_job

func submit(e engineHandle, r *request) (jobHandle, error) {
	var p pins
	defer p.Unpin()
	n, err := r.native(&p)
	if err != nil {
		return nil, err
	}
	var job *C.c2p_job
	var object *C.c2p_error
	err = failure(C.c2p_submit(e, n, &job, &object), object)
	return job, err
}

// jobNextEvent waits for the next event; false after the last one.
func jobNextEvent(j jobHandle) (Event, bool) {
	var event C.c2p_event
	event.struct_size = C.size_t(unsafe.Sizeof(event))
	status := C.c2p_job_next_event(j, C.C2P_FOREVER, &event, nil)
	if status != C.C2P_OK || event.kind == C.C2P_EVENT_NONE {
		return Event{}, false
	}
	return Event{
		Kind: EventKind(event.kind), Partition: int(event.partition), Partitions: int(event.partitions), Status: Status(event.status),
	}, true
}

func jobWait(j jobHandle) (*Proof, error) {
	var result *C.c2p_result
	var object *C.c2p_error
	if err := failure(C.c2p_job_wait(j, C.C2P_FOREVER, &result, &object), object); err != nil {
		return nil, err
	}
	return take(result)
}

func jobCancel(j jobHandle) { C.c2p_job_cancel(j) }
func jobFree(j jobHandle)   { C.c2p_job_free(j) }
