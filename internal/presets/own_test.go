package presets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
)

// losslessYAML is the example of docs/cluster.md.
const losslessYAML = `encode_gbps: 100
decode_gbps: 100
encode_mm2: 0.007
decode_mm2: 0.007
encode_pj_per_bit: 0.09
decode_pj_per_bit: 0.09
ratio: 1.5
source: derived from a vendor's poster
`

func ownOptions(t *testing.T, text string) (*CodecOptions, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lossless.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	o := &CodecOptions{Bits: cluster.UniformBits(5), Point: codecpoint.Options{Spec: codecpoint.DefaultSpec("t264")}}
	o.Serve(100e9)
	return o, path
}

func TestOwnCodec(t *testing.T) {
	o, path := ownOptions(t, losslessYAML)
	c, err := o.Codec(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "lossless" || c.Instances != 2 || c.EncodeMM2 != .007 || c.Bits != cluster.UniformBits(1.5) || !c.HasArea || !strings.Contains(c.Source, "poster") || len(c.Point.Figures) != 6 {
		t.Errorf("got %+v", c)
	}
	page, err := os.ReadFile("../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(losslessYAML) {
		if !strings.Contains(string(page), "    "+line) {
			t.Errorf("docs/cluster.md does not show %q", line)
		}
	}
	o, path = ownOptions(t, strings.Replace(losslessYAML, "ratio: 1.5\n", "instances: 7\n", 1))
	if c, err = o.Codec(path); err != nil || c.Instances != 7 || c.Bits != cluster.UniformBits(5) {
		t.Errorf("without a ratio: %+v, %v", c, err)
	}
}

func TestOwnCodecFaults(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{"encode_gbps: 100\n", "", "encode_gbps and decode_gbps are needed"},
		{"encode_gbps: 100\n", "encode_gbps: -1\n", "encode_gbps is -1"},
		{"ratio: 1.5\n", "ratio: 0.5\n", "ratio is 0.5"},
		{"ratio: 1.5\n", "ration: 1.5\n", "ration"},
		{"decode_mm2: 0.007\n", "decode_mm2: .nan\n", "decode_mm2"},
		{"source: derived from a vendor's poster\n", "", "source is needed"},
	} {
		o, path := ownOptions(t, strings.Replace(losslessYAML, tt.from, tt.to, 1))
		if _, err := o.Codec(path); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, want %q and the file", tt.to, err, tt.want)
		}
	}
	if _, err := new(CodecOptions).Codec("none.yaml"); err == nil {
		t.Error("a file that is not there")
	}
}
