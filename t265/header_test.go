package t265

import (
	"errors"
	"strings"
	"testing"

	"vcsim/internal/bitio"
)

func TestLevels(t *testing.T) {
	for _, c := range []struct{ w, h, idc int }{
		{8, 8, 30}, {512, 512, 90}, {1024, 1024, 120}, {4096, 8, 120}, {4096, 544, 120}, {2048, 2048, 150}, {8192, 4096, 180},
	} {
		if got, err := levelFor(c.w, c.h); err != nil || got != c.idc {
			t.Errorf("%dx%d: level %d, %v, want %d", c.w, c.h, got, err, c.idc)
		}
	}
	if _, err := levelFor(16888, 8000); err == nil {
		t.Error("a picture above level 6.2 has a level")
	}
}

// TestUnsupported checks that valid parameter sets outside the subset are
// refused by the name of the element.
func TestUnsupported(t *testing.T) {
	sps := func(chroma uint32, scaling bool) []byte {
		var w bitio.Writer
		w.Bits(1, 8)
		writeProfileTierLevel(&w, 30)
		w.UE(0)
		w.UE(chroma)
		w.UE(64)
		w.UE(64)
		w.Flag(false)
		for range 3 {
			w.UE(0)
		}
		w.Flag(true)
		for _, v := range []uint32{0, 0, 0, 0, 2, 0, 3, 0, 0} {
			w.UE(v)
		}
		w.Flag(scaling)
		w.Bits(0, 3)
		w.UE(0)
		w.Bits(0, 5)
		w.Trailing()
		return w.Bytes()
	}
	if _, err := parseSPS(sps(0, false)); err != nil {
		t.Fatal(err)
	}
	for want, rbsp := range map[string][]byte{"chroma_format_idc = 1": sps(1, false), "scaling_list_enabled_flag": sps(0, true)} {
		_, err := parseSPS(rbsp)
		var u UnsupportedError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want unsupported %s", err, want)
		}
	}
}
