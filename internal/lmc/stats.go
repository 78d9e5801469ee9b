package lmc

// PlaneStats counts bytes by plane, plane 0 first.
type PlaneStats struct {
	Bytes     [8]int64   // before
	BoundBits [8]float64 // order-0 entropy, block by block
	Coded     [8]int64   // after; positions of zero values, references to rows and steps belong to no plane
	Total     int64      // after, all of it
}

func (s *PlaneStats) add(t *PlaneStats) {
	for k := range s.Bytes {
		s.Bytes[k] += t.Bytes[k]
		s.BoundBits[k] += t.BoundBits[k]
		s.Coded[k] += t.Coded[k]
	}
	s.Total += t.Total
}
