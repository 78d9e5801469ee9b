package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/figures"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newTable2Command(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "table2",
		Short: "Table II: power, area and energy of the codec engines",
		Long: "table2 prints every number of the paper's Table II beside what follows from its other numbers. The column headed\n" +
			"'Energy/Bit (pJ)' is the energy of a 16-bit value: only then does it agree with the power and the rate. The table has\n" +
			"no chart.",
		Example: "  vcsim reproduce table2\n  vcsim reproduce table2 --csv",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			paper, err := presets.Paper()
			if err != nil {
				return err
			}
			t, err := figures.NewTable2(paper)
			if err != nil {
				return err
			}
			return a.print(table2Result(t))
		},
	}
}

func table2Result(j *figures.Table2) *report.Result {
	rows := report.Table{Name: "engines", Columns: []report.Column{{Key: "name", Title: "engine"}, {Key: "power_w", Title: "power", Unit: "W", Digits: 1},
		{Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1},
		{Key: "power_over_rate_pj_per_bit", Title: "power/rate", Unit: "pJ/bit", Digits: 1}, {Key: "power_over_rate_pj_per_value", Title: "power/rate", Unit: "pJ/value", Digits: 1},
		{Key: "power_from_energy_w", Title: "power if per value", Unit: "W", Digits: 2}, {Key: "agrees_per_value", Title: "agrees"},
		{Key: "energy_pj_per_bit", Title: "energy", Unit: "pJ/bit", Digits: 2}, {Key: "instance_mw", Title: "one engine", Unit: "mW", Digits: 1}, {Key: "instance_mm2", Title: "one engine", Unit: "mm2", Digits: 4}}}
	for _, r := range j.Rows {
		rows.Rows = append(rows.Rows, []any{figures.CodecTitle(r.Codec) + " " + r.Half, r.Power, r.Area, r.Printed, r.PerBit, r.PerValue, r.PowerBack, r.Agrees, r.RawBit, r.InstanceMW, r.InstanceA})
	}
	pairs := report.Table{Name: "pairs", Columns: []report.Column{{Key: "name", Title: "pair"}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "die_percent", Title: "of 628 mm2", Unit: "%", Digits: 2},
		{Key: "times_smaller_than_gpu", Title: "times smaller", Digits: 1}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1}, {Key: "network_over_codec", Title: "network/codec", Digits: 2},
		{Key: "energy_gain_at_ratio_5", Title: "gain at ratio 5", Digits: 2}, {Key: "break_even_ratio", Title: "even at ratio", Digits: 2}}}
	for _, p := range j.Pairs {
		pairs.Rows = append(pairs.Rows, []any{figures.CodecTitle(p.Name), p.Area, p.Die, p.Smaller, p.Energy, p.Ratio, p.Gain, p.MinRatio})
	}
	return &report.Result{Schema: reproduceSchema, Payload: j, Title: "Table II of the paper: codec engines in ASAP7 at 100 Gbps, and what follows from its numbers",
		Tables: []report.Table{rows, pairs, statementTable(j.Statements)},
		Notes: []string{
			"The first three numbers of an engine are printed; the rest follows. 'Energy/Bit' of the table is not power over rate: 1.1 W / 100 Gbps is 11 pJ, printed is 167.8. Read as the energy of a 16-bit value, the printed energy gives back every printed power.",
			fmt.Sprintf("One engine codes 3840x2160 at 60 frames/s, %.4g Gvalue/s = %.3g Gbps of FP16; a row is %g of them. Ratios between rows hold in either reading.", j.Rate/1e9, j.Rate*cluster.PayloadBits/1e9, j.Instances),
		}}
}
