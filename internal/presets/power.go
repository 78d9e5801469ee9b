package presets

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
)

// Power is the energy per wire bit of the network; GPUs draw power over time. NICs and optics are full duplex: a direction
// takes half of what a port draws, and a bit passes two NICs and four ends of two optical links. Read per bit, the paper's printed energy of the network stands for it all, and the
// energy of a FLOP is the board's power at 45 % of the peak.
func Power(g *cluster.GPU, r codecpoint.Reading) (cluster.Power, error) {
	var p cluster.Power
	if r == codecpoint.PerBit {
		n, err := LinkEnergy("nccl-per-bit")
		p.NICPJPerBit, p.ComputePJPerFLOP = n, g.ComputePJ()
		p.Source = "NCCL end to end, as printed in the paper's Table II, NIC to NIC"
		return p, err
	}
	nic, err := LinkEnergy("connectx5-100g")
	if err != nil {
		return p, err
	}
	optics, err := LinkEnergy("optics-400g")
	if err != nil {
		return p, err
	}
	asic, err := LinkEnergy("switch-asic")
	p.NICPJPerBit, p.SwitchPJPerBit = nic, asic+2*optics
	p.Source = fmt.Sprintf("two NICs at half of %g each for one direction, a switch of %g and two optical links of %g pJ per wire bit (vcsim list links)", nic, asic, optics)
	return p, err
}
