package common

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/testbench"
)

// A codeword is what a software encoder coded: ops of one bin, and its bytes.
type codeword struct {
	ops   []cabac.Op
	bytes []byte
}

// recorder builds the program that writes the codewords of a plane: the software
// encoders with their arithmetic encoder recorded.
var recorder = sync.OnceValues(func() (string, error) {
	exe := filepath.Join(testbench.Root(), "out", "bins")
	cmd := exec.Command("go", "build", "-tags", "cabacbins", "-o", exe, "./testbench/bins")
	cmd.Dir = testbench.Root()
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return exe, nil
})

func readCodewords(codec string, qp int, plane string) ([]codeword, error) {
	exe, err := recorder()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(exe, codec, fmt.Sprint(qp), plane)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w %s", err, stderr.String())
	}
	var words []codeword
	for len(b) >= 8 {
		ops, size := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		if len(b) < 3*ops+size {
			return nil, fmt.Errorf("%d bytes for %d ops and %d bytes", len(b), ops, size)
		}
		var w codeword
		for i := range ops {
			op := cabac.Op{Kind: b[3*i], Ctx: b[3*i+1], Bits: b[3*i+2]}
			if op.Kind == cabac.OpBypass {
				op.Count = 1
			}
			w.ops = append(w.ops, op)
		}
		w.bytes = b[3*ops:][:size]
		words, b = append(words, w), b[3*ops+size:]
	}
	if len(words) == 0 || len(b) != 0 {
		return nil, fmt.Errorf("%d codewords and %d bytes", len(words), len(b))
	}
	return words, nil
}

// join does in one op what the lane does in one cycle: a bypass bin goes with
// the bin with a context before it, others go together.
func join(ops []cabac.Op, bypass int) []cabac.Op {
	var out []cabac.Op
	for _, op := range ops {
		if last := len(out) - 1; last >= 0 && op.Kind == cabac.OpBypass {
			switch p := &out[last]; {
			case p.Kind == cabac.OpContext && p.Count == 0:
				p.Count, p.Bits = 1, p.Bits|op.Bits<<1
				continue
			case p.Kind == cabac.OpBypass && int(p.Count) < bypass:
				p.Count, p.Bits = p.Count+1, p.Bits<<1|op.Bits
				continue
			}
		}
		out = append(out, op)
	}
	return out
}

// binsModel drives an encoder lane with the codewords of a software encoder and
// holds its bytes against theirs.
type binsModel struct {
	*laneModel
	ops  []cabac.Op
	want [][]byte
	word []byte // of the codeword that leaves
	n    int    // codewords that are out
	err  error
}

func newBinsModel(spec cabachw.EncoderSpec, words []codeword, stall testbench.Stall, seed uint64) *binsModel {
	m := &binsModel{laneModel: newLaneModel(spec, stall, seed)}
	for _, w := range words {
		m.ops = append(m.ops, join(w.ops, spec.Bypass)...)
		m.want = append(m.want, w.bytes)
	}
	m.source = m.nextOp
	return m
}

func (m *binsModel) nextOp() (cabac.Op, bool) {
	if len(m.ops) == 0 {
		return cabac.Op{}, false
	}
	op := m.ops[0]
	m.ops = m.ops[1:]
	return op, true
}

func (m *binsModel) Cycle(in, out []uint64) {
	m.laneModel.Cycle(in, out)
	if !m.out.Moves() || m.err != nil {
		return
	}
	m.word = append(m.word, m.out.Data.Data)
	if !m.out.Data.Last {
		return
	}
	if m.n == len(m.want) {
		m.err = fmt.Errorf("codeword %d: there are no more", m.n)
	} else if want := m.want[m.n]; !bytes.Equal(m.word, want) {
		i := 0
		for i < min(len(want), len(m.word)) && want[i] == m.word[i] {
			i++
		}
		m.err = fmt.Errorf("codeword %d differs from that of the software in byte %d: %d bytes, want %d", m.n, i, len(m.word), len(want))
	}
	m.n, m.word = m.n+1, m.word[:0]
}

func (m *binsModel) Done() (bool, error) { return m.n == len(m.want) || m.err != nil, m.err }

// TestCABACEncoderBins: the lane makes the bytes of the hw tier of both codecs
// from its bins. With VCSIM_COSIM_FULL=1 of all planes of the data folder.
func TestCABACEncoderBins(t *testing.T) {
	t.Parallel()
	planes, err := filepath.Glob(filepath.Join(testbench.Root(), "testbench/common/testdata/*.pgm"))
	if err != nil || len(planes) == 0 {
		t.Fatal("no planes", err)
	}
	stalls := testbench.Stalls
	if testbench.All() {
		more, err := filepath.Glob(filepath.Join(testbench.Root(), "../shared/planes/*.pgm"))
		if err != nil {
			t.Fatal(err)
		}
		if len(more) == 0 {
			t.Log("the data folder ../shared is not beside the checkout")
		}
		planes = append(planes, more...)
	} else if !testbench.Full() {
		stalls = stalls[3:]
	}
	u, sets := laneSets()
	set := sets[0]
	for _, plane := range planes {
		for _, codec := range []string{"t264", "t265"} {
			name := strings.TrimSuffix(filepath.Base(plane), ".pgm")
			t.Run(codec+"/"+name, func(t *testing.T) {
				testbench.NeedTools(t, "go", "verilator", "g++", "ar")
				if _, err := os.Stat(plane); err != nil {
					t.Fatal(err)
				}
				words, err := readCodewords(codec, 26, plane)
				if err != nil {
					t.Fatal(err)
				}
				spec := cabachw.EncoderSpec{Contexts: 256, Bypass: 4, RunBits: 16}
				set.Params = laneParams(spec)
				set.Width = map[string]int{"in_ctx_i": spec.CtxBits()}
				set.Model = func(stall testbench.Stall, seed uint64) testbench.Model {
					return newBinsModel(spec, words, stall, seed)
				}
				testbench.Replay(t, u, set, fmt.Sprintf("vc_cabac_enc %s %s", codec, name), stalls, 1<<28)
			})
		}
	}
}

// TestBinsModel: the model notices bytes that are not those of the software.
func TestBinsModel(t *testing.T) {
	word := codeword{ops: []cabac.Op{{Kind: cabac.OpInit, Bits: 40}, {Bits: 1}, {Kind: cabac.OpBypass, Count: 1, Bits: 1}, {Kind: cabac.OpTerminate, Bits: 1}}}
	var e cabac.Encoder
	ctx := uint8(40)
	e.Reset(nil)
	e.Bin(&ctx, 1)
	e.Bypass(1, 1)
	e.Terminate(1)
	e.Flush()
	word.bytes = e.Bytes()
	wrong := codeword{word.ops, slices.Clone(word.bytes)}
	wrong.bytes[0] ^= 1
	for i, words := range [][]codeword{{word, word}, {word, wrong}} {
		var m testbench.Finite = newBinsModel(cabachw.DefaultEncoderSpec(), words, testbench.Stall{}, 1)
		for range 100 {
			m.Cycle(make([]uint64, 6), make([]uint64, 5))
		}
		if done, err := m.Done(); !done || (err != nil) != (i == 1) {
			t.Errorf("case %d: done %t, %v", i, done, err)
		}
	}
}
