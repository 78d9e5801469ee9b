// Package inspect shows what an Annex B stream is made of: its parameter sets, blocks, modes and the bins of each syntax element.
package inspect

import (
	"errors"
	"fmt"
	"io"

	"vcsim/internal/report"
	"vcsim/internal/tensorcodec"
)

// Stream decodes a stream of a codec, t264 or t265, and counts.
func Stream(codec string, stream []byte) (*report.Result, error) {
	switch codec {
	case "t264":
		return inspect264(stream)
	case "t265":
		return inspect265(stream)
	}
	return nil, tensorcodec.UnsupportedError(fmt.Sprintf("codec %q in inspect", codec))
}

var errNoPicture = errors.New("no picture in the stream")

// countValues decodes all pictures and returns their number of values.
func countValues(next func() (width, height int, err error)) (values int, err error) {
	for {
		w, h, err := next()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return 0, err
		}
		values += w * h
	}
}

// streamResult begins the result of a stream: what every codec has.
func streamResult(codec string, stream []byte, values int, pictures, slices int64) *report.Result {
	return &report.Result{Schema: "vcsim.inspect." + codec + "/1", Facts: []report.Fact{
		fact("codec", codec), fact("bytes", len(stream)), fact("values", values), fact("bits_per_value", 8*float64(len(stream))/float64(values)),
		fact("pictures", pictures), fact("slices", slices),
	}}
}

// countBins lists the bins of all elements of a codec.
func countBins[E interface {
	~int
	String() string
	Bypass() bool
}](counts []int64) (list []binCount) {
	for e, n := range counts {
		list = append(list, binCount{E(e).String(), E(e).Bypass(), n})
	}
	return list
}

// A binCount is the bins of one syntax element.
type binCount struct {
	element string
	bypass  bool
	count   int64
}

// binTable lists the bins of a stream of so many values.
func binTable(list []binCount, values int) report.Table {
	t := report.Table{Name: "bins", Columns: []report.Column{{Key: "element"}, {Key: "coding"}, {Key: "bins"}, {Key: "bins_per_value", Digits: 4}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	var regular, bypass int64
	for _, b := range list {
		if b.bypass {
			bypass += b.count
		} else {
			regular += b.count
		}
	}
	total := float64(max(1, regular+bypass))
	kinds := map[bool]string{false: "regular", true: "bypass"}
	for _, b := range append(list, binCount{"all", false, regular}, binCount{"all", true, bypass}) {
		if b.count > 0 || b.element == "all" {
			t.Rows = append(t.Rows, []any{b.element, kinds[b.bypass], b.count, float64(b.count) / float64(values), 100 * float64(b.count) / total})
		}
	}
	return t
}

// modeTable lists the intra modes of one kind of block.
func modeTable(name string, counts []int64, modeName func(int) string) report.Table {
	t := report.Table{Name: name, Columns: []report.Column{{Key: "mode"}, {Key: "blocks"}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	all := int64(0)
	for _, m := range counts {
		all += m
	}
	for m, count := range counts {
		if count > 0 {
			t.Rows = append(t.Rows, []any{modeName(m), count, 100 * float64(count) / float64(all)})
		}
	}
	return t
}

func fact(key string, v any) report.Fact {
	return report.Fact{Column: report.Column{Key: key}, Value: v}
}
