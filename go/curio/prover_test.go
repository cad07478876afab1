package curio_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
	"github.com/c2prover/c2prover/go/curio"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// PartitionProof stands in for filecoin-ffi's.
type PartitionProof proof.PoStProof

// ffiSelect has the fields of Curio's ffiselect.FFISelect that ask for proofs, with their types.
type ffiSelect struct {
	SealCommitPhase2               func(ctx context.Context, phase1Output []byte, sectorNum abi.SectorNumber, minerID abi.ActorID) ([]byte, error)
	GenerateWinningPoStWithVanilla func(ctx context.Context, proofType abi.RegisteredPoStProof, minerID abi.ActorID,
		randomness abi.PoStRandomness, proofs [][]byte) ([]proof.PoStProof, error)
	GenerateSinglePartitionWindowPoStWithVanilla func(ctx context.Context, proofType abi.RegisteredPoStProof, minerID abi.ActorID,
		randomness abi.PoStRandomness, proofs [][]byte, partitionIndex uint) (*PartitionProof, error)
	GenerateUpdateProofWithVanilla func(ctx context.Context, proofType abi.RegisteredUpdateProof, key, sealed, unsealed cid.Cid,
		vproofs [][]byte) ([]byte, error)
}

func selected(p curio.Prover) ffiSelect {
	return ffiSelect{
		SealCommitPhase2:               p.SealCommitPhase2,
		GenerateWinningPoStWithVanilla: p.GenerateWinningPoStWithVanilla,
		GenerateSinglePartitionWindowPoStWithVanilla: func(ctx context.Context, proofType abi.RegisteredPoStProof, minerID abi.ActorID,
			randomness abi.PoStRandomness, proofs [][]byte, partition uint) (*PartitionProof, error) {
			made, err := p.GenerateSinglePartitionWindowPoStWithVanilla(ctx, proofType, minerID, randomness, proofs, partition)
			return (*PartitionProof)(made), err
		},
		GenerateUpdateProofWithVanilla: p.GenerateUpdateProofWithVanilla,
	}
}

const (
	miner  = abi.ActorID(1000)
	sector = abi.SectorNumber(1)
)

var (
	background = context.Background()
	tests      = filepath.Join("..", "..", "tests", "data")
	randomness = abi.PoStRandomness(strings.Repeat("\x03", 32))
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(filepath.Join(tests, name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// open is an engine on the folder of all parameters, or, without it, on that of the repository, which has WindowPoSt's.
func open(t *testing.T, all bool) *c2prover.Engine {
	t.Helper()
	folder := filepath.Join(tests, "params")
	if all {
		if folder = os.Getenv("C2PROVER_TEST_PARAMS"); folder == "" {
			t.Skip("C2PROVER_TEST_PARAMS names no folder of parameters")
		}
	}
	engine, err := c2prover.Open(c2prover.Options{ParamCache: folder})
	if errors.Is(err, c2prover.ErrNotBuilt) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

func holds(t *testing.T, engine *c2prover.Engine, r c2prover.Request, proof []byte) {
	t.Helper()
	if ok, err := engine.Verify(background, r, proof); !ok || err != nil {
		t.Error(ok, err)
	}
}

func commitment(codec, hash uint64, digest []byte) cid.Cid {
	encoded, err := multihash.Encode(digest, hash)
	if err != nil {
		panic(err)
	}
	return cid.NewCidV1(codec, encoded)
}

func TestPoRepAndWinningPoSt(t *testing.T) {
	engine := open(t, true)
	curio := selected(curio.Prover{Engine: engine})
	c1, id := read(t, "c1-raw.json"), c2prover.ProverID(uint64(miner))
	porep, err := curio.SealCommitPhase2(background, c1, sector, miner)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, engine, c2prover.PoRep{C1: c1, Sector: uint64(sector), ProverID: id}, porep)
	vanilla := [][]byte{read(t, "winning-vanilla.bin")}
	winning, err := curio.GenerateWinningPoStWithVanilla(background, abi.RegisteredPoStProof_StackedDrgWinning2KiBV1, miner, randomness, vanilla)
	if err != nil {
		t.Fatal(err)
	}
	if len(winning) != 1 || winning[0].PoStProof != abi.RegisteredPoStProof_StackedDrgWinning2KiBV1 {
		t.Fatalf("%+v", winning)
	}
	holds(t, engine, c2prover.WinningPoSt{ProverID: id, Randomness: [32]byte(randomness), Vanilla: vanilla}, winning[0].ProofBytes)
}

func TestWindowPoSt(t *testing.T) {
	engine := open(t, false)
	curio := selected(curio.Prover{Engine: engine})
	vanilla := [][]byte{read(t, "window-vanilla.bin")}
	made, err := curio.GenerateSinglePartitionWindowPoStWithVanilla(background, abi.RegisteredPoStProof_StackedDrgWindow2KiBV1_1, miner, randomness, vanilla, 0)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, engine, c2prover.WindowPoSt{
		Proof: c2prover.StackedDrgWindow2KiBV1_1, ProverID: c2prover.ProverID(uint64(miner)), Randomness: [32]byte(randomness), Vanilla: vanilla,
	}, made.ProofBytes)
}

// An engine that only keeps what it was asked for.
type kept struct{ request c2prover.Request }

func (k *kept) Prove(_ context.Context, r c2prover.Request, _ ...c2prover.CallOption) (*c2prover.Proof, error) {
	k.request = r
	return &c2prover.Proof{Bytes: []byte{1, 2, 3}}, nil
}

func TestUpdateTakesCommitmentsOutOfCids(t *testing.T) {
	var u struct {
		CommROld string   `json:"comm_r_old"`
		CommRNew string   `json:"comm_r_new"`
		CommDNew string   `json:"comm_d_new"`
		Vanilla  [][]byte `json:"vanilla"`
	}
	if err := json.Unmarshal(read(t, "update-vanilla.json"), &u); err != nil {
		t.Fatal(err)
	}
	digest := func(text string) []byte {
		bytes, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	engine := new(kept)
	curio := selected(curio.Prover{Engine: engine})
	key, sealed := commitment(0xf102, 0xb401, digest(u.CommROld)), commitment(0xf102, 0xb401, digest(u.CommRNew))
	unsealed := commitment(0xf101, 0x1012, digest(u.CommDNew))
	kind := abi.RegisteredUpdateProof_StackedDrg2KiBV1
	made, err := curio.GenerateUpdateProofWithVanilla(background, kind, key, sealed, unsealed, u.Vanilla)
	if err != nil || string(made) != "\x01\x02\x03" {
		t.Fatal(made, err)
	}
	asked := engine.request.(c2prover.SectorUpdate)
	if asked.CommROld != [32]byte(digest(u.CommROld)) || asked.CommRNew != [32]byte(digest(u.CommRNew)) || asked.CommDNew != [32]byte(digest(u.CommDNew)) {
		t.Errorf("%+v", asked)
	}
	short, err := multihash.Encode(make([]byte, 31), 0xb401)
	if err != nil {
		t.Fatal(err)
	}
	for name, cids := range map[string][3]cid.Cid{
		"swapped":      {key, unsealed, sealed},
		"none":         {cid.Undef, sealed, unsealed},
		"31 bytes":     {key, cid.NewCidV1(0xf102, short), unsealed},
		"another hash": {key, commitment(0xf102, 0x1012, digest(u.CommRNew)), unsealed},
	} {
		if _, err := curio.GenerateUpdateProofWithVanilla(background, kind, cids[0], cids[1], cids[2], u.Vanilla); !errors.Is(err, c2prover.ErrInvalidArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrongInputsAreTyped(t *testing.T) {
	curio := selected(curio.Prover{Engine: open(t, false)})
	vanilla := [][]byte{read(t, "window-vanilla.bin")}
	window := func(kind abi.RegisteredPoStProof, randomness abi.PoStRandomness) error {
		_, err := curio.GenerateSinglePartitionWindowPoStWithVanilla(background, kind, miner, randomness, vanilla, 0)
		return err
	}
	right := abi.RegisteredPoStProof_StackedDrgWindow2KiBV1_1
	for name, c := range map[string]struct {
		err      error
		expected c2prover.Status
	}{
		"31 bytes of randomness": {window(right, randomness[:31]), c2prover.ErrInvalidArgument},
		"other randomness":       {window(right, abi.PoStRandomness(strings.Repeat("\x04", 32))), c2prover.ErrBadInput},
		"the wrong kind":         {window(abi.RegisteredPoStProof_StackedDrgWinning2KiBV1, randomness), c2prover.ErrBadInput},
	} {
		if !errors.Is(c.err, c.expected) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if _, err := curio.SealCommitPhase2(background, []byte(`{"registered_proof":`), sector, miner); !errors.Is(err, c2prover.ErrBadInput) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, err := curio.SealCommitPhase2(ended, nil, sector, miner); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
