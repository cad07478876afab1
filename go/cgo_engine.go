//go:build cgo

package c2prover

import (
	"math"
	"unsafe"
)

// #include "c2prover.h"
import "C"

type engineHandle = *C.c2p_engine

func engineNew(o Options) (engineHandle, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	var p pins
	defer p.Unpin()
	var options C.c2p_engine_options
	options.struct_size = C.size_t(unsafe.Sizeof(options))
	var err error
	if options.param_cache, err = p.text("ParamCache", o.ParamCache); err != nil {
		return nil, err
	}
	if options.cpu_threads, err = count("CPUThreads", o.CPUThreads); err != nil {
		return nil, err
	}
	options.self_verify = C.c2p_switch(o.SelfVerify)
	options.host_memory = C.uint64_t(o.HostMemory)
	for _, n := range []struct {
		name  string
		value int
		to    *C.uint32_t
	}{
		{"MaxQueue", o.MaxQueue, &options.max_queue},
		{"Batch", o.Batch, &options.batch},
		{"BatchWait", int(o.BatchWait.Milliseconds()), &options.batch_wait_ms},
		{"SynthesisThreads", o.SynthesisThreads, &options.synthesis_threads},
	} {
		if *n.to, err = count(n.name, n.value); err != nil {
			return nil, err
		}
	}
	var engine *C.c2p_engine
	var object *C.c2p_error
	return engine, failure(C.c2p_engine_new(&options, &engine, &object), object)
}

func engineShutdown(e engineHandle, milliseconds uint64) {
	C.c2p_engine_shutdown(e, C.uint64_t(milliseconds), nil, nil)
}

func enginePreload(e engineHandle, id CircuitID) (wasResident bool, err error) {
	var p pins
	defer p.Unpin()
	text, err := p.text("circuit", string(id))
	if err != nil {
		return false, err
	}
	var was C.bool
	var object *C.c2p_error
	err = failure(C.c2p_engine_preload(e, text, &was, &object), object)
	return bool(was), err
}

func engineCheck(e engineHandle, id CircuitID) error {
	var p pins
	defer p.Unpin()
	text, err := p.text("circuit", string(id))
	if err != nil {
		return err
	}
	var object *C.c2p_error
	return failure(C.c2p_engine_check_params(e, text, &object), object)
}

func engineEvict(e engineHandle, id CircuitID) (freed uint64, err error) {
	var p pins
	defer p.Unpin()
	text, err := p.text("circuit", string(id))
	if err != nil {
		return 0, err
	}
	var bytes C.uint64_t
	var object *C.c2p_error
	err = failure(C.c2p_engine_evict(e, text, &bytes, &object), object)
	return uint64(bytes), err
}

func engineStatus(e engineHandle) (string, error) {
	var text *C.char
	var object *C.c2p_error
	if err := failure(C.c2p_engine_status(e, &text, &object), object); err != nil {
		return "", err
	}
	defer C.c2p_string_free(text)
	return C.GoString(text), nil
}

func engineFree(e engineHandle) { C.c2p_engine_free(e) }

// count is a number as C takes it.
func count(name string, n int) (C.uint32_t, error) {
	if n < 0 || n > math.MaxInt32 {
		return 0, newError(ErrInvalidArgument, "%s is %d", name, n)
	}
	return C.uint32_t(n), nil
}
