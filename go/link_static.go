//go:build cgo && !c2prover_dynamic && !c2prover_pkgconfig

package c2prover

// The archive by its path: -lc2prover would take the shared library beside it.

// #cgo LDFLAGS: ${SRCDIR}/lib/libc2prover.a -lm -ldl -lrt -lpthread
import "C"
