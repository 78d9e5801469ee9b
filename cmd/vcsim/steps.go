package main

import (
	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// MeasuredSteps are the rows of all built-in files whose stack has constants of its own on their GPU.
func MeasuredSteps() ([]MeasuredStep, error) {
	stacks, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		return nil, err
	}
	fitted := map[[2]string]cluster.Efficiency{}
	for _, s := range stacks {
		fitted[[2]string{s.Value.GPU, s.Value.Stack}] = s.Value
	}
	var list []MeasuredStep
	for _, name := range config.MeasurementNames() {
		f, err := presets.Measured(name)
		if err != nil {
			return nil, err
		}
		for i := range f.Rows {
			r := &f.Rows[i]
			if e, ok := fitted[[2]string{r.GPU, r.Stack}]; ok {
				list = append(list, MeasuredStep{Row: r, File: name, GPU: f.GPUs[i], Eff: e})
			}
		}
	}
	return list, nil
}
