// Proves a sector from the output of Commit Phase 1, verifies the proof, and shows where the time went:
//
//	make params go-lib                       (in the project's folder, once)
//	cd examples/go && go run . -params ../../target/params
//
// Without more flags it is a real 2 KiB sector, with parameters for tests, whose trapdoor is known.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	c2prover "github.com/c2prover/c2prover/go"
)

var (
	params = flag.String("params", "", "folder of the parameter files (default: C2PROVER_PARAM_CACHE)")
	input  = flag.String("c1", "../../tests/data/c1-raw.json", "output of Commit Phase 1")
	sector = flag.Uint64("sector", 1, "the sector's number")
	miner  = flag.Uint64("miner", 1000, "the miner's actor id")
	trace  = flag.String("trace", "", "file for a Chrome trace, for Perfetto or chrome://tracing")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	c1, err := os.ReadFile(*input)
	if err != nil {
		return err
	}
	engine, err := c2prover.Open(c2prover.Options{ParamCache: *params})
	if err != nil {
		return err
	}
	defer engine.Close()

	request := c2prover.PoRep{C1: c1, Sector: *sector, ProverID: c2prover.ProverID(*miner)}
	proof, err := engine.Prove(ctx, request, c2prover.WithRequestID(fmt.Sprintf("porep-%d-%d", *miner, *sector)))
	if err != nil {
		return err
	}
	report, err := proof.Report()
	if err != nil {
		return err
	}
	for _, p := range report.Phases {
		if p.Kind != "join" {
			fmt.Printf("%-20s %-10s %10v\n", p.Phase, p.Lane, time.Duration(p.TotalUS)*time.Microsecond)
		}
	}
	fmt.Printf("%s: %v, of which unaccounted %v\n", report.Job, proof.Timings.Total, proof.Timings.Unaccounted)
	if *trace != "" {
		if err := os.WriteFile(*trace, proof.TraceJSON, 0o644); err != nil {
			return err
		}
	}

	verified, err := engine.Verify(ctx, request, proof.Bytes)
	fmt.Printf("proof: %x\nverified: %v\n", proof.Bytes, verified)
	if err == nil && !verified {
		err = fmt.Errorf("the proof does not verify")
	}
	return err
}
