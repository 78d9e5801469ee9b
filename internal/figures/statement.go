// Package figures works out the tables and figures of the paper (VcLLM, arXiv 2407.00467) and of LMC (arXiv 2505.09810) as data:
// series, rows, and what the papers state beside what follows here.
package figures

import (
	"fmt"
	"slices"
	"strings"
)

// A Statement is what the paper says, beside what follows from its other numbers or from the model.
type Statement struct {
	What    string   `json:"statement"`
	Unit    string   `json:"unit"` // "" for a ratio
	Paper   *float64 `json:"paper"`
	Ours    *float64 `json:"ours"`
	Formula string   `json:"from"`
	Remark  string   `json:"remark"`
}

// agree is the remark on a stated number: "agrees" where ours rounds to it, with digits after the decimal point.
func agree(paper, ours float64, digits int) string {
	if fmt.Sprintf("%.*f", digits, paper) == fmt.Sprintf("%.*f", digits, ours) {
		return "agrees"
	}
	return fmt.Sprintf("differs by %+.1f %%", 100*(ours/paper-1))
}

// join is the remarks that are not empty, as one.
func join(remarks ...string) string {
	return strings.Join(slices.DeleteFunc(remarks, func(s string) bool { return s == "" }), "; ")
}

// CodecTitle is the name of a codec of Table II as people write it: "H.264".
func CodecTitle(name string) string {
	return strings.ToUpper(name[:1]) + "." + name[1:]
}
