// Command facts writes the table of the cells of ASAP7 that package liberty carries, from the liberty with power that is at hand.
package main

import (
	"fmt"
	"io"
	"os"

	"vcsim/internal/atomicfile"
	"vcsim/internal/liberty"
)

// gates are the integrated clock gates that the table has beside the cells that synthesis may use.
var gates = map[string]bool{"ICGx1_ASAP7_75t_R": true, "ICGx2_ASAP7_75t_R": true, "ICGx4_ASAP7_75t_R": true, "ICGx8_ASAP7_75t_R": true}

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "facts:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	source, err := liberty.Power("../..")
	if err != nil {
		return err
	}
	if source.Path == "" {
		return fmt.Errorf("there is no liberty but the compact one; set %s", liberty.Env)
	}
	l, err := source.Library()
	if err != nil {
		return err
	}
	l = liberty.Fit(l, func(c *liberty.Cell) bool { return !c.DontUse || gates[c.Name] })
	return atomicfile.Write(path, func(w io.Writer) error { return liberty.WriteFacts(w, l) })
}
