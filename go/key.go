package c2prover

import (
	"context"
	"runtime"
)

// Key is what a verifier needs of one circuit's parameters. Any number of goroutines may use it at once. Close it.
type Key struct {
	handle keyHandle
	lease  *lease
}

func newKey(handle keyHandle, err error) (*Key, error) {
	if err != nil {
		return nil, err
	}
	k := &Key{handle: handle, lease: newLease(func() { keyFree(handle) })}
	runtime.SetFinalizer(k, func(k *Key) { k.lease.close() })
	return k, nil
}

// LoadKey reads a verifying key (.vk), which is the head of a parameter file.
func LoadKey(path string) (*Key, error) { return newKey(keyLoad(path)) }

// Close frees the key. It may be called more than once.
func (k *Key) Close() error {
	<-k.lease.close()
	return nil
}

// Inputs is the number of public inputs, the leading one not counted.
func (k *Key) Inputs() (int, error) {
	return call(context.Background(), k.lease, func() (int, error) { return keyInputs(k.handle), nil })
}

// VerifyCircuit tells whether a circuit's proof of 192 bytes holds for its public inputs, given without the leading one.
// Bytes that are no proof do not hold.
func (k *Key) VerifyCircuit(inputs []Scalar, proof []byte) (bool, error) {
	return call(context.Background(), k.lease, func() (bool, error) { return keyVerify(k.handle, inputs, proof) })
}
