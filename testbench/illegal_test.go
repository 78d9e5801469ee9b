package testbench

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

type illegalSet struct {
	module  string
	params  Params
	message string
}

// illegal lists parameter sets that modules refuse, and what they say: the name of
// a module that does not exist.
var illegal = []illegalSet{
	{"vc_arbiter", Params{{"Inputs", 0}}, "illegal_Inputs_is_below_1"},
	{"vc_fifo", Params{{"Depth", 1}}, "illegal_Depth_is_below_2"},
	{"vc_fifo_ram", Params{{"Depth", 1}}, "illegal_Depth_is_below_2"},
	{"vc_nal_pack", Params{{"Bytes", 1}}, "illegal_Bytes_is_not_2_to_8"},
	{"vc_nal_pack", Params{{"Bytes", 9}}, "illegal_Bytes_is_not_2_to_8"},
	{"vc_cabac_pack", Params{{"RunBits", 0}}, "illegal_RunBits_is_not_1_to_31"},
	{"vc_cabac_pack", Params{{"RunBits", 32}}, "illegal_RunBits_is_not_1_to_31"},
	{"vc_cabac_bypass", Params{{"Bypass", 0}}, "illegal_Bypass_is_not_1_to_7"},
	{"vc_cabac_bypass", Params{{"Bypass", 8}}, "illegal_Bypass_is_not_1_to_7"},
	{"vc_cabac_dec", Params{{"Bypass", 8}}, "illegal_Bypass_is_not_1_to_7"},
	{"vc_cabac_dec_core", Params{{"Contexts", 1}}, "illegal_Contexts_is_not_2_to_256"},
	{"vc_cabac_dec_core", Params{{"Contexts", 257}}, "illegal_Contexts_is_not_2_to_256"},
	{"vc_cabac_enc", Params{{"Contexts", 1}}, "illegal_Contexts_is_not_2_to_256"},
	{"vc_cabac_enc", Params{{"Contexts", 257}}, "illegal_Contexts_is_not_2_to_256"},
	{"vc_cabac_enc", Params{{"Bypass", 0}}, "illegal_Bypass_is_not_1_to_7"},
	{"vc_cabac_enc", Params{{"Bypass", 8}}, "illegal_Bypass_is_not_1_to_7"},
	{"t264_mode", Params{{"Values", 2}}, "illegal_Values_is_neither_4_nor_8"},
	{"t264_mode", Params{{"Values", 16}}, "illegal_Values_is_neither_4_nor_8"},
	{"t264_dct", Params{{"Values", 6}}, "illegal_Values_is_neither_4_nor_8"},
	{"t264_quant", Params{{"Values", 6}}, "illegal_Values_is_neither_4_nor_8"},
	{"t264_enc_pixels", Params{{"Threads", 0}}, "illegal_Threads_is_not_1_to_64"},
	{"t264_enc_pixels", Params{{"Threads", 65}}, "illegal_Threads_is_not_1_to_64"},
	{"t264_enc_pixels", Params{{"FrameMBs", 1}}, "illegal_FrameMBs_is_not_2_to_256"},
	{"t264_enc_pixels", Params{{"FrameMBs", 257}}, "illegal_FrameMBs_is_not_2_to_256"},
	{"t264_enc_code", Params{{"Threads", 6}, {"Lanes", 4}}, "illegal_Threads_is_no_multiple_of_Lanes"},
	{"t264_enc_code", Params{{"Threads", 4}, {"Lanes", 6}}, "illegal_Threads_is_no_multiple_of_Lanes"},
	{"t265_split", Params{{"MaxTU", 4}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_split", Params{{"MaxTU", 32}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_split", Params{{"MinTU", 2}}, "illegal_MinTU_is_neither_4_nor_8"},
	{"t264_residual", Params{{"Late", 0}}, "illegal_Late_is_not_1_to_15"},
	{"t264_residual", Params{{"Late", 16}}, "illegal_Late_is_not_1_to_15"},
	{"t264_context", Params{{"Decoder", 2}}, "illegal_Decoder_is_not_0_to_1"},
	{"t264_dec_ref", Params{{"Threads", 1}}, "illegal_Threads_is_not_2_to_64"},
	{"t264_dec_ref", Params{{"Threads", 65}}, "illegal_Threads_is_not_2_to_64"},
	{"t264_dec_ref", Params{{"FrameMBs", 1}}, "illegal_FrameMBs_is_not_2_to_1024"},
	{"t264_dec_ref", Params{{"FrameMBs", 1025}}, "illegal_FrameMBs_is_not_2_to_1024"},
	{"t264_dec_sched", Params{{"Slots", 15}}, "illegal_Slots_is_not_16_to_63"},
	{"t264_dec_sched", Params{{"Slots", 64}}, "illegal_Slots_is_not_16_to_63"},
	{"t264_dec_residual", Params{{"Transform8", 2}}, "illegal_Transform8_is_not_0_to_1"},
	{"t264_parse", Params{{"FrameMBs", 1}}, "illegal_FrameMBs_is_not_2_to_1024"},
	{"t264_parse", Params{{"FrameMBs", 1025}}, "illegal_FrameMBs_is_not_2_to_1024"},
	{"t264_parse", Params{{"Bypass", 0}}, "illegal_Bypass_is_not_1_to_4"},
	{"t264_parse", Params{{"Bypass", 5}}, "illegal_Bypass_is_not_1_to_4"},
	{"t264_enc", Params{{"Threads", 8}, {"Lanes", 3}}, "illegal_Threads_is_no_multiple_of_Lanes"},
	{"t264_enc", Params{{"Values", 5}}, "illegal_Values_is_neither_4_nor_8"},
	{"t264_dec", Params{{"Lanes", 1}}, "illegal_Threads_is_not_2_to_64"},
	{"t264_dec", Params{{"Slots", 64}}, "illegal_Slots_is_not_16_to_63"},
	{"t264_dec", Params{{"Bypass", 5}}, "illegal_Bypass_is_not_1_to_4"},
	{"t265_parse", Params{{"FrameCTUs", 1}}, "illegal_FrameCTUs_is_not_2_to_1024"},
	{"t265_parse", Params{{"FrameCTUs", 1025}}, "illegal_FrameCTUs_is_not_2_to_1024"},
	{"t265_parse", Params{{"MaxCTU", 8}}, "illegal_MaxCTU_is_not_16_32_or_64"},
	{"t265_parse", Params{{"Bypass", 5}}, "illegal_Bypass_is_not_1_to_4"},
	{"t265_dec_banks", Params{{"MaxTU", 8}}, "illegal_MaxTU_is_not_16_or_32"},
	{"t265_dec_lane", Params{{"MaxCTU", 16}}, "illegal_MaxTU_is_above_MaxCTU"},
	{"t265_context", Params{{"MaxTU", 4}}, "illegal_MaxTU_is_not_8_16_or_32"},
	{"t265_enc_lane", Params{{"MaxTU", 64}}, "illegal_MaxTU_is_not_8_16_or_32"},
	{"t265_quant", Params{{"MaxTU", 32}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_quant", Params{{"Hide", 2}}, "illegal_Hide_is_neither_0_nor_1"},
	{"t265_quant", Params{{"MinTU", 16}}, "illegal_MinTU_is_neither_4_nor_8"},
	{"t265_cost", Params{{"Log2", 1}}, "illegal_Log2_is_not_2_to_5"},
	{"t265_cost", Params{{"Log2", 6}}, "illegal_Log2_is_not_2_to_5"},
	{"t265_enc_code", Params{{"Threads", 3}, {"Lanes", 2}}, "illegal_Threads_is_no_multiple_of_Lanes"},
	{"t265_enc_pixels", Params{{"Threads", 65}}, "illegal_Threads_is_not_1_to_64"},
	{"t265_enc_pixels", Params{{"Threads", 0}}, "illegal_Threads_is_not_1_to_64"},
	{"t265_enc_pixels", Params{{"FrameCTUs", 1}}, "illegal_FrameCTUs_is_not_2_to_256"},
	{"t265_enc_pixels", Params{{"FrameCTUs", 257}}, "illegal_FrameCTUs_is_not_2_to_256"},
	{"t265_samples", Params{{"MaxTU", 4}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_samples", Params{{"MinTU", 16}}, "illegal_MinTU_is_neither_4_nor_8"},
	{"t265_forward", Params{{"MaxTU", 4}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_inverse", Params{{"MaxTU", 32}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_dec_inverse", Params{{"MaxTU", 32}}, "illegal_MaxTU_is_neither_8_nor_16"},
	{"t265_dec_inverse", Params{{"MinTU", 16}}, "illegal_MinTU_is_neither_4_nor_8"},
	{"t265_dec_predict", Params{{"MaxTU", 4}}, "illegal_MaxTU_is_not_8_16_or_32"},
	{"t265_dec_predict", Params{{"MaxTU", 64}}, "illegal_MaxTU_is_not_8_16_or_32"},
	{"t265_dec_predict", Params{{"Modes", 5}}, "illegal_Modes_is_neither_35_nor_4"},
	{"t265_dec_sched", Params{{"Words", 15}}, "illegal_Words_is_not_16_to_256"},
	{"t265_dec_sched", Params{{"Words", 257}}, "illegal_Words_is_not_16_to_256"},
	{"t265_dec_windows", Params{{"MaxCTU", 8}}, "illegal_MaxCTU_is_not_16_32_or_64"},
	{"t265_dec_windows", Params{{"FrameCTUs", 1}}, "illegal_FrameCTUs_is_not_2_to_1024"},
	{"t265_dec_windows", Params{{"FrameCTUs", 1025}}, "illegal_FrameCTUs_is_not_2_to_1024"},
	{"t265_bypass", Params{{"Bypass", 3}}, "illegal_Bypass_is_not_4_to_7"},
	{"t265_bypass", Params{{"Bypass", 8}}, "illegal_Bypass_is_not_4_to_7"},
	{"t265_bypass", Params{{"Groups", 1}}, "illegal_Groups_is_not_2_to_16"},
	{"t265_bypass", Params{{"Groups", 17}}, "illegal_Groups_is_not_2_to_16"},
}

var illegalModule = regexp.MustCompile(`(?m)^ +(illegal_\w+) u_illegal \(\);$`)

// TestIllegal: iverilog stops at each illegal parameter set and names what is wrong,
// the other tools do at the first with each message, and every module that refuses a
// set is in the table.
func TestIllegal(t *testing.T) {
	source := map[string]string{}
	for _, name := range verilogFiles(t) {
		module := strings.TrimSuffix(filepath.Base(name), ".v")
		source[module] = name
		for _, m := range illegalModule.FindAllStringSubmatch(readFile(t, filepath.Join(Root(), name)), -1) {
			if !slices.ContainsFunc(illegal, func(i illegalSet) bool { return i.module == module && i.message == m[1] }) {
				t.Errorf("%s: no set with %s is in the table", name, m[1])
			}
		}
	}
	tools := map[string]func(module string, params Params) []string{
		"verilator": func(module string, params Params) []string {
			args := append([]string{"--lint-only", "--default-language", "1364-2005", "-Wno-fatal"}, libraryFlags(module)...)
			for _, p := range params {
				args = append(args, "-G"+Params{p}.String())
			}
			return append(args, source[module])
		},
		"iverilog": func(module string, params Params) []string {
			args := append([]string{"-g2005", "-o", "/dev/null", "-s", module}, libraryFlags(module)...)
			for _, p := range params {
				args = append(args, "-P"+module+"."+Params{p}.String())
			}
			return append(args, source[module])
		},
		"yosys": func(module string, params Params) []string {
			set := ""
			for _, p := range params {
				set += strings.ReplaceAll(" -chparam "+Params{p}.String(), "=", " ")
			}
			return []string{"-q", "-p", readAll(t) + "; hierarchy -check -top " + module + set}
		},
	}
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		t.Run(tool, func(t *testing.T) {
			NeedTools(t, tool)
			seen := map[string]bool{}
			for _, tt := range illegal {
				if seen[tt.message] && tool != "iverilog" {
					continue
				}
				seen[tt.message] = true
				if err := tt.params.Check(filepath.Join(Root(), source[tt.module])); err != nil {
					t.Error(err)
					continue
				}
				cmd := exec.Command(tool, tools[tool](tt.module, tt.params)...)
				cmd.Dir = Root()
				out, err := cmd.CombinedOutput()
				if err == nil || !strings.Contains(string(out), tt.message) {
					t.Errorf("%s %s: %v, without %s:\n%.600s", tt.module, tt.params, err, tt.message, out)
				}
			}
		})
	}
}
