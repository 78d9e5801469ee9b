package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// A figure is a table or figure of the paper that reproduce can make.
type figure struct {
	name  string
	about string
	add   func(a *app, c *cobra.Command) // its flags and RunE
}

// figures are in the paper's order.
var figures = []figure{
	{"fig2b", "bits a value at equal error as the stages of the codec are switched on", addFig2b},
	{"fig3", "what transforms do to outliers", addFig3},
	{"fig4", "pictures of a tensor, its intra prediction and the residual", addFig4},
}

func newReproduceCommand(a *app) *cobra.Command {
	var names []string
	for _, f := range figures {
		names = append(names, f.name)
	}
	c := &cobra.Command{
		Use:   "reproduce FIGURE",
		Short: "Make the paper's tables and figures, ours beside theirs",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("no figure %q: want one of %s", args[0], strings.Join(names, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, f := range figures {
		sub := &cobra.Command{
			Use:     f.name,
			Short:   "Show " + f.about,
			Args:    cobra.NoArgs,
			Example: "  vcsim reproduce " + f.name,
		}
		f.add(a, sub)
		c.AddCommand(sub)
	}
	return c
}
