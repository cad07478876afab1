package c2prover

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"time"
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
	// HostMemory is the most memory, in bytes, for inputs, circuits, their proofs, and points that are not on a device.
	// Default: C2PROVER_HOST_MEMORY, or what is free, less a tenth.
	HostMemory uint64
	// MaxQueue is the number of jobs that may wait. Default: C2PROVER_MAX_QUEUE, or 256.
	MaxQueue int
	// Batch is the number of circuits of one shape, of one or several jobs, that are proved together, and BatchWait how long
	// a circuit waits for others. Default: C2PROVER_BATCH and C2PROVER_BATCH_WAIT_MS, or each alone and at once.
	Batch     int
	BatchWait time.Duration
	// SynthesisThreads is the number of circuits that are synthesised at once. Default: C2PROVER_SYNTHESIS_THREADS, or half
	// the threads.
	SynthesisThreads int
}

// forever is a time without end, in the library's milliseconds.
const forever = math.MaxUint64

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

// Close refuses further calls, cancels the proofs under way, waits until they have stopped, and frees the engine.
// Parameters that it loaded stay in memory for other engines. It may be called more than once.
func (e *Engine) Close() error {
	first := e.lease.begin() == nil
	freed := e.lease.close()
	if first {
		engineShutdown(e.handle, 0)
		e.lease.end()
	}
	<-freed
	return nil
}

// Shutdown refuses further calls, waits for the proofs under way and frees the engine. When ctx ends first, those that
// are left are cancelled, and its error is returned.
func (e *Engine) Shutdown(ctx context.Context) error {
	if e.lease.begin() != nil {
		return e.wait(ctx)
	}
	freed := e.lease.close()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		defer e.lease.end()
		engineShutdown(e.handle, forever)
	}()
	select {
	case <-drained:
		<-freed
		return nil
	case <-ctx.Done():
		// The lease is held until the engine is drained, which this brings about.
		engineShutdown(e.handle, 0)
		<-freed
		return ctx.Err()
	}
}

// wait waits for an engine that somebody else closes.
func (e *Engine) wait(ctx context.Context) error {
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

// Prove makes the proof that a request asks for. When ctx ends first, the proof is cancelled.
func (e *Engine) Prove(ctx context.Context, r Request, o ...CallOption) (*Proof, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	job, err := e.Submit(r, o...)
	if err != nil {
		return nil, err
	}
	proof, err := job.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		job.Cancel()
	}
	return proof, err
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
