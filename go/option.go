package c2prover

import "time"

// CallOption changes one proof of an [Engine].
type CallOption func(*request)

// WithRequestID names the proof in log lines, report and trace. Without it a name is made up.
func WithRequestID(id string) CallOption { return func(r *request) { r.id = id } }

// WithoutSelfVerify returns the proof without verifying it first. Only for callers who verify it themselves.
func WithoutSelfVerify() CallOption { return func(r *request) { r.skipSelfVerify = true } }

// WithPriority says what goes first; without it a WinningPoSt is [Critical], a WindowPoSt [High], all else [Normal].
func WithPriority(p Priority) CallOption { return func(r *request) { r.priority = p } }

// WithTimeout ends the proof, with [ErrTimedOut], when so much time has passed since it was asked for.
func WithTimeout(d time.Duration) CallOption { return func(r *request) { r.timeout = d } }
