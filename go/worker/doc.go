// Package worker keeps the prover in a process of its own that stays: a fault of a GPU or of the prover ends that process and
// not the caller's, and parameters are loaded once and not for each proof.
//
// A [Supervisor] starts the program c2prover-worker, restarts it when it dies, and proves through it:
//
//	s, err := worker.Start(ctx, worker.SupervisorOptions{Path: "/usr/local/bin/c2prover-worker"})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	proof, err := s.Prove(ctx, c2prover.PoRep{C1: c1, Sector: sector, ProverID: prover}, worker.Options{})
//	if errors.Is(err, worker.ErrDied) { … } // try again: the next call goes to a new process
//
// A [Client] proves through a worker that somebody else runs, and [Serve] is the other end.
//
// # Errors
//
// An error of the prover arrives as it left: as *c2prover.Error with all its figures, so that errors.Is and errors.As
// answer as they do beside the prover. What the way adds has types of its own: [DiedError], [StartError], [VersionError],
// [ProtocolError], [LimitError].
//
// # Contexts
//
// When the context of a call ends, the call returns its error at once, and the worker is told to give the proof up. The
// caller's bytes are not read after a call has returned.
//
// # Trust
//
// Whoever can open the socket can prove and make the worker use memory up to its limits. It is for one machine and one
// user: the supervisor keeps it in a folder that nobody else can enter.
package worker
