package lmc

import (
	"math/bits"
	"slices"
)

// Canonical Huffman codes of at most maxCodeLen bits over byte symbols, and their stored form.

const maxCodeLen = 11 // bits; a decoding table has 2^maxCodeLen entries

// A histogram counts the symbols of a plane.
type histogram [256]uint32

// histogrammer counts with eight tables, so that equal neighbours do not wait for each other's store, or counts pairs of
// neighbours, of which a small alphabet has few.
type histogrammer struct {
	singles [8][256]uint32
	pairs   *[256][256]uint32 // all zero between calls
}

// count sets h to the counts of src.
func (t *histogrammer) count(h *histogram, src []byte) {
	t.singles = [8][256]uint32{}
	s := &t.singles
	n := len(src) &^ 7
	p := at(src, 0)
	for i := 0; i < n; i += 8 {
		x := load64(p, i)
		s[0][uint8(x)]++
		s[1][uint8(x>>8)]++
		s[2][uint8(x>>16)]++
		s[3][uint8(x>>24)]++
		s[4][uint8(x>>32)]++
		s[5][uint8(x>>40)]++
		s[6][uint8(x>>48)]++
		s[7][uint8(x>>56)]++
	}
	for _, b := range src[n:] {
		s[0][b]++
	}
	for i := range h {
		h[i] = s[0][i] + s[1][i] + s[2][i] + s[3][i] + s[4][i] + s[5][i] + s[6][i] + s[7][i]
	}
}

// countPairs is count for an alphabet that is expected to be small.
func (t *histogrammer) countPairs(h *histogram, src []byte) {
	if t.pairs == nil {
		t.pairs = new([256][256]uint32)
	}
	q := (*[1 << 16]uint32)(ptr(t.pairs))
	n := len(src) &^ 7
	p := at(src, 0)
	for i := 0; i < n; i += 8 {
		x := load64(p, i)
		q[uint16(x)]++
		q[uint16(x>>16)]++
		q[uint16(x>>32)]++
		q[x>>48]++
	}
	*h = histogram{}
	for _, b := range src[n:] {
		h[b]++
	}
	for b := range t.pairs {
		row := &t.pairs[b]
		words := (*[128]uint64)(ptr(row))
		var any uint64
		for i := 0; i < len(words); i += 4 {
			any |= words[i] | words[i+1] | words[i+2] | words[i+3]
		}
		if any == 0 {
			continue
		}
		var sum uint32
		for a, c := range row {
			h[a] += c
			sum += c
		}
		h[b] += sum
		*row = [256]uint32{}
	}
}

// sample sets h to the counts of a small part of src, in windows spread over it.
func (t *histogrammer) sample(h *histogram, src []byte) {
	const windows, size = 64, 64
	*h = histogram{}
	for k := range windows {
		from := k * (len(src) / windows)
		for _, b := range src[from : from+size] {
			h[b]++
		}
	}
}

// A codeBook is a canonical code: lengths in bits (0 for a symbol that does not occur) and, for the encoder, the codes
// with their first bit lowest.
type codeBook struct {
	lens  [256]uint8
	codes [256]uint16
	max   int // longest length
}

// build makes the code of least total length for h, in which at least two symbols occur. It returns the number of bits
// that coding the counted symbols takes.
func (c *codeBook) build(h *histogram) int {
	var store [256]uint64
	leaves := store[:0]
	for s, n := range h {
		if n > 0 {
			leaves = append(leaves, uint64(n)<<8|uint64(s))
		}
	}
	slices.Sort(leaves)
	c.lens = [256]uint8{}
	if c.max = c.huffman(leaves); c.max > maxCodeLen {
		c.packageMerge(leaves)
		c.max = maxCodeLen
	}
	c.assign()
	total := 0
	for _, l := range leaves {
		total += int(l>>8) * int(c.lens[uint8(l)])
	}
	return total
}

// huffman sets the lengths of the unlimited code with the two-queue method and returns the longest. leaves are
// ascending, each count<<8 | symbol.
func (c *codeBook) huffman(leaves []uint64) int {
	var weight [256]uint64
	var parent [512]uint16 // of leaf i at i, of inner node i at 256+i
	var depth [256]uint8
	n := len(leaves)
	leaf, inner := 0, 0
	for node := range n - 1 {
		var sum uint64
		for range 2 {
			if leaf < n && (inner == node || leaves[leaf]>>8 <= weight[inner]) {
				sum += leaves[leaf] >> 8
				parent[leaf] = uint16(node)
				leaf++
			} else {
				sum += weight[inner]
				parent[256+inner] = uint16(node)
				inner++
			}
		}
		weight[node] = sum
	}
	for node := n - 3; node >= 0; node-- {
		depth[node] = depth[parent[256+node]] + 1
	}
	longest := 0
	for i, l := range leaves {
		d := depth[parent[i]] + 1
		c.lens[uint8(l)] = d
		longest = max(longest, int(d))
	}
	return longest
}

// packageMerge sets the lengths of the best code of at most maxCodeLen bits (Larmore and Hirschberg, 1990). A list holds
// leaves and packages of two items of the list before it; the 2n-2 lightest items of the last list say how often each
// leaf was taken, which is its length.
func (c *codeBook) packageMerge(leaves []uint64) {
	c.lens = [256]uint8{}
	n := len(leaves)
	var isLeaf [maxCodeLen][512]bool
	var list, next [512]uint64
	size := 0
	for level := range maxCodeLen {
		pairs := size / 2
		li, pi := 0, 0
		for k := range n + pairs {
			if pi == pairs || li < n && leaves[li]>>8 <= list[2*pi]+list[2*pi+1] {
				next[k] = leaves[li] >> 8
				isLeaf[level][k] = true
				li++
			} else {
				next[k] = list[2*pi] + list[2*pi+1]
				pi++
			}
		}
		size = n + pairs
		list = next
	}
	take := 2*n - 2
	for level := maxCodeLen - 1; level >= 0; level-- {
		taken := 0
		for k := range take {
			if isLeaf[level][k] {
				c.lens[uint8(leaves[taken])]++
				taken++
			}
		}
		take = 2 * (take - taken)
	}
}

// assign gives every symbol the canonical code of its length: shorter codes first, then by symbol, then bit-reversed.
func (c *codeBook) assign() {
	var count, first [maxCodeLen + 2]uint16
	for _, l := range c.lens {
		count[l]++
	}
	count[0] = 0
	for l := 1; l <= maxCodeLen; l++ {
		first[l+1] = (first[l] + count[l]) << 1
	}
	for s, l := range c.lens {
		if l > 0 {
			c.codes[s] = bits.Reverse16(first[l]) >> (16 - l)
			first[l]++
		}
	}
}
