package c2prover

import (
	"context"
	"runtime"
)

// SRSOptions say how to load a parameter file.
type SRSOptions struct {
	// SubgroupCheck: also check that each point lies in the subgroup of order r. On the curve it must lie in any case.
	SubgroupCheck bool
	// Keep the points in memory after the last handle is closed, until [SRS.Evict].
	Keep bool
}

// SRSInfo counts what a parameter file holds.
type SRSInfo struct {
	Inputs int    // inputs of the circuit, the constant one among them: points of ic
	Aux    int    // auxiliary variables of the circuit: points of l
	Domain int    // size of the evaluation domain, a power of two
	H      int    // points of h
	A      int    // points of a: inputs and the auxiliary variables that occur in A
	B      int    // points of b_g1, and of b_g2: inputs and auxiliary variables that occur in B
	Bytes  uint64 // memory the points take
}

// SRS is the checked points of one circuit's parameters, shared in memory by all handles of the same file. Any number of
// goroutines may use it at once. Close it.
type SRS struct {
	handle srsHandle
	lease  *lease
}

// LoadSRS loads a parameter file (.params), or shares the points in memory if the same file is loaded. When several
// callers ask at once, one reads and the others wait for it. Afterwards the file may change.
func LoadSRS(path string, o SRSOptions) (*SRS, error) {
	handle, err := srsLoad(path, o)
	if err != nil {
		return nil, err
	}
	s := &SRS{handle: handle, lease: newLease(func() { srsFree(handle) })}
	runtime.SetFinalizer(s, func(s *SRS) { s.lease.close() })
	return s, nil
}

// Close refuses further calls, waits for those under way and frees the handle. The last handle of a file frees its
// points, unless they are kept. It may be called more than once.
func (s *SRS) Close() error {
	<-s.lease.close()
	return nil
}

// Info counts the points.
func (s *SRS) Info() (SRSInfo, error) {
	return call(context.Background(), s.lease, func() (SRSInfo, error) { return srsInfo(s.handle) })
}

// Evict forgets the file, so that the next load reads it again. Handles stay valid, and with them their memory.
func (s *SRS) Evict() error {
	_, err := call(context.Background(), s.lease, func() (struct{}, error) { return struct{}{}, srsEvict(s.handle) })
	return err
}

// Key is a copy of the verifying key in the file.
func (s *SRS) Key() (*Key, error) {
	return call(context.Background(), s.lease, func() (*Key, error) { return newKey(srsKey(s.handle)) })
}

// ProveOptions say how to prove circuits.
type ProveOptions struct {
	// R and S blind the proofs, one of each for each circuit, and are used as given: equal ones give equal proofs, and
	// proofs of one witness with R or S that others can guess give it away. Both nil: fresh ones from the kernel's entropy.
	R, S []Scalar
	// Threads in all. Default: C2PROVER_CPU_THREADS, or one for each core this process may use.
	Threads int
	// SelfVerify says whether each proof is verified before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
	SelfVerify Switch
	// CheckSatisfied: look for the first row in which a b differs from c before proving. Needs [Assignment].C.
	CheckSatisfied bool
	// RequestID names the job in log lines, report and trace. Default: a name is made up.
	RequestID string
}

// Prove proves circuits of one shape, which the caller synthesised: 192 bytes for each, in order. Everything is checked
// before the first proof begins.
//
// The slices are borrowed, not copied. So Prove returns only when the library has let go of them, even if ctx ends in
// between; its error is then the context's.
func (s *SRS) Prove(ctx context.Context, circuits []Assignment, o ProveOptions) (*Proof, error) {
	for i := range circuits {
		if err := circuits[i].check(i); err != nil {
			return nil, err
		}
	}
	if (o.R != nil || o.S != nil) && (len(o.R) != len(circuits) || len(o.S) != len(circuits)) {
		return nil, newError(ErrInvalidArgument, "%d scalars in R and %d in S for %d circuits", len(o.R), len(o.S), len(circuits))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	proof, err := call(context.Background(), s.lease, func() (*Proof, error) { return proveCircuits(s.handle, circuits, o) })
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	return proof, err
}
