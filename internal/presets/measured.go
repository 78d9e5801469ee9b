package presets

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/internal/config"
)

// A Prediction is a measured row and what the model makes of it.
type Prediction struct {
	ID        string  `json:"id"`
	Quantity  string  `json:"quantity"`
	Measured  float64 `json:"measured"`
	Predicted float64 `json:"predicted"`
	Error     float64 `json:"error_percent"`
}

// A MeasuredFile is a file of rows with the presets they name.
type MeasuredFile struct {
	Path, Study string
	Rows        []cluster.Measurement
	GPUs        []cluster.GPU
}

// Measured reads a file of rows, or a built-in one.
func Measured(path string) (MeasuredFile, error) {
	f := MeasuredFile{Path: path}
	var err error
	if f.Study, f.Rows, err = config.Measurements[cluster.Measurement](path); err != nil {
		return f, err
	}
	known := map[string]cluster.GPU{}
	for i := range f.Rows {
		name := f.Rows[i].GPU
		g, ok := known[name]
		if !ok {
			row, err := GPU(name)
			if err != nil {
				return f, fmt.Errorf("%s: row %s: %w", path, f.Rows[i].ID, err)
			}
			g = row.Value
			known[name] = g
		}
		f.GPUs = append(f.GPUs, g)
	}
	return f, nil
}

// Predict compares one row; stacks caches the constants by gpu and stack.
func (f *MeasuredFile) Predict(i int, stacks map[[2]string]cluster.Efficiency) (Prediction, error) {
	r := &f.Rows[i]
	v := Prediction{ID: r.ID, Quantity: r.QuantityName()}
	key := [2]string{r.GPU, r.Stack}
	e, ok := stacks[key]
	var err error
	if !ok {
		if e, _, err = Efficiency(r.GPU, r.Stack); err != nil {
			return v, fmt.Errorf("%s: row %s: %w", f.Path, r.ID, err)
		}
		stacks[key] = e
	}
	if v.Measured, err = r.Measured(); err != nil {
		return v, fmt.Errorf("%s: %w", f.Path, err)
	}
	if v.Predicted, err = r.Predict(f.GPUs[i], e); err != nil {
		return v, fmt.Errorf("%s: %w", f.Path, err)
	}
	v.Error = 100 * (v.Predicted - v.Measured) / v.Measured
	return v, nil
}

// MeasuredSteps are the rows of all built-in files whose stack has constants of its own on their GPU.
func MeasuredSteps() ([]cluster.MeasuredStep, error) {
	stacks, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		return nil, err
	}
	fitted := map[[2]string]cluster.Efficiency{}
	for _, s := range stacks {
		fitted[[2]string{s.Value.GPU, s.Value.Stack}] = s.Value
	}
	var list []cluster.MeasuredStep
	for _, name := range config.MeasurementNames() {
		f, err := Measured(name)
		if err != nil {
			return nil, err
		}
		for i := range f.Rows {
			r := &f.Rows[i]
			if e, ok := fitted[[2]string{r.GPU, r.Stack}]; ok {
				list = append(list, cluster.MeasuredStep{Row: r, File: name, GPU: f.GPUs[i], Eff: e})
			}
		}
	}
	return list, nil
}
