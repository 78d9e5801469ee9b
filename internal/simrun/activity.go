package simrun

import (
	"fmt"
	"io"

	"vcsim/t264"
)

// An Activity is what the data of jobs make the hardware do beside cycles, each job once: bins of levels (coeff_abs_level_minus1), of
// their signs and all others, samples of blocks whose levels are not all zero, and samples that differ from the one to their left. Samples
// count padding.
type Activity struct{ MapBins, LevelBins, SignBins, Coded, Moving float64 }

// NewActivity decodes the streams of jobs and counts. It fails where a stream of the software codec does not decode.
func NewActivity(jobs []*Job) (Activity, error) {
	var a Activity
	for _, j := range jobs {
		d, err := t264.NewDecoder(j.Coded.Stream)
		for err == nil {
			_, err = d.Next()
		}
		if err != io.EOF {
			return Activity{}, fmt.Errorf("%s: %w", j.Name, err)
		}
		s := d.Stats()
		levels, signs := s.Bins[t264.ElemAbsPrefix]+s.Bins[t264.ElemAbsSuffix], s.Bins[t264.ElemSign]
		a.LevelBins += float64(levels)
		a.SignBins += float64(signs)
		a.MapBins += float64(s.Regular() + s.BypassBins() - levels - signs)
		a.Coded += float64(s.CodedSamples())
		width, height := j.coded()
		for i := range j.frames {
			f := &j.frames[i]
			moving := 0
			for y := range f.Height {
				row := f.Pix[y*f.Stride:][:f.Width]
				for x, v := range row {
					if x == 0 || v != row[x-1] {
						moving++
					}
				}
			}
			a.Moving += float64(moving) * float64(width*height) / float64(f.Width*f.Height)
		}
	}
	return a, nil
}
