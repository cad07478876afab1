package worker

import (
	"context"
	"encoding/json"
	"errors"

	c2prover "github.com/c2prover/c2prover/go"
)

// failure is an error on its way: its text, and every type in it that a caller may ask for.
type failure struct {
	Text   string           `json:"text"`
	Names  []string         `json:"names,omitempty"`
	Status *c2prover.Status `json:"status,omitempty"`
	Error  *c2prover.Error  `json:"error,omitempty"`
	Limit  *LimitError      `json:"limit,omitempty"`
	Broken *ProtocolError   `json:"broken,omitempty"`
}

// named are the errors without fields.
var named = []struct {
	name string
	err  error
}{
	{"canceled", context.Canceled},
	{"deadline", context.DeadlineExceeded},
	{"closed", c2prover.ErrClosed},
	{"not-built", c2prover.ErrNotBuilt},
}

func failureOf(err error) []byte {
	f := failure{Text: err.Error()}
	for _, n := range named {
		if errors.Is(err, n.err) {
			f.Names = append(f.Names, n.name)
		}
	}
	var status c2prover.Status
	if !errors.As(err, &f.Error) && errors.As(err, &status) {
		f.Status = &status
	}
	errors.As(err, &f.Limit)
	errors.As(err, &f.Broken)
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings and integers
	}
	return text
}

// err is the error again: the very one if it was nothing else, so that == holds where it held.
func (f failure) err() error {
	var causes []error
	for _, n := range named {
		for _, name := range f.Names {
			if name == n.name {
				causes = append(causes, n.err)
			}
		}
	}
	if f.Error != nil {
		causes = append(causes, f.Error)
	}
	if f.Status != nil {
		causes = append(causes, *f.Status)
	}
	if f.Limit != nil {
		causes = append(causes, f.Limit)
	}
	if f.Broken != nil {
		causes = append(causes, f.Broken)
	}
	if len(causes) == 1 && causes[0].Error() == f.Text {
		return causes[0]
	}
	return &remoteError{text: f.Text, causes: causes}
}

// remoteError is an error of the worker that wraps others.
type remoteError struct {
	text   string
	causes []error
}

func (e *remoteError) Error() string   { return e.text }
func (e *remoteError) Unwrap() []error { return e.causes }
