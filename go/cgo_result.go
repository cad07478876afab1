//go:build cgo

package c2prover

import (
	"time"
	"unsafe"
)

// #include "c2prover.h"
import "C"

// take copies a result and frees it.
func take(result *C.c2p_result) (*Proof, error) {
	defer C.c2p_result_free(result)
	var t C.c2p_timings
	t.struct_size = C.size_t(unsafe.Sizeof(t))
	var object *C.c2p_error
	if err := failure(C.c2p_result_timings(result, &t, &object), object); err != nil {
		return nil, err
	}
	b := C.c2p_result_proof(result)
	return &Proof{
		Bytes:      append([]byte(nil), unsafe.Slice((*byte)(b.ptr), int(b.len))...),
		Timings:    timings(&t),
		ReportJSON: []byte(C.GoString(C.c2p_result_report_json(result))),
		TraceJSON:  []byte(C.GoString(C.c2p_result_trace_json(result))),
	}, nil
}

func timings(t *C.c2p_timings) Timings {
	us := func(n C.uint64_t) time.Duration { return time.Duration(n) * time.Microsecond }
	return Timings{
		Total:           us(t.total_us),
		Queue:           us(t.queue_us),
		Parse:           us(t.parse_us),
		InputVerify:     us(t.input_verify_us),
		SRSLoad:         us(t.srs_load_us),
		Synthesis:       us(t.synthesis_us),
		Prep:            us(t.prep_us),
		Alloc:           us(t.alloc_us),
		Lock:            us(t.lock_us),
		GPUWait:         us(t.gpu_wait_us),
		GPU:             us(t.gpu_us),
		CPU:             us(t.cpu_us),
		BG2:             us(t.b_g2_us),
		Finalize:        us(t.finalize_us),
		Verify:          us(t.verify_us),
		Free:            us(t.free_us),
		Unaccounted:     us(t.unaccounted_us),
		Overlap:         float64(t.overlap_permille) / 1000,
		PeakHostBytes:   uint64(t.peak_host_bytes),
		PeakDeviceBytes: uint64(t.peak_device_bytes),
		SRSWasResident:  t.srs_was_resident != 0,
		Partitions:      int(t.partitions),
	}
}
