package t264

import (
	"os/exec"
	"testing"

	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// elaborates reports whether iverilog takes a module with the parameters, and what
// it says.
func elaborates(top string, params testbench.Params) (bool, string) {
	args := []string{"-g2005", "-o", "/dev/null", "-s", top, "-Irtl/t264/gen", "-y", "rtl/common", "-y", "rtl/common/gen", "-y", "rtl/t264", "-y", "rtl/t264/gen"}
	for _, p := range params {
		args = append(args, "-P"+top+"."+testbench.Params{p}.String())
	}
	cmd := exec.Command("iverilog", append(args, "rtl/t264/"+top+".v")...)
	cmd.Dir = testbench.Root()
	out, err := cmd.CombinedOutput()
	return err == nil, string(out)
}

// TestSpecs: the modules take the parameter sets that Validate takes, and no other.
func TestSpecs(t *testing.T) {
	testbench.NeedTools(t, "iverilog")
	check := func(top string, valid error, params testbench.Params) {
		if ok, out := elaborates(top, params); ok != (valid == nil) {
			t.Errorf("%s %s: Validate says %v, iverilog %t:\n%.500s", top, params, valid, ok, out)
		}
	}
	enc := hwenc.Spec{Threads: 2, Lanes: 1, Values: 8, Bypass: 4, FrameMBs: 4}
	for _, change := range []func(s *hwenc.Spec){
		func(s *hwenc.Spec) {},
		func(s *hwenc.Spec) { s.Threads = 1 }, func(s *hwenc.Spec) { s.Threads = 65 },
		func(s *hwenc.Spec) { s.Lanes = 3 }, func(s *hwenc.Spec) { s.Threads, s.Lanes = 3, 2 },
		func(s *hwenc.Spec) { s.Values = 4 }, func(s *hwenc.Spec) { s.Values = 6 }, func(s *hwenc.Spec) { s.Values = 16 },
		func(s *hwenc.Spec) { s.Bypass = 0 }, func(s *hwenc.Spec) { s.Bypass = 1 }, func(s *hwenc.Spec) { s.Bypass = 7 }, func(s *hwenc.Spec) { s.Bypass = 8 },
		func(s *hwenc.Spec) { s.FrameMBs = 1 }, func(s *hwenc.Spec) { s.FrameMBs = 2 }, func(s *hwenc.Spec) { s.FrameMBs = 256 }, func(s *hwenc.Spec) { s.FrameMBs = 257 },
	} {
		s := enc
		change(&s)
		check("t264_enc", s.Validate(), testbench.Params{{Name: "Threads", Value: s.Threads}, {Name: "Lanes", Value: s.Lanes},
			{Name: "Values", Value: s.Values}, {Name: "Bypass", Value: s.Bypass}, {Name: "FrameMBs", Value: s.FrameMBs}})
	}
	dec := hwdec.Spec{Lanes: 2, FrameMBs: 4, Slots: 16, Bypass: 1, Transform8: true}
	for _, change := range []func(s *hwdec.Spec){
		func(s *hwdec.Spec) {},
		func(s *hwdec.Spec) { s.Lanes = 1 }, func(s *hwdec.Spec) { s.Lanes = 65 },
		func(s *hwdec.Spec) { s.FrameMBs = 1 }, func(s *hwdec.Spec) { s.FrameMBs = 2 }, func(s *hwdec.Spec) { s.FrameMBs = 1024 }, func(s *hwdec.Spec) { s.FrameMBs = 1025 },
		func(s *hwdec.Spec) { s.Slots = 15 }, func(s *hwdec.Spec) { s.Slots = 63 }, func(s *hwdec.Spec) { s.Slots = 64 },
		func(s *hwdec.Spec) { s.Bypass = 0 }, func(s *hwdec.Spec) { s.Bypass = 4 }, func(s *hwdec.Spec) { s.Bypass = 5 },
		func(s *hwdec.Spec) { s.Transform8 = false },
	} {
		s := dec
		change(&s)
		check("t264_dec", s.Validate(), testbench.Params{{Name: "Lanes", Value: s.Lanes}, {Name: "FrameMBs", Value: s.FrameMBs},
			{Name: "Slots", Value: s.Slots}, {Name: "Bypass", Value: s.Bypass}, {Name: "Transform8", Value: int(bit(s.Transform8))}})
	}
}
