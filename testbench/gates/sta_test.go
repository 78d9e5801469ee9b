package gates

import (
	"math"
	"testing"
)

// TestCombinationalPower: at equal global activity OpenSTA says the same of the combinational cells of a block as the sums of this project: of
// the loads as they are, and of the cells inside when energies are added up as version 2.0 does (netlist.Uniform).
func TestCombinationalPower(t *testing.T) {
	NeedCells(t, "sta")
	for _, top := range []string{"t264_dct", "t264_residual_levels"} {
		n, err := Synth(top, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ours, internal, switching, err := n.Combinational(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, fJ a cycle at activity %g: loads %.1f, OpenSTA %.1f (%+.1f %%); inside %.1f summed as OpenSTA does, OpenSTA %.1f (%+.1f %%); inside by means %.1f", top, Activity,
			ours.Switching, switching, 100*(ours.Switching/switching-1), ours.Summed, internal, 100*(ours.Summed/internal-1), ours.Internal)
		if math.Abs(ours.Switching/switching-1) > 0.05 || math.Abs(ours.Summed/internal-1) > 0.05 {
			t.Errorf("%s: loads %g fJ, OpenSTA %g; inside %g, OpenSTA %g", top, ours.Switching, switching, ours.Summed, internal)
		}
	}
}
