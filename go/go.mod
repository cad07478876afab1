module github.com/c2prover/c2prover/go

go 1.21
