package codectest

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// TestDigests compares digests of tables, and of what functions make of seeded
// input, with those in file: none of them changes by accident. Tests that know
// the definition say whether they are right. fill calls note once or more often
// for every name.
func TestDigests(t *testing.T, file string, fill func(note func(name string, values ...any))) {
	var names []string
	sums := map[string]hash.Hash{}
	fill(func(name string, values ...any) {
		sum := sums[name]
		if sum == nil {
			sum = sha256.New()
			sums[name] = sum
			names = append(names, name)
		}
		fmt.Fprintln(sum, values...)
	})
	var s strings.Builder
	for _, name := range names {
		fmt.Fprintf(&s, "%s %x\n", name, sums[name].Sum(nil)[:8])
	}
	golden.Check(t, file, s.String())
}
