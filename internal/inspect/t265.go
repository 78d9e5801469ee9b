package inspect

import (
	"fmt"

	"vcsim/internal/report"
	"vcsim/t265"
)

func inspect265(stream []byte) (*report.Result, error) {
	d, err := t265.NewDecoder(stream)
	if err != nil {
		return nil, err
	}
	values, err := countValues(func() (int, int, error) {
		p, err := d.Next()
		return p.Width, p.Height, err
	})
	if err != nil {
		return nil, err
	}
	sps, pps := d.ParameterSets()
	if sps == nil || values == 0 {
		return nil, errNoPicture
	}
	s := d.Stats()
	r := streamResult("t265", stream, values, s.Pictures, s.Slices)
	r.Facts = append(r.Facts, fact("ctus", s.CTUs),
		fact("profile_idc", sps.ProfileIDC), fact("level", fmt.Sprintf("%d.%d", sps.LevelIDC/30, sps.LevelIDC%30/3)),
		fact("width", sps.Width-sps.CropLeft-sps.CropRight), fact("height", sps.Height-sps.CropTop-sps.CropBottom),
		fact("ctu", 1<<sps.Log2CTB), fact("smallest_cu", 1<<sps.Log2MinCB), fact("smallest_tu", 1<<sps.Log2MinTB), fact("largest_tu", 1<<sps.Log2MaxTB),
		fact("transform_depth", sps.MaxDepthIntra), fact("strong_smoothing", sps.StrongSmoothing), fact("pcm", sps.PCM), fact("sao", sps.SAO),
		fact("sign_hiding", pps.SignHiding), fact("transform_skip", pps.TransformSkip), fact("cu_qp_delta", pps.QPDelta), fact("transquant_bypass", pps.TransquantBypass),
		fact("wpp", pps.WPP), fact("init_qp", pps.InitQP))
	blocks := report.Table{Name: "blocks", Columns: []report.Column{{Key: "size"}, {Key: "coding_units"}, {Key: "transform_blocks"}, {Key: "with_coefficients"}, {Key: "values_percent", Unit: "%", Digits: 1}}}
	for k := range s.CUs {
		row := []any{fmt.Sprintf("%dx%d", 1<<k, 1<<k), s.CUs[k], nil, nil, nil}
		if k < len(s.TUs) {
			row[2], row[3] = s.TUs[k], s.CodedTUs[k]
			row[4] = 100 * float64(s.TUs[k]<<(2*k)) / float64(s.Pictures*int64(sps.Width*sps.Height))
		}
		if row[1] != int64(0) || row[2] != nil && row[2] != int64(0) {
			blocks.Rows = append(blocks.Rows, row)
		}
	}
	r.Tables = []report.Table{binTable(countBins[t265.Element](s.Bins[:]), values), blocks, modeTable("modes", s.Modes[:], modeName)}
	if s.NxN+s.PCM+s.SkippedTU > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d coding units of four prediction blocks, %d PCM, %d blocks without transform.", s.NxN, s.PCM, s.SkippedTU))
	}
	return r, nil
}

// modeName names the intra prediction modes of H.265, table 8-1.
func modeName(m int) string {
	switch m {
	case 0:
		return "planar"
	case 1:
		return "DC"
	case 10:
		return "10 (horizontal)"
	case 26:
		return "26 (vertical)"
	}
	return fmt.Sprint(m)
}
