//go:build cgo

package c2prover

// #include "c2prover.h"
import "C"

// checkABI refers to a symbol that only a library of this interface version has, so that a program does not link with
// another; and it compares the number that the library loaded at run time gives.
func checkABI() error {
	C.c2p_abi_v1()
	if got := C.c2p_abi_version(); got != C.C2P_ABI_VERSION {
		return newError(ErrUnsupported, "libc2prover %s has interface version %d, this package needs %d", libraryVersion(), got, C.C2P_ABI_VERSION)
	}
	return nil
}

func libraryVersion() string { return C.GoString(C.c2p_version()) }

func libraryBuildInfo() string { return C.GoString(C.c2p_build_info()) }

func libraryVariables() string { return C.GoString(C.c2p_variables()) }
