package c2prover

import "context"

// SectorUpdate asks for the proof that new data was encoded into a sector (SnapDeals).
type SectorUpdate struct {
	Proof    RegisteredUpdateProof
	CommROld [32]byte // commitment of the old replica
	CommRNew [32]byte // commitment of the new replica
	CommDNew [32]byte // commitment of the new data
	Vanilla  [][]byte // one a partition
}

func (u SectorUpdate) request() (*request, error) {
	return &request{
		kind: kindUpdate, registeredProof: int64(u.Proof),
		commROld: u.CommROld, commRNew: u.CommRNew, commDNew: u.CommDNew, vanilla: u.Vanilla,
	}, nil
}

// GenerateUpdateProofWithVanilla proves a sector update.
func (e *Engine) GenerateUpdateProofWithVanilla(ctx context.Context, proof RegisteredUpdateProof, commROld, commRNew, commDNew [32]byte, vanilla [][]byte, o ...CallOption) (*Proof, error) {
	return e.Prove(ctx, SectorUpdate{Proof: proof, CommROld: commROld, CommRNew: commRNew, CommDNew: commDNew, Vanilla: vanilla}, o...)
}
