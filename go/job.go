package c2prover

import "context"

// eventsKept is how many events wait for a reader of Events; there are three for each partition.
const eventsKept = 1024

// Job is a request on its way to a proof. It needs no closing. Any number of goroutines may use it at once.
type Job struct {
	handle jobHandle
	lease  *lease // of the handle: Cancel may come when the job has ended
	events chan Event
	done   chan struct{}
	proof  *Proof
	err    error
}

// Submit puts a request into the queue and returns at once; the library has copied the inputs then. What is wrong with
// them is the job's error. The queue is bounded: [ErrQueueFull].
func (e *Engine) Submit(r Request, o ...CallOption) (*Job, error) {
	native, err := r.request()
	if err != nil {
		return nil, err
	}
	for _, option := range o {
		option(native)
	}
	if err := e.lease.begin(); err != nil {
		return nil, err
	}
	handle, err := submit(e.handle, native)
	if err != nil {
		e.lease.end()
		return nil, err
	}
	j := &Job{handle: handle, events: make(chan Event, eventsKept), done: make(chan struct{})}
	j.lease = newLease(func() { jobFree(handle) })
	go j.follow(e.lease)
	return j, nil
}

// follow tells of events and keeps the outcome: the job's one goroutine.
func (j *Job) follow(engine *lease) {
	defer engine.end()
	for {
		event, ok := jobNextEvent(j.handle)
		if !ok {
			break
		}
		select {
		case j.events <- event:
		default: // nobody reads
		}
	}
	j.proof, j.err = jobWait(j.handle)
	close(j.events)
	close(j.done)
	<-j.lease.close()
}

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Events tells what happens to the job, and is closed after its end. A reader who is slower by more than 1,024 events
// misses some.
func (j *Job) Events() <-chan Event { return j.events }

// Wait returns the proof, or why there is none. The context ends the wait, not the job.
func (j *Job) Wait(ctx context.Context) (*Proof, error) {
	select {
	case <-j.done:
		return j.proof, j.err
	default:
	}
	select {
	case <-j.done:
		return j.proof, j.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Cancel ends the job with [ErrCancelled], if it has not ended; what is under way for it stops at its next step.
func (j *Job) Cancel() {
	if j.lease.begin() == nil {
		jobCancel(j.handle)
		j.lease.end()
	}
}
