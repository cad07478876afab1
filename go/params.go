package c2prover

import (
	"context"
	"time"
)

// CircuitID names a circuit's shape, and with it a parameter file: porep-32g, winning-32g, wpost-32g, snap-32g; the
// sizes are 2k, 8m, 512m, 32g, 64g.
type CircuitID string

// PreloadSRS makes the parameters of a circuit resident, so that its first proof does not wait for them. When ctx ends
// first, the load goes on in the background.
func (e *Engine) PreloadSRS(ctx context.Context, id CircuitID) (wasResident bool, took time.Duration, err error) {
	began := time.Now()
	wasResident, err = call(ctx, e.lease, func() (bool, error) { return enginePreload(e.handle, id) })
	return wasResident, time.Since(began), err
}

// CheckSRS compares the digest of a circuit's parameter file with that of the official one, and is [ErrParamsDigest] if they
// differ. It reads all of the file: a minute for 44 GiB. When ctx ends first, it goes on in the background.
func (e *Engine) CheckSRS(ctx context.Context, id CircuitID) error {
	_, err := call(ctx, e.lease, func() (struct{}, error) { return struct{}{}, engineCheck(e.handle, id) })
	return err
}

// EvictSRS gives up the parameters of a circuit; proofs under way keep them until they end. freed is what their points
// took, 0 if they were not resident.
func (e *Engine) EvictSRS(id CircuitID) (freed uint64, err error) {
	if err := e.lease.begin(); err != nil {
		return 0, err
	}
	defer e.lease.end()
	return engineEvict(e.handle, id)
}
