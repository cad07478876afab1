package c2prover

import (
	"context"
	"math"
)

// WinningPoSt asks for the proof of a won block.
type WinningPoSt struct {
	Proof      RegisteredPoStProof
	ProverID   [32]byte
	Randomness [32]byte
	Vanilla    [][]byte // one: the vanilla proof of the challenged sector
}

func (p WinningPoSt) request() (*request, error) {
	return &request{
		kind: kindWinningPoSt, priority: Critical, registeredProof: int64(p.Proof),
		proverID: p.ProverID, randomness: p.Randomness, vanilla: p.Vanilla,
	}, nil
}

// WindowPoSt asks for the proof of one partition of a deadline, or of all.
type WindowPoSt struct {
	Proof         RegisteredPoStProof
	ProverID      [32]byte
	Randomness    [32]byte
	Vanilla       [][]byte // one a sector, in order: of the partition, or of the deadline
	AllPartitions bool     // Vanilla is cut into the deadline's partitions, and all are proved
	Partition     uint     // otherwise: the partition's index in the deadline
}

func (p WindowPoSt) request() (*request, error) {
	if p.Partition > math.MaxUint32 {
		return nil, newError(ErrInvalidArgument, "partition %d is above %d", p.Partition, uint32(math.MaxUint32))
	}
	return &request{
		kind: kindWindowPoSt, priority: High, registeredProof: int64(p.Proof),
		proverID: p.ProverID, randomness: p.Randomness, vanilla: p.Vanilla,
		allPartitions: p.AllPartitions, partition: uint32(p.Partition),
	}, nil
}

// GenerateWinningPoStWithVanilla proves a won block's sector.
func (e *Engine) GenerateWinningPoStWithVanilla(ctx context.Context, proof RegisteredPoStProof, proverID, randomness [32]byte, vanilla [][]byte, o ...CallOption) (*Proof, error) {
	return e.Prove(ctx, WinningPoSt{Proof: proof, ProverID: proverID, Randomness: randomness, Vanilla: vanilla}, o...)
}

// GenerateSinglePartitionWindowPoStWithVanilla proves one partition of a deadline; vanilla holds its sectors.
func (e *Engine) GenerateSinglePartitionWindowPoStWithVanilla(ctx context.Context, proof RegisteredPoStProof, proverID, randomness [32]byte, vanilla [][]byte, partition uint, o ...CallOption) (*Proof, error) {
	return e.Prove(ctx, WindowPoSt{Proof: proof, ProverID: proverID, Randomness: randomness, Vanilla: vanilla, Partition: partition}, o...)
}

// GenerateWindowPoStWithVanilla proves all partitions of a deadline; vanilla holds its sectors, partition after
// partition. The proof has 192 bytes for each.
func (e *Engine) GenerateWindowPoStWithVanilla(ctx context.Context, proof RegisteredPoStProof, proverID, randomness [32]byte, vanilla [][]byte, o ...CallOption) (*Proof, error) {
	return e.Prove(ctx, WindowPoSt{Proof: proof, ProverID: proverID, Randomness: randomness, Vanilla: vanilla, AllPartitions: true}, o...)
}
