// Package curio gives a [c2prover.Engine] the four methods with which Curio asks for proofs, in Curio's own types.
//
// Curio calls provers through a struct of functions, ffiselect.FFISelect. In a fork of Curio, four assignments after that
// struct has been filled switch every call site that does not go through cuzk:
//
//	engine, err := c2prover.Open(c2prover.Options{})
//	…
//	prover := curio.Prover{Engine: engine}
//	ffiselect.FFISelect.SealCommitPhase2 = prover.SealCommitPhase2
//	ffiselect.FFISelect.GenerateWinningPoStWithVanilla = prover.GenerateWinningPoStWithVanilla
//	ffiselect.FFISelect.GenerateUpdateProofWithVanilla = prover.GenerateUpdateProofWithVanilla
//	ffiselect.FFISelect.GenerateSinglePartitionWindowPoStWithVanilla = func(ctx context.Context, proofType abi.RegisteredPoStProof,
//		minerID abi.ActorID, randomness abi.PoStRandomness, proofs [][]byte, partition uint) (*ffi.PartitionProof, error) {
//		p, err := prover.GenerateSinglePartitionWindowPoStWithVanilla(ctx, proofType, minerID, randomness, proofs, partition)
//		return (*ffi.PartitionProof)(p), err
//	}
//
// The last one converts, as ffi.PartitionProof is a defined type over proof.PoStProof, and this module does not depend on
// filecoin-ffi.
//
// It is a module of its own, so that the core depends on the standard library alone.
package curio
