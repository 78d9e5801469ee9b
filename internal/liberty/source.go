package liberty

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Source is a liberty that was found.
type Source struct {
	Path string // of the file; "" for the compact one
	Set  string // names the cells, for the reader
	Hash string // first 16 digits of the SHA-256 of the text
	Text []byte
}

// The sets of cells.
const (
	FullSet    = "ASAP7 RVT TT 0.70 V, without *xp5*"
	CompactSet = FullSet + ", compact liberty"
)

// Env is the variable that names a liberty: the file that synthesis uses, or the folder of both.
const Env = "ASAP7_LIB"

// The files of the folder ../shared/asap7: for synthesis and timing, and with energy.
const (
	synthFile = "asap7_synth.lib.gz"
	powerFile = "asap7_rvt_tt.lib.gz"
)

// Synth finds the liberty for synthesis and timing: the file that the environment variable ASAP7_LIB names, else that of the folder
// shared/asap7 beside the repository at root, else the compact one. Where the file leaves out the clock gate of Techmap, the text has it from
// the liberty with energies, if it is there; the hash stays that of the file.
func Synth(root string) (*Source, error) {
	s, err := find(root, synthFile)
	if err != nil || s.Gated() {
		return s, err
	}
	power, err := Power(root)
	if err != nil {
		return nil, err
	}
	_, gate, found := bytes.Cut(power.Text, []byte("\n"+gateHead))
	gate, _, whole := bytes.Cut(gate, []byte("\n }\n"))
	end := bytes.LastIndexByte(s.Text, '}')
	if !found || !whole || end < 0 {
		return s, nil
	}
	s.Text = fmt.Appendf(bytes.Clone(s.Text[:end]), "%s%s\n }\n}\n", gateHead, gate)
	return s, nil
}

const (
	clockGate = "ICGx1_ASAP7_75t_R"
	gateHead  = " cell (" + clockGate + ") {"
)

// Gated reports whether the text has the clock gate of Techmap.
func (s *Source) Gated() bool { return bytes.Contains(s.Text, []byte(gateHead)) }

// Techmap has yosys make the clock gates of the RTL, vc_clock_gate, and its latches of cells, which dfflibmap does not.
const Techmap = `module vc_clock_gate (input clk_i, en_i, output clk_o);
  ` + clockGate + ` _TECHMAP_REPLACE_ (.CLK(clk_i), .ENA(en_i), .SE(1'b0), .GCLK(clk_o));
endmodule
module \$_DLATCH_P_ (input E, D, output Q);
  DHLx1_ASAP7_75t_R _TECHMAP_REPLACE_ (.CLK(E), .D(D), .Q(Q));
endmodule
`

// Power is as Synth, for the liberty that has internal energies and leakage. ASAP7_LIB has to hold them then.
func Power(root string) (*Source, error) { return find(root, powerFile) }

func find(root, file string) (*Source, error) {
	path := os.Getenv(Env)
	if path == "" {
		path = filepath.Join(root, "..", "shared", "asap7")
		if _, err := os.Stat(filepath.Join(path, file)); err != nil {
			return Compact()
		}
	}
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w", Env, err)
	} else if info.IsDir() {
		path = filepath.Join(path, file)
	}
	return Open(path)
}

// Open reads a liberty file, which may be compressed with gzip.
func Open(path string) (*Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(z)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return &Source{Path: path, Set: FullSet, Hash: hash(data), Text: data}, nil
}

// Compact is the liberty made of the facts.
func Compact() (*Source, error) {
	l, err := Facts()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	l.WriteTo(&b) // a buffer takes all
	return &Source{Set: CompactSet, Hash: hash(b.Bytes()), Text: b.Bytes()}, nil
}

// Library reads the cells of a source.
func (s *Source) Library() (*Library, error) {
	name := s.Path
	if name == "" {
		name = "the compact liberty"
	}
	return Parse(name, bytes.NewReader(s.Text))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
