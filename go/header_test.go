package c2prover

import (
	"bytes"
	"os"
	"testing"
)

func TestTheHeaderIsTheLibrarys(t *testing.T) {
	original, err := os.ReadFile("../include/c2prover.h")
	if err != nil {
		t.Skip("outside a clone of the project: ", err)
	}
	if ours, err := os.ReadFile("c2prover.h"); err != nil || !bytes.Equal(ours, original) {
		t.Error("c2prover.h differs from the library's: copy it", err)
	}
}
