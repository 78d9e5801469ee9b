package presets

import (
	"fmt"
	"math"

	"vcsim/cluster"
	"vcsim/cluster/collective"
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
		if !ok && !f.Rows[i].IsCollective() {
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
	var err error
	if v.Measured, err = r.Measured(); err != nil {
		return v, fmt.Errorf("%s: %w", f.Path, err)
	}
	if r.IsCollective() {
		// A collective depends on the links alone.
		links := collective.DefaultLinkConstants()
		v.Predicted, err = r.PredictCollective(&links)
	} else {
		v.Predicted, err = f.predict(i, stacks)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", f.Path, err)
	}
	v.Error = 100 * (v.Predicted - v.Measured) / v.Measured
	return v, nil
}

// predict is the row's quantity with the constants of its GPU and stack.
func (f *MeasuredFile) predict(i int, stacks map[[2]string]cluster.Efficiency) (float64, error) {
	r := &f.Rows[i]
	key := [2]string{r.GPU, r.Stack}
	e, ok := stacks[key]
	if !ok {
		constants, err := Efficiency(r.GPU, r.Stack)
		if err != nil {
			return 0, fmt.Errorf("row %s: %w", r.ID, err)
		}
		e = constants.Values
		stacks[key] = e
	}
	return r.Predict(f.GPUs[i], e)
}

// A Validation is a file's rows as the model predicts them.
type Validation struct {
	Rows      []Prediction
	MAPE, Max float64 // mean and largest absolute error in percent, without the rows that say of themselves that they are unhealthy
}

// Validate predicts every row; stacks is as for Predict.
func (f *MeasuredFile) Validate(stacks map[[2]string]cluster.Efficiency) (Validation, error) {
	var v Validation
	counted := 0
	for i := range f.Rows {
		row, err := f.Predict(i, stacks)
		if err != nil {
			return v, err
		}
		v.Rows = append(v.Rows, row)
		if !f.Rows[i].Unhealthy() {
			counted++
			v.MAPE += math.Abs(row.Error)
			v.Max = max(v.Max, math.Abs(row.Error))
		}
	}
	v.MAPE /= float64(max(1, counted))
	return v, nil
}

// MeanAbsolute is the mean magnitude of relative errors, in percent; 0 of none.
func MeanAbsolute(relative []float64) float64 {
	mean := 0.0
	for _, e := range relative {
		mean += 100 * math.Abs(e) / float64(len(relative))
	}
	return mean
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
