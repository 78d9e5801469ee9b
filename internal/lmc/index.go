package lmc

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"

	"vcsim/internal/tensor"
)

// A packed snapshot is a head, the blocks one after the other, an index and a footer:
//
//	head    "vcsimLMC", version (4 bytes), four zeros
//	blocks  of all tensors, in the order of their data
//	index   see appendIndex
//	footer  offset and length of the index (8 bytes each), SHA-256 of head, index, offset and length; "LMC end\n"
//
// Every byte is under a checksum: the blocks under those in the index, the rest under the SHA-256 and the two magics.
const (
	headMagic  = "vcsimLMC"
	footMagic  = "LMC end\n"
	version    = 2
	headSize   = 16
	footSize   = 8 + 8 + sha256.Size + len(footMagic)
	entryBytes = 4 + 8 // of a block in the index, beside its size

	maxHeader = 100_000_000 // bytes of a safetensors header, as the format has it
	maxPath   = 4096
)

// headerText is what the header is deflated after: text that headers often have.
const headerText = `,"lm_head.weight":{"dtype":"I64","model.norm.weight":{"dtype":"U8","model.embed_tokens.weight":{"dtype":"F16",` +
	`"model.layers.0.input_layernorm.weight":"post_attention_layernorm.weight":"mlp.gate_proj.weight":"mlp.up_proj.weight":"mlp.down_proj.weight"` +
	`"self_attn.k_proj.weight":"self_attn.v_proj.weight":"self_attn.o_proj.weight":"self_attn.q_proj.weight":{"dtype":"F32",` +
	`{"__metadata__":{"format":"pt"},".weight":{"dtype":"BF16","shape":[1024,4096],"data_offsets":[0,`

// MaxDepth is the number of bases below a snapshot that is read at all; [PackOptions] has the limit for writing.
const MaxDepth = 64

// A Hash is the identity of the content of a safetensors file, however it is stored: the SHA-256 of its header and of
// the checksums of all blocks of values. It guards against mistakes and damage, not against forgery.
type Hash [sha256.Size]byte

// String returns the first 16 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:8]) }

// Full returns all 64 hexadecimal digits.
func (h Hash) Full() string { return hex.EncodeToString(h[:]) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum of values: CRC-32C and, in the upper half, CRC-32 (IEEE 802.3).
func checksum(values []byte) uint64 {
	return uint64(crc32.Checksum(values, castagnoli)) | uint64(crc32.ChecksumIEEE(values))<<32
}

// A tensorEntry is one tensor of a snapshot.
type tensorEntry struct {
	tensor.Info
	layout      // cols in values of w bytes; phase unused
	mode        Mode
	off, size   int64 // in the safetensors file
	block, last int   // its blocks
}

// A blockEntry is one block of a packed snapshot.
type blockEntry struct {
	off  int64 // in the file
	size int   // bytes
	crc  uint32
	sum  uint64 // checksum of the values
}

// An index is what is known about a snapshot beside its blocks.
type index struct {
	header  []byte // of the safetensors file, with its length
	size    int64  // of the safetensors file
	tensors []tensorEntry
	blocks  []blockEntry // of a raw file, with sums only, once it is hashed
	content Hash
	depth   int // bases below it
	base    Hash
	path    string // of the base, relative to the snapshot, with slashes
}

// parseHeader sets tensors from header and size.
func (x *index) parseHeader(file string) error {
	s, err := tensor.ReadSafetensors(bytes.NewReader(x.header), x.size, file)
	if err != nil {
		return err
	}
	off := int64(len(x.header))
	blocks := 0
	for _, info := range s.Tensors() {
		size, err := info.NumBytes()
		if err != nil {
			return err
		}
		t := tensorEntry{Info: info, layout: layoutOf(info), off: off, size: size, block: blocks}
		blocks += int((size + t.blockSize() - 1) / t.blockSize())
		t.last = blocks
		off += size
		x.tensors = append(x.tensors, t)
	}
	return nil
}

// layoutOf returns how the values of a tensor lie. Types without whole bytes, or of one, are bytes; a complex value is
// two F32 values.
func layoutOf(info tensor.Info) layout {
	l := layout{w: max(1, info.DType.Bits()/8)}
	switch info.DType {
	case tensor.F64, tensor.F32, tensor.F16, tensor.BF16:
		l.float = true
	case tensor.C64:
		l.w, l.float = 4, true
	}
	if n := len(info.Shape); n > 0 {
		if row := int64(info.Shape[n-1]) * int64(info.DType.Bits()) / 8 / int64(l.w); row <= BlockValues {
			l.cols = int(row)
		}
	}
	return l
}

// blockSize returns the bytes of a whole block.
func (t *tensorEntry) blockSize() int64 { return BlockValues * int64(t.w) }

// span returns the extent of block b, counted from the tensor's first, in its data.
func (t *tensorEntry) span(b int) (from int64, size int) {
	from = int64(b) * t.blockSize()
	return from, int(min(t.blockSize(), t.size-from))
}

// at returns the layout of block b.
func (t *tensorEntry) at(b int) layout {
	l := t.layout
	if l.cols > 0 {
		into := b * BlockValues % l.cols
		l.phase = (l.cols - into) % l.cols
	}
	return l
}

// hash returns the identity of the content: header and sums must be known.
func (x *index) hash() Hash {
	h := sha256.New()
	io.WriteString(h, "vcsim.lmc content/1\n")
	h.Write(x.header)
	var b [8]byte
	for i := range x.blocks {
		binary.LittleEndian.PutUint64(b[:], x.blocks[i].sum)
		h.Write(b[:])
	}
	return Hash(h.Sum(nil))
}

// tensorHash returns the identity of one tensor's data.
func (x *index) tensorHash(t *tensorEntry) Hash {
	h := sha256.New()
	var b [8]byte
	for i := range x.blocks[t.block:t.last] {
		binary.LittleEndian.PutUint64(b[:], x.blocks[t.block+i].sum)
		h.Write(b[:])
	}
	return Hash(h.Sum(nil))
}

func head() []byte {
	b := append([]byte(nil), headMagic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	return append(b, 0, 0, 0, 0)
}

// appendIndex appends the index. Numbers are uvarints unless their size is given.
func (x *index) appendIndex(dst []byte) ([]byte, error) {
	put := func(n int64) { dst = binary.AppendUvarint(dst, uint64(n)) }
	put(x.size)
	put(int64(x.depth))
	if x.depth > 0 {
		dst = append(dst, x.base[:]...)
		put(int64(len(x.path)))
		dst = append(dst, x.path...)
	}
	var packed bytes.Buffer // the header, deflated
	fw, err := flate.NewWriterDict(&packed, flate.BestCompression, []byte(headerText))
	if err != nil {
		return nil, err
	}
	if _, err := fw.Write(x.header); err != nil {
		return nil, err
	}
	if err := fw.Close(); err != nil {
		return nil, err
	}
	put(int64(len(x.header)))
	put(int64(packed.Len()))
	dst = append(dst, packed.Bytes()...)
	for i := range x.tensors {
		dst = append(dst, byte(x.tensors[i].mode))
	}
	for _, b := range x.blocks { // size, CRC-32C of the block (4 bytes), checksum of the values (8 bytes)
		put(int64(b.size))
		dst = binary.LittleEndian.AppendUint32(dst, b.crc)
		dst = binary.LittleEndian.AppendUint64(dst, b.sum)
	}
	return dst, nil
}

// footer returns the footer of an index at offset off.
func footer(index []byte, off int64) []byte {
	var pos [16]byte
	binary.LittleEndian.PutUint64(pos[:], uint64(off))
	binary.LittleEndian.PutUint64(pos[8:], uint64(len(index)))
	h := sha256.New()
	h.Write(head())
	h.Write(index)
	h.Write(pos[:])
	return append(h.Sum(pos[:]), footMagic...)
}

// readIndex reads head, footer and index of a packed snapshot of size bytes.
func readIndex(r io.ReaderAt, size int64, file string) (*index, error) {
	fail := func(off int64, format string, a ...any) (*index, error) {
		return nil, fmt.Errorf("%s: offset %d: %w", file, off, FormatError("snapshot: "+fmt.Sprintf(format, a...)))
	}
	if size < headSize+int64(footSize) {
		return fail(0, "%d bytes are too few; truncated?", size)
	}
	var h [headSize]byte
	if _, err := r.ReadAt(h[:], 0); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if string(h[:8]) != headMagic {
		return fail(0, "does not begin with %q", headMagic)
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != version {
		return nil, fmt.Errorf("%s: offset 8: %w", file, UnsupportedError(fmt.Sprintf("snapshot: version %d, or damaged; this program reads version %d", v, version)))
	}
	foot := make([]byte, footSize)
	at := size - int64(footSize)
	if _, err := r.ReadAt(foot, at); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if string(foot[footSize-len(footMagic):]) != footMagic {
		return fail(at, "does not end with a footer: truncated or damaged")
	}
	off, n := binary.LittleEndian.Uint64(foot), binary.LittleEndian.Uint64(foot[8:])
	if off < headSize || off > uint64(at) || n != uint64(at)-off {
		return fail(at, "footer: index at %d of %d bytes does not end at %d", off, n, at)
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, int64(off)); err != nil && n > 0 {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !bytes.Equal(foot, footer(b, int64(off))) || !bytes.Equal(h[:], head()) {
		return fail(int64(off), "checksum of head, index and footer differs")
	}
	x, err := parseIndex(b, int64(off), file)
	if err != nil {
		return nil, fmt.Errorf("%s: index at offset %d: %w", file, off, err)
	}
	return x, nil
}

// parseIndex parses an index whose blocks end at end.
func parseIndex(b []byte, end int64, file string) (*index, error) {
	short := false
	number := func() int64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<60 {
			short = true
			return 0
		}
		b = b[n:]
		return int64(v)
	}
	take := func(n int64) []byte {
		if short || n > int64(len(b)) {
			short = true
			return nil
		}
		v := b[:n]
		b = b[n:]
		return v
	}
	x := &index{}
	x.size = number()
	if x.depth = int(number()); x.depth > MaxDepth {
		return nil, UnsupportedError(fmt.Sprintf("snapshot: chain of %d bases; at most %d", x.depth, MaxDepth))
	}
	if x.depth > 0 {
		copy(x.base[:], take(int64(len(x.base))))
		n := number()
		if n > maxPath {
			return nil, FormatError("snapshot: path of the base is too long")
		}
		x.path = string(take(n))
	}
	n := number()
	packed := take(number())
	if short || n < 8 || n > maxHeader+8 || n > 1100*int64(len(packed))+64 {
		return nil, FormatError("snapshot: header is out of range")
	}
	var header bytes.Buffer
	if k, err := io.Copy(&header, io.LimitReader(flate.NewReaderDict(bytes.NewReader(packed), []byte(headerText)), n+1)); err != nil || k != n {
		return nil, FormatError("snapshot: header does not unpack")
	}
	x.header = header.Bytes()
	if err := x.parseHeader(file); err != nil {
		return nil, err
	}
	for i := range x.tensors {
		m := take(1)
		if short || Mode(m[0]) >= numModes || x.depth == 0 && Mode(m[0]) != Whole {
			return nil, FormatError(fmt.Sprintf("snapshot: tensor %q: mode is missing or out of range", x.tensors[i].Name))
		}
		x.tensors[i].mode = Mode(m[0])
	}
	count := 0
	if k := len(x.tensors); k > 0 {
		count = x.tensors[k-1].last
	}
	if int64(count) > int64(len(b))/(entryBytes+1) {
		return nil, FormatError("snapshot: fewer blocks than the tensors have")
	}
	x.blocks = make([]blockEntry, count)
	off := int64(headSize)
	for i := range x.blocks {
		size := number()
		sums := take(entryBytes)
		if short || size > end-off {
			return nil, FormatError(fmt.Sprintf("snapshot: block %d is out of range", i))
		}
		x.blocks[i] = blockEntry{off: off, size: int(size), crc: binary.LittleEndian.Uint32(sums), sum: binary.LittleEndian.Uint64(sums[4:])}
		off += size
	}
	if len(b) > 0 || off != end {
		return nil, FormatError("snapshot: blocks and index do not fill the file")
	}
	x.content = x.hash()
	return x, nil
}
