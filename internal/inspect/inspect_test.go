package inspect

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"vcsim/internal/report"
	"vcsim/internal/tensorcodec"
)

// coded is a stream of seeded Gaussian codes in frames, and its encoder's own counts.
func coded(t *testing.T, name string) *tensorcodec.Coded {
	t.Helper()
	random := rand.New(rand.NewPCG(9, 10))
	plane := make([]byte, 128*96)
	for i := range plane {
		plane[i] = byte(max(0, min(255, 128+20*random.NormFloat64())))
	}
	grid, err := tensorcodec.NewGrid(128, 96, 64, 48)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := tensorcodec.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := tensorcodec.EncodePlane(plane, grid, tensorcodec.Options{Codec: codec, Tier: "rdo", Target: tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: 30}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestStream: what is counted adds up, and the bins are those that the encoder counted.
func TestStream(t *testing.T) {
	for name, tables := range map[string]int{"t264": 4, "t265": 3} {
		c := coded(t, name)
		r, err := Stream(name, c.Stream)
		if err != nil {
			t.Fatal(err)
		}
		facts := map[string]any{}
		for _, f := range r.Facts {
			facts[f.Key] = f.Value
		}
		if facts["codec"] != name || facts["bytes"] != len(c.Stream) || facts["values"] != 4*64*48 || facts["pictures"] != int64(4) || facts["width"] != 64 || facts["height"] != 48 {
			t.Errorf("%s: facts %v", name, facts)
		}
		if got := facts["bits_per_value"].(float64); math.Abs(got-8*float64(len(c.Stream))/(4*64*48)) > 1e-12 {
			t.Errorf("%s: %v bits a value", name, got)
		}
		if len(r.Tables) < tables {
			t.Fatalf("%s: %d tables", name, len(r.Tables))
		}
		sums := map[string]int64{}
		for _, row := range r.Tables[0].Rows {
			if row[0] == "all" {
				if want := sums[row[1].(string)]; row[2] != want {
					t.Errorf("%s: all %s bins are %v, the elements have %d", name, row[1], row[2], want)
				}
				continue
			}
			sums[row[1].(string)] += row[2].(int64)
		}
		if sums["regular"] != c.Bins.Regular || sums["bypass"] != c.Bins.Bypass {
			t.Errorf("%s: bins %v, the encoder counted %+v", name, sums, c.Bins)
		}
		for _, table := range r.Tables {
			for k, column := range table.Columns {
				if column.Key == "share_percent" && table.Name != "bins" {
					checkShares(t, name, &table, k)
				}
			}
		}
	}
}

// checkShares: the shares of all rows are the whole.
func checkShares(t *testing.T, codec string, table *report.Table, column int) {
	t.Helper()
	sum := 0.
	for _, row := range table.Rows {
		sum += row[column].(float64)
	}
	if math.Abs(sum-100) > 1e-9 {
		t.Errorf("%s, %s: the shares make %v %%", codec, table.Name, sum)
	}
}

func TestStreamFails(t *testing.T) {
	c := coded(t, "t265")
	for _, tt := range []struct {
		codec  string
		stream []byte
	}{{"t264", nil}, {"t265", nil}, {"t264", []byte("no stream")}, {"t265", c.Stream[:len(c.Stream)/2]}} {
		if r, err := Stream(tt.codec, tt.stream); err == nil {
			t.Errorf("%s, %d bytes: %+v", tt.codec, len(tt.stream), r.Facts)
		}
	}
	var unsupported tensorcodec.UnsupportedError
	if _, err := Stream("t266", c.Stream); !errors.As(err, &unsupported) {
		t.Errorf("t266: %v", err)
	}
}
