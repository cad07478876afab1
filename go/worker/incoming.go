package worker

// incoming is a message of which not all has come.
type incoming struct {
	kind byte
	size uint64
	data []byte
}

// firstRoom is what a message gets before any of it has come: who announces much must send it.
const firstRoom = 1 << 20

func newIncoming(kind byte, size uint64) *incoming {
	return &incoming{kind: kind, size: size, data: make([]byte, 0, min(size, firstRoom))}
}

// add takes the next piece, and tells whether it was the last.
func (m *incoming) add(piece []byte) (complete bool, err error) {
	have := uint64(len(m.data) + len(piece))
	if len(piece) == 0 || have > m.size {
		return false, protocolError("a piece of %d bytes where %d of %d are missing", len(piece), m.size-uint64(len(m.data)), m.size)
	}
	if have > uint64(cap(m.data)) {
		// By fours, up to the size and no further: append would copy often and end with room to spare.
		grown := make([]byte, len(m.data), min(m.size, max(have, 4*uint64(cap(m.data)))))
		copy(grown, m.data)
		m.data = grown
	}
	m.data = append(m.data, piece...)
	return have == m.size, nil
}
