package c2prover

import "time"

// Timings say where the time of a proof went. Phases that run beside one another overlap: they do not add up to Total.
type Timings struct {
	Total       time.Duration // the whole call, as the caller's own stopwatch shows it
	Queue       time.Duration // waiting for other proofs
	Parse       time.Duration // reading the C1 output, vanilla proofs or assignments
	InputVerify time.Duration // checking them
	SRSLoad     time.Duration // reading parameters, or waiting for another call's reading
	Synthesis   time.Duration // synthesis of the circuits
	Prep        time.Duration // bringing evaluations and assignment to the backend
	Alloc       time.Duration // memory being had from the system
	Lock        time.Duration // waiting for locks
	GPUWait     time.Duration // waiting for a GPU
	GPU         time.Duration // a GPU being busy
	CPU         time.Duration // the CPU's main lane being busy: transforms and sums in G1
	BG2         time.Duration // B_G2 on the CPU, beside the above
	Finalize    time.Duration // assembling the proofs from their sums
	Verify      time.Duration // verifying the proofs
	Free        time.Duration // memory being given back
	Unaccounted time.Duration // what belongs to none of these

	Overlap         float64 // wall time of the proving section over its busiest lane; 1: all else was hidden; 0: nothing ran beside the caller
	PeakHostBytes   uint64  // the most memory this process ever had
	PeakDeviceBytes uint64  // the most memory of the GPU that was in use
	SRSWasResident  bool    // the parameters were in memory before the call
	Partitions      int     // circuits proved
}
