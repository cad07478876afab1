package c2prover

// Switch is an option that is on, off, or left to its default.
type Switch int32

// The values of a Switch, as the C header numbers them.
const (
	Default Switch = 0
	On      Switch = 1
	Off     Switch = 2
)
