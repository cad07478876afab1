package c2prover

import "context"

// PoRep asks for a proof of replication.
type PoRep struct {
	C1       []byte   // the JSON of Commit Phase 1, or Curio's wrapper around it; it names the proof type
	Sector   uint64   // the sector's number
	ProverID [32]byte // see [ProverID]
}

func (p PoRep) request() (*request, error) {
	return &request{kind: kindPoRep, c1: p.C1, sector: p.Sector, proverID: p.ProverID}, nil
}

// SealCommitPhase2 proves a sector's replication from the output of Commit Phase 1.
func (e *Engine) SealCommitPhase2(ctx context.Context, c1 []byte, sector uint64, proverID [32]byte, o ...CallOption) (*Proof, error) {
	return e.Prove(ctx, PoRep{C1: c1, Sector: sector, ProverID: proverID}, o...)
}
