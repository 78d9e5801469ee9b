package cluster

// messages is the time of the messages of one micro-batch between two stages,
// activations forward and their gradients backward over all virtual stages,
// and the traffic of a step.
func (s *evaluation) messages(l *Layout) (slot float64, sent traffic) {
	if l.PP == 1 {
		return 0, sent
	}
	g := group{l.PP, l.TP * l.replicas()}
	bytes := 2 * s.tokens(l) * float64(s.Model.Hidden)
	if l.SequenceParallel || s.Eff.SplitSend {
		bytes /= float64(l.TP)
	}
	v := float64(l.Interleave)
	a, ta := s.comm(SendRecv, g, Act, bytes)
	b, tb := s.comm(SendRecv, g, ActGrad, bytes)
	ta.add(tb)
	return (a + b) * v, ta.scale(v * float64(s.GlobalBatch/(l.DP*l.Microbatch)))
}
