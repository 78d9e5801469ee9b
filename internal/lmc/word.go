package lmc

import (
	"encoding/binary"
	"unsafe"
)

// The inner loops of the entropy coder and of the plane transforms move words between buffers whose sizes they have
// checked beforehand; these helpers do so without a bounds check for every word. All words are little-endian.

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// A ptr is a position in a byte slice.
type ptr = unsafe.Pointer

// at returns the position of b[i]; i may be len(b).
func at(b []byte, i int) ptr { return unsafe.Add(ptr(unsafe.SliceData(b)), i) }

func load16(p ptr, i int) uint16 {
	return *(*uint16)(unsafe.Add(p, i))
}

func load32(p ptr, i int) uint32 {
	return *(*uint32)(unsafe.Add(p, i))
}

func load64(p ptr, i int) uint64 {
	return *(*uint64)(unsafe.Add(p, i))
}

func store16(p ptr, i int, x uint16) {
	*(*uint16)(unsafe.Add(p, i)) = x
}

func store32(p ptr, i int, x uint32) {
	*(*uint32)(unsafe.Add(p, i)) = x
}

func store64(p ptr, i int, x uint64) {
	*(*uint64)(unsafe.Add(p, i)) = x
}
