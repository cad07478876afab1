package c2prover

import (
	"bytes"
	"context"
	"runtime"
)

// Options say how to make an [Engine]. The zero value takes everything from the environment, then from the defaults.
type Options struct {
	// ParamCache is the folder of the parameter files. Default: C2PROVER_PARAM_CACHE, FIL_PROOFS_PARAMETER_CACHE, or
	// /var/tmp/filecoin-proof-parameters.
	ParamCache string
	// CPUThreads is the number of threads in all. Default: C2PROVER_CPU_THREADS, or one for each core this process may use.
	CPUThreads int
	// SelfVerify says whether each proof is verified before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
	SelfVerify Switch
}

// Engine proves Filecoin's requests. Any number of goroutines may use it at once. Close it.
type Engine struct {
	handle engineHandle
	lease  *lease
}

// Open makes an engine: it reads the environment and starts the library's threads.
func Open(o Options) (*Engine, error) {
	handle, err := engineNew(o)
	if err != nil {
		return nil, err
	}
	e := &Engine{handle: handle, lease: newLease(func() { engineFree(handle) })}
	// A net for engines that were dropped without Close.
	runtime.SetFinalizer(e, func(e *Engine) { e.lease.close() })
	return e, nil
}

// Close refuses further calls, waits for the proofs under way and frees the engine. Parameters that it loaded stay in
// memory for other engines. It may be called more than once.
func (e *Engine) Close() error {
	<-e.lease.close()
	return nil
}

// Shutdown is Close with a limit: when ctx ends first, its error is returned, and the engine is freed by the last of the
// proofs under way.
func (e *Engine) Shutdown(ctx context.Context) error {
	freed := e.lease.close()
	select {
	case <-freed:
		return nil
	default:
	}
	select {
	case <-freed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Prove makes the proof that a request asks for.
func (e *Engine) Prove(ctx context.Context, r Request, o ...CallOption) (*Proof, error) {
	native, err := r.request()
	if err != nil {
		return nil, err
	}
	for _, option := range o {
		option(native)
	}
	if ctx.Done() != nil {
		native.own()
	}
	return call(ctx, e.lease, func() (*Proof, error) { return prove(e.handle, native) })
}

// Verify tells whether a proof holds for the statement of a request. It needs the circuit's verifying key (.vk), or
// its parameters, in the engine's folder. Bytes that are no proof do not hold.
func (e *Engine) Verify(ctx context.Context, r Request, proof []byte) (bool, error) {
	native, err := r.request()
	if err != nil {
		return false, err
	}
	if ctx.Done() != nil {
		native.own()
		proof = bytes.Clone(proof)
	}
	return call(ctx, e.lease, func() (bool, error) { return verify(e.handle, native, proof) })
}
