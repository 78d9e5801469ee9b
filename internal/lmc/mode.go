package lmc

const (
	chooseBlocks = 3    // of a tensor that are looked at to choose its mode
	chooseValues = 8192 // of each of them
)

// chooseMode estimates, from some of its values, in which mode tensor i takes the fewest bits.
func chooseMode(w *worker, in, base *Snapshot, i int) (Mode, error) {
	t := &in.tensors[i]
	j, ok := base.match(t)
	if !ok || t.size == 0 {
		return Whole, nil
	}
	for len(w.base) < 2 {
		w.base = append(w.base, nil)
	}
	var hists [Step][8]histogram
	var zeros [Step]int
	n := 0
	blocks := t.last - t.block
	e := &w.enc
	fits := stepsFit(t.layout)
	e.sparse, e.rows = e.sparse[:0], e.rows[:0] // the parts, one after the other
	diff, planes := e.take(chooseValues*t.w), e.take(chooseValues*t.w)
	defer e.give(diff)
	defer e.give(planes)
	for k := range min(blocks, chooseBlocks) {
		b := k * (blocks - 1) / max(1, min(blocks, chooseBlocks)-1)
		_, size := t.span(b)
		values, old := grow(w.base[0][:0], size), grow(w.base[1][:0], size)
		w.base[0], w.base[1] = values, old
		if _, err := in.readBlock(w, i, b, values, 2); err != nil {
			return Whole, err
		}
		if _, err := base.readBlock(w, j, b, old, 2); err != nil {
			return Whole, err
		}
		part := min(size/t.w, chooseValues)
		from := (size/t.w - part) / 2
		a, c := values[from*t.w:(from+part)*t.w], old[from*t.w:(from+part)*t.w]
		n += part
		if fits {
			e.sparse, e.rows = append(e.sparse, a...), append(e.rows, c...)
		}
		for mode := range Step {
			d, p := diff[:len(a)], planes[:len(a)]
			difference(d, a, c, t.w, mode)
			for v := range part {
				if loadValue(d[v*t.w:], t.w) == 0 {
					zeros[mode]++
				}
			}
			split(p, d, t.w, t.float && mode != Zigzag)
			for plane := range t.w {
				h := &hists[mode][plane]
				for _, s := range p[plane*part : plane*part+part] {
					h[s]++
				}
			}
		}
	}
	// Every block has tables, of which the part takes its share.
	symbolBits := levelBits * float64(blocks) * float64(n) / float64(t.size/int64(t.w))
	bits := func(h *histogram) float64 {
		bits, symbols := h.entropyBits()
		return bits + symbolBits*float64(symbols)
	}
	best, fewest := Whole, 0.0
	for mode := range Step {
		dense, sparse := 0.0, choiceBits(n, zeros[mode])
		for plane := range t.w {
			h := &hists[mode][plane]
			dense += bits(h)
			h[0] -= uint32(zeros[mode])
			sparse += bits(h)
		}
		if bits := min(dense, sparse); mode == Whole || bits < fewest {
			best, fewest = mode, bits
		}
	}
	if fits {
		if e.stepBits(e.sparse, e.rows, t.w, bits) < fewest {
			best = Step
		}
	}
	return best, nil
}
