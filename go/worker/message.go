package worker

import (
	"encoding/binary"
	"encoding/json"
)

// A message is a head of JSON and some blobs, which stay as they are: four bytes of the head's length, the head, four
// bytes of the number of blobs, eight bytes of each one's length, the blobs.

// pack is the parts of a message, in order; the blobs are the caller's own bytes.
func pack(head any, blobs ...[]byte) ([][]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	b = append(b, text...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(blobs)))
	for _, blob := range blobs {
		b = binary.BigEndian.AppendUint64(b, uint64(len(blob)))
	}
	return append([][]byte{b}, blobs...), nil
}

// unpack reads a message; the blobs lie in it. An empty one is nil.
func unpack(b []byte, head any) ([][]byte, error) {
	text, b, err := cut(b, 4)
	if err != nil {
		return nil, err
	}
	if text, b, err = cut(b, uint64(binary.BigEndian.Uint32(text))); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, head); err != nil {
		return nil, protocolError("head of a message: %v", err)
	}
	number, b, err := cut(b, 4)
	if err != nil {
		return nil, err
	}
	lengths, b, err := cut(b, 8*uint64(binary.BigEndian.Uint32(number)))
	if err != nil {
		return nil, err
	}
	blobs := make([][]byte, len(lengths)/8)
	for i := range blobs {
		length := binary.BigEndian.Uint64(lengths[8*i:])
		blob, rest, err := cut(b, length)
		if err != nil {
			return nil, err
		}
		if length > 0 {
			blobs[i] = blob[:length:length]
		}
		b = rest
	}
	if len(b) != 0 {
		return nil, protocolError("%d bytes are left at the end of a message", len(b))
	}
	return blobs, nil
}

func cut(b []byte, n uint64) (first, rest []byte, err error) {
	if n > uint64(len(b)) {
		return nil, nil, protocolError("a message ends before its parts do")
	}
	return b[:n], b[n:], nil
}

func sizeOf(parts [][]byte) (n int64) {
	for _, p := range parts {
		n += int64(len(p))
	}
	return n
}
