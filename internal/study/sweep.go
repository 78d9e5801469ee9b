package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vcsim/cluster"
)

// mostRates bounds a sweep.
const mostRates = 1000

// ParseRates reads link rates: one, a list "1Gbps,10Gbps", or a range "1Gbps:400Gbps:log10", whose last part says how many rates and whether
// they are evenly spaced by ratio (logN) or by difference (linN); N is 10 where it is left out. parse reads one rate in bits a second.
// The rates come in rising order, each once.
func ParseRates(text string, parse func(string) (float64, error)) ([]float64, error) {
	var rates []float64
	for _, part := range strings.Split(text, ",") {
		fields := strings.Split(strings.TrimSpace(part), ":")
		if len(fields) != 1 && len(fields) != 3 {
			return nil, fmt.Errorf("%q: want a rate, or FROM:TO:log10 or FROM:TO:lin10", part)
		}
		from, err := parse(fields[0])
		if err != nil {
			return nil, err
		}
		if len(fields) == 1 {
			rates = append(rates, from)
			continue
		}
		to, err := parse(fields[1])
		if err != nil {
			return nil, err
		}
		more, err := spaced(from, to, fields[2])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
		rates = append(rates, more...)
	}
	if len(rates) > mostRates {
		return nil, fmt.Errorf("%q: %d rates, want at most %d", text, len(rates), mostRates)
	}
	slices.Sort(rates)
	return slices.Compact(rates), nil
}

// spaced are the rates of a range.
func spaced(from, to float64, how string) ([]float64, error) {
	logarithmic := strings.HasPrefix(how, "log")
	count, ok := strings.CutPrefix(strings.TrimPrefix(how, "log"), "lin")
	if logarithmic == ok {
		return nil, fmt.Errorf("spacing %q, want logN or linN", how)
	}
	n := 10
	if count != "" {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n < 2 || n > mostRates {
			return nil, fmt.Errorf("spacing %q, want 2 to %d rates", how, mostRates)
		}
	}
	if !(to > from) {
		return nil, fmt.Errorf("the range ends at or below its beginning")
	}
	rates := make([]float64, n)
	for i := range rates {
		part := float64(i) / float64(n-1)
		if logarithmic {
			rates[i] = from * math.Pow(to/from, part)
		} else {
			rates[i] = from + part*(to-from)
		}
	}
	rates[n-1] = to
	return rates, nil
}

// A Point is a comparison at one rate.
type Point struct {
	BPS   float64 // of a link, per GPU and direction
	Study *cluster.Study
}

// Sweep compares at every rate; step is called after each.
func (s *Setting) Sweep(ctx context.Context, rates []float64, step func()) ([]Point, error) {
	var points []Point
	for _, r := range rates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		st, err := s.AtRate(r).Compare(nil)
		if err != nil {
			return nil, err
		}
		points = append(points, Point{r, st})
		step()
	}
	return points, nil
}

// slowLink is a rate at which nothing but messages counts, in bits a second.
const slowLink = 1e3

// Bound is what the bits of a codec can give at most on this job: the speedup of the same bits, without a limit of rate, on a link so slow
// that nothing but messages counts, the uncompressed job and the compressed one each at the layout that is best there.
func (s *Setting) Bound(c cluster.Codec) (float64, error) {
	c = c.Unlimited()
	c.Warmup = 0
	return s.AtRate(slowLink).with(c)
}

// CommunicationShare is the part of a step in which messages show, 0 to 1.
func CommunicationShare(st *cluster.Step) float64 {
	return (st.TP + st.CP + st.EP + st.PP + st.Params + st.DP) / st.Time
}

// A Curve is the speedup of codecs over the rates of a sweep.
type Curve struct {
	Names []string // of all codecs whose curves coincide
	X, Y  []float64
}

// Label names the codecs of the curve.
func (c *Curve) Label() string { return strings.Join(c.Names, ", ") }

// sameCurve is how far apart, relatively, two speedups may be that look like one in a chart.
const sameCurve = 0.004

// Curves are the speedups of the codecs over the rates, each at its own best layout; those that cannot be told apart are one curve under
// all their names. X is in Gbps.
func Curves(points []Point) []Curve {
	if len(points) == 0 {
		return nil
	}
	var curves []Curve
	for k := range points[0].Study.Outcomes {
		var c Curve
		for _, p := range points {
			o := &p.Study.Outcomes[k]
			c.X, c.Y = append(c.X, p.BPS/1e9), append(c.Y, o.Speedup)
			c.Names = []string{o.Codec.Name}
		}
		if i := slices.IndexFunc(curves, func(d Curve) bool { return coincide(d.Y, c.Y) }); i >= 0 {
			curves[i].Names = append(curves[i].Names, c.Names...)
			continue
		}
		curves = append(curves, c)
	}
	return curves
}

func coincide(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]/b[i]-1) > sameCurve {
			return false
		}
	}
	return true
}
