package codecpoint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"vcsim/area"
)

// A Part is a unit of a side: so many instances, each of a size.
type Part struct {
	Module string
	Count  int
	area.Size
	Rest    bool    // what the units inside it leave of it
	Row     bool    // the size is that of a row of synthesis, else of the model
	Mean    float64 // error of the unit's model on rows left out, in percent: mean and largest; of a part of a top, the top's
	Worst   float64
	LeftOut int // rows; 0: the unit has no model, and the size is a row
}

// Name is what a table calls the part.
func (p *Part) Name() string {
	if p.Rest {
		return "rest of " + p.Module
	}
	return p.Module
}

// inside are the units of a module that rows of synthesis tell apart: those of the tops, of the pixel paths and of the lanes.
var inside = map[string][]string{
	"t264_enc":        {"t264_enc_lane", "t264_enc_pixels", "t264_enc_store", "t264_context"},
	"t264_dec":        {"t264_dec_lane", "t264_dec_pixels", "t264_dec_above", "t264_context"},
	"t264_enc_pixels": {"t264_quant", "t264_enc_dc", "t264_border", "t264_mode", "t264_dct", "t264_enc_sched", "t264_enc_ref"},
	"t264_dec_pixels": {"t264_dec_residual", "t264_dec_predict", "t264_dec_sched", "t264_dec_ref"},
	"t264_enc_lane":   {"vc_cabac_enc", "t264_residual", "vc_nal_pack"},
	"t264_dec_lane":   {"t264_dec_banks", "t264_parse", "vc_cabac_dec_core", "vc_nal_unpack"},

	"t265_enc":        {"t265_enc_lane", "t265_enc_pixels", "t265_enc_store", "t265_context"},
	"t265_enc_pixels": {"t265_enc_sched", "t265_enc_ref", "t265_decide", "t265_enc_tree", "t265_samples", "t265_forward", "t265_quant", "t265_inverse"},
	"t265_enc_lane":   {"vc_cabac_enc", "t265_binarise", "vc_nal_pack"},
}

// narrow are units in which the widest frame is some bits of the number of a column alone, and the frame that their rows have.
var narrow = map[string]int{"t265_decide": 16}

// Parts are the units of a side, which add up to it: lanes, the units of the pixel path as far as rows of synthesis have them with these
// parameters, and what is left of pixel path and top.
func (s *Side) Parts() ([]Part, error) {
	rows, err := area.Rows()
	if err != nil {
		return nil, err
	}
	top := Part{Module: s.Module, Count: 1, Size: s.Estimate.Size, Row: s.Estimate.Row != nil, Mean: s.Estimate.Mean, Worst: s.Estimate.Worst, LeftOut: s.Estimate.LeftOut}
	var list []Part
	for _, p := range s.split(rows, top) {
		if p.Module == s.Module+"_pixels" {
			list = append(list, s.split(rows, p)...)
		} else {
			list = append(list, p)
		}
	}
	return list, nil
}

// LaneParts are the units of one lane.
func (s *Side) LaneParts() ([]Part, error) {
	rows, err := area.Rows()
	if err != nil {
		return nil, err
	}
	lane, err := s.part(rows, s.Module+"_lane")
	if err != nil {
		return nil, err
	}
	lane.Count, lane.Cells = 1, s.Estimate.LaneUM2
	return s.split(rows, lane), nil
}

// part is a unit of the side on its own.
func (s *Side) part(rows *area.Table, module string) (Part, error) {
	p := Part{Module: module, Count: 1}
	if module == s.Module+"_lane" {
		p.Count = s.Lanes
	}
	own := rows.Among(module, s.params)
	if e, err := rows.Estimate(module, own); err == nil {
		p.Size, p.Row, p.Mean, p.Worst, p.LeftOut = e.Size, e.Row != nil, e.Mean, e.Worst, e.LeftOut
		return p, nil
	}
	params := s.params
	if columns, ok := narrow[module]; ok {
		params = maps.Clone(params)
		params["FrameCTUs"] = columns
	}
	if row := rows.With(module, params); row != nil {
		p.Size, p.Row = row.Size(), true
		return p, nil
	}
	return p, fmt.Errorf("%s has no row of %s", area.File, module)
}

// units are those inside a module. In the place of one without a row stand the units inside that one.
func (s *Side) units(rows *area.Table, module string) (list []string) {
	for _, unit := range inside[module] {
		if _, err := s.part(rows, unit); err != nil && inside[unit] != nil {
			list = append(list, inside[unit]...)
		} else {
			list = append(list, unit)
		}
	}
	return list
}

// split puts the units inside a part in its place, and what they leave of it. A unit stays in what is left where rows say nothing of it, and, the
// smallest first, where the units together take more than the whole, which is mapped as one.
func (s *Side) split(rows *area.Table, whole Part) []Part {
	var list []Part
	for _, module := range s.units(rows, whole.Module) {
		p, err := s.part(rows, module)
		if err != nil {
			continue
		}
		if module == s.Module+"_lane" {
			p.Cells = s.Estimate.LaneUM2 // as the top was mapped with it
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b Part) int { return cmp.Compare(float64(b.Count)*b.Cells, float64(a.Count)*a.Cells) })
	for ; len(list) > 0; list = list[:len(list)-1] {
		rest := whole
		rest.Rest = true
		for _, p := range list {
			rest.Size = rest.Plus(p.Size, -float64(p.Count))
		}
		if rest.Cells >= 0 && settle(list, &rest, whole, func(p *Part) *float64 { return &p.SRAM1 }) && settle(list, &rest, whole, func(p *Part) *float64 { return &p.SRAM2 }) {
			return append(list, rest)
		}
	}
	return []Part{whole}
}

// settle takes what the units have of bits beyond the whole, which is little where models of both are linear in the threads, from the one that
// has most. It is false where the whole says otherwise.
func settle(list []Part, rest *Part, whole Part, bits func(*Part) *float64) bool {
	over := -*bits(rest)
	if over <= 0 {
		return true
	}
	most := &list[0]
	for i := range list {
		if *bits(&list[i]) > *bits(most) {
			most = &list[i]
		}
	}
	if over > .02**bits(&whole) || most.Count != 1 {
		return false
	}
	*bits(most) -= over
	*bits(rest) = 0
	return true
}
