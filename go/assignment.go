package c2prover

// Assignment is one circuit, synthesised: the fields of supraseal-c2's Assignment, with the same meaning. It may be a
// view of memory that Go does not manage.
type Assignment struct {
	A, B []Scalar // rows of A and of B times the assignment: one for each constraint, then one for each input
	C    []Scalar // rows of C times the assignment; may be nil, only [ProveOptions].CheckSatisfied looks at it

	Inputs []Scalar // the public inputs, the constant one first
	Aux    []Scalar // the auxiliary variables

	AAux   Density // which auxiliary variables occur in A (all inputs do)
	BInput Density // which inputs occur in B
	BAux   Density // which auxiliary variables occur in B
}

// check finds what the library could not see: lengths that C has one number for, and words too few for their bits. All
// else is the library's to check.
func (a *Assignment) check(circuit int) error {
	wrong := func(field string, got, expected int) error {
		e := newError(ErrBadAssignment, "circuit %d: %s is %d, expected %d", circuit, field, got, expected)
		e.Field, e.Circuit = field, int64(circuit)
		return e
	}
	if len(a.B) != len(a.A) {
		return wrong("b size", len(a.B), len(a.A))
	}
	if len(a.C) != len(a.A) && len(a.C) != 0 {
		return wrong("c size", len(a.C), len(a.A))
	}
	densities := []struct {
		name      string
		density   Density
		variables int
	}{
		{"a_aux", a.AAux, len(a.Aux)},
		{"b_inp", a.BInput, len(a.Inputs)},
		{"b_aux", a.BAux, len(a.Aux)},
	}
	for _, d := range densities {
		if d.density.Bits < 0 || d.density.Popcount < 0 {
			return wrong(d.name+"_bit_len", min(d.density.Bits, d.density.Popcount), d.variables)
		}
		// The library reads no further than this: a number of bits other than that of the variables is an error there.
		if words := (min(d.density.Bits, d.variables) + 63) / 64; len(d.density.Words) < words {
			return wrong(d.name+"_density words", len(d.density.Words), words)
		}
	}
	return nil
}
