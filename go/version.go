package c2prover

// Version is that of the library linked, such as "0.1.0"; "" without cgo.
func Version() string { return libraryVersion() }

// BuildInfo says in one line how the library linked was built: version, profile, architecture, features; "" without cgo.
func BuildInfo() string { return libraryBuildInfo() }

// Variables is the table of the environment variables that the library reads, one a line: name, alias, values, default;
// "" without cgo.
func Variables() string { return libraryVariables() }
