// Command rates writes the table of rates that package codecpoint carries: what the clocked models of encoder and decoder do in a
// cycle on real planes of a class, at several bits a value. Every run is compared with the software codec. With -coded it writes the table
// of what the software codecs make of each plane at several quantisers: bits, error and bins.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vcsim/internal/atomicfile"
	"vcsim/internal/simrun"
	"vcsim/internal/tensorcodec"
)

// classes are the planes of the folder by what they were cut from.
var classes = []struct {
	name   string
	planes []string
}{
	{"weights", []string{"w_down3", "w_k1", "w_up2"}},
	{"gradients", []string{"g_k1", "g_o1c"}},
	{"activations", []string{"act_b2", "act_b4c", "actgrad_b2", "mlp_in1c"}},
	{"caches", []string{"k0", "k3", "v3"}},
}

// targets are bits a value that the quantiser aims at.
var targets = []float64{0.5, 1, 2, 3, 4, 6, 8}

// A config is a parameter set of a unit of a codec.
type config struct {
	codec         simrun.Codec
	unit          simrun.Unit
	values, lanes int
}

// configs are the parameter sets: as many threads as lanes.
var configs = []config{
	{simrun.T264, simrun.Encoder, 8, 24}, {simrun.T264, simrun.Decoder, 4, 16},
	{simrun.T264, simrun.Encoder, 8, 8}, {simrun.T264, simrun.Encoder, 8, 16}, {simrun.T264, simrun.Encoder, 8, 32},
	{simrun.T264, simrun.Decoder, 4, 8}, {simrun.T264, simrun.Decoder, 4, 24},
	{simrun.T264, simrun.Encoder, 4, 8}, {simrun.T264, simrun.Encoder, 4, 12},
	{simrun.T265, simrun.Encoder, 8, 18}, {simrun.T265, simrun.Encoder, 8, 8}, {simrun.T265, simrun.Encoder, 8, 12}, {simrun.T265, simrun.Encoder, 8, 24}, {simrun.T265, simrun.Encoder, 8, 32},
}

// side is the largest side of a frame; loaded is how many frames a thread gets in the mean.
const (
	side   = 256
	loaded = 2.5
)

func main() {
	part := flag.Bool("part", false, "write the rows of encoders and decoders of 8 lanes on caches at 3 bits a value alone")
	coded := flag.Bool("coded", false, "write bits, error and bins of the software codecs; with -part of caches alone")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: rates [-coded] [-part] PLANES OUTPUT")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if *part {
		classes, targets = classes[3:], []float64{3}
		configs = slices.DeleteFunc(configs, func(c config) bool { return c.lanes != 8 || c.values == 4 && c.unit == simrun.Encoder })
	}
	table := rates
	if *coded {
		table = codings
	}
	if err := write(flag.Arg(0), flag.Arg(1), table); err != nil {
		fmt.Fprintln(os.Stderr, "rates:", err)
		os.Exit(1)
	}
}

// write writes a table of the planes of a folder.
func write(dir, path string, table func(w io.Writer, dir string) error) error {
	var b bytes.Buffer
	if err := table(&b, dir); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// rates runs the clocked models.
func rates(b io.Writer, dir string) error {
	fmt.Fprintf(b, "# values a cycle while every thread has a frame, of at most %dx%d; operations of the lanes a value; bits of the slices a value\n", side, side)
	fmt.Fprintln(b, "codec,unit,values,lanes,bypass,class,target_bits,bits,values_per_cycle,operations_per_value")
	jobs := map[string][]*simrun.Job{}
	for _, c := range configs {
		run := simrun.DefaultConfig(c.codec, c.unit)
		run.Values = c.values
		point := simrun.Point{Threads: c.lanes, Lanes: c.lanes}
		var tasks []simrun.Task
		var names []string
		for _, class := range classes {
			for _, bits := range targets {
				name := fmt.Sprintf("%s,%g", class.name, bits)
				key := c.codec.String() + "," + name
				if jobs[key] == nil {
					list, err := code(c.codec, dir, class.planes, bits)
					if err != nil {
						return err
					}
					jobs[key] = list
				}
				tasks = append(tasks, simrun.Task{Point: point, Jobs: repeat(jobs[key], c.lanes)})
				names = append(names, name)
			}
		}
		results, err := run.Run(context.Background(), tasks, nil, func() {})
		if err != nil {
			return err
		}
		for i, r := range results {
			if err := r.Verify(); err != nil {
				return err
			}
			f := run.Summarise(results[i:i+1], 1e9)[0]
			if f.Short {
				return fmt.Errorf("%s, %d lanes: no thread was loaded for long", names[i], c.lanes)
			}
			w := simrun.NewWorkload(r.Jobs)
			fmt.Fprintf(b, "%s,%s,%d,%d,%d,%s,%.3f,%.3f,%.3f\n", c.codec, c.unit, c.values, c.lanes, run.Bypass, names[i], w.BitsPerValue(), f.SteadyValues, *r.OperationsPerValue())
		}
		fmt.Fprintln(os.Stderr, c.codec, c.unit, c.values, c.lanes)
	}
	return nil
}

// repeat lists the jobs again and again until every thread has its share.
func repeat(jobs []*simrun.Job, threads int) (all []*simrun.Job) {
	frames := simrun.NewWorkload(jobs).Frames
	for n := 0.0; n < loaded*float64(threads); n += float64(frames) {
		all = append(all, jobs...)
	}
	return all
}

// code codes the planes of a class in software.
func code(in simrun.Codec, dir string, planes []string, bits float64) (jobs []*simrun.Job, err error) {
	codec, err := tensorcodec.Lookup(in.String())
	if err != nil {
		return nil, err
	}
	o := tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetBits, Value: bits}}
	for _, name := range planes {
		plane, grid, err := load(dir, name)
		if err != nil {
			return nil, err
		}
		job, err := simrun.NewJob(name, plane, grid, o)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// load reads a plane of a folder, cut into frames.
func load(dir, name string) (plane []byte, grid tensorcodec.Grid, err error) {
	path := filepath.Join(dir, name+".pgm")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, grid, err
	}
	var width, height int
	header := strings.NewReplacer("\n", " ").Replace(string(data[:min(len(data), 32)]))
	if n, _ := fmt.Sscanf(header, "P5 %d %d 255", &width, &height); n != 2 || len(data) < width*height {
		return nil, grid, fmt.Errorf("%s: not an 8-bit plane", path)
	}
	grid, err = tensorcodec.NewGrid(width, height, min(width, side), min(height, side))
	return data[len(data)-width*height:], grid, err
}
