package liberty

import "slices"

// The corner at which a compact library has its single figures, in ps and in steps of the load axis, and the part of the tables to
// which its delays are fitted: nets without wires are not slower and not heavier.
const (
	cornerSlew = 20
	cornerLoad = 2 // of the axis: 2.88 fF for a cell of single drive
	fitSlews   = 4 // 5 to 40 ps
	fitLoads   = 4 // 0.72 to 5.76 fF for a cell of single drive
)

// Fit is a library of few numbers: each delay and transition bilinear in slew and load, by least squares on the worst of the
// conditions, and constraints and energies at one corner. It has the cells of keep.
func Fit(l *Library, keep func(*Cell) bool) *Library {
	f := &Library{Name: l.Name + "_compact"}
	for _, c := range l.Cells {
		if !keep(c) {
			continue
		}
		k := *c
		k.Pins = nil
		for i := range c.Pins {
			p := c.Pins[i]
			p.Arcs, p.Energies = fitArcs(p.Arcs), fitEnergies(p.Energies)
			k.Pins = append(k.Pins, p)
		}
		f.Cells = append(f.Cells, &k)
	}
	return f
}

// fitArcs makes one arc of all that differ in their condition alone.
func fitArcs(arcs []Arc) (list []Arc) {
	for _, a := range arcs {
		if a.Type == "min_pulse_width" || a.Type == "recovery_rising" || a.Type == "removal_rising" {
			continue
		}
		same := func(b *Arc) bool { return a.Related == b.Related && a.Type == b.Type && a.Sense == b.Sense }
		if slices.ContainsFunc(list, func(b Arc) bool { return same(&b) }) {
			continue
		}
		worst := func(of func(*Arc) *Table) *Table {
			var t *Table
			for i := range arcs {
				if b := of(&arcs[i]); same(&arcs[i]) && b != nil {
					t = larger(t, b)
				}
			}
			return t
		}
		list = append(list, Arc{Related: a.Related, Type: a.Type, Sense: a.Sense,
			Rise: bilinear(worst(func(a *Arc) *Table { return a.Rise })), Fall: bilinear(worst(func(a *Arc) *Table { return a.Fall })),
			RiseSlew: bilinear(worst(func(a *Arc) *Table { return a.RiseSlew })), FallSlew: bilinear(worst(func(a *Arc) *Table { return a.FallSlew })),
			RiseConstraint: corner(worst(func(a *Arc) *Table { return a.RiseConstraint })), FallConstraint: corner(worst(func(a *Arc) *Table { return a.FallConstraint }))})
	}
	return list
}

// fitEnergies has the mean energy over the conditions of each cause.
func fitEnergies(energies []Energy) (list []Energy) {
	for _, p := range energies {
		if slices.ContainsFunc(list, func(q Energy) bool { return q.Related == p.Related }) {
			continue
		}
		mean := func(of func(*Energy) *Table) *Table {
			sum, n := 0.0, 0
			for i := range energies {
				if t := of(&energies[i]); energies[i].Related == p.Related && t != nil {
					sum += corner(t).V[0]
					n++
				}
			}
			if n == 0 {
				return nil
			}
			return &Table{V: []float64{sum / float64(n)}}
		}
		list = append(list, Energy{Related: p.Related, Rise: mean(func(p *Energy) *Table { return p.Rise }), Fall: mean(func(p *Energy) *Table { return p.Fall })})
	}
	return list
}

// larger is the larger value at each point of two tables of the same axes; a may be nil.
func larger(a, b *Table) *Table {
	if a == nil || len(a.V) != len(b.V) {
		return b
	}
	t := &Table{X: a.X, Y: a.Y}
	for i := range a.V {
		t.V = append(t.V, max(a.V[i], b.V[i]))
	}
	return t
}

// corner is a table's value at the corner, as a scalar.
func corner(t *Table) *Table {
	if t == nil {
		return nil
	}
	y := float64(cornerSlew) // of a constraint
	if n := len(t.Y); n > cornerLoad && t.Y[0] != t.X[0] {
		y = t.Y[cornerLoad]
	}
	return &Table{V: []float64{t.At(cornerSlew, y)}}
}

// bilinear is the least-squares fit of a + b*slew + c*load + d*slew*load, as a table of two by two.
func bilinear(t *Table) *Table {
	if t == nil || len(t.X) < 2 || len(t.Y) < 2 {
		return t
	}
	xs, ys := t.X[:min(fitSlews, len(t.X))], t.Y[:min(fitLoads, len(t.Y))]
	// On a full grid the fit along one axis and then along the other is that of both.
	var low, high []float64
	for i := range xs {
		a, b := line(ys, t.V[i*len(t.Y):])
		low, high = append(low, a), append(high, b)
	}
	a, c := line(xs, low)
	b, d := line(xs, high)
	return &Table{X: []float64{xs[0], xs[len(xs)-1]}, Y: []float64{ys[0], ys[len(ys)-1]}, V: []float64{a, b, c, d}}
}

// line fits a line through points and returns its values at the first and the last x.
func line(x, v []float64) (first, last float64) {
	n, sx, sv, sxx, sxv := float64(len(x)), 0., 0., 0., 0.
	for i := range x {
		sx, sv, sxx, sxv = sx+x[i], sv+v[i], sxx+x[i]*x[i], sxv+x[i]*v[i]
	}
	slope := (n*sxv - sx*sv) / (n*sxx - sx*sx)
	at := func(x float64) float64 { return sv/n + slope*(x-sx/n) }
	return at(x[0]), at(x[len(x)-1])
}
