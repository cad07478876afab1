package c2prover

import (
	"bytes"
	"time"
)

// Request is one proof to make or verify: [PoRep], [WinningPoSt], [WindowPoSt] or [SectorUpdate].
type Request interface {
	request() (*request, error)
}

// Kinds as the C header numbers them.
const (
	kindPoRep       = 1
	kindUpdate      = 2
	kindWindowPoSt  = 3
	kindWinningPoSt = 4
)

// request has the fields of c2p_request.
type request struct {
	kind            int32
	allPartitions   bool
	registeredProof int64
	c1              []byte
	vanilla         [][]byte
	sector          uint64
	proverID        [32]byte
	randomness      [32]byte
	commROld        [32]byte
	commRNew        [32]byte
	commDNew        [32]byte
	partition       uint32
	skipSelfVerify  bool
	id              string
	priority        Priority
	timeout         time.Duration
}

// own gives the request copies of the caller's bytes.
func (r *request) own() {
	r.c1 = bytes.Clone(r.c1)
	vanilla := make([][]byte, len(r.vanilla))
	for i, v := range r.vanilla {
		vanilla[i] = bytes.Clone(v)
	}
	r.vanilla = vanilla
}
