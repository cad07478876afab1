package c2prover

import "context"

// call runs f, which uses the handle that l counts, and returns when f or ctx ends. In the latter case f runs out in the
// background: it must own what it reads.
func call[T any](ctx context.Context, l *lease, f func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := l.begin(); err != nil {
		return none, err
	}
	if ctx.Done() == nil {
		defer l.end()
		return f()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer l.end()
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
