package c2prover

// CallOption changes one proof of an [Engine].
type CallOption func(*request)

// WithRequestID names the proof in log lines, report and trace. Without it a name is made up.
func WithRequestID(id string) CallOption { return func(r *request) { r.id = id } }

// WithoutSelfVerify returns the proof without verifying it first. Only for callers who verify it themselves.
func WithoutSelfVerify() CallOption { return func(r *request) { r.skipSelfVerify = true } }
