package worker

import (
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

// Options are those of one proof. The zero value is the default.
type Options struct {
	RequestID      string            `json:"request_id,omitempty"` // names the proof in log lines, report and trace
	Priority       c2prover.Priority `json:"priority,omitempty"`   // 0: as the kind of proof has it
	Timeout        time.Duration     `json:"timeout_ns,omitempty"` // ends the proof with ErrTimedOut; 0: no limit
	SkipSelfVerify bool              `json:"skip_self_verify,omitempty"`
}

// callOptions are the options as an engine takes them.
func callOptions(o Options) (all []c2prover.CallOption) {
	if o.RequestID != "" {
		all = append(all, c2prover.WithRequestID(o.RequestID))
	}
	if o.Priority != 0 {
		all = append(all, c2prover.WithPriority(o.Priority))
	}
	if o.Timeout != 0 {
		all = append(all, c2prover.WithTimeout(o.Timeout))
	}
	if o.SkipSelfVerify {
		all = append(all, c2prover.WithoutSelfVerify())
	}
	return all
}
