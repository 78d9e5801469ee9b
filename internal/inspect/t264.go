package inspect

import (
	"fmt"

	"vcsim/internal/report"
	"vcsim/t264"
)

func inspect264(stream []byte) (*report.Result, error) {
	d, err := t264.NewDecoder(stream)
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
	var mbs int64
	for _, c := range s.MBs {
		mbs += c
	}
	r := streamResult("t264", stream, values, s.Pictures, s.Slices)
	r.Facts = append(r.Facts, fact("macroblock_count", mbs),
		fact("profile_idc", sps.ProfileIDC), fact("level", fmt.Sprintf("%d.%d", sps.LevelIDC/10, sps.LevelIDC%10)),
		fact("width", sps.Width-sps.CropLeft-sps.CropRight), fact("height", sps.Height-sps.CropTop-sps.CropBottom),
		fact("transform_8x8", pps.Transform8x8), fact("lossless", sps.LosslessQP0), fact("init_qp", pps.InitQP))
	macroblocks := report.Table{Name: "macroblocks", Columns: []report.Column{{Key: "kind"}, {Key: "macroblocks"}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	for k, c := range s.MBs {
		if c > 0 {
			macroblocks.Rows = append(macroblocks.Rows, []any{[...]string{"I_NxN, 4x4", "I_NxN, 8x8", "I_16x16", "I_PCM"}[k], c, 100 * float64(c) / float64(mbs)})
		}
	}
	blocks := report.Table{Name: "blocks", Columns: []report.Column{{Key: "kind"}, {Key: "blocks"}, {Key: "with_coefficients"}}}
	for k, c := range s.Blocks {
		if c > 0 {
			blocks.Rows = append(blocks.Rows, []any{[...]string{"DC of 16x16", "AC of 16x16", "4x4", "8x8"}[k], c, s.Coded[k]})
		}
	}
	r.Tables = []report.Table{binTable(countBins[t264.Element](s.Bins[:]), values), macroblocks, blocks}
	for _, m := range []struct {
		name   string
		counts []int64
		of     func(int) string
	}{{"modes_4x4", s.Modes4[:], modeName264}, {"modes_8x8", s.Modes8[:], modeName264}, {"modes_16x16", s.Modes16[:], modeName264of16}} {
		if t := modeTable(m.name, m.counts, m.of); len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
	return r, nil
}

// modeName264 names the intra modes of 4x4 and 8x8 blocks, H.264 tables 8-2 and 8-3.
func modeName264(m int) string {
	return [...]string{"vertical", "horizontal", "DC", "diagonal down left", "diagonal down right", "vertical right", "horizontal down", "vertical left", "horizontal up"}[m]
}

// modeName264of16 names those of 16x16 blocks, H.264 table 8-4.
func modeName264of16(m int) string {
	return [...]string{"vertical", "horizontal", "DC", "plane"}[m]
}
