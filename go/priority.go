package c2prover

// Priority says what goes first: a job of a higher one is taken before all others that wait, between partitions.
type Priority int32

// The names are those of the C header. Zero is [Normal].
const (
	Low      Priority = 1
	Normal   Priority = 2
	High     Priority = 3 // WindowPoSt: late is a fault
	Critical Priority = 4 // WinningPoSt: thirty seconds
)
