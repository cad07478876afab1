package worker

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	var passed, logged bytes.Buffer
	o := &output{to: &passed, logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})), pid: func() int { return 7 }}
	text := "2026-01-01T00:00:00 ERROR x > y\n\nplain\r\n2026 WARN w\n2026 TRACE t\n" + strings.Repeat("é", lineSize) + "\nlast"
	for i := 0; i < len(text); i += 3 {
		if n, err := o.Write([]byte(text[i:min(i+3, len(text))])); n == 0 || err != nil {
			t.Fatal(n, err)
		}
	}
	o.end()
	if passed.String() != text {
		t.Error("other bytes were passed on")
	}
	for _, line := range []string{
		`level=ERROR msg="2026-01-01T00:00:00 ERROR x > y" pid=7`, `level=INFO msg=plain pid=7`, `level=WARN msg="2026 WARN w"`,
		`level=DEBUG msg="2026 TRACE t"`, `msg=last`,
	} {
		if !strings.Contains(logged.String(), line+"\n") && !strings.Contains(logged.String(), line+" pid=7\n") {
			t.Error(line)
		}
	}
	if tail := o.tail(); !strings.HasSuffix(tail, "é\nlast") || len(tail) > tailSize {
		t.Error(tail)
	}
	trace := "panic: the reason\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:1\n" + strings.Repeat("r15 0x0\n", 10000)
	_, _ = o.Write([]byte("\n" + trace))
	if tail := o.tail(); !strings.HasSuffix(tail, "panic: the reason") {
		t.Error(tail)
	}
}
