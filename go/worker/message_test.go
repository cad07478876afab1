package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"reflect"
	"testing"

	c2prover "github.com/c2prover/c2prover/go"
)

// fill gives every field of a struct a value that is not zero, so that one which is not carried shows, also if it is new.
func fill(v reflect.Value, seed int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			fill(v.Field(i), seed+i)
		}
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			fill(v.Index(i), seed+i)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := 0; i < 3; i++ {
			fill(v.Index(i), seed+i)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", seed))
	case reflect.Float64:
		v.SetFloat(1.5 + float64(seed))
	case reflect.Uint8:
		v.SetUint(uint64(200 + seed%50))
	case reflect.Uint, reflect.Uint32:
		v.SetUint(1<<32 - 1 - uint64(seed))
	case reflect.Uint64:
		v.SetUint(1<<64 - 1 - uint64(seed))
	case reflect.Int32:
		v.SetInt(-1<<31 + int64(seed))
	case reflect.Int, reflect.Int64:
		v.SetInt(-1<<63 + int64(seed))
	default:
		panic(v.Kind())
	}
}

func filled[T any]() (value T) {
	fill(reflect.ValueOf(&value).Elem(), 1)
	return value
}

func TestRequestsAreCarriedWhole(t *testing.T) {
	options, proof := filled[Options](), []byte("a proof")
	porep, update := filled[c2prover.PoRep](), filled[c2prover.SectorUpdate]()
	for _, r := range []c2prover.Request{
		porep, update, filled[c2prover.WinningPoSt](), filled[c2prover.WindowPoSt](), c2prover.PoRep{}, c2prover.WindowPoSt{}, &porep, &update,
	} {
		expected := r
		if v := reflect.ValueOf(r); v.Kind() == reflect.Pointer {
			expected = v.Elem().Interface().(c2prover.Request)
		}
		for _, verify := range []bool{false, true} {
			var proofs [][]byte
			if verify {
				proofs = [][]byte{proof}
			}
			parts := must(packRequest(r, options, proofs...))(t)
			got, o, p, err := unpackRequest(bytes.Join(parts, nil), verify)
			if err != nil {
				t.Fatal(err)
			}
			if u, ok := got.(c2prover.WindowPoSt); ok && len(u.Vanilla) == 0 {
				u.Vanilla = nil
				got = u
			}
			if !reflect.DeepEqual(got, expected) || o != options || verify != bytes.Equal(p, proof) {
				t.Errorf("%+v became %+v, %+v, %q", r, got, o, p)
			}
		}
	}
	if !reflect.DeepEqual(porep, filled[c2prover.PoRep]()) {
		t.Error("the caller's request was changed")
	}
	type disguise struct{ c2prover.PoRep }
	for _, r := range []c2prover.Request{(*c2prover.PoRep)(nil), disguise{}, nil} {
		if _, err := packRequest(r, options); !errors.Is(err, c2prover.ErrInvalidArgument) {
			t.Errorf("%T: %v", r, err)
		}
	}
}

func TestBlobsAreRaw(t *testing.T) {
	blob := bytes.Repeat([]byte{0, 0xff, '"'}, 1000)
	parts := must(packRequest(c2prover.WinningPoSt{Vanilla: [][]byte{blob}}, Options{}))(t)
	if all := bytes.Join(parts, nil); !bytes.Contains(all, blob) || len(all) > len(blob)+1000 {
		t.Errorf("%d bytes for %d", len(all), len(blob))
	}
}

func TestAnswersAreCarriedWhole(t *testing.T) {
	proof := filled[c2prover.Proof]()
	a := must(answerProof(&proof))(t)
	r := must(readResult(a.kind, bytes.Join(a.parts, nil)))(t)
	if r.err != nil || !reflect.DeepEqual(*r.proof, proof) {
		t.Errorf("%+v became %+v", proof, r.proof)
	}
	a = must(answerProof(&c2prover.Proof{}))(t)
	if r = must(readResult(a.kind, bytes.Join(a.parts, nil)))(t); !reflect.DeepEqual(*r.proof, c2prover.Proof{}) {
		t.Errorf("%+v", r.proof)
	}
	for _, holds := range []bool{true, false} {
		a := must(answerVerdict(holds))(t)
		if r := must(readResult(a.kind, bytes.Join(a.parts, nil)))(t); r.err != nil || r.holds != holds {
			t.Errorf("%+v", r)
		}
	}
}

func carry(t *testing.T, err error) error {
	t.Helper()
	a := answerFailure(err)
	return must(readResult(a.kind, bytes.Join(a.parts, nil)))(t).err
}

func TestErrorsAreCarriedWhole(t *testing.T) {
	full, limit := filled[c2prover.Error](), &LimitError{What: "x", Value: 1 << 40, Limit: 3}
	full.Status = c2prover.ErrParamsMissing
	unknown := full
	unknown.Status = 12345
	for _, err := range []error{
		&full, &unknown, c2prover.ErrParamsMissing, c2prover.Status(12345), c2prover.ErrClosed, c2prover.ErrNotBuilt,
		context.Canceled, context.DeadlineExceeded, limit, protocolError("y"),
	} {
		if got := carry(t, err); !reflect.DeepEqual(got, err) {
			t.Errorf("%#v became %#v", err, got)
		}
		// Wrapped, it is found, and the text is whole.
		wrapped := fmt.Errorf("sector 7: %w", err)
		got := carry(t, wrapped)
		if got.Error() != wrapped.Error() || !errors.Is(got, c2prover.ErrParamsMissing) != !errors.Is(err, c2prover.ErrParamsMissing) {
			t.Errorf("%#v became %#v", wrapped, got)
		}
		if _, isError := err.(*c2prover.Error); isError {
			var e *c2prover.Error
			if !errors.As(got, &e) || !reflect.DeepEqual(e, err) {
				t.Errorf("%#v became %#v", wrapped, got)
			}
		} else if reflect.TypeOf(err).Comparable() && err != limit && !errors.Is(err, ErrProtocol) && !errors.Is(got, err) {
			t.Errorf("%#v is not in %#v", err, got)
		}
	}
	if got := carry(t, io.ErrShortBuffer); got.Error() != io.ErrShortBuffer.Error() || errors.Unwrap(got) != nil {
		t.Error(got)
	}
	both := carry(t, errors.Join(context.Canceled, &full))
	if !errors.Is(both, context.Canceled) || !errors.Is(both, c2prover.ErrParamsMissing) || errors.Is(both, context.DeadlineExceeded) {
		t.Errorf("%#v", both)
	}
}

// Whatever the bytes, reading them is an error or a value, and no panic and no great allocation.
func TestChangedMessages(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	request := bytes.Join(must(packRequest(filled[c2prover.WindowPoSt](), Options{}, []byte("proof")))(t), nil)
	proof := filled[c2prover.Proof]()
	answer := bytes.Join(must(answerProof(&proof))(t).parts, nil)
	for _, whole := range [][]byte{request, answer} {
		for n := 0; n < len(whole); n++ {
			if _, _, _, err := unpackRequest(whole[:n], true); err == nil {
				t.Fatal("a request that was cut is read")
			}
			if _, err := readResult(kindProof, whole[:n]); err == nil {
				t.Fatal("an answer that was cut is read")
			}
		}
		for i := 0; i < 20000; i++ {
			b := bytes.Clone(whole)
			for n := 0; n <= i%3; n++ {
				b[random.Intn(len(b))] = byte(random.Intn(256))
			}
			_, _, _, _ = unpackRequest(b, i%2 == 0)
			for kind := byte(0); kind < 7; kind++ {
				_, _ = readResult(kind, b)
			}
		}
	}
}
