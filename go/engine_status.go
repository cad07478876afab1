package c2prover

import (
	"encoding/json"
	"fmt"
	"time"
)

// EngineStatus is what an engine does and holds.
type EngineStatus struct {
	Version    string      `json:"version"`
	Closed     bool        `json:"closed"`
	Queue      QueueStatus `json:"queue"`
	Jobs       []JobStatus `json:"jobs"` // the most urgent first
	Params     []SRSStatus `json:"params"`
	ParamCache string      `json:"param_cache"`
	HostMemory struct {
		Budget       uint64 `json:"budget"`
		Promised     uint64 `json:"promised"`
		MostPromised uint64 `json:"most_promised"`
	} `json:"host_memory"`
	DeviceMemory *struct { // nil without a GPU
		Used   uint64 `json:"used"`
		Budget uint64 `json:"budget"`
	} `json:"device_memory"`
	Processors string `json:"processors"`
}

// QueueStatus counts: jobs that wait, and circuits at each stage.
type QueueStatus struct {
	Waiting      int `json:"waiting"`
	MostWaiting  int `json:"most_waiting"`
	Synthesising int `json:"synthesising"`
	Ready        int `json:"ready"`
	Proving      int `json:"proving"`
}

// JobStatus is a job that waits or runs.
type JobStatus struct {
	ID               string `json:"id"`
	Kind             string `json:"kind"`
	Priority         string `json:"priority"`
	Stage            string `json:"stage"`
	Partitions       int    `json:"partitions"` // 0 before the input is read
	PartitionsBegun  int    `json:"partitions_begun"`
	PartitionsProven int    `json:"partitions_proven"`
	AgeMS            int64  `json:"age_ms"`
}

// Age is the time since the job was submitted.
func (j JobStatus) Age() time.Duration { return time.Duration(j.AgeMS) * time.Millisecond }

// SRSStatus is a circuit's parameters that the engine holds.
type SRSStatus struct {
	Circuit   CircuitID `json:"circuit"`
	File      string    `json:"file"`
	Bytes     uint64    `json:"bytes"`
	HostBytes uint64    `json:"host_bytes"`
	InUse     bool      `json:"in_use"`
	IdleMS    int64     `json:"idle_ms"`
}

// Status tells what the engine does and holds now.
func (e *Engine) Status() (*EngineStatus, error) {
	if err := e.lease.begin(); err != nil {
		return nil, err
	}
	defer e.lease.end()
	text, err := engineStatus(e.handle)
	if err != nil {
		return nil, err
	}
	status := new(EngineStatus)
	if err := json.Unmarshal([]byte(text), status); err != nil {
		return nil, fmt.Errorf("c2prover: status: %w", err)
	}
	return status, nil
}
