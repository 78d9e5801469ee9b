package cluster

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"vcsim/cluster/collective"
)

// LargeCollective is the size in bytes from which a collective counts as
// bound by bandwidth.
const LargeCollective = 16 << 20

// collectiveCurve is one operation of one fabric over one number of GPUs.
type collectiveCurve struct {
	fabric, collective string
	gpus               int
}

func (r *Measurement) curve() collectiveCurve {
	return collectiveCurve{r.FabricOf(), r.Collective, r.GPUs}
}

// size is the bytes of one rank's buffer, of an expert exchange those of all
// copies of its tokens.
func (r *Measurement) size() float64 {
	if r.Bytes > 0 {
		return r.Bytes
	}
	return float64(r.Tokens) * float64(r.Hidden) * float64(r.TopK) * r.Bits / 8
}

// FitLinks adjusts the named constants of set to published collectives (all of
// them where free is empty), from [PriorLinkConstants] on, and returns them with
// three digits. Every
// curve counts the same however many sizes it has, its largest size as much as
// all others together: it shows the plateau. The search halves its steps
// around the best point, one constant after the other; it depends on nothing
// but the arguments.
func FitLinks(rows []Measurement, set collective.LinkConstants, free []string) (collective.LinkConstants, error) {
	rows = sound(rows)
	if len(rows) == 0 {
		return set, errors.New("fit: no rows")
	}
	if err := set.Validate(); err != nil {
		return set, err
	}
	known := collective.LinkConstantNames()
	if len(free) == 0 {
		free = known
	}
	for _, n := range free {
		if !slices.Contains(known, n) {
			return set, fmt.Errorf("fit: unknown constant %q; known are %v", n, known)
		}
	}
	count := map[collectiveCurve]float64{}
	largest := map[collectiveCurve]int{}
	measured := make([]float64, len(rows))
	for i := range rows {
		var err error
		if measured[i], err = rows[i].Measured(); err != nil {
			return set, err
		}
		if _, err := rows[i].PredictCollective(&set); err != nil {
			return set, err
		}
		k := rows[i].curve()
		count[k]++
		if l, ok := largest[k]; !ok || rows[i].size() > rows[l].size() {
			largest[k] = i
		}
	}
	weights := make([]float64, len(rows))
	for i := range rows {
		weights[i] = 1 / count[rows[i].curve()]
	}
	for _, i := range largest {
		weights[i] += 3
	}
	// Quadratic up to what a fabric's plateau may be off, linear beyond, so
	// that odd rows do not pull the fit.
	const knee = 0.15
	objective := func(c *collective.LinkConstants) float64 {
		var sum float64
		for i := range rows {
			us, err := rows[i].PredictCollective(c)
			if err != nil {
				return math.MaxFloat64
			}
			e := math.Log(us / measured[i])
			sum += weights[i] * math.Sqrt(e*e+knee*knee)
		}
		return sum
	}
	best := set
	for _, c := range best.All() {
		if slices.Contains(free, c.Name) {
			*c.At = c.Prior
		}
	}
	least := objective(&best)
	const coarse, fine = 0.32, 0.002 // relative steps
	for step := coarse; step > fine; {
		improved := false
		for i, n := range known {
			if !slices.Contains(free, n) {
				continue
			}
			for _, k := range []float64{1 + step, 1 / (1 + step)} {
				try := best
				c := try.All()[i]
				*c.At = min(max(*c.At*k, c.Least), c.Most)
				if v := objective(&try); v < least-1e-9 {
					best, least, improved = try, v, true
					break
				}
			}
		}
		if !improved {
			step /= 2
		}
	}
	for _, c := range best.All() {
		*c.At = round(*c.At, 3)
	}
	return best, nil
}

// sound leaves out the rows of unhealthy fabrics.
func sound(rows []Measurement) []Measurement {
	var out []Measurement
	for i := range rows {
		if !rows[i].Unhealthy() {
			out = append(out, rows[i])
		}
	}
	return out
}

// A CollectiveError is how far the model is off one fabric, in parts of the
// measured time.
type CollectiveError struct {
	Fabric      string
	Rows        int
	Small       float64 // median of absolute errors below [LargeCollective]; NaN without such rows
	Large       float64 // median from there up, expert exchanges among them; NaN without
	Plateau     float64 // largest absolute error of the largest size of each of its operations
	Most        float64 // largest absolute error of all rows
	HeldOut     float64 // median of absolute errors with the constants fitted without the fabric; NaN if not asked for
	HeldPlateau float64 // the same for Plateau
}

// CollectiveErrors is the error of every fabric, in the order of the rows, and
// that of all rows together as the last one. With heldOut, the constants named
// by free are also fitted without each fabric in turn.
func CollectiveErrors(rows []Measurement, c collective.LinkConstants, heldOut bool, free []string) ([]CollectiveError, error) {
	rows = sound(rows)
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	var order []string
	at := map[string][]Measurement{}
	for i := range rows {
		f := rows[i].FabricOf()
		if at[f] == nil {
			order = append(order, f)
		}
		at[f] = append(at[f], rows[i])
	}
	if heldOut && len(order) < 2 {
		return nil, errors.New("leave one fabric out: the rows are of one fabric only")
	}
	var all []CollectiveError
	var out, total signedErrors
	for _, f := range order {
		var fabric signedErrors
		if err := fabric.add(at[f], &c); err != nil {
			return nil, err
		}
		if err := total.add(at[f], &c); err != nil {
			return nil, err
		}
		e := fabric.result(f)
		if heldOut {
			var rest []Measurement
			for i := range rows {
				if rows[i].FabricOf() != f {
					rest = append(rest, rows[i])
				}
			}
			without, err := FitLinks(rest, c, free)
			if err != nil {
				return nil, err
			}
			var held signedErrors
			if err := held.add(at[f], &without); err != nil {
				return nil, err
			}
			if err := out.add(at[f], &without); err != nil {
				return nil, err
			}
			e.HeldOut, e.HeldPlateau = median(held.all()), held.plateau()
		}
		all = append(all, e)
	}
	e := total.result("all")
	if heldOut {
		e.HeldOut, e.HeldPlateau = median(out.all()), out.plateau()
	}
	return append(all, e), nil
}

// signedErrors collects the errors of rows.
type signedErrors struct {
	small, large []float64
	last         map[collectiveCurve]struct{ size, err float64 }
}

func (s *signedErrors) add(rows []Measurement, c *collective.LinkConstants) error {
	if s.last == nil {
		s.last = map[collectiveCurve]struct{ size, err float64 }{}
	}
	for i := range rows {
		r := &rows[i]
		m, err := r.Measured()
		if err != nil {
			return err
		}
		us, err := r.PredictCollective(c)
		if err != nil {
			return err
		}
		e := math.Abs(us/m - 1)
		size := r.size()
		if size < LargeCollective {
			s.small = append(s.small, e)
		} else {
			s.large = append(s.large, e)
		}
		if l := s.last[r.curve()]; size > l.size {
			s.last[r.curve()] = struct{ size, err float64 }{size, e}
		}
	}
	return nil
}

func (s *signedErrors) all() []float64 { return append(slices.Clone(s.small), s.large...) }

func (s *signedErrors) plateau() float64 {
	var most float64
	for _, l := range s.last {
		most = max(most, l.err)
	}
	return most
}

func (s *signedErrors) result(fabric string) CollectiveError {
	all := s.all()
	return CollectiveError{Fabric: fabric, Rows: len(all), Small: median(s.small), Large: median(s.large),
		Plateau: s.plateau(), Most: slices.Max(all), HeldOut: math.NaN(), HeldPlateau: math.NaN()}
}

// median is the middle value, NaN of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Clone(v)
	slices.Sort(v)
	n := len(v)
	return (v[n/2] + v[(n-1)/2]) / 2
}
