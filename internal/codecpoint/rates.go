package codecpoint

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The rates of the clocked models: values a cycle over bits a value, by codec, unit, lanes and class of traffic.
//
//go:generate go run ./rates ../../../shared/planes rates.csv
//go:embed rates.csv
var ratesCSV string

// RatesFile is where the table of rates is in the repository, and RatesCommand what renews it.
const (
	RatesFile    = "internal/codecpoint/rates.csv"
	RatesCommand = "go generate ./internal/codecpoint"
)

// Classes are the classes of planes that the table has.
var Classes = []string{"weights", "gradients", "activations", "caches"}

// A Rate is what a unit does at a number of bits a value.
type Rate struct {
	Bits       float64 // a value, of the slices
	Values     float64 // a cycle
	Operations float64 // of the lanes, a value
}

// series are the rates of a unit with a number of lanes on a class, in the order of bits.
type seriesKey struct {
	codec, unit   string
	values, lanes int
	class         string
}

// rateTable reads the table once.
var rateTable = sync.OnceValues(func() (map[seriesKey][]Rate, error) {
	c := csv.NewReader(strings.NewReader(ratesCSV))
	c.Comment = '#'
	records, err := c.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", RatesFile, err)
	}
	table := map[seriesKey][]Rate{}
	for _, r := range records[1:] {
		var n [5]float64
		for i, k := range []int{2, 3, 7, 8, 9} {
			if n[i], err = strconv.ParseFloat(r[k], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", RatesFile, err)
			}
		}
		key := seriesKey{r[0], r[1], int(n[0]), int(n[1]), r[5]}
		table[key] = append(table[key], Rate{n[2], n[3], n[4]})
	}
	for _, list := range table {
		slices.SortFunc(list, func(a, b Rate) int { return int(1e6 * (a.Bits - b.Bits)) })
	}
	return table, nil
})

// lanesOf lists the lanes that the table has of a machine.
func lanesOf(table map[seriesKey][]Rate, m *machine, values int) (list []int) {
	for k := range table {
		if k.codec == m.codec && k.unit == m.unit && k.values == values && !slices.Contains(list, k.lanes) {
			list = append(list, k.lanes)
		}
	}
	slices.Sort(list)
	return list
}

// valuesPerCycle is what a machine does in a cycle on a class at so many bits a value. Between rows it is interpolated; beyond the last
// row the operations a value grow with the bits, and below the first number of lanes each lane does its share.
func valuesPerCycle(m *machine, values, lanes int, class string, bits float64) (float64, error) {
	table, err := rateTable()
	if err != nil {
		return 0, err
	}
	have := lanesOf(table, m, values)
	if len(have) == 0 {
		return 0, fmt.Errorf("%s has no rates of %s with %d values a cycle", RatesFile, m.module(), values)
	}
	at := func(lanes int) float64 {
		return alongBits(table[seriesKey{m.codec, m.unit, values, lanes, class}], bits)
	}
	first, last := have[0], have[len(have)-1]
	switch {
	case lanes <= first:
		return at(first) * float64(lanes) / float64(first), nil
	case lanes >= last:
		return at(last), nil
	}
	i, _ := slices.BinarySearch(have, lanes)
	if have[i] == lanes {
		return at(lanes), nil
	}
	low, high := have[i-1], have[i]
	f := float64(lanes-low) / float64(high-low)
	return at(low)*(1-f) + at(high)*f, nil
}

// alongBits interpolates a series.
func alongBits(list []Rate, bits float64) float64 {
	if len(list) == 0 {
		return 0
	}
	last := list[len(list)-1]
	switch {
	case bits <= list[0].Bits:
		return list[0].Values
	case bits >= last.Bits:
		return last.Values * last.Bits / bits
	}
	for i := 1; ; i++ {
		if a, b := list[i-1], list[i]; bits <= b.Bits {
			return a.Values + (b.Values-a.Values)*(bits-a.Bits)/(b.Bits-a.Bits)
		}
	}
}
