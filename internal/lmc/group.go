package lmc

import "vcsim/internal/tensor"

// AppendPlanes appends the byte planes of a tensor's data to dst, block by block, lowest plane first, as the block
// coder cuts them before it codes them.
func AppendPlanes(dst, data []byte, info tensor.Info) []byte {
	l := layoutOf(info)
	for len(data) > 0 {
		n := min(len(data), BlockValues*l.w)
		at := len(dst)
		dst = grow(dst, n)
		split(dst[at:], data[:n], l.w, l.float)
		data = data[n:]
	}
	return dst
}
