package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/cluster/collective"
)

// networkFlags describe the network between nodes beyond its rate.
type networkFlags struct {
	fabric           string
	oversubscription float64
	rails            int
	sharp            bool
}

// networkFamilies are the kinds of network between nodes.
func networkFamilies() []string {
	var names []string
	for f := collective.InfiniBand; f <= collective.TCP; f++ {
		names = append(names, f.String())
	}
	return names
}

func (n *networkFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&n.fabric, "fabric", collective.InfiniBand.String(), "kind of network between nodes, which decides its latency: infiniband, roce, efa, efa-staged, tcpxo, tcpx or tcp")
	fs.Float64Var(&n.oversubscription, "oversubscription", 1, "capacity below a leaf switch over the capacity above it; messages get that much less unless --rails keep them below the leaf")
	fs.IntVar(&n.rails, "rails", 0, "NICs of a node that each have a leaf switch of their own; GPUs of one rail meet below it")
	fs.BoolVar(&n.sharp, "sharp", false, "the network's switches reduce, so that a node sends an all-reduce's buffer once")
}

// complete registers the names that --fabric completes to.
func (n *networkFlags) complete(cmd *cobra.Command) error {
	return cmd.RegisterFlagCompletionFunc("fabric", cobra.FixedCompletions(networkFamilies(), cobra.ShellCompDirectiveNoFileComp))
}

// apply sets the outermost tier.
func (n *networkFlags) apply(net *collective.Network) error {
	t := &net.Tiers[len(net.Tiers)-1]
	if n.fabric != "" {
		if err := t.Family.UnmarshalText([]byte(n.fabric)); err != nil || !t.Family.Network() {
			return fmt.Errorf("--fabric %q, want one of %v", n.fabric, networkFamilies())
		}
	}
	if n.rails < 0 || n.rails > 1<<10 {
		return fmt.Errorf("--rails is %d, want 0 to %d", n.rails, 1<<10)
	}
	if n.oversubscription != 0 && !(n.oversubscription >= 1 && n.oversubscription <= collective.MaxOversubscription) {
		return fmt.Errorf("--oversubscription is %v, want 1 to %v", n.oversubscription, collective.MaxOversubscription)
	}
	t.Rails, t.Oversubscription, t.InNetwork = n.rails, n.oversubscription, n.sharp
	return nil
}
