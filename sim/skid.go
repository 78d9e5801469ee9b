package sim

// RTL: rtl/common/vc_skid.v

// A Skid is a pair of registers between two streams: latency 1, one word a
// cycle, and no combinational path from the output's ready to the input's.
type Skid[T any] struct {
	In, Out *Stream[T]

	valid, spareValid bool
	data, spare       T
}

func (s *Skid[T]) Eval() {
	s.Out.Valid, s.Out.Data = s.valid, s.data
	s.In.Ready = !s.spareValid
}

func (s *Skid[T]) Clock() {
	take := s.In.Valid && !s.spareValid
	if !s.valid || s.Out.Ready { // the main register is free after this edge
		if s.spareValid {
			s.data = s.spare
		} else if take {
			s.data = s.In.Data
		}
		s.valid = s.spareValid || take
		s.spareValid = false
	} else if take {
		s.spare, s.spareValid = s.In.Data, true
	}
}

// Reset clears the valid bits.
func (s *Skid[T]) Reset() { s.valid, s.spareValid = false, false }
