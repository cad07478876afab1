package c2prover

// Report is everything known of where a job's time went. Times are microseconds.
type Report struct {
	Schema        int               `json:"schema"`         // version of this layout
	Job           string            `json:"job"`            // the name in log lines
	Kind          string            `json:"kind"`           // what was proved: circuit, porep, …
	Status        string            `json:"status"`         // name of the outcome
	BeganUnixUS   int64             `json:"began_unix_us"`  // when the job began, since 1970
	WallUS        int64             `json:"wall_us"`        // from the beginning of the call to its end
	UnaccountedUS int64             `json:"unaccounted_us"` // wall time that belongs to nobody
	Overlap       *float64          `json:"overlap"`        // as in Timings; nil if nothing ran beside the caller
	Phases        []PhaseTotals     `json:"phases"`         // in order of first appearance
	Lanes         []LaneTotals      `json:"lanes"`          // what ran beside one another
	CriticalPath  []PathStep        `json:"critical_path"`  // the chain of spans that decided the wall time
	Notes         map[string]string `json:"notes"`          // facts that explain the figures
}

// PhaseTotals are the spans of one phase on one lane, added up.
type PhaseTotals struct {
	Phase      string `json:"phase"`
	Lane       string `json:"lane"`
	Kind       string `json:"kind"` // work, wait or join
	Spans      int    `json:"spans"`
	TotalUS    int64  `json:"total_us"`
	CriticalUS int64  `json:"critical_us"` // the part of it that lies on the critical path
}

// LaneTotals are what one lane did between its first span and its last.
type LaneTotals struct {
	Lane   string `json:"lane"`
	WorkUS int64  `json:"work_us"`
	WaitUS int64  `json:"wait_us"`
	JoinUS int64  `json:"join_us"`
	GapUS  int64  `json:"gap_us"` // without any span
}

// PathStep is one step of the critical path; the phase "unaccounted" is a gap on it.
type PathStep struct {
	Phase string `json:"phase"`
	Lane  string `json:"lane"`
	US    int64  `json:"us"`
}
