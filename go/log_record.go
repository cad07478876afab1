package c2prover

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// logRecord reads a line of the library: a JSON object with ts, level, target and message.
func logRecord(line string) slog.Record {
	var l struct{ TS, Level, Target, Message string }
	if err := json.Unmarshal([]byte(line), &l); err != nil {
		return slog.NewRecord(time.Now(), slog.LevelWarn, line, 0)
	}
	at, err := time.Parse("2006-01-02T15:04:05.999", l.TS)
	if err != nil {
		at = time.Now()
	}
	message, pairs := l.Message, logPairs(l.Message)
	if len(pairs) > 0 {
		message = l.Target
	}
	record := slog.NewRecord(at, slogLevel(l.Level), message, 0)
	record.AddAttrs(slog.String("target", l.Target))
	record.AddAttrs(pairs...)
	return record
}

func slogLevel(name string) slog.Level {
	switch name {
	case "ERROR":
		return slog.LevelError
	case "WARN":
		return slog.LevelWarn
	case "INFO":
		return slog.LevelInfo
	case "DEBUG":
		return slog.LevelDebug
	default:
		return LevelTrace
	}
}

// logPairs splits "key=value key=value"; a word without "=" belongs to the value before it. It is nil for text that does
// not begin with a pair.
func logPairs(message string) []slog.Attr {
	var keys, values []string
	for _, word := range strings.Fields(message) {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok && isKey(key):
			keys, values = append(keys, key), append(values, value)
		case len(keys) == 0:
			return nil
		default:
			values[len(values)-1] += " " + word
		}
	}
	attrs := make([]slog.Attr, len(keys))
	for i, key := range keys {
		attrs[i] = slog.Attr{Key: key, Value: logValue(key, values[i])}
	}
	return attrs
}

func isKey(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '_' || c == '.')) {
			return false
		}
	}
	return s != ""
}

// logValue is a number where the text is one; a job's name is text even if it looks like one.
func logValue(key, s string) slog.Value {
	if key == "job" {
		return slog.StringValue(s)
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return slog.Int64Value(n)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return slog.Float64Value(f)
	}
	return slog.StringValue(s)
}
