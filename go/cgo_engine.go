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
	if options.cpu_threads, err = threads("CPUThreads", o.CPUThreads); err != nil {
		return nil, err
	}
	options.self_verify = C.c2p_switch(o.SelfVerify)
	var engine *C.c2p_engine
	var object *C.c2p_error
	return engine, failure(C.c2p_engine_new(&options, &engine, &object), object)
}

func engineFree(e engineHandle) { C.c2p_engine_free(e) }

// threads is a number of threads as C takes it.
func threads(name string, n int) (C.uint32_t, error) {
	if n < 0 || n > math.MaxInt32 {
		return 0, newError(ErrInvalidArgument, "%s is %d", name, n)
	}
	return C.uint32_t(n), nil
}
