// Package c2prover makes Groth16 proofs for Filecoin: PoRep (Commit Phase 2), WinningPoSt, WindowPoSt and sector
// updates (SnapDeals), and proofs of circuits that the caller synthesised. It binds libc2prover and needs nothing but
// the standard library.
//
//	engine, err := c2prover.Open(c2prover.Options{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	proof, err := engine.SealCommitPhase2(ctx, c1, sector, c2prover.ProverID(miner))
//
// # Two levels
//
// An [Engine] takes what Filecoin's software has: the JSON of Commit Phase 1 and vanilla proofs, in the forms in which
// filecoin-ffi takes them. Parameters are found by name in one folder and stay in memory between proofs.
//
// An [SRS] takes what a synthesiser has: an [Assignment] of evaluations, variables and densities.
//
// # Contexts
//
// A context that has ended before a call is that call's error, and nothing is begun. When it ends during a proof of an
// engine, the method returns the context's error at once, and what is under way stops at its next step. [SRS.Prove]
// borrows slices that may hold gigabytes, so it does not return before the library has let go of them.
//
// # Jobs
//
// [Engine.Submit] returns a [Job] at once: wait for it, cancel it, read its events. The engine takes jobs by priority,
// between partitions: it reads and synthesises the next ones while one is proved, within a budget of memory.
//
// # Errors
//
// A failure of the library is an [*Error] with a status, a sentence and figures such as section, index and offset. Compare
// with errors.Is:
//
//	if errors.Is(err, c2prover.ErrParamsMissing) { … }
//
// No method returns a proof together with an error, and no proof that failed its own verification is returned at all.
//
// # Memory
//
// The library keeps no pointer to Go memory after a call, and this package allocates nothing with malloc. Engines,
// parameters and keys hold memory of the library: close them. Close may be called twice, and while other goroutines
// use the object: it refuses new calls with [ErrClosed], waits for those under way, then frees.
//
// # Linking
//
// The tag decides how the library is found:
//
//	(none)               lib/libc2prover.a in this module's folder, linked into the program
//	c2prover_dynamic     lib/libc2prover.so in this module's folder, found there at run time
//	c2prover_pkgconfig   an installed library, found by pkg-config
//
// "make go-lib" in a clone fills lib/. A module fetched by the go command has no lib/: install the library with
// "make install PREFIX=…" and build with -tags c2prover_pkgconfig. The static archive shows no symbols but c2p_…, so it can
// be linked beside other Rust libraries such as filecoin-ffi's. The go command does not notice that a library or the answer
// of pkg-config changed: build again with "go clean -cache" then. With CGO_ENABLED=0 the package builds, and its functions
// return [ErrNotBuilt].
package c2prover
