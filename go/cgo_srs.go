//go:build cgo

package c2prover

import "unsafe"

// #include "c2prover.h"
import "C"

type srsHandle = *C.c2p_srs

func srsLoad(path string, o SRSOptions) (srsHandle, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	var p pins
	defer p.Unpin()
	name, err := p.text("path", path)
	if err != nil {
		return nil, err
	}
	var options C.c2p_srs_options
	options.struct_size = C.size_t(unsafe.Sizeof(options))
	if o.SubgroupCheck {
		options.subgroup_check = C.C2P_ON
	}
	if o.Keep {
		options.keep = C.C2P_ON
	}
	var srs *C.c2p_srs
	var object *C.c2p_error
	return srs, failure(C.c2p_srs_load(name, &options, &srs, &object), object)
}

func srsInfo(s srsHandle) (SRSInfo, error) {
	var shape C.c2p_srs_shape
	shape.struct_size = C.size_t(unsafe.Sizeof(shape))
	var object *C.c2p_error
	err := failure(C.c2p_srs_info(s, &shape, &object), object)
	return SRSInfo{
		Inputs: int(shape.inputs),
		Aux:    int(shape.aux),
		Domain: int(shape.domain),
		H:      int(shape.h),
		A:      int(shape.a),
		B:      int(shape.b),
		Bytes:  uint64(shape.bytes),
	}, err
}

func srsEvict(s srsHandle) error {
	var object *C.c2p_error
	return failure(C.c2p_srs_evict(s, &object), object)
}

func srsKey(s srsHandle) (keyHandle, error) {
	var key *C.c2p_key
	var object *C.c2p_error
	return key, failure(C.c2p_srs_key(s, &key, &object), object)
}

func srsFree(s srsHandle) { C.c2p_srs_free(s) }
