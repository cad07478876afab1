package curio

import (
	"fmt"

	c2prover "github.com/c2prover/c2prover/go"
	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// Commitments are CIDs of the kinds that the multicodec table lists: fil-commitment-sealed over a Poseidon hash, and
// fil-commitment-unsealed over a SHA-256 hash whose two highest bits are cleared.
const (
	unsealedCodec = 0xf101
	sealedCodec   = 0xf102
	sha256Trunc   = 0x1012
	poseidon      = 0xb401
)

func replica(name string, c cid.Cid) ([32]byte, error) {
	return commitment(name, c, sealedCodec, poseidon)
}
func data(name string, c cid.Cid) ([32]byte, error) {
	return commitment(name, c, unsealedCodec, sha256Trunc)
}

// commitment is the 32 bytes in a CID of the given kind. A commitment of the other kind would make a proof that does not
// verify, minutes later.
func commitment(name string, c cid.Cid, codec, hash uint64) (raw [32]byte, err error) {
	if !c.Defined() {
		return raw, refused("%s is no CID", name)
	}
	if got := c.Type(); got != codec {
		return raw, refused("%s is %s of codec %#x, expected %#x", name, c, got, codec)
	}
	decoded, err := multihash.Decode(c.Hash())
	if err != nil {
		return raw, refused("%s is %s: %v", name, c, err)
	}
	if decoded.Code != hash {
		return raw, refused("%s is %s of hash %#x, expected %#x", name, c, decoded.Code, hash)
	}
	return array(name, decoded.Digest)
}

// array is 32 bytes as they are: never padded, never cut.
func array(name string, bytes []byte) (a [32]byte, err error) {
	if len(bytes) != len(a) {
		return a, refused("%s has %d bytes, expected %d", name, len(bytes), len(a))
	}
	return [32]byte(bytes), nil
}

func refused(format string, args ...any) error {
	return &c2prover.Error{
		Status: c2prover.ErrInvalidArgument, Name: c2prover.ErrInvalidArgument.String(), Message: fmt.Sprintf(format, args...),
		Index: -1, Circuit: -1, Offset: -1,
	}
}
