module github.com/c2prover/c2prover/examples/go

go 1.21

require github.com/c2prover/c2prover/go v0.0.0

replace github.com/c2prover/c2prover/go => ../../go
