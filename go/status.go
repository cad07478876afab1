package c2prover

import "fmt"

// Status is the outcome of a call as a number of the library. The numbers are fixed; later versions of the library may
// return ones that are not named here. A Status is itself an error, to be compared with errors.Is.
type Status int32

// What errors.Is compares with. The names are those of the C header.
const (
	ErrInvalidArgument   Status = 1  // an argument breaks the contract of the function
	ErrUnsupported       Status = 2  // known, but not offered by this build or version
	ErrBadInput          Status = 3  // a C1 output or vanilla proof cannot be read or does not verify
	ErrBadAssignment     Status = 4  // a size, popcount or density of the assignment is wrong
	ErrBadScalar         Status = 5  // a scalar is not canonical, or the first input is not one
	ErrParamsMissing     Status = 10 // the parameter file does not exist
	ErrParamsUnreadable  Status = 11 // the parameter file cannot be read
	ErrParamsEmpty       Status = 12 // the parameter file is empty
	ErrParamsTruncated   Status = 13 // the parameter file ends before its last section does
	ErrParamsTrailing    Status = 14 // the parameter file goes on after its last section
	ErrParamsPoint       Status = 15 // a point of the parameter file is not a usable group element
	ErrParamsMismatch    Status = 16 // the parameters belong to another circuit
	ErrParamsChanged     Status = 17 // the parameter file changed while it was read
	ErrParamsDigest      Status = 18 // the parameter file is not the official one
	ErrNoDevice          Status = 20 // a GPU was demanded and there is none this build can use
	ErrDeviceOutOfMemory Status = 23 // device memory ran out
	ErrDeviceFault       Status = 24 // the GPU or its driver failed; the process should be restarted
	ErrHostOutOfMemory   Status = 30 // host memory ran out
	ErrEntropy           Status = 31 // the kernel gave no randomness
	ErrProofInvalid      Status = 40 // the proof failed its own verification
	ErrUnsatisfied       Status = 41 // a row of a b = c does not hold
	ErrCancelled         Status = 50 // the job was cancelled
	ErrTimedOut          Status = 51 // the job's own time limit passed
	ErrQueueFull         Status = 52 // the engine's queue is full
	ErrShutDown          Status = 53 // the engine is shut down
	ErrPending           Status = 54 // the job goes on: the time to wait for it passed
	ErrPanic             Status = 90 // a panic was caught at the boundary: a fault of the library
	ErrInternal          Status = 99 // an internal contract was broken: a fault of the library
)

var statusNames = map[Status]string{
	ErrInvalidArgument:   "INVALID_ARGUMENT",
	ErrUnsupported:       "UNSUPPORTED",
	ErrBadInput:          "BAD_INPUT",
	ErrBadAssignment:     "BAD_ASSIGNMENT",
	ErrBadScalar:         "BAD_SCALAR",
	ErrParamsMissing:     "PARAMS_MISSING",
	ErrParamsUnreadable:  "PARAMS_UNREADABLE",
	ErrParamsEmpty:       "PARAMS_EMPTY",
	ErrParamsTruncated:   "PARAMS_TRUNCATED",
	ErrParamsTrailing:    "PARAMS_TRAILING",
	ErrParamsPoint:       "PARAMS_POINT",
	ErrParamsMismatch:    "PARAMS_MISMATCH",
	ErrParamsChanged:     "PARAMS_CHANGED",
	ErrParamsDigest:      "PARAMS_DIGEST",
	ErrNoDevice:          "NO_DEVICE",
	ErrDeviceOutOfMemory: "DEVICE_OUT_OF_MEMORY",
	ErrDeviceFault:       "DEVICE_FAULT",
	ErrHostOutOfMemory:   "HOST_OUT_OF_MEMORY",
	ErrEntropy:           "ENTROPY",
	ErrProofInvalid:      "PROOF_INVALID",
	ErrUnsatisfied:       "UNSATISFIED",
	ErrCancelled:         "CANCELLED",
	ErrTimedOut:          "TIMED_OUT",
	ErrQueueFull:         "QUEUE_FULL",
	ErrShutDown:          "CLOSED",
	ErrPending:           "PENDING",
	ErrPanic:             "PANIC",
	ErrInternal:          "INTERNAL",
}

// String is the status's name, such as PARAMS_MISSING.
func (s Status) String() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return fmt.Sprintf("STATUS_%d", int32(s))
}

// Error is the name after the package's.
func (s Status) Error() string { return "c2prover: " + s.String() }
