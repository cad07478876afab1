package c2prover

import (
	"log/slog"
	"testing"
	"time"
)

func TestLogRecords(t *testing.T) {
	attrs := func(r slog.Record) map[string]any {
		m := map[string]any{}
		r.Attrs(func(a slog.Attr) bool { m[a.Key] = a.Value.Any(); return true })
		return m
	}
	r := logRecord(`{"ts":"2026-09-13T12:34:56.789","level":"INFO","target":"c2prover::phase","message":"job=42 phase=gpu.msm.h dur_us=41230 overlap=1.25 backend=cpu threads=2 note=a b c"}`)
	expected := map[string]any{
		"target": "c2prover::phase", "job": "42", "phase": "gpu.msm.h", "dur_us": int64(41230), "overlap": 1.25,
		"backend": "cpu", "threads": int64(2), "note": "a b c",
	}
	got := attrs(r)
	for key, value := range expected {
		if got[key] != value {
			t.Errorf("%s is %v", key, got[key])
		}
	}
	if len(got) != len(expected) || r.Message != "c2prover::phase" || r.Level != slog.LevelInfo {
		t.Errorf("%v %s %v", got, r.Message, r.Level)
	}
	if !r.Time.Equal(time.Date(2026, 9, 13, 12, 34, 56, 789_000_000, time.UTC)) {
		t.Error(r.Time)
	}
	r = logRecord(`{"ts":"","level":"TRACE","target":"x","message":"synthesis time: a=b"}`)
	if r.Message != "synthesis time: a=b" || r.Level != LevelTrace || len(attrs(r)) != 1 {
		t.Errorf("%+v", r)
	}
	if r = logRecord("no JSON"); r.Message != "no JSON" || r.Level != slog.LevelWarn {
		t.Errorf("%+v", r)
	}
}
