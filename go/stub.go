//go:build !cgo

package c2prover

import "time"

// Without cgo there is no library: whatever would make one of its objects fails, so no object exists.

type (
	engineHandle struct{}
	jobHandle    struct{}
	srsHandle    struct{}
	keyHandle    struct{}
)

func libraryVersion() string   { return "" }
func libraryBuildInfo() string { return "" }
func libraryVariables() string { return "" }

func engineNew(Options) (h engineHandle, err error)                       { return h, ErrNotBuilt }
func engineFree(engineHandle)                                             {}
func engineShutdown(engineHandle, uint64)                                 {}
func enginePreload(engineHandle, CircuitID) (bool, error)                 { return false, ErrNotBuilt }
func engineEvict(engineHandle, CircuitID) (uint64, error)                 { return 0, ErrNotBuilt }
func engineCheck(engineHandle, CircuitID) error                           { return ErrNotBuilt }
func engineStatus(engineHandle) (string, error)                           { return "", ErrNotBuilt }
func submit(engineHandle, *request) (h jobHandle, err error)              { return h, ErrNotBuilt }
func jobNextEvent(jobHandle) (Event, bool)                                { return Event{}, false }
func jobWait(jobHandle) (*Proof, error)                                   { return nil, ErrNotBuilt }
func jobCancel(jobHandle)                                                 {}
func jobFree(jobHandle)                                                   {}
func verify(engineHandle, *request, []byte) (bool, error)                 { return false, ErrNotBuilt }
func srsLoad(string, SRSOptions) (h srsHandle, err error)                 { return h, ErrNotBuilt }
func srsInfo(srsHandle) (SRSInfo, error)                                  { return SRSInfo{}, ErrNotBuilt }
func srsEvict(srsHandle) error                                            { return ErrNotBuilt }
func srsKey(srsHandle) (h keyHandle, err error)                           { return h, ErrNotBuilt }
func srsFree(srsHandle)                                                   {}
func keyLoad(string) (h keyHandle, err error)                             { return h, ErrNotBuilt }
func keyInputs(keyHandle) int                                             { return 0 }
func keyVerify(keyHandle, []Scalar, []byte) (bool, error)                 { return false, ErrNotBuilt }
func keyFree(keyHandle)                                                   {}
func logSubscribe(int) error                                              { return ErrNotBuilt }
func logNext(time.Duration) (line string, ok bool)                        { return "", false }
func proveCircuits(srsHandle, []Assignment, ProveOptions) (*Proof, error) { return nil, ErrNotBuilt }
