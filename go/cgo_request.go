//go:build cgo

package c2prover

import "unsafe"

// #include "c2prover.h"
import "C"

// native is the request for the library, which reads the pinned memory of r.
func (r *request) native(p *pins) (*C.c2p_request, error) {
	vanilla := make([]C.c2p_bytes, len(r.vanilla))
	for i, v := range r.vanilla {
		vanilla[i] = cBytes(p, v)
	}
	n := &C.c2p_request{
		kind:             C.int32_t(r.kind),
		registered_proof: C.int64_t(r.registeredProof),
		c1_json:          cBytes(p, r.c1),
		vanilla:          pin(p, vanilla),
		vanilla_len:      C.size_t(len(vanilla)),
		sector_number:    C.uint64_t(r.sector),
		prover_id:        array(r.proverID),
		randomness:       array(r.randomness),
		comm_r_old:       array(r.commROld),
		comm_r_new:       array(r.commRNew),
		comm_d_new:       array(r.commDNew),
		partition_index:  C.uint32_t(r.partition),
		priority:         C.int32_t(r.priority),
	}
	n.struct_size = C.size_t(unsafe.Sizeof(*n))
	if r.allPartitions {
		n.all_partitions = C.C2P_ON
	}
	if r.skipSelfVerify {
		n.self_verify = C.C2P_OFF
	}
	if r.timeout != 0 {
		// Below a millisecond is not "no limit".
		n.timeout_ms = C.uint64_t(max(r.timeout.Milliseconds(), 1))
	}
	var err error
	n.request_id, err = p.text("request id", r.id)
	return n, err
}

func cBytes(p *pins, b []byte) C.c2p_bytes {
	return C.c2p_bytes{ptr: (*C.uint8_t)(pin(p, b)), len: C.size_t(len(b))}
}

func array(bytes [32]byte) (a [32]C.uint8_t) {
	for i, b := range bytes {
		a[i] = C.uint8_t(b)
	}
	return a
}

func verify(e engineHandle, r *request, proof []byte) (bool, error) {
	var p pins
	defer p.Unpin()
	n, err := r.native(&p)
	if err != nil {
		return false, err
	}
	b := cBytes(&p, proof)
	var ok C.bool
	var object *C.c2p_error
	err = failure(C.c2p_verify(e, n, b.ptr, b.len, &ok, &object), object)
	return bool(ok), err
}
