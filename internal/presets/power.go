package presets

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
)

// Power is the energy per FLOP of a GPU and per wire bit of the network. Read per bit, the paper's printed energy of the network stands for it all.
func Power(g *cluster.GPU, r codecpoint.Reading) (cluster.Power, error) {
	p := cluster.Power{ComputePJPerFLOP: g.ComputePJ()}
	if r == codecpoint.PerBit {
		n, err := LinkEnergy("nccl-per-bit")
		p.NICPJPerBit = n
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
	p.NICPJPerBit, p.SwitchPJPerBit = 2*nic, asic+2*optics
	p.Source = fmt.Sprintf("two NICs of %g, a switch of %g and two optical links of %g pJ per wire bit (vcsim list links)", nic, asic, optics)
	return p, err
}
