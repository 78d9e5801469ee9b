package codecpoint

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What the software codecs make of the planes at several quantisers: bits, error and bins.
//
//go:generate go run ./rates -coded ../../../shared/planes codings.csv
//go:embed codings.csv
var codingsCSV string

// CodingsFile is where the table of codings is in the repository, and CodingsCommand what renews it.
const (
	CodingsFile    = "internal/codecpoint/codings.csv"
	CodingsCommand = "go generate ./internal/codecpoint"
)

// ActivationGradients is the class of planes that the table of codings has beside Classes; the rates count them among activations.
const ActivationGradients = "activation gradients"

// A Coding is a plane at a quantiser.
type Coding struct {
	Codec, Class, Plane string
	QP                  float64
	Bits                float64 // of the stream, a value
	NMSEDB              float64 // mean squared error over the variance of the plane's codes, in dB
	Regular, Bypass     float64 // bins a value
}

// codingTable reads the table once.
var codingTable = sync.OnceValues(func() (list []Coding, err error) {
	c := csv.NewReader(strings.NewReader(codingsCSV))
	c.Comment = '#'
	records, err := c.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", CodingsFile, err)
	}
	for _, r := range records[1:] {
		var n [5]float64
		for i := range n {
			if n[i], err = strconv.ParseFloat(r[3+i], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", CodingsFile, err)
			}
		}
		list = append(list, Coding{r[0], r[1], r[2], n[0], n[1], n[2], n[3], n[4]})
	}
	return list, nil
})

// codingsOf are the codings of the planes of some classes by a codec, a list for each plane, from the finest quantiser on.
func codingsOf(codec string, classes ...string) (planes [][]Coding, err error) {
	table, err := codingTable()
	if err != nil {
		return nil, err
	}
	for _, c := range table {
		if c.Codec != codec || !slices.Contains(classes, c.Class) {
			continue
		}
		if n := len(planes); n == 0 || planes[n-1][0].Plane != c.Plane {
			planes = append(planes, nil)
		}
		planes[len(planes)-1] = append(planes[len(planes)-1], c)
	}
	if planes == nil {
		return nil, fmt.Errorf("%s has no planes of %s by %s", CodingsFile, strings.Join(classes, ", "), codec)
	}
	return planes, nil
}

// along interpolates a plane's codings: where x, which falls from one to the next or grows, is at, y is between those of its neighbours.
func along(plane []Coding, at float64, x, y func(*Coding) float64) (float64, bool) {
	for i := 1; i < len(plane); i++ {
		a, b := &plane[i-1], &plane[i]
		if xa, xb := x(a), x(b); (xa-at)*(xb-at) <= 0 && xa != xb {
			return y(a) + (y(b)-y(a))*(at-xa)/(xb-xa), true
		}
	}
	return 0, false
}

func bitsOf(c *Coding) float64 { return c.Bits }
func nmseOf(c *Coding) float64 { return c.NMSEDB }

// A Measured is a mean over the planes of a class.
type Measured struct {
	Value  float64
	Planes []string
}

// BitsAt is the bits a value that a codec (t264 or t265, tier hw) needs on a class of planes for an error in dB over their variance: the mean
// over the planes, each at that error. It is an error where a plane does not reach it.
func BitsAt(codec, class string, nmse float64) (m Measured, err error) {
	planes, err := codingsOf(codec, class)
	if err != nil {
		return m, err
	}
	for _, p := range planes {
		bits, ok := along(p, nmse, nmseOf, bitsOf)
		if !ok {
			return m, fmt.Errorf("%.4g dB is outside what %s was measured at on plane %s of %s: %.3g to %.3g dB (%s)", nmse, codec, p[0].Plane, class, p[0].NMSEDB, p[len(p)-1].NMSEDB, CodingsFile)
		}
		m.Value += bits / float64(len(planes))
		m.Planes = append(m.Planes, p[0].Plane)
	}
	return m, nil
}

// ErrorAt is the error of a codec at so many bits a value on a class of planes, in dB of the mean over the planes; ok is false where a plane
// was not measured there.
func ErrorAt(codec, class string, bits float64) (m Measured, ok bool, err error) {
	planes, err := codingsOf(codec, class)
	if err != nil {
		return m, false, err
	}
	mean := 0.0
	for _, p := range planes {
		db, ok := along(p, bits, bitsOf, nmseOf)
		if !ok {
			return m, false, nil
		}
		mean += math.Pow(10, db/10) / float64(len(planes))
		m.Planes = append(m.Planes, p[0].Plane)
	}
	m.Value = 10 * math.Log10(mean)
	return m, true, nil
}

// BinsAt is the bins of the arithmetic coder a value, with contexts and without, of a codec at so many bits: the mean over all planes. Beyond
// the finest quantiser bins grow with the bits, below the coarsest they shrink with them.
func BinsAt(codec string, bits float64) (regular, bypass float64, err error) {
	planes, err := codingsOf(codec, append(slices.Clone(Classes), ActivationGradients)...)
	if err != nil {
		return 0, 0, err
	}
	for _, p := range planes {
		at := func(y func(*Coding) float64) float64 {
			v, ok := along(p, bits, bitsOf, y)
			if end := &p[0]; !ok {
				if bits < p[len(p)-1].Bits {
					end = &p[len(p)-1]
				}
				v = y(end) * bits / end.Bits
			}
			return v / float64(len(planes))
		}
		regular += at(func(c *Coding) float64 { return c.Regular })
		bypass += at(func(c *Coding) float64 { return c.Bypass })
	}
	return regular, bypass, nil
}
