package t265

import (
	"errors"
	"reflect"
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

// parameterWriter writes syntax elements of fixed length and Exp-Golomb codes.
type parameterWriter struct{ bitio.Writer }

func (w *parameterWriter) ues(list ...uint32) {
	for _, v := range list {
		w.UE(v)
	}
}

func (w *parameterWriter) flags(list ...int) {
	for _, v := range list {
		w.Flag(v != 0)
	}
}

// fullSPS writes a sequence parameter set with everything that intra slices may
// carry along; the last element but the trailing bits names tool number ext of
// the range extension, if that is not negative.
func fullSPS(ext int) []byte {
	var w parameterWriter
	w.Bits(0, 4)
	w.Bits(2, 3) // two sub-layers below the highest
	w.flags(1)
	w.Bits(0, 3) // profile space, tier
	w.Bits(0, 5) // general_profile_idc, which the compatibility flags tell
	w.Bits(1<<(31-4), 32)
	w.Bits(0, 32)
	w.Bits(0, 16)
	w.Bits(93, 8)
	w.flags(1, 1, 0, 1) // profile and level of the first sub-layer, level of the second
	w.Bits(0, 12)
	for range 11 {
		w.Bits(0xa5, 8)
	}
	w.Bits(60, 8)
	w.Bits(90, 8)
	w.ues(3, 0, 72, 40) // id, 4:0:0, size
	w.flags(1)
	w.ues(1, 2, 3, 4) // window
	w.ues(0, 0, 2)    // depths, log2_max_pic_order_cnt_lsb_minus4
	w.flags(1)
	for range 3 {
		w.ues(4, 2, 5)
	}
	w.ues(0, 2, 0, 2, 1, 2) // smallest CU 8, CTU 32, transforms 4 to 16, depths
	w.flags(0, 1, 1, 1)     // no scaling list; amp, SAO, PCM
	w.Bits(6, 4)
	w.Bits(6, 4)
	w.ues(0, 1)
	w.flags(1)
	w.ues(3) // short-term sets
	w.ues(2, 1)
	for range 3 {
		w.ues(1)
		w.flags(1)
	}
	w.flags(1, 0) // predicted from the set before
	w.ues(2)
	for _, used := range [][]int{{1}, {0, 0}, {0, 1}, {1}} {
		w.flags(used...)
	}
	w.flags(0)
	w.ues(0, 0)
	w.flags(1)
	w.ues(2) // long-term pictures
	for range 2 {
		w.Bits(0x2b, 6)
		w.flags(1)
	}
	w.flags(1, 1) // temporal motion vectors, strong smoothing
	w.flags(1)    // VUI
	w.flags(1)
	w.Bits(255, 8)
	w.Bits(0x00010001, 32)
	w.flags(1, 0)
	w.flags(1)
	w.Bits(5, 4)
	w.flags(1)
	w.Bits(0x010203, 24)
	w.flags(1)
	w.ues(2, 3)
	w.Bits(0, 3)
	w.flags(1)
	w.ues(1, 0, 2, 0)
	w.flags(1)
	w.Bits(1001, 32)
	w.Bits(60000, 32)
	w.flags(1)
	w.ues(7)
	w.flags(1)
	w.flags(1, 1, 1) // HRD of NAL and VCL, by sub-pictures
	w.Bits(99, 19)
	w.Bits(0x11, 8)
	w.Bits(5, 4)
	w.Bits(0x1234, 15)
	w.flags(1) // fixed rate
	w.ues(3)   // elemental duration
	w.ues(1)   // two CPBs
	for range 4 {
		w.ues(9, 8, 7, 6)
		w.flags(1)
	}
	w.flags(0, 1) // fixed within the sequence
	w.ues(2, 0)
	for range 2 {
		w.ues(1, 2, 3, 4)
		w.flags(0)
	}
	w.flags(0, 0, 1) // low delay: one CPB
	for range 2 {
		w.ues(5, 6, 7, 8)
		w.flags(1)
	}
	w.flags(1)
	w.Bits(2, 3)
	w.ues(0, 1, 2, 15, 14)
	if ext < 0 {
		w.flags(0)
	} else {
		w.flags(1, 1)
		w.Bits(0, 7)
		for i := range 9 {
			w.Flag(i == ext || i == 6) // weighted prediction is of no account
		}
	}
	w.Trailing()
	return w.Bytes()
}

// TestFullSPS: what intra slices carry along is passed over, to the bit.
func TestFullSPS(t *testing.T) {
	got, err := parseSPS(fullSPS(-1))
	if err != nil {
		t.Fatal(err)
	}
	want := SPS{
		ID: 3, ProfileIDC: 4, LevelIDC: 93, Width: 72, Height: 40, CropLeft: 1, CropRight: 2, CropTop: 3, CropBottom: 4,
		Log2MinCB: 3, Log2CTB: 5, Log2MinTB: 2, Log2MaxTB: 4, MaxDepthIntra: 2, SAO: true, PCM: true, PCMBits: 7, Log2MinPCM: 3, Log2MaxPCM: 4,
		StrongSmoothing: true, log2MaxPOC: 6, temporalMVP: true, longTerm: true, longTermSets: 2, shortTermSets: []int{3, 3, 0},
		ctbWidth: 3, ctbHeight: 2, addressBits: 3,
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got\n%+v, want\n%+v", *got, want)
	}
	for ext, name := range []string{"transform_skip_rotation", "transform_skip_context", "implicit_rdpcm", "explicit_rdpcm", "extended_precision",
		"intra_smoothing_disabled", "", "persistent_rice", "cabac_bypass_alignment"} {
		_, err := parseSPS(fullSPS(ext))
		var u UnsupportedError
		if name == "" && err != nil || name != "" && (!errors.As(err, &u) || !strings.Contains(err.Error(), name)) {
			t.Errorf("tool %d of the range extension: %v, want %q", ext, err, name)
		}
	}
}

// TestPPS: every element of a picture parameter set is where the standard has it.
func TestPPS(t *testing.T) {
	write := func(qp int32, delta uint32, extension uint32) []byte {
		var w parameterWriter
		w.ues(5, 3)
		w.flags(1, 1) // dependent slices, output flag
		w.Bits(3, 3)
		w.flags(1, 1) // sign hiding, cabac_init_present_flag
		w.ues(2, 1)
		w.SE(qp)
		w.flags(1, 1, 1) // constrained intra, transform skip, cu_qp_delta
		w.ues(delta)
		w.SE(-3)
		w.SE(4)
		w.flags(1, 0, 0, 1, 0, 1, 1) // chroma offsets, weighting, bypass, no tiles, WPP, loop filter across slices
		w.flags(1, 1, 0)             // deblocking control, override, on
		w.SE(2)
		w.SE(-2)
		w.flags(0, 1) // no scaling list; lists_modification_present_flag
		w.ues(3)
		w.flags(1, 1)
		w.Bits(extension, 8)
		w.Trailing()
		return w.Bytes()
	}
	got, err := parsePPS(write(-5, 2, 0))
	if err != nil {
		t.Fatal(err)
	}
	want := PPS{
		ID: 5, SPS: 3, DependentSlices: true, SignHiding: true, InitQP: 21, TransformSkip: true, QPDelta: true, QPDeltaDepth: 2, TransquantBypass: true, WPP: true,
		outputFlagPresent: true, extraSliceBits: 3, chromaOffsets: true, loopFilterAcross: true, deblockingOverride: true, sliceHeaderExtension: true,
	}
	if *got != want {
		t.Errorf("got\n%+v, want\n%+v", *got, want)
	}
	for _, c := range []struct {
		qp               int32
		delta, extension uint32
		want             string
	}{
		{-26, 0, 0, ""}, {25, 3, 0, ""}, {-27, 0, 0, "init_qp_minus26"}, {26, 0, 0, "init_qp_minus26"}, {0, 4, 0, "diff_cu_qp_delta_depth"},
		{0, 0, 0x10, "0001"}, {0, 0, 0x80, "1000"}, {0, 0, 0x0f, ""},
	} {
		_, err := parsePPS(write(c.qp, c.delta, c.extension))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("QP %d, depth %d, extension %#x: %v, want %q", c.qp, c.delta, c.extension, err, c.want)
		}
	}
}
