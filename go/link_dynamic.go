//go:build cgo && c2prover_dynamic && !c2prover_pkgconfig

package c2prover

// #cgo LDFLAGS: -L${SRCDIR}/lib -lc2prover -Wl,-rpath,${SRCDIR}/lib
import "C"
