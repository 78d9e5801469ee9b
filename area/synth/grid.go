package main

import "strings"

// A point of the grid is a module with its parameters.
type point struct {
	module   string
	targetPS int // delay that the mapping aims at
	params   string
}

// top tells the points that are a whole encoder or decoder.
func (p *point) top() bool {
	return p.module == "t264_enc" || p.module == "t264_dec" || p.module == "t265_enc"
}

// assembled tells the points that are put together of parts; see parts.
func (p *point) assembled() bool {
	return p.module == "t265_enc" || p.module == "t265_enc_pixels" || p.module == "t265_enc_code"
}

// A family is a module with sets of parameters. each expands: Name=1,2 stands for both.
type family struct {
	module   string
	targetPS int
	params   []string
}

// The grid. Tops come in the order of their worth: those of the pages first. Those of a kind differ in one parameter at a time, and
// some in several, which the model has not seen.
var grid = []family{
	{"vc_pipe", 400, []string{"Width=8"}},
	{"vc_skid", 400, []string{"Width=8"}},
	{"vc_fifo", 400, []string{"Width=8 Depth=16"}},
	{"vc_fifo_ram", 400, []string{"Width=64 Depth=40"}},
	{"vc_arbiter", 400, []string{"Width=8 Inputs=4"}},
	{"vc_cabac_pack", 450, []string{"RunBits=16"}},
	{"vc_cabac_ctx", 450, []string{"Contexts=100"}},
	{"vc_cabac_enc", 450, []string{"Contexts=97 Bypass=4 RunBits=16"}},
	{"vc_nal_pack", 450, []string{"Bytes=8"}},
	{"vc_cabac_dec", 400, []string{"Contexts=100 Bypass=2"}},
	{"vc_cabac_dec_core", 400, []string{"Contexts=256 Bypass=1,2,4"}},
	{"vc_nal_unpack", 450, []string{""}},

	{"t264_residual", 450, []string{"Bypass=4 Late=12"}},
	{"t264_enc_lane", 450, []string{"Bypass=1,2,3,4 Turns=1", "Bypass=4 Turns=2"}},
	{"t264_context", 450, []string{"Lanes=4,8,16,24,32 Decoder=0", "Lanes=4,8,16,32 Decoder=1"}},
	{"t265_context", 450, []string{"Lanes=4,8,16,18,24 MaxTU=16"}},
	{"t265_binarise", 450, []string{"Bypass=4 Groups=4,8"}},
	{"t265_enc_lane", 450, []string{"Bypass=4 Groups=4 MaxTU=8,16,32", "Bypass=4 Groups=8 MaxTU=16", "Bypass=7 Groups=4 MaxTU=16"}},
	{"t265_enc_feed", 450, []string{"Share=4 Lanes=16 MaxTU=16", "Share=3 Lanes=18 MaxTU=16"}},
	{"t265_enc_store", 450, []string{"Threads=4 Lanes=4 MaxTU=16", "Threads=8 Lanes=8 MaxTU=16", "Threads=16 Lanes=16 MaxTU=16", "Threads=18 Lanes=18 MaxTU=16", "Threads=24 Lanes=24 MaxTU=16"}},
	{"t265_quant", 450, []string{"Threads=18 MaxTU=16 Hide=1", "Threads=16 MaxTU=16 Hide=1,0", "Threads=16 MaxTU=8 Hide=1", "Threads=16 MaxTU=16 MinTU=8 Hide=1"}},
	{"t265_cost", 450, []string{"Log2=2,3,4"}},
	{"t265_samples", 450, []string{"Threads=18 MaxTU=16", "Threads=16 MaxTU=8,16", "Threads=16 MaxTU=16 MinTU=8"}},
	{"t265_mode", 450, []string{"Threads=16 FrameCTUs=64"}},
	{"t265_split", 450, []string{"Threads=16 FrameCTUs=64 MaxTU=8,16"}},
	{"t265_enc_sched", 450, []string{"Threads=18 FrameCTUs=16,64"}},
	{"t265_enc_ref", 450, []string{"Threads=18 FrameCTUs=16,64"}},
	{"t265_enc_tree", 450, []string{"Threads=18 FrameCTUs=16,64"}},
	{"t265_forward", 450, []string{"MaxTU=8,16 TagWidth=17"}},
	{"t265_inverse", 450, []string{"MaxTU=8,16 TagWidth=17"}},
	{"t265_decide", 450, []string{"Threads=18 FrameCTUs=16 MaxTU=16,8", "Threads=18 FrameCTUs=16 MaxTU=16 MinTU=8"}},
	{"t264_enc_store", 450, []string{"Threads=4 Lanes=4 Words=20", "Threads=8 Lanes=8 Words=20", "Threads=16 Lanes=16 Words=20", "Threads=24 Lanes=24 Words=20", "Threads=32 Lanes=32 Words=20"}},
	{"t264_enc_sched", 450, []string{"Threads=24 FrameMBs=64"}},
	{"t264_enc_ref", 450, []string{"Threads=24 FrameMBs=64"}},
	{"t264_mode", 450, []string{"Threads=24 Values=8 FrameMBs=64"}},
	{"t264_dct", 450, []string{"Threads=24 Values=8 FrameMBs=64"}},
	{"t264_quant", 450, []string{"Threads=24 Values=8"}},
	{"t264_enc_dc", 450, []string{"Threads=24 FrameMBs=64"}},
	{"t264_border", 450, []string{"Threads=24 FrameMBs=64"}},

	{"t265_dec_inverse", 450, []string{"MaxTU=16 MinTU=4", "MaxTU=16 MinTU=8", "MaxTU=8 MinTU=4"}},
	{"t265_dec_predict", 450, []string{"MaxTU=16,8,32 Modes=35", "MaxTU=16 Modes=4"}},
	{"t265_dec_sched", 450, []string{"Threads=16 FrameCTUs=16 MaxTU=16 Words=72"}},
	{"t265_dec_windows", 450, []string{"Threads=16 FrameCTUs=16 MaxCTU=64"}},
	{"t265_dec_recon", 450, []string{"Threads=16 FrameCTUs=16"}},
	{"t265_dec_pixels", 450, []string{"Threads=16 FrameCTUs=16 MaxCTU=64 MaxTU=16 Modes=35 Words=72"}},
	{"t265_dec_banks", 400, []string{"MaxTU=16,32"}},
	{"t265_parse", 400, []string{"FrameCTUs=16 MaxCTU=16 Bypass=1,4"}},
	{"t265_dec_lane", 400, []string{"FrameCTUs=16 MaxCTU=16 MaxTU=16 Bypass=1,2,3,4", "FrameCTUs=64 MaxCTU=64 MaxTU=32 Bypass=1,4"}},

	{"t264_dec_banks", 400, []string{""}},
	{"t264_parse", 400, []string{"FrameMBs=64 Bypass=1"}},
	{"t264_dec_lane", 400, []string{"FrameMBs=64 Bypass=1,2,3,4", "FrameMBs=16 Bypass=1"}},
	{"t264_dequant", 450, []string{""}},
	{"t264_idct4", 450, []string{""}},
	{"t264_idct8", 450, []string{""}},
	{"t264_intra", 450, []string{""}},
	{"t264_plane", 450, []string{""}},
	{"t264_dec_out", 450, []string{"Width=54 Slots=16"}},
	{"t264_dec_thread", 450, []string{""}},
	{"t264_dec_sched", 450, []string{"Threads=16 FrameMBs=64 Slots=16"}},
	{"t264_dec_ref", 450, []string{"Threads=16 FrameMBs=64"}},
	{"t264_dec_predict", 450, []string{"Threads=16"}},
	{"t264_dec_residual", 450, []string{"Threads=16 Transform8=1"}},
	{"t264_dec_above", 450, []string{"Lanes=4,8,16,32 FrameMBs=64", "Lanes=16 FrameMBs=16"}},
	{"t264_dec_pixels", 450, []string{"Threads=4,8,16,32 FrameMBs=64 Slots=16 Transform8=1", "Threads=16 FrameMBs=16 Slots=16 Transform8=1", "Threads=16 FrameMBs=64 Slots=16 Transform8=0"}},
	{"t264_enc_pixels", 450, []string{"Threads=4,8,16,24,32 Values=8 FrameMBs=64", "Threads=24 Values=8 FrameMBs=16", "Threads=8,24 Values=4 FrameMBs=64"}},

	{"t265_enc_code", 450, []string{"Threads=18 Lanes=18 MaxTU=16 Bypass=4 Groups=8"}},
	{"t265_enc_pixels", 450, []string{"Threads=18 MaxTU=16 FrameCTUs=16,64", "Threads=4,8 MaxTU=16 FrameCTUs=16", "Threads=18 MaxTU=8 FrameCTUs=16"}},

	{"t264_dec", 450, []string{"Lanes=16 FrameMBs=16,64 Slots=16 Bypass=1 Transform8=1"}},
	{"t264_enc", 450, []string{"Threads=24 Lanes=24 Values=8 Bypass=4 FrameMBs=16,64"}},
	{"t265_enc", 450, []string{"Threads=18 Lanes=18 MaxTU=16 Bypass=4 Groups=8 FrameCTUs=64,16", "Threads=4 Lanes=4 MaxTU=16 Bypass=4 Groups=8 FrameCTUs=16",
		"Threads=8 Lanes=8 MaxTU=16 Bypass=4 Groups=8 FrameCTUs=16", "Threads=12 Lanes=12 MaxTU=16 Bypass=4 Groups=8 FrameCTUs=16", "Threads=24 Lanes=24 MaxTU=16 Bypass=4 Groups=8 FrameCTUs=64",
		"Threads=18 Lanes=18 MaxTU=8 Bypass=4 Groups=8 FrameCTUs=16", "Threads=18 Lanes=18 MaxTU=16 Bypass=7 Groups=8 FrameCTUs=16"}},
	{"t264_dec", 450, []string{"Lanes=4,8 FrameMBs=64 Slots=16 Bypass=1 Transform8=1", "Lanes=8 FrameMBs=16 Slots=16 Bypass=2 Transform8=0"}},
	{"t264_enc", 450, []string{"Threads=8 Lanes=8 Values=8 Bypass=4 FrameMBs=64", "Threads=4 Lanes=4 Values=4 Bypass=2 FrameMBs=64", "Threads=16 Lanes=16 Values=8 Bypass=4 FrameMBs=64",
		"Threads=12 Lanes=12 Values=4 Bypass=4 FrameMBs=16", "Threads=16 Lanes=8 Values=8 Bypass=4 FrameMBs=64", "Threads=32 Lanes=32 Values=8 Bypass=4 FrameMBs=64"}},
	{"t264_dec", 450, []string{"Lanes=12 FrameMBs=16 Slots=16 Bypass=1 Transform8=1", "Lanes=24 FrameMBs=64 Slots=16 Bypass=1 Transform8=1"}},
}

// points expands the grid.
func points() (list []point) {
	for _, f := range grid {
		for _, p := range f.params {
			for _, params := range expand(strings.Fields(p)) {
				list = append(list, point{f.module, f.targetPS, params})
			}
		}
	}
	return list
}

// expand lists what words with several values stand for; the last word varies fastest.
func expand(words []string) []string {
	list := []string{""}
	for _, word := range words {
		name, values, _ := strings.Cut(word, "=")
		var next []string
		for _, before := range list {
			for value := range strings.SplitSeq(values, ",") {
				next = append(next, strings.TrimPrefix(before+" "+name+"="+value, " "))
			}
		}
		list = next
	}
	return list
}
