package tensorcodec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"vcsim/internal/tensor"
)

// The container is a safetensors file. Its metadata holds the strings of the original file, the common recipe under
// "vcsim" and the recipe of every tensor under "vcsim:<name>". A recipe is a line of space-separated words, key=value or
// a bare key; fold= is the number of columns of the tensor's matrix where that is not its last dimension. A coded tensor <name> is stored as
//
//	<name>                        U8, the stream: parameter sets and frames in row-major order of tiles
//	<name>.vcsim.scale            F32 or BF16, see tensor.Quant; absent for I8 and U8 tensors, whose values are codes
//	<name>.vcsim.low              likewise, with an asymmetric quantiser
//	<name>.vcsim.mean             BF16, the mean of every column, when means were removed
//	<name>.vcsim.outlier.index    U32, positions in the tensor of values that are stored exactly, rising
//	<name>.vcsim.outlier.value    F32, these values
//	<name>.vcsim.residual         U8, a second stream: what the first one lost
//	<name>.vcsim.residual.scale   its scales
//
// and a raw one as itself. The last word of each recipe is a checksum of all that belongs to the tensor, so that damage
// anywhere is found before anything is decoded; codes= is a checksum of the decoded codes, so that a decoder that
// disagrees with the encoder is found too.
const (
	metaKey    = "vcsim"
	metaPrefix = "vcsim:"
	version    = "1"

	suffixScale         = ".vcsim.scale"
	suffixLow           = ".vcsim.low"
	suffixMean          = ".vcsim.mean"
	suffixOutlierIndex  = ".vcsim.outlier.index"
	suffixOutlierValue  = ".vcsim.outlier.value"
	suffixResidual      = ".vcsim.residual"
	suffixResidualScale = ".vcsim.residual.scale"
	suffixResidualLow   = ".vcsim.residual.low"
)

// suffixes of the arrays of a tensor, in the order in which encodeTensor makes them and the checksum covers them.
var suffixes = []string{"", suffixScale, suffixLow, suffixMean, suffixOutlierIndex, suffixOutlierValue, suffixResidual, suffixResidualScale, suffixResidualLow}

// Common is the part of the recipe that all coded tensors of a container share.
type Common struct {
	Codec  string
	Quant  tensor.Quant // Clip only matters to the encoder
	Rotate tensor.Hadamard
	Means  bool
}

// String writes the recipe without its checksum words.
func (c Common) String() string {
	s := "version=" + version + " codec=" + c.Codec + " quant=" + c.Quant.Scheme.String()
	if c.Quant.Asym {
		s += " asym"
	}
	if r := c.rotation(); r != "none" {
		s += " rotate=" + r + " seed=" + strconv.FormatUint(c.Rotate.Seed, 10)
	}
	if c.Means {
		s += " mean"
	}
	return s
}

func (c Common) rotation() string {
	switch {
	case c.Rotate.Rows && c.Rotate.Cols:
		return "both"
	case c.Rotate.Rows:
		return "rows"
	case c.Rotate.Cols:
		return "cols"
	}
	return "none"
}

// ParseRotation reads "none", "rows", "cols" or "both".
func ParseRotation(s string, seed uint64) (tensor.Hadamard, error) {
	switch s {
	case "none":
		return tensor.Hadamard{}, nil
	case "rows", "cols", "both":
		return tensor.Hadamard{Rows: s != "cols", Cols: s != "rows", Seed: seed}, nil
	}
	return tensor.Hadamard{}, fmt.Errorf("rotation %q: want none, rows, cols or both", s)
}

// recipe is what decoding one tensor needs beside the common part.
type recipe struct {
	raw      bool
	at       int // position of the tensor in the original file
	dtype    tensor.DType
	shape    []int
	fold     int // columns of its matrix; 0: the last dimension
	frameW   int
	frameH   int
	outliers bool
	residual bool
	codes    string // checksum of the decoded codes
	sum      string // checksum of everything stored
}

// String writes the recipe without its sum.
func (r recipe) String() string {
	if r.raw {
		return fmt.Sprintf("raw at=%d", r.at)
	}
	var dims []string
	for _, d := range r.shape {
		dims = append(dims, strconv.Itoa(d))
	}
	s := fmt.Sprintf("at=%d dtype=%s shape=%s", r.at, r.dtype, strings.Join(dims, ","))
	if r.fold > 0 {
		s += " fold=" + strconv.Itoa(r.fold)
	}
	s += fmt.Sprintf(" frame=%dx%d", r.frameW, r.frameH)
	if r.outliers {
		s += " outliers"
	}
	if r.residual {
		s += " residual"
	}
	return s + " codes=" + r.codes
}

// words splits a recipe line into its keys and values; a key may appear once.
func words(line string) (map[string]string, error) {
	m := map[string]string{}
	for _, w := range strings.Split(line, " ") {
		k, v, _ := strings.Cut(w, "=")
		if _, ok := m[k]; ok || k == "" {
			return nil, FormatError(fmt.Sprintf("recipe: word %q empty or twice", w))
		}
		m[k] = v
	}
	return m, nil
}

func parseCommon(line string) (c Common, rest map[string]string, err error) {
	m, err := words(line)
	if err != nil {
		return c, nil, err
	}
	if v := m["version"]; v != version {
		return c, nil, UnsupportedError(fmt.Sprintf("container version %q: this program reads version %s", v, version))
	}
	c.Codec = m["codec"]
	if c.Quant.Scheme, err = tensor.ParseScheme(m["quant"]); err != nil {
		return c, nil, FormatError("recipe: " + err.Error())
	}
	_, c.Quant.Asym = m["asym"]
	_, c.Means = m["mean"]
	if r, ok := m["rotate"]; ok {
		seed, err := strconv.ParseUint(m["seed"], 10, 64)
		if err != nil {
			return c, nil, FormatError("recipe: seed: " + err.Error())
		}
		if c.Rotate, err = ParseRotation(r, seed); err != nil {
			return c, nil, FormatError("recipe: " + err.Error())
		}
	}
	rest = map[string]string{"tensors": m["tensors"], "meta": m["meta"]}
	if want := c.String() + " tensors=" + m["tensors"] + " meta=" + m["meta"]; want != line {
		return c, nil, FormatError(fmt.Sprintf("recipe: %q has unknown or misplaced words", line))
	}
	return c, rest, nil
}

func parseRecipe(line string) (r recipe, err error) {
	m, err := words(line)
	if err != nil {
		return r, err
	}
	number := func(s string) int {
		n, e := strconv.Atoi(s)
		if (e != nil || n < 0) && err == nil {
			err = FormatError(fmt.Sprintf("recipe: %q is not a number", s))
		}
		return n
	}
	_, r.raw = m["raw"]
	r.at, r.sum = number(m["at"]), m["sum"]
	if !r.raw {
		var e error
		if r.dtype, e = tensor.ParseDType(m["dtype"]); e != nil || !r.dtype.Codable() {
			return r, FormatError(fmt.Sprintf("recipe: dtype %q", m["dtype"]))
		}
		for _, d := range strings.Split(m["shape"], ",") {
			r.shape = append(r.shape, number(d))
		}
		if f, ok := m["fold"]; ok {
			r.fold = number(f)
		}
		w, h, _ := strings.Cut(m["frame"], "x")
		r.frameW, r.frameH = number(w), number(h)
		_, r.outliers = m["outliers"]
		_, r.residual = m["residual"]
		r.codes = m["codes"]
	}
	if err == nil && r.String()+" sum="+r.sum != line {
		err = FormatError(fmt.Sprintf("recipe: %q has unknown or misplaced words", line))
	}
	return r, err
}

// part is one stored array of a tensor.
type part struct {
	suffix string // of its name; empty for the stream and for raw data
	dtype  tensor.DType
	shape  []int
	data   []byte
}

func (p part) info(name string) tensor.Info {
	return tensor.Info{Name: name + p.suffix, DType: p.dtype, Shape: p.shape}
}

// pieces are data in memory.
type pieces [][]byte

// WriteTo writes them.
func (p pieces) WriteTo(w io.Writer) (n int64, err error) {
	for _, b := range p {
		k, err := w.Write(b)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// checksum covers the common recipe, the name, the tensor's recipe and its parts.
func checksum(common Common, name, recipe string, parts []part) string {
	sum, _ := checksumOf(common, name, recipe, parts, nil) // nothing is read
	return sum
}

// checksumOf does that where main, if not nil, is the data of the first part.
func checksumOf(common Common, name, recipe string, parts []part, main io.WriterTo) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%s\n", common, name, recipe)
	for i, p := range parts {
		data := io.WriterTo(pieces{p.data})
		size := len(p.data)
		if i == 0 && main != nil {
			n, err := p.info(name).NumBytes()
			if err != nil {
				return "", err
			}
			data, size = main, int(n)
		}
		fmt.Fprintf(h, "%q %s %v %d\n", p.suffix, p.dtype, p.shape, size)
		if _, err := data.WriteTo(h); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// codesSum covers the decoded codes of one or two streams.
func codesSum(planes ...[]byte) string {
	h := sha256.New()
	for _, p := range planes {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// metaSum covers the metadata that was the original file's own.
func metaSum(meta map[string]string) string {
	h := sha256.New()
	keys := make([]string, 0, len(meta))
	for k := range meta {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Fprintf(h, "%q %q\n", k, meta[k])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
