package c2prover

// Version is that of the library linked, such as "0.1.0"; "" without cgo.
func Version() string { return libraryVersion() }

// BuildInfo says in one line how the library linked was built: version, profile, architecture, features; "" without cgo.
func BuildInfo() string { return libraryBuildInfo() }
