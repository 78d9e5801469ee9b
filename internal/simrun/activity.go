package simrun

import (
	"fmt"
	"io"

	"vcsim/t264"
	"vcsim/t265"
)

// An Activity is what the data of jobs make the hardware do beside cycles, each job once: bins of levels (coeff_abs_level_minus1, of T.265
// coeff_abs_level_remaining), of their signs and all others, samples of blocks whose levels are not all zero, samples that differ from the one to
// their left, and of T.265 those of transform blocks larger than 4x4. Samples count padding.
type Activity struct{ MapBins, LevelBins, SignBins, Coded, Moving, Large float64 }

// NewActivity decodes the streams of jobs and counts. It fails where a stream of the software codec does not decode.
func NewActivity(jobs []*Job) (Activity, error) {
	var a Activity
	for _, j := range jobs {
		count := count264
		if j.codec == T265 {
			count = count265
		}
		bins, err := count(j.Coded.Stream)
		if err != nil {
			return Activity{}, fmt.Errorf("%s: %w", j.Name, err)
		}
		a.MapBins, a.LevelBins, a.SignBins = a.MapBins+bins.MapBins, a.LevelBins+bins.LevelBins, a.SignBins+bins.SignBins
		a.Coded, a.Large = a.Coded+bins.Coded, a.Large+bins.Large
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

// count264 counts bins and coded samples of a stream of T.264.
func count264(stream []byte) (a Activity, err error) {
	d, err := t264.NewDecoder(stream)
	for err == nil {
		_, err = d.Next()
	}
	if err != io.EOF {
		return a, err
	}
	s := d.Stats()
	levels, signs := s.Bins[t264.ElemAbsPrefix]+s.Bins[t264.ElemAbsSuffix], s.Bins[t264.ElemSign]
	return Activity{float64(s.Regular() + s.BypassBins() - levels - signs), float64(levels), float64(signs), float64(s.CodedSamples()), 0, 0}, nil
}

// count265 counts those of a stream of T.265.
func count265(stream []byte) (a Activity, err error) {
	d, err := t265.NewDecoder(stream)
	for err == nil {
		_, err = d.Next()
	}
	if err != io.EOF {
		return a, err
	}
	s := d.Stats()
	levels, signs := s.Bins[t265.ElemRemaining], s.Bins[t265.ElemSign]
	return Activity{float64(s.Regular() + s.BypassBins() - levels - signs), float64(levels), float64(signs), float64(s.CodedSamples()), 0, float64(s.LargeSamples())}, nil
}
