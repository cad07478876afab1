package curio

import (
	"context"

	c2prover "github.com/c2prover/c2prover/go"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/ipfs/go-cid"
)

// Engine is what proves: a [c2prover.Engine], or whatever has its method.
type Engine interface {
	Prove(ctx context.Context, r c2prover.Request, o ...c2prover.CallOption) (*c2prover.Proof, error)
}

// Prover has Curio's methods. Each returns when its context ends, and the proof is cancelled then. WinningPoSts go before
// WindowPoSts, and those before all else.
type Prover struct {
	Engine Engine
}

// SealCommitPhase2 proves a sector's replication. phase1Output is the JSON of Commit Phase 1, which names the proof type.
func (p Prover) SealCommitPhase2(ctx context.Context, phase1Output []byte, sectorNum abi.SectorNumber, minerID abi.ActorID) ([]byte, error) {
	return p.bytes(ctx, c2prover.PoRep{C1: phase1Output, Sector: uint64(sectorNum), ProverID: c2prover.ProverID(uint64(minerID))})
}

// GenerateWinningPoStWithVanilla proves a won block's sector from its one vanilla proof.
func (p Prover) GenerateWinningPoStWithVanilla(ctx context.Context, proofType abi.RegisteredPoStProof, minerID abi.ActorID, randomness abi.PoStRandomness, proofs [][]byte) ([]proof.PoStProof, error) {
	challenge, err := array("randomness", randomness)
	if err != nil {
		return nil, err
	}
	bytes, err := p.bytes(ctx, c2prover.WinningPoSt{
		Proof: c2prover.RegisteredPoStProof(proofType), ProverID: c2prover.ProverID(uint64(minerID)), Randomness: challenge, Vanilla: proofs,
	})
	if err != nil {
		return nil, err
	}
	return []proof.PoStProof{{PoStProof: proofType, ProofBytes: bytes}}, nil
}

// GenerateSinglePartitionWindowPoStWithVanilla proves one partition of a deadline from its sectors' vanilla proofs. The
// numbers of sectors that are faulty are in the error: see [c2prover.Error].
func (p Prover) GenerateSinglePartitionWindowPoStWithVanilla(ctx context.Context, proofType abi.RegisteredPoStProof, minerID abi.ActorID, randomness abi.PoStRandomness, proofs [][]byte, partitionIndex uint) (*proof.PoStProof, error) {
	challenge, err := array("randomness", randomness)
	if err != nil {
		return nil, err
	}
	bytes, err := p.bytes(ctx, c2prover.WindowPoSt{
		Proof: c2prover.RegisteredPoStProof(proofType), ProverID: c2prover.ProverID(uint64(minerID)), Randomness: challenge, Vanilla: proofs,
		Partition: partitionIndex,
	})
	if err != nil {
		return nil, err
	}
	return &proof.PoStProof{PoStProof: proofType, ProofBytes: bytes}, nil
}

// GenerateUpdateProofWithVanilla proves a sector update (SnapDeals). key and sealed are commitments of the old and the new
// replica, unsealed is that of the new data.
func (p Prover) GenerateUpdateProofWithVanilla(ctx context.Context, proofType abi.RegisteredUpdateProof, key, sealed, unsealed cid.Cid, vproofs [][]byte) ([]byte, error) {
	old, err := replica("key", key)
	if err != nil {
		return nil, err
	}
	replaced, err := replica("sealed", sealed)
	if err != nil {
		return nil, err
	}
	data, err := data("unsealed", unsealed)
	if err != nil {
		return nil, err
	}
	return p.bytes(ctx, c2prover.SectorUpdate{
		Proof: c2prover.RegisteredUpdateProof(proofType), CommROld: old, CommRNew: replaced, CommDNew: data, Vanilla: vproofs,
	})
}

func (p Prover) bytes(ctx context.Context, r c2prover.Request) ([]byte, error) {
	made, err := p.Engine.Prove(ctx, r)
	if err != nil {
		return nil, err
	}
	return made.Bytes, nil
}
