package c2prover

// RegisteredPoStProof is a PoSt's proof type and sector size, by the numbers of go-state-types.
type RegisteredPoStProof int64

// The registered PoSt proofs. The V1 ones of WindowPoSt are no longer in use.
const (
	StackedDrgWinning2KiBV1 RegisteredPoStProof = iota
	StackedDrgWinning8MiBV1
	StackedDrgWinning512MiBV1
	StackedDrgWinning32GiBV1
	StackedDrgWinning64GiBV1
	StackedDrgWindow2KiBV1
	StackedDrgWindow8MiBV1
	StackedDrgWindow512MiBV1
	StackedDrgWindow32GiBV1
	StackedDrgWindow64GiBV1
	StackedDrgWindow2KiBV1_1
	StackedDrgWindow8MiBV1_1
	StackedDrgWindow512MiBV1_1
	StackedDrgWindow32GiBV1_1
	StackedDrgWindow64GiBV1_1
)

// RegisteredUpdateProof is a sector update's proof type and sector size, by the numbers of go-state-types.
type RegisteredUpdateProof int64

// The registered update proofs.
const (
	StackedDrgUpdate2KiBV1 RegisteredUpdateProof = iota
	StackedDrgUpdate8MiBV1
	StackedDrgUpdate512MiBV1
	StackedDrgUpdate32GiBV1
	StackedDrgUpdate64GiBV1
)
