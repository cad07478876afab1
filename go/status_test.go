//go:build cgo

package c2prover

import (
	"errors"
	"fmt"
	"testing"
)

func TestStatusNamesAreTheLibrarys(t *testing.T) {
	for n := int32(-10); n < 10_000; n++ {
		s := Status(n)
		name, known := statusNames[s]
		switch library := libraryStatusName(s); {
		case n == 0:
			if library != "OK" || known {
				t.Error("0 is no error")
			}
		case library == "UNKNOWN":
			if known {
				t.Errorf("%d %s: the library does not know it", n, name)
			}
		case library != name:
			t.Errorf("%d: %q here, %q in the library", n, name, library)
		}
	}
}

func TestErrorsAreToldApart(t *testing.T) {
	var err error = fmt.Errorf("sector 7: %w", newError(ErrParamsMissing, "no such file"))
	if !errors.Is(err, ErrParamsMissing) || errors.Is(err, ErrParamsEmpty) {
		t.Error("errors.Is")
	}
	var e *Error
	if !errors.As(err, &e) || e.Index != -1 || e.Circuit != -1 || e.Offset != -1 {
		t.Errorf("errors.As: %+v", e)
	}
	if got := err.Error(); got != "sector 7: c2prover: PARAMS_MISSING: no such file" {
		t.Error(got)
	}
	var s Status
	if !errors.As(err, &s) || s != ErrParamsMissing {
		t.Error("the status is an error of its own")
	}
	if got := Status(77).Error(); got != "c2prover: STATUS_77" {
		t.Error(got)
	}
}

func TestErrorsHaveTheLibrarysNameOfUnknownStatuses(t *testing.T) {
	// As a later library would return it.
	err := failure(77, nil)
	var e *Error
	if !errors.As(err, &e) || e.Status != 77 || e.Name != "UNKNOWN" {
		t.Errorf("%+v", err)
	}
}
