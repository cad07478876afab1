package worker

import (
	"encoding/json"
	"fmt"

	c2prover "github.com/c2prover/c2prover/go"
)

// requestHead is everything of a request that is small. The fields of Request are those of the package c2prover, without the
// ones that became blobs.
type requestHead struct {
	Type    string          `json:"type"`
	Request json.RawMessage `json:"request"`
	Options Options         `json:"options"`
}

// packRequest is the message of a request. The proof is that which is to be verified, and the last blob.
func packRequest(r c2prover.Request, o Options, proof ...[]byte) ([][]byte, error) {
	var name string
	var small any
	var blobs [][]byte
	switch r := r.(type) {
	case c2prover.PoRep:
		blobs, r.C1 = [][]byte{r.C1}, nil
		name, small = "porep", r
	case c2prover.WinningPoSt:
		blobs, r.Vanilla = r.Vanilla, nil
		name, small = "winning-post", r
	case c2prover.WindowPoSt:
		blobs, r.Vanilla = r.Vanilla, nil
		name, small = "window-post", r
	case c2prover.SectorUpdate:
		blobs, r.Vanilla = r.Vanilla, nil
		name, small = "sector-update", r
	case *c2prover.PoRep:
		return packPointer(r, o, proof)
	case *c2prover.WinningPoSt:
		return packPointer(r, o, proof)
	case *c2prover.WindowPoSt:
		return packPointer(r, o, proof)
	case *c2prover.SectorUpdate:
		return packPointer(r, o, proof)
	default:
		return nil, invalid("a worker knows no request of type %T", r)
	}
	text, err := json.Marshal(small)
	if err != nil {
		return nil, err
	}
	// Not append: the caller's array may have room behind its end.
	all := make([][]byte, 0, len(blobs)+len(proof))
	all = append(append(all, blobs...), proof...)
	return pack(requestHead{Type: name, Request: text, Options: o}, all...)
}

func packPointer[R c2prover.PoRep | c2prover.WinningPoSt | c2prover.WindowPoSt | c2prover.SectorUpdate](r *R, o Options, proof [][]byte) ([][]byte, error) {
	if r == nil {
		return nil, invalid("a request that is nil")
	}
	return packRequest(any(*r).(c2prover.Request), o, proof...)
}

// unpackRequest reads what packRequest made; with verify there is a proof behind the request's own blobs.
func unpackRequest(b []byte, verify bool) (r c2prover.Request, o Options, proof []byte, err error) {
	var head requestHead
	blobs, err := unpack(b, &head)
	if err != nil {
		return nil, o, nil, err
	}
	if verify {
		if len(blobs) == 0 {
			return nil, o, nil, protocolError("no proof to verify")
		}
		proof, blobs = blobs[len(blobs)-1], blobs[:len(blobs)-1]
	}
	switch head.Type {
	case "porep":
		var p c2prover.PoRep
		if err = read(head.Request, &p); err == nil && len(blobs) != 1 {
			err = protocolError("a PoRep with %d blobs", len(blobs))
		} else if err == nil {
			p.C1 = blobs[0]
		}
		r = p
	case "winning-post":
		var p c2prover.WinningPoSt
		err = read(head.Request, &p)
		p.Vanilla = blobs
		r = p
	case "window-post":
		var p c2prover.WindowPoSt
		err = read(head.Request, &p)
		p.Vanilla = blobs
		r = p
	case "sector-update":
		var u c2prover.SectorUpdate
		err = read(head.Request, &u)
		u.Vanilla = blobs
		r = u
	default:
		err = invalid("this worker knows no request of type %q", head.Type)
	}
	return r, head.Options, proof, err
}

func read(text json.RawMessage, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return protocolError("request: %v", err)
	}
	return nil
}

// invalid is an error like those that the package c2prover finds before it calls the library.
func invalid(format string, args ...any) *c2prover.Error {
	status := c2prover.ErrInvalidArgument
	return &c2prover.Error{
		Status: status, Name: status.String(), Message: fmt.Sprintf(format, args...),
		Index: -1, Circuit: -1, Offset: -1,
	}
}
