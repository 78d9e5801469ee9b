package study

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"vcsim/cluster"
	"vcsim/cluster/collective"
)

// change is the part by which inputs are changed to see whether they matter.
const change = 0.1

// Unused names the inputs that have no effect on a study: each number of the job, its GPU, stack, network, codecs and energies that is not zero is
// changed by a tenth up and down (a count is doubled and halved), and what is then predicted, and whether another layout is better without a codec,
// is compared with what was. It is a finding about this job, not about the model.
func (s *Setting) Unused(of *cluster.Study) []string {
	before, ok := s.signature(of)
	if !ok {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, root := range []struct {
		name string
		of   func(*Setting) any
	}{
		{"model", func(c *Setting) any { return &c.Job.Model }}, {"gpu", func(c *Setting) any { return &c.Job.GPU }},
		{"stack", func(c *Setting) any { return &c.Job.Eff }}, {"network", func(c *Setting) any { return &c.Job.Net }},
		{"links", func(c *Setting) any { return c.Job.Links }}, {"checkpoint", func(c *Setting) any { return &c.Job.Checkpoint }},
		{"codec", func(c *Setting) any { return &c.Codecs }}, {"energy", func(c *Setting) any { return &c.Power }},
	} {
		if v := reflect.ValueOf(root.of(s)); v.IsNil() {
			continue
		}
		for _, path := range numbers(reflect.ValueOf(root.of(s)).Elem(), nil) {
			name := root.name + " " + path.name()
			if seen[name] {
				continue
			}
			moved := false
			for _, up := range []bool{true, false} {
				c := s.clone()
				// Of a list, all elements change together: the codecs of a study.
				for _, other := range numbers(reflect.ValueOf(root.of(c)).Elem(), nil) {
					if other.name() == path.name() {
						other.scale(up)
					}
				}
				after, ok := c.signature(of)
				moved = moved || !ok || after != before
			}
			if !moved {
				names = append(names, name)
			}
			seen[name] = true
		}
	}
	slices.Sort(names)
	return names
}

// clone is a setting that shares nothing that Unused changes.
func (s *Setting) clone() *Setting {
	c := *s
	c.Job.Net.Tiers = slices.Clone(s.Job.Net.Tiers)
	c.Codecs = slices.Clone(s.Codecs)
	if s.Job.Links != nil {
		links := *s.Job.Links
		c.Job.Links = &links
	}
	g := reflect.ValueOf(&c.Job.GPU).Elem()
	for i := range g.NumField() {
		if f := g.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			p := reflect.New(f.Type().Elem())
			p.Elem().Set(f.Elem())
			f.Set(p)
		}
	}
	return &c
}

// signature is all that is predicted at the layouts of a study, and the layout that is best without a codec. ok is false where the job is refused.
func (s *Setting) signature(of *cluster.Study) (text string, ok bool) {
	j := s.Job
	j.Codec = cluster.Codec{Name: "none"}
	plain, err := cluster.NewSystem(j)
	if err != nil {
		return "", false
	}
	found, err := plain.Search(&s.Space, nil)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	fmt.Fprint(&b, found.Best, plain.Energy(&found.Best, &s.Power))
	for i := range of.Outcomes {
		o := &of.Outcomes[i]
		with, err := plain.WithCodec(s.Codecs[i])
		if err != nil {
			return "", false
		}
		c := &with.Codec
		for _, l := range []cluster.Layout{of.Base.Layout, o.Step.Layout} {
			st, err := with.Step(l)
			if err != nil {
				return "", false
			}
			fmt.Fprint(&b, st, with.Fits(&st), with.Energy(&st, &s.Power), c.AreaMM2(), c.Warmup)
			if d := s.Job.GPU.DieMM2; d != nil {
				fmt.Fprint(&b, c.AreaMM2() / *d)
			}
		}
	}
	return b.String(), true
}

// A number is a numeric field, by the names on the way to it.
type number struct {
	path  []string
	value reflect.Value
}

func (n *number) name() string { return strings.Join(n.path, " ") }

// scale changes the number.
func (n *number) scale(up bool) {
	switch v := n.value; {
	case v.CanFloat() && up:
		v.SetFloat(v.Float() * (1 + change))
	case v.CanFloat():
		v.SetFloat(v.Float() * (1 - change))
	case up:
		v.SetInt(v.Int() * 2)
	default:
		v.SetInt(int64(math.Max(1, float64(v.Int()/2))))
	}
}

// numbers are the numeric fields below v that are not zero, under the names that presets have for them.
func numbers(v reflect.Value, path []string) []number {
	switch v.Kind() {
	case reflect.Float64, reflect.Int:
		if v.CanSet() && !v.IsZero() {
			return []number{{path, v}}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return numbers(v.Elem(), path)
		}
	case reflect.Slice:
		var list []number
		for i := range v.Len() {
			at := path
			if t, ok := v.Index(i).Interface().(collective.Tier); ok {
				at = append(slices.Clone(path), t.Name)
			}
			list = append(list, numbers(v.Index(i), at)...)
		}
		return list
	case reflect.Array:
		var list []number
		for i := range v.Len() {
			list = append(list, numbers(v.Index(i), append(slices.Clone(path), elementName(v, i)))...)
		}
		return list
	case reflect.Struct:
		var list []number
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if name == "" {
				name = words(f.Name)
			}
			at := append(slices.Clone(path), name)
			if f.Anonymous {
				at = path
			}
			list = append(list, numbers(v.Field(i), at)...)
		}
		return list
	}
	return nil
}

// elementName names an element of an array: of the bits a value, the class of traffic.
func elementName(v reflect.Value, i int) string {
	if v.Type() == reflect.TypeFor[cluster.Bits]() {
		return "of " + cluster.Class(i).String()
	}
	return fmt.Sprint(i)
}

// words is a Go name in lower case with underscores.
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}
