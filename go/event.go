package c2prover

// EventKind is what happened to a job. Later versions of the library may tell of kinds that are not named here.
type EventKind int32

// The numbers are those of the C header.
const (
	Queued      EventKind = 1 // it waits
	Parsed      EventKind = 2 // its input was read and is right; it has so many partitions
	Synthesised EventKind = 3 // the circuit of a partition is there
	Proven      EventKind = 4 // so is its proof
	Verified    EventKind = 5 // and the proof holds
	Done        EventKind = 6 // the last one: the job has ended with Status
)

// Event is something that happened to a [Job].
type Event struct {
	Kind       EventKind
	Partition  int    // from 0
	Partitions int    // of how many
	Status     Status // of Done: 0 if the proof was made
}
