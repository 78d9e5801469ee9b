package energy

import (
	"path/filepath"

	"vcsim/internal/verilog"
)

// RTLHash returns 16 digits for the Verilog that the top of a side is of, below the folder of the repository: comments and layout do not count.
// The rows of the package are of the Verilog whose hash Provenance gives.
func RTLHash(root string, s Side) (string, error) {
	r, err := verilog.Read(filepath.Join(root, "rtl"))
	if err != nil {
		return "", err
	}
	_, hash, err := r.Closure(string(s))
	return hash, err
}
