package figures

import (
	"fmt"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

// OwnBits is the bits a value at which engines of our own stand beside those of the paper.
const OwnBits = 3

// An OwnEngine is an engine of our own beside the paper's, both for 100 Gbps of payload. What is not ours yet is nil, and the note says so.
type OwnEngine struct {
	Name       string   `json:"name"` // codec and half
	Codec      string   `json:"-"`
	Half       string   `json:"-"`                       // enc or dec
	PaperArea  float64  `json:"paper_area_mm2"`          // of Table II
	Area       *float64 `json:"own_area_mm2"`            // at the clock that layout leaves; null: not ours yet
	At1GHz     *float64 `json:"own_at_1ghz_mm2"`         // at 1 GHz; null: not ours yet
	AreaRatio  *float64 `json:"paper_over_own_area"`     // at the clock that layout leaves
	PaperPower float64  `json:"paper_power_w"`           // of Table II
	Power      *float64 `json:"own_power_w"`             // null: not ours yet
	PaperValue float64  `json:"paper_value_pj"`          // of Table II, read as of a value
	Value      *float64 `json:"own_value_pj"`            // null: not ours yet
	RawBit     *float64 `json:"own_payload_bit_pj"`      // null: not ours yet
	Low        *float64 `json:"own_payload_bit_low_pj"`  // with memories at the low end of their range
	High       *float64 `json:"own_payload_bit_high_pj"` // with memories at the high end of their range
	Ratio      *float64 `json:"paper_over_own_energy"`   // by value
	Note       string   `json:"note"`                    // what ours is, or that it is not ours yet
	Share      float64  `json:"own_instances"`           // that 100 Gbps of payload take, with fractions; 0: not ours yet
	Kinds      []Kind   `json:"own_kinds,omitempty"`     // where ours goes, by kind of unit
}

// A Kind is what the units of a kind take of an engine.
type Kind struct {
	Kind   string  `json:"unit_kind"`
	MM2    float64 `json:"kind_mm2"`            // for 100 Gbps of payload, at the clock that layout leaves
	RawBit float64 `json:"kind_payload_bit_pj"` // a payload bit
}

// ownEngines are our engines beside the paper's tensor codecs.
func ownEngines(s *presets.Stated) (list []OwnEngine, figures []codecpoint.Figure, err error) {
	for _, codec := range codecpoint.Own() {
		sheet, err := codecpoint.OwnSheet(codecpoint.DefaultSpec(codec), OwnBits, 1)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range sheet.Figures {
			f.What = codec + " " + f.What
			figures = append(figures, f)
		}
		for _, half := range []string{"enc", "dec"} {
			key := "table2." + codec + "-" + half
			e := OwnEngine{Name: codec + " " + half, Codec: codec, Half: half, PaperArea: s.Get(key + ".area"), PaperPower: s.Get(key + ".power"), PaperValue: s.Get(key + ".energy"),
				Note: "not ours yet"}
			for i := range sheet.Sides {
				if strings.HasPrefix(sheet.Sides[i].Side, half) {
					e.own(sheet, &sheet.Sides[i])
				}
			}
			list = append(list, e)
		}
	}
	return list, figures, s.Err
}

// own fills in what is ours.
func (e *OwnEngine) own(sheet *codecpoint.Sheet, side *codecpoint.SheetSide) {
	share := payloadBPS / side.PayloadBPS // instances
	at1GHz := *side.MM2Per100Gbps * *side.ClockHz / 1e9
	areas := e.PaperArea / *side.MM2Per100Gbps
	e.Area, e.At1GHz, e.AreaRatio, e.Share = side.MM2Per100Gbps, &at1GHz, &areas, share
	e.Note = fmt.Sprintf("%d lanes at %.2f GHz, %g bits a value", side.Lanes, *side.ClockHz/1e9, sheet.Bits)
	if taken := side.Energy; taken != nil {
		power, energies := taken.RawBit*1e-12*payloadBPS, e.PaperValue/taken.Value
		e.Power, e.Value, e.RawBit, e.Ratio, e.Low, e.High = &power, &taken.Value, &taken.RawBit, &energies, taken.RawLow, taken.RawHigh
	} else {
		e.Note += ", energy not measured yet"
	}
	for _, kind := range codecpoint.Kinds {
		k := Kind{Kind: kind}
		for _, u := range sheet.Units {
			if u.Side != side.Side || u.Kind != kind {
				continue
			}
			if u.MM2 != nil {
				k.MM2 += *u.MM2 * share
			}
			if u.RawBit != nil {
				k.RawBit += *u.RawBit
			}
		}
		e.Kinds = append(e.Kinds, k)
	}
}

// payloadBPS is the payload of Table II in bits per second.
const payloadBPS = codecpoint.TableBPS

// Fig9 is area and energy of the engines for 100 Gbps of payload: those of the paper and ours, beside the GPU's die and the network.
type Fig9 struct {
	Figure     string              `json:"figure"`
	Bits       float64             `json:"bits_per_value"` // of ours
	Paper      []Fig9Bar           `json:"engines"`        // of the paper
	Own        []OwnEngine         `json:"own"`            // ours beside them
	DieMM2     float64             `json:"gpu_die_mm2"`    // of the RTX 3090
	Network    float64             `json:"network_payload_bit_pj"`
	Statements []Statement         `json:"statements"`
	Figures    []codecpoint.Figure `json:"figures"` // of one instance of ours, each with the file that it is from and the command that renews it
}

// A Fig9Bar is an engine of the paper.
type Fig9Bar struct {
	Name   string  `json:"name"` // codec and half
	MM2    float64 `json:"area_mm2"`
	RawBit float64 `json:"energy_pj_per_bit"` // printed / 16
}

// NewFig9 works the figure out.
func NewFig9(s *presets.Stated) (*Fig9, error) {
	j := &Fig9{Figure: "fig9", Bits: OwnBits, DieMM2: s.Get("section6.rtx3090-die"), Network: s.Get("table2.nccl.energy") / cluster.PayloadBits}
	table, err := NewTable2(s)
	if err != nil {
		return nil, err
	}
	for _, r := range table.Rows {
		j.Paper = append(j.Paper, Fig9Bar{r.Name, r.Area, r.RawBit})
	}
	j.Own, j.Figures = table.Own, table.Figures
	e, d := &j.Own[0], &j.Own[1] // of T.264
	nccl, pair, area := s.Get("table2.nccl.energy"), *e.Value+*d.Value, *e.Area+*d.Area
	add := func(what, unit, key string, ours *float64, from, remark string) {
		paper := s.Get(key)
		j.Statements = append(j.Statements, Statement{what, unit, &paper, ours, from, remark})
	}
	ratio, gain, die := nccl/pair, nccl/(nccl/5+pair), j.DieMM2/area
	add("NCCL over T.264, energy", "", "section6.energy-ratio-t264-vs-nccl", &ratio, fmt.Sprintf("%g / (%.3g + %.3g)", nccl, *e.Value, *d.Value), "ours: measured, of a value")
	add("energy gain at ratio 5, T.264", "", "section6.energy-gain-at-ratio-5", &gain, fmt.Sprintf("%g / (%g/5 + %.3g + %.3g)", nccl, nccl, *e.Value, *d.Value), "communication alone")
	add("GPU over codec pair, area", "", "section6.h264-pair-times-smaller-than-gpu", &die, fmt.Sprintf("%g / (%.3g + %.3g)", j.DieMM2, *e.Area, *d.Area), "the paper's is H.264, ours T.264")
	add("T.265 encoder and decoder", "mm2", "section6.t265-area-on-gpu", nil, "", "not ours yet: T.265 has no decoder in hardware")
	return j, s.Err
}
