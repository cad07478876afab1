//go:build cgo

package c2prover_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

// The real sector of tests/data: see the README there.
const (
	miner  = 1000
	sector = 1
)

var (
	data       = filepath.Join("..", "tests", "data")
	keys       = filepath.Join(data, "params") // verifying keys of all kinds, parameters of WindowPoSt
	proverID   = c2prover.ProverID(miner)
	randomness = filled(3)
)

func filled(b byte) (a [32]byte) {
	for i := range a {
		a[i] = b
	}
	return a
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	return must(os.ReadFile(filepath.Join(data, name)))(t)
}

func parse(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(read(t, name), into); err != nil {
		t.Fatal(name, err)
	}
}

func porep(t testing.TB) c2prover.PoRep {
	return c2prover.PoRep{C1: read(t, "c1-raw.json"), Sector: sector, ProverID: proverID}
}

func winning(t testing.TB) c2prover.WinningPoSt {
	return c2prover.WinningPoSt{
		Proof: c2prover.StackedDrgWinning2KiBV1, ProverID: proverID, Randomness: randomness,
		Vanilla: [][]byte{read(t, "winning-vanilla.bin")},
	}
}

func window(t testing.TB) c2prover.WindowPoSt {
	return c2prover.WindowPoSt{
		Proof: c2prover.StackedDrgWindow2KiBV1_1, ProverID: proverID, Randomness: randomness,
		Vanilla: [][]byte{read(t, "window-vanilla.bin")},
	}
}

// deadline is five sectors in three partitions.
func deadline(t testing.TB) c2prover.WindowPoSt {
	w := window(t)
	parse(t, "window5-vanilla.json", &w.Vanilla)
	w.AllPartitions = true
	return w
}

func update(t testing.TB) c2prover.SectorUpdate {
	var u struct {
		CommROld string   `json:"comm_r_old"`
		CommRNew string   `json:"comm_r_new"`
		CommDNew string   `json:"comm_d_new"`
		Vanilla  [][]byte `json:"vanilla"`
	}
	parse(t, "update-vanilla.json", &u)
	array := func(s string) [32]byte { return [32]byte(must(hex.DecodeString(s))(t)) }
	return c2prover.SectorUpdate{
		Proof: c2prover.StackedDrgUpdate2KiBV1, Vanilla: u.Vanilla,
		CommROld: array(u.CommROld), CommRNew: array(u.CommRNew), CommDNew: array(u.CommDNew),
	}
}

// open makes an engine that is closed with the test.
func open(t testing.TB, folder string) *c2prover.Engine {
	t.Helper()
	engine := must(c2prover.Open(c2prover.Options{ParamCache: folder}))(t)
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

// params is the folder of parameters that are too large for the repository. A test of a kind whose file is not there is
// skipped, by name.
func params(t testing.TB, kind string) string {
	t.Helper()
	const variable = "C2PROVER_TEST_PARAMS"
	folder := os.Getenv(variable)
	if folder == "" {
		t.Skipf("%s is not proved: %s names no folder of parameters", kind, variable)
	}
	var meta map[string]any
	parse(t, "meta.json", &meta)
	name := meta[map[string]string{
		"porep": "porep_params", "winning-post": "winning_params", "snap": "update_params",
	}[kind]].(string)
	if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
		t.Skipf("%s is not proved: %v (make it with: target/release/c2prover-test-params %s --dir %s)", kind, err, kind, folder)
	}
	return must(filepath.Abs(folder))(t)
}
