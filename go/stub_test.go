//go:build !cgo

package c2prover

import (
	"context"
	"errors"
	"log/slog"
	"testing"
)

func TestWithoutCgoEverythingIsNotBuilt(t *testing.T) {
	engine, opened := Open(Options{})
	srs, loaded := LoadSRS("testdata/chain.params", SRSOptions{})
	key, keyed := LoadKey("testdata/chain.vk")
	_, logged := Logs(context.Background(), slog.Default())
	if engine != nil || srs != nil || key != nil {
		t.Error("an object")
	}
	for _, err := range []error{opened, loaded, keyed, logged} {
		if !errors.Is(err, ErrNotBuilt) {
			t.Error(err)
		}
	}
	if Version() != "" || BuildInfo() != "" {
		t.Error("the version of no library")
	}
	if id := ProverID(1000); id[0] != 0xe8 || id[1] != 7 {
		t.Error("what needs no library works")
	}
}
