package cluster

const maxTiers = 4

// traffic is what one GPU puts on the inter-node tier (or, in a flat network,
// on its only tier): payload before and wire after compression, in bytes.
// encoded and decoded are the payload bytes that the GPU's encoder and decoder
// see, fewer where it passes on what it received.
type traffic struct{ payload, wire, coded, encoded, decoded float64 }

func (t *traffic) add(o traffic) {
	t.payload += o.payload
	t.wire += o.wire
	t.coded += o.coded
	t.encoded += o.encoded
	t.decoded += o.decoded
}

func (t *traffic) scale(k float64) traffic {
	return traffic{t.payload * k, t.wire * k, t.coded * k, t.encoded * k, t.decoded * k}
}

// A group is n ranks that lie stride apart, placed on the tiers.
type group struct {
	n, stride int
}

// An evaluation evaluates layouts of one System, one after the other: it keeps
// the plans of the collectives that layouts share. It belongs to one
// goroutine.
type evaluation struct {
	*System
	plans Plans
}

// comm is the seam between a step and the collectives: the seconds that an
// operation over v bytes of a class takes among the ranks of a group, and what
// one GPU sends for it.
func (s *evaluation) comm(op Op, g group, class Class, v float64) (float64, traffic) {
	if g.n < 2 || v <= 0 {
		return 0, traffic{}
	}
	return s.plans.get(&s.fabric, op, g, class, &s.channels[class]).message(v)
}

// setFabric works out the links as the stack uses them. A fraction of a rate
// corrects what a measurement calls the rate of its links, so it may exceed 1.
func (s *System) setFabric() error {
	e, n := &s.Eff, s.Net
	var tiers [maxTiers]Tier
	for i, t := range n.Tiers {
		fraction := e.IntraFraction
		if t.Shared {
			fraction = e.InterFraction
		}
		t.BytesPerSecond *= fraction
		tiers[i] = t
	}
	n.Tiers = tiers[:len(n.Tiers)]
	links := s.Links
	if links == nil {
		d := DefaultLinkConstants()
		links = &d
	}
	var err error
	s.fabric, err = NewFabric(&n, links, Derate{NodeCap: e.InterCapGB * 1e9, RingOnly: e.RingOnly})
	return err
}
