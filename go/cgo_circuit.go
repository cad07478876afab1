//go:build cgo

package c2prover

import "unsafe"

// #include "c2prover.h"
import "C"

// A Scalar is a c2p_scalar: this array's index is out of range if their sizes differ.
var _ = [1]struct{}{}[unsafe.Sizeof(Scalar{})-unsafe.Sizeof(C.c2p_scalar{})]

func scalars(p *pins, s []Scalar) *C.c2p_scalar { return (*C.c2p_scalar)(unsafe.Pointer(pin(p, s))) }

func words(p *pins, d Density) *C.uint64_t { return (*C.uint64_t)(unsafe.Pointer(pin(p, d.Words))) }

// native is the assignment for the library, which reads the pinned memory of a.
func (a *Assignment) native(p *pins) C.c2p_assignment {
	return C.c2p_assignment{
		a_aux_density:       words(p, a.AAux),
		a_aux_bit_len:       C.size_t(a.AAux.Bits),
		a_aux_popcount:      C.size_t(a.AAux.Popcount),
		b_inp_density:       words(p, a.BInput),
		b_inp_bit_len:       C.size_t(a.BInput.Bits),
		b_inp_popcount:      C.size_t(a.BInput.Popcount),
		b_aux_density:       words(p, a.BAux),
		b_aux_bit_len:       C.size_t(a.BAux.Bits),
		b_aux_popcount:      C.size_t(a.BAux.Popcount),
		a:                   scalars(p, a.A),
		b:                   scalars(p, a.B),
		c:                   scalars(p, a.C),
		abc_size:            C.size_t(len(a.A)),
		inp_assignment_data: scalars(p, a.Inputs),
		inp_assignment_size: C.size_t(len(a.Inputs)),
		aux_assignment_data: scalars(p, a.Aux),
		aux_assignment_size: C.size_t(len(a.Aux)),
	}
}

func proveCircuits(s srsHandle, circuits []Assignment, o ProveOptions) (*Proof, error) {
	var p pins
	defer p.Unpin()
	var options C.c2p_prove_options
	options.struct_size = C.size_t(unsafe.Sizeof(options))
	var err error
	if options.threads, err = count("Threads", o.Threads); err != nil {
		return nil, err
	}
	options.self_verify = C.c2p_switch(o.SelfVerify)
	if o.CheckSatisfied {
		options.check_satisfied = C.C2P_ON
	}
	if options.job, err = p.text("RequestID", o.RequestID); err != nil {
		return nil, err
	}
	assignments := make([]C.c2p_assignment, len(circuits))
	for i := range circuits {
		assignments[i] = circuits[i].native(&p)
	}
	var result *C.c2p_result
	var object *C.c2p_error
	status := C.c2p_prove_assignments(s, pin(&p, assignments), C.size_t(len(assignments)), scalars(&p, o.R), scalars(&p, o.S), &options, &result, &object)
	if err := failure(status, object); err != nil {
		return nil, err
	}
	return take(result)
}
