//go:build cgo

package c2prover_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

func TestTwentyJobsOfMixedKindsFromEightGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	engine := must(c2prover.Open(c2prover.Options{ParamCache: params(t, "winning-post")}))(t)
	requests := []c2prover.Request{window(t), winning(t), deadline(t)}
	if !testing.Short() {
		params(t, "porep")
		requests = append(requests, porep(t))
	}
	numbers := make(chan int)
	var wait sync.WaitGroup
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range numbers {
				r := requests[n%len(requests)]
				if n%len(requests) == 3 && n != 3 {
					r = requests[0] // one PoRep is enough of them
				}
				job, err := engine.Submit(r, c2prover.WithPriority(c2prover.Priority(n%4+1)))
				if err != nil {
					t.Error(err)
					continue
				}
				proof, err := job.Wait(background)
				if err != nil {
					t.Error(err)
					continue
				}
				if ok, err := engine.Verify(background, r, proof.Bytes); !ok || err != nil {
					t.Error(n, ok, err)
				}
			}
		}()
	}
	for n := 0; n < 20; n++ {
		numbers <- n
	}
	close(numbers)
	wait.Wait()
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	settled(t, before)
}

func TestACriticalJobStartsBeforeAllThatWait(t *testing.T) {
	folder := params(t, "winning-post")
	engine := must(c2prover.Open(c2prover.Options{ParamCache: folder, SynthesisThreads: 1}))(t)
	defer engine.Close()
	var normal []*c2prover.Job
	for i := 0; i < 6; i++ {
		normal = append(normal, must(engine.Submit(deadline(t), c2prover.WithPriority(c2prover.Normal)))(t))
	}
	critical := must(engine.Submit(winning(t)))(t) // critical by its kind
	must(critical.Wait(background))(t)
	ended := 0
	for _, job := range normal {
		select {
		case <-job.Done():
			ended++
		default:
		}
	}
	if ended > 1 {
		t.Errorf("%d of 6 jobs ended before it", ended)
	}
	for _, job := range normal {
		must(job.Wait(background))(t)
	}
}

func TestEventsOfAJob(t *testing.T) {
	engine := open(t, keys)
	job := must(engine.Submit(deadline(t)))(t)
	var kinds []c2prover.EventKind
	count := map[c2prover.EventKind]int{}
	for event := range job.Events() {
		kinds = append(kinds, event.Kind)
		count[event.Kind]++
		if event.Kind == c2prover.Synthesised && (event.Partitions != 3 || event.Partition > 2) {
			t.Error(event)
		}
	}
	if kinds[0] != c2prover.Queued || kinds[1] != c2prover.Parsed || kinds[len(kinds)-1] != c2prover.Done {
		t.Error(kinds)
	}
	if count[c2prover.Synthesised] != 3 || count[c2prover.Proven] != 3 || count[c2prover.Verified] != 3 {
		t.Error(count)
	}
	proof := must(job.Wait(background))(t)
	if len(proof.Bytes) != 3*192 {
		t.Error(len(proof.Bytes))
	}
	job.Cancel() // of no effect
	must(job.Wait(background))(t)
}

func TestCancelAtRandomMoments(t *testing.T) {
	before := runtime.NumGoroutine()
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	r := window(t)
	must(engine.Prove(background, r))(t)
	began := time.Now()
	must(engine.Prove(background, r))(t)
	span := uint64(time.Since(began)) * 5 / 4
	var late, cancelled int
	jobs := 60
	if testing.Short() {
		jobs = 20
	}
	for k := uint64(0); k < uint64(jobs); k++ {
		job := must(engine.Submit(r))(t)
		time.Sleep(time.Duration(k * 0x9e3779b97f4a7c15 % span))
		began := time.Now()
		job.Cancel()
		_, err := job.Wait(background)
		if took := time.Since(began); took > time.Second {
			late++
		}
		if errors.Is(err, c2prover.ErrCancelled) {
			cancelled++
		} else if err != nil {
			t.Error(err)
		}
	}
	if late > jobs/20 || cancelled == 0 {
		t.Errorf("%d late, %d cancelled of %d", late, cancelled, jobs)
	}
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	settled(t, before)
}

func TestTimeLimitsAndFullQueues(t *testing.T) {
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys, MaxQueue: 1, SynthesisThreads: 1}))(t)
	defer engine.Close()
	if _, err := engine.Prove(background, deadline(t), c2prover.WithTimeout(time.Millisecond)); !errors.Is(err, c2prover.ErrTimedOut) {
		t.Error(err)
	}
	var jobs []*c2prover.Job
	for {
		job, err := engine.Submit(deadline(t))
		if err != nil {
			if !errors.Is(err, c2prover.ErrQueueFull) {
				t.Error(err)
			}
			break
		}
		if jobs = append(jobs, job); len(jobs) > 20 {
			t.Fatal("the queue has no end")
		}
	}
	for _, job := range jobs {
		job.Cancel()
	}
	if _, err := engine.Submit(window(t), c2prover.WithPriority(9)); !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Error(err)
	}
}

func TestParametersOnRequest(t *testing.T) {
	engine := open(t, keys)
	const id = c2prover.CircuitID("wpost-2k")
	if _, _, err := engine.PreloadSRS(background, id); err != nil {
		t.Fatal(err)
	}
	was, _, err := engine.PreloadSRS(background, id)
	if !was || err != nil {
		t.Error(was, err)
	}
	proof := must(engine.Prove(background, window(t)))(t)
	if !proof.Timings.SRSWasResident {
		t.Error("the parameters were loaded before")
	}
	status := must(engine.Status())(t)
	if len(status.Params) != 1 || status.Params[0].Circuit != id || status.HostMemory.Budget == 0 || status.Queue.MostWaiting != 256 {
		t.Errorf("%+v", status)
	}
	if freed := must(engine.EvictSRS(id))(t); freed != status.Params[0].Bytes {
		t.Error(freed)
	}
	if freed := must(engine.EvictSRS(id))(t); freed != 0 {
		t.Error("they were evicted:", freed)
	}
	// Those of the tests have a known trapdoor: they are not the official ones.
	if err := engine.CheckSRS(background, id); !errors.Is(err, c2prover.ErrParamsDigest) {
		t.Error(err)
	}
	if _, err := engine.EvictSRS("porep-3k"); !errors.Is(err, c2prover.ErrInvalidArgument) {
		t.Error(err)
	}
	if _, _, err := engine.PreloadSRS(background, "porep-32g"); !errors.Is(err, c2prover.ErrParamsMissing) {
		t.Error(err)
	}
}

func TestFaultySectorsAreNamed(t *testing.T) {
	engine := open(t, keys)
	r := deadline(t)
	r.Randomness = filled(4) // another challenge: no sector's proof answers it
	_, err := engine.Prove(background, r)
	var e *c2prover.Error
	if !errors.As(err, &e) || e.Status != c2prover.ErrBadInput || len(e.Sectors) != 5 {
		t.Errorf("%+v", e)
	}
}

func TestShutdownWaits(t *testing.T) {
	engine := must(c2prover.Open(c2prover.Options{ParamCache: keys}))(t)
	job := must(engine.Submit(window(t)))(t)
	if err := engine.Shutdown(background); err != nil {
		t.Error(err)
	}
	must(job.Wait(background))(t)
	if _, err := engine.Submit(window(t)); !errors.Is(err, c2prover.ErrClosed) {
		t.Error(err)
	}
}

func TestTheTableOfVariablesIsInTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Skip("outside a clone of the project: ", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(c2prover.Variables()), "\n") {
		name, _, _ := strings.Cut(line, ":")
		name, _, _ = strings.Cut(name, " ")
		if !strings.HasPrefix(name, "C2PROVER_") || !strings.Contains(string(readme), "`"+name+"`") {
			t.Errorf("%q", line)
		}
	}
}
