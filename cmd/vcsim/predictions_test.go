package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/golden"
	"vcsim/internal/presets"
)

// A list of predictions to compare with, instead of the checked-in one: that of an earlier commit.
var earlierPredictions = flag.String("predictions", "", "print how the predictions changed against this list")

const predictionsFile = "testdata/predictions.csv"

// TestPredictions: the model's predictions of every published row are those of the checked-in list (go test -update writes it), and how
// they changed is printed: about a thousand numbers that a change of a formula moves.
func TestPredictions(t *testing.T) {
	type row struct {
		key                 string
		predicted, measured float64
	}
	var now []row
	stacks := map[[2]string]cluster.Efficiency{}
	for _, name := range config.MeasurementNames() {
		f, err := presets.Measured(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Rows {
			v, err := f.Predict(i, stacks)
			if err != nil {
				t.Fatal(err)
			}
			now = append(now, row{name + "/" + v.ID, v.Predicted, v.Measured})
		}
	}
	path := predictionsFile
	if *earlierPredictions != "" {
		path = *earlierPredictions
	}
	before, err := readPredictions(path)
	if err != nil && !golden.Update() {
		t.Fatal(err)
	}
	const digits = 6
	var changed, added int
	var sum, most, errBefore, errNow float64
	worst := ""
	for _, r := range now {
		was, ok := before[r.key]
		if !ok {
			added++
			continue
		}
		rel := math.Abs(r.predicted/was - 1)
		errBefore += math.Abs(was/r.measured - 1)
		errNow += math.Abs(r.predicted/r.measured - 1)
		if rel <= 1e-5 {
			continue
		}
		changed++
		sum += rel
		if rel > most {
			most, worst = rel, r.key
		}
	}
	n := float64(max(1, len(now)-added))
	t.Logf("%d predictions, %d new, %d gone, %d changed: by %.3f %% on average and %.2f %% at most (%s); mean error %.3f %%, was %.3f %%",
		len(now), added, len(before)-len(now)+added, changed, 100*sum/n, 100*most, worst, 100*errNow/n, 100*errBefore/n)
	if *earlierPredictions != "" {
		return // a report
	}
	if golden.Update() {
		out, err := os.Create(predictionsFile)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		for _, r := range now {
			fmt.Fprintf(out, "%s,%s\n", r.key, strconv.FormatFloat(r.predicted, 'g', digits, 64))
		}
		return
	}
	if changed+added > 0 || len(before) != len(now) {
		t.Errorf("%s is not what the model says (go test -update writes it)", predictionsFile)
	}
}

func readPredictions(path string) (map[string]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, l := range lines {
		v, err := strconv.ParseFloat(l[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out[l[0]] = v
	}
	return out, nil
}
