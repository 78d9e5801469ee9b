package liberty

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// header is what stands before the cells of a compact library.
const header = ` delay_model : table_lookup;
 time_unit : "1ps";
 capacitive_load_unit (1,ff);
 voltage_unit : "1V";
 current_unit : "1mA";
 leakage_power_unit : "1pW";
 pulling_resistance_unit : "1kohm";
 nom_process : 1;
 nom_temperature : 25;
 nom_voltage : 0.7;
 default_max_transition : 320;
 default_fanout_load : 1;
 input_threshold_pct_fall : 50;
 input_threshold_pct_rise : 50;
 output_threshold_pct_fall : 50;
 output_threshold_pct_rise : 50;
 slew_derate_from_library : 1;
 slew_lower_threshold_pct_fall : 10;
 slew_lower_threshold_pct_rise : 10;
 slew_upper_threshold_pct_fall : 90;
 slew_upper_threshold_pct_rise : 90;
 operating_conditions (PVT_0P7V_25C) { process : 1; temperature : 25; voltage : 0.7; }
 default_operating_conditions : PVT_0P7V_25C;
 lu_table_template (delay) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; index_1 ("5, 10, 20, 40, 80, 160, 320"); index_2 ("0.72, 1.44, 2.88, 5.76, 11.52, 23.04, 46.08"); }
`

// WriteTo writes a library that Fit made, as a Liberty file.
func (l *Library) WriteTo(w io.Writer) (int64, error) {
	b := bufio.NewWriter(w)
	n := int64(0)
	line := func(format string, args ...any) {
		k, _ := fmt.Fprintf(b, format, args...) // Flush says what went wrong
		n += int64(k)
	}
	attr := func(indent, name, value string) {
		if value != "" {
			line("%s%s : %s;\n", indent, name, value)
		}
	}
	quoted := func(indent, name, value string) {
		if value != "" {
			line("%s%s : %q;\n", indent, name, value)
		}
	}
	table := func(name string, t *Table) {
		switch {
		case t == nil:
		case len(t.X) == 0:
			line("    %s (scalar) { values (\"%s\"); }\n", name, words(t.V))
		default:
			line("    %s (delay) { index_1 (\"%s\"); index_2 (\"%s\"); values (", name, words(slews), words(loads(t)))
			for i, x := range slews {
				var row []float64
				for _, y := range loads(t) {
					row = append(row, t.At(x, y))
				}
				line("%s\"%s\"", [2]string{"", ", "}[min(1, i)], words(row))
			}
			line("); }\n")
		}
	}
	line("library (%s) {\n%s", l.Name, header)
	for _, c := range l.Cells {
		line(" cell (%s) {\n  area : %g;\n  cell_leakage_power : %g;\n", c.Name, c.Area, c.Leakage)
		if c.DontUse {
			line("  dont_use : true;\n")
		}
		attr("  ", "clock_gating_integrated_cell", c.Gate)
		if s := c.Seq; s != nil {
			kind, clock, next := "ff", "clocked_on", "next_state"
			if s.Latch {
				kind, clock, next = "latch", "enable", "data_in"
			}
			line("  %s (%s,%s) {\n", kind, s.State, s.Inv)
			quoted("   ", clock, s.Clock)
			quoted("   ", next, s.Next)
			quoted("   ", "clear", s.Clear)
			quoted("   ", "preset", s.Preset)
			if s.Clear != "" && s.Preset != "" {
				line("   clear_preset_var1 : L;\n   clear_preset_var2 : L;\n")
			}
			line("  }\n")
		}
		for i := range c.Pins {
			p := &c.Pins[i]
			line("  pin (%s) {\n   direction : %s;\n", p.Name, p.Direction)
			if p.Clock {
				line("   clock : true;\n")
			}
			if p.Direction == "input" {
				line("   capacitance : %g;\n", p.Cap)
			}
			if p.MaxCap > 0 {
				line("   max_capacitance : %g;\n", p.MaxCap)
			}
			if c.Gate == "" {
				quoted("   ", "function", p.Function)
			} else {
				quoted("   ", "state_function", p.Function)
			}
			for _, a := range p.Arcs {
				line("   timing () {\n")
				quoted("    ", "related_pin", a.Related)
				attr("    ", "timing_type", a.Type)
				attr("    ", "timing_sense", a.Sense)
				table("cell_rise", a.Rise)
				table("cell_fall", a.Fall)
				table("rise_transition", a.RiseSlew)
				table("fall_transition", a.FallSlew)
				table("rise_constraint", a.RiseConstraint)
				table("fall_constraint", a.FallConstraint)
				line("   }\n")
			}
			for _, e := range p.Energies {
				line("   internal_power () {\n")
				quoted("    ", "related_pin", e.Related)
				table("rise_power", e.Rise)
				table("fall_power", e.Fall)
				line("   }\n")
			}
			line("  }\n")
		}
		line(" }\n")
	}
	line("}\n")
	return n, b.Flush()
}

// slews is the axis of input transitions of ASAP7. abc wants more than two points of each axis.
var slews = []float64{5, 10, 20, 40, 80, 160, 320}

// loads is the axis of loads of ASAP7, which begins at the first load of a table.
func loads(t *Table) (list []float64) {
	for i := range slews {
		list = append(list, t.Y[0]*float64(int(1)<<i))
	}
	return list
}

// words is a list of numbers in a string.
func words(list []float64) string {
	var w []string
	for _, v := range list {
		w = append(w, strconv.FormatFloat(v, 'g', 8, 64))
	}
	return strings.Join(w, ", ")
}
