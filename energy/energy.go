// Package energy says what the hardware takes of energy, in ASAP7 at 0.70 V. The rows are measured at gate level: the mapped netlists of the
// tops ran in their bench on frames of the open planes, and toggles times liberty gave the energy of each unit (make energy writes the
// tables). Between the rows a model by unit over counters of the clocked model interpolates: cycles, samples, bins and bits. It gives its
// error, on planes that it was not fitted on, with every figure.
package energy

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// What no cell tells.
const (
	// Allowance is what wires and the clock tree add to the energy of cells: a stated share, for there is no layout.
	Allowance = 0.30

	// Memories, in fJ a bit of an access. The middle is the 64 x 256 macro model that OpenROAD-flow-scripts has for ASAP7
	// (flow/platforms/asap7/lib/NLDM/fakeram7_64x256.lib): 2 x 1.345 pJ at the clock for 256 bits, and 0.013 pJ an edge of a data
	// pin at one edge in two cycles. The low end is its clock alone. The high end is a 64-bit access of 8 KB in 7 nm, 7.5 pJ
	// (Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i, ISCA 2021, table 2), which is a larger memory.
	MemoryBit     = 17.0
	MemoryBitLow  = 10.5
	MemoryBitHigh = 117.0

	// MemoryLeakage is of a bit, in fJ a cycle at 1 GHz: 128.9 uW of the same macro of 16 kbit.
	MemoryLeakage = 7.87e-3
)

// A Side is the encoder or the decoder of a codec, by the module of its top.
type Side string

// Tops that are measured.
const (
	T264Encoder Side = "t264_enc"
	T264Decoder Side = "t264_dec"
	T265Encoder Side = "t265_enc"
)

// Sides are those with tables.
var Sides = []Side{T264Encoder, T264Decoder, T265Encoder}

// Measured tells whether there is a table of a side.
func (s Side) Measured() bool { return slices.Contains(Sides, s) }

// Codec returns the codec of a side, which is the folder of its RTL.
func (s Side) Codec() string {
	codec, _, _ := strings.Cut(string(s), "_")
	return codec
}

// Lane returns the module of a lane of a side.
func (s Side) Lane() string { return string(s) + "_lane" }

// Gated is the least number of flip-flops of an enable for which a clock gate was mapped in the rows that the model is of.
const Gated = 4

// A Measurement is a run of a top at gate level, on one plane at one QP: 64 stimuli together.
type Measurement struct {
	Side     Side
	Gate     int // least number of flip-flops behind a clock gate, 0 for no gates
	Lanes    int // of the top
	Width    int // of the frames, in samples
	Plane    string
	Held     bool // the model is not fitted on it
	QP16     int
	Counters // of all 64 runs together, at 1 GHz
	Units    []Unit
	Memories []Memory
}

// A Unit is the energy of all instances of a unit of a top, in fJ.
type Unit struct {
	Name                         string // module of the RTL
	Instances                    int
	Logic, State, Clock, Leakage float64
}

// Total returns the sum in fJ.
func (u *Unit) Total() float64 { return u.Logic + u.State + u.Clock + u.Leakage }

// A Memory counts accesses.
type Memory struct {
	Name          string // instance
	Ports         string // 1rw or 1r1w
	Width, Depth  int
	Reads, Writes float64
}

// Cells returns the energy of all units in fJ.
func (m *Measurement) Cells() (sum float64) {
	for i := range m.Units {
		sum += m.Units[i].Total()
	}
	return sum
}

// Accessed returns the bits that memories read and wrote.
func (m *Measurement) Accessed() (sum float64) {
	for _, r := range m.Memories {
		sum += (r.Reads + r.Writes) * float64(r.Width)
	}
	return sum
}

// What was measured: tops of so many lanes and threads, on frames of so many samples in either direction.
const (
	MeasuredLanes = 4
	MeasuredFrame = 64
)

// Groups of measurements: those that the model is fitted on, and those that tell its error.
const (
	GroupFit  = "fit"
	GroupHeld = "held"
)

// Command is what renews the tables, from the root of the repository.
const Command = "make energy"

// File is the table of a side in the repository.
func File(s Side) string { return "energy/" + string(s) + ".csv" }

//go:embed *.csv
var tables embed.FS

// Measurements returns the rows of a side, with the accesses of memories beside them.
func Measurements(s Side) ([]Measurement, error) {
	units, err := tables.ReadFile(string(s) + ".csv")
	if err != nil {
		return nil, fmt.Errorf("no energy of side %q", s)
	}
	memories, err := tables.ReadFile(string(s) + "_memories.csv")
	if err != nil {
		return nil, err
	}
	return parse(s, units, memories)
}

type key struct {
	gate, lanes, width int
	plane              string
	qp                 int
}

func (r *row) key() key {
	return key{int(r.number("gate")), int(r.number("lanes")), int(r.number("frame")), r.text("plane"), int(r.number("qp16"))}
}

func parse(s Side, units, memories []byte) (list []Measurement, err error) {
	at := map[key]int{}
	err = rows(string(s)+".csv", units, func(r row) error {
		k := r.key()
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, Measurement{Side: s, Gate: k.gate, Lanes: k.lanes, Width: k.width, Plane: k.plane, QP16: k.qp, Held: r.text("group") == GroupHeld,
				Counters: Counters{Lanes: k.lanes, Cycles: r.number("cycles"), Samples: r.number("samples"), Bits: r.number("bits"),
					MapBins: r.number("map_bins"), LevelBins: r.number("level_bins"), SignBins: r.number("sign_bins"), Coded: r.number("coded_samples"), Moving: r.number("moving_samples"), Large: r.optional("large_samples")}})
		}
		list[i].Units = append(list[i].Units, Unit{r.text("unit"), int(r.number("instances")), r.number("logic_fj"), r.number("state_fj"), r.number("clock_fj"), r.number("leakage_fj")})
		return r.err
	})
	if err != nil {
		return nil, err
	}
	err = rows(string(s)+"_memories.csv", memories, func(r row) error {
		i, ok := at[r.key()]
		if !ok {
			return fmt.Errorf("no measurement of it in %s.csv", s)
		}
		list[i].Memories = append(list[i].Memories, Memory{r.text("memory"), r.text("ports"), int(r.number("width")), int(r.number("depth")), r.number("reads"), r.number("writes")})
		return r.err
	})
	return list, err
}

// A row is a line of a table by the names of its columns.
type row struct {
	head, cells []string
	err         error
}

func (r *row) text(column string) string {
	if i := slices.Index(r.head, column); i >= 0 {
		return r.cells[i]
	}
	r.err = fmt.Errorf("no column %s", column)
	return ""
}

func (r *row) number(column string) float64 {
	v, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", column, err)
	}
	return v
}

// optional is the number in a column that a table may be without: 0.
func (r *row) optional(column string) float64 {
	if !slices.Contains(r.head, column) {
		return 0
	}
	return r.number(column)
}

func rows(name string, data []byte, each func(row) error) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(row{head: head, cells: cells})
		}
		if err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

// Provenance returns what the comments of a table say of where its rows are from, a line each.
func Provenance(s Side) (lines []string) {
	data, _ := tables.ReadFile(string(s) + ".csv")
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "# "); ok {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}

// A ClockGate is a run of a plane at a QP whose top was mapped with clock gates and without.
type ClockGate struct {
	Plane         string
	QP16          int
	Bits          float64 // a sample
	With, Without float64 // of all cells, pJ a sample
	LaneClock     float64 // share of clock pins in the energy of the lanes, without gates
}

// ClockGates returns the runs of a side that the tables have with and without clock gates.
func ClockGates(s Side) (list []ClockGate, err error) {
	all, err := Measurements(s)
	if err != nil {
		return nil, err
	}
	for i := range all {
		free := &all[i]
		if free.Gate != 0 {
			continue
		}
		k := slices.IndexFunc(all, func(m Measurement) bool {
			return m.Gate == Gated && m.Plane == free.Plane && m.QP16 == free.QP16 && m.Lanes == free.Lanes && m.Width == free.Width
		})
		if k < 0 {
			return nil, fmt.Errorf("%s: %s at QP %g has no run with clock gates: run %s", File(s), free.Plane, float64(free.QP16)/16, Command)
		}
		g := ClockGate{Plane: free.Plane, QP16: free.QP16, Bits: free.Bits / free.Samples, With: all[k].Cells() / all[k].Samples / 1e3, Without: free.Cells() / free.Samples / 1e3}
		for _, u := range free.Units {
			if u.Name == s.Lane() {
				g.LaneClock = u.Clock / u.Total()
			}
		}
		list = append(list, g)
	}
	return list, nil
}
