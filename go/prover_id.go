package c2prover

import "encoding/binary"

// ProverID is an actor's prover id: the payload of its ID address, an unsigned varint, padded with zeros.
func ProverID(actor uint64) (id [32]byte) {
	binary.PutUvarint(id[:], actor)
	return id
}
