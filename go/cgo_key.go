//go:build cgo

package c2prover

// #include "c2prover.h"
import "C"

type keyHandle = *C.c2p_key

func keyLoad(path string) (keyHandle, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	var p pins
	defer p.Unpin()
	name, err := p.text("path", path)
	if err != nil {
		return nil, err
	}
	var key *C.c2p_key
	var object *C.c2p_error
	return key, failure(C.c2p_key_load(name, &key, &object), object)
}

func keyInputs(k keyHandle) int { return int(C.c2p_key_inputs(k)) }

func keyVerify(k keyHandle, inputs []Scalar, proof []byte) (bool, error) {
	var p pins
	defer p.Unpin()
	b := cBytes(&p, proof)
	var ok C.bool
	var object *C.c2p_error
	err := failure(C.c2p_key_verify(k, scalars(&p, inputs), C.size_t(len(inputs)), b.ptr, b.len, &ok, &object), object)
	return bool(ok), err
}

func keyFree(k keyHandle) { C.c2p_key_free(k) }
