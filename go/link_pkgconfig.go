//go:build cgo && c2prover_pkgconfig

package c2prover

// #cgo pkg-config: c2prover
import "C"
