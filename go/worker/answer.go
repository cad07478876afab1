package worker

import (
	"bytes"
	"encoding/json"

	c2prover "github.com/c2prover/c2prover/go"
)

// An answer is the kind of its message and the message's parts.
type answer struct {
	kind  byte
	parts [][]byte
}

func answerProof(p *c2prover.Proof) (answer, error) {
	small := *p
	small.Bytes, small.ReportJSON, small.TraceJSON = nil, nil, nil
	parts, err := pack(small, p.Bytes, p.ReportJSON, p.TraceJSON)
	return answer{kindProof, parts}, err
}

func answerVerdict(holds bool) (answer, error) {
	parts, err := pack(holds)
	return answer{kindVerdict, parts}, err
}

func answerFailure(err error) answer {
	parts, err := pack(json.RawMessage(failureOf(err)))
	if err != nil {
		panic(err) // failureOf made JSON
	}
	return answer{kindFailure, parts}
}

// result is an answer that was read.
type result struct {
	proof *c2prover.Proof
	holds bool
	err   error
}

func readResult(kind byte, b []byte) (r result, err error) {
	switch kind {
	case kindProof:
		r.proof = new(c2prover.Proof)
		blobs, err := unpack(b, r.proof)
		if err == nil && len(blobs) != 3 {
			err = protocolError("a proof with %d blobs", len(blobs))
		}
		if err != nil {
			return r, err
		}
		// The proof's bytes may be kept for long, and must not keep the trace alive.
		r.proof.Bytes, r.proof.ReportJSON, r.proof.TraceJSON = bytes.Clone(blobs[0]), blobs[1], blobs[2]
	case kindVerdict:
		_, err = unpack(b, &r.holds)
	case kindFailure:
		var f failure
		_, err = unpack(b, &f)
		r.err = f.err()
	default:
		err = protocolError("an answer of kind %d", kind)
	}
	return r, err
}
