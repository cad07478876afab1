package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
)

// ErrTaken is the error of [Listen] when somebody answers at the path already.
var ErrTaken = errors.New("worker: the socket is taken")

// Listen makes a socket that only this user can open. One that a dead worker left behind is removed; a living one is not,
// nor is a file of another kind.
func Listen(ctx context.Context, path string) (net.Listener, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("worker: %s is no socket", path)
	default:
		dialer := net.Dialer{Timeout: helloTime / 2}
		conn, err := dialer.DialContext(ctx, "unix", path)
		if err == nil {
			conn.Close()
			return nil, fmt.Errorf("%w: %s", ErrTaken, path)
		}
		// Only a refusal says that nobody is there; a queue that is full is somebody's.
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, fmt.Errorf("%w: %s: %w", ErrTaken, path, err)
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	// The mask belongs to the whole process, so it is left alone here. Where it lets others in, only the folder keeps them
	// out until the mode is set.
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
