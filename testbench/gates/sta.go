package gates

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"vcsim/internal/netlist"
)

// Activity is how often a cycle every net toggles where powers of combinational cells are compared.
const Activity = 0.2

// combinational is the line of report_power: internal, switching and leakage power and their sum, in W.
var combinational = regexp.MustCompile(`(?m)^Combinational\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)`)

// Combinational returns what the combinational cells of a netlist take a cycle in fJ when every net toggles in Activity of the cycles: as
// package netlist adds it up, and internal and switching energy as OpenSTA does. The folder is for the files of the run.
func (n *Netlist) Combinational(dir string) (ours netlist.Uniform, internal, switching float64, err error) {
	sim, err := netlist.NewSim(n.Design, n.Lib, nil)
	if err != nil {
		return ours, 0, 0, err
	}
	if ours, err = sim.Uniform(n.Lib, Activity); err != nil {
		return ours, 0, 0, err
	}
	if internal, switching, err = n.openSTA(dir); err != nil {
		err = fmt.Errorf("sta: %w", err)
	}
	return ours, internal, switching, err
}

// openSTA has a clock of 1 GHz, from which all nets are reached: OpenSTA takes no activity of others.
func (n *Netlist) openSTA(dir string) (internal, switching float64, err error) {
	power, err := cells()
	if err != nil {
		return 0, 0, err
	}
	var text bytes.Buffer
	if err := n.Design.Write(&text, nil); err != nil {
		return 0, 0, err
	}
	clock := "create_clock -name clk -period 1000"
	for _, p := range n.Design.Top.Ports {
		if p.Name == "clk_i" {
			clock += " [get_ports clk_i]"
		}
	}
	script := fmt.Sprintf(`read_liberty cells.lib
read_verilog netlist.v
link_design %s
%s
set_input_delay 0 -clock clk [all_inputs]
set_input_transition 20 [all_inputs]
set_power_activity -global -activity %g -duty 0.5
report_power -digits 9
exit
`, n.Design.Top.Name, clock, Activity)
	for name, data := range map[string][]byte{"cells.lib": power.Text, "netlist.v": text.Bytes(), "power.tcl": []byte(script)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return 0, 0, err
		}
	}
	cmd := exec.Command("sta", "-no_splash", "-exit", "power.tcl")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	found := combinational.FindSubmatch(out)
	if err != nil || found == nil {
		return 0, 0, fmt.Errorf("%v: %s", err, out[max(0, len(out)-1500):])
	}
	for i, to := range []*float64{&internal, &switching} {
		if *to, err = strconv.ParseFloat(string(found[1+i]), 64); err != nil {
			return 0, 0, err
		}
		*to *= 1e15 / 1e9 // W at 1 GHz to fJ a cycle
	}
	return internal, switching, nil
}
