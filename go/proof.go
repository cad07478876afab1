package c2prover

import (
	"encoding/json"
	"fmt"
)

// Proof is a finished proof and where its time went.
type Proof struct {
	Bytes   []byte // 192 for each circuit, in order
	Timings Timings
	// ReportJSON has phases, lanes, unaccounted time, overlap and the critical path; see [Proof.Report].
	ReportJSON json.RawMessage
	// TraceJSON is all spans as a Chrome trace, for Perfetto or chrome://tracing.
	TraceJSON json.RawMessage
}

// Report is ReportJSON, read.
func (p *Proof) Report() (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(p.ReportJSON, r); err != nil {
		return nil, fmt.Errorf("c2prover: report: %w", err)
	}
	return r, nil
}
