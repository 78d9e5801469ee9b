package mutate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"vcsim/testbench"
)

// yosysLimit bounds a proof. On an idle machine they take seconds.
const yosysLimit = 2 * time.Minute

var errSlow = errors.New("yosys: no result in time")

// yosys runs a script in the root and returns what it prints.
func yosys(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), yosysLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "yosys", "-p", script)
	cmd.Dir = testbench.Root()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return string(out), errSlow
	}
	if err != nil {
		tail := string(out[max(0, len(out)-1500):])
		return string(out), fmt.Errorf("yosys: %w\n%s", err, tail)
	}
	return string(out), nil
}
