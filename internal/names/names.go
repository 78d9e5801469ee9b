// Package names reads and prints values that have names: one of a list, or a set
// of some of them.
package names

import (
	"fmt"
	"slices"
	"strings"
)

// A List holds the names of the values 0, 1, 2 and so on; in a set, value i is
// bit i.
type List []string

// Parse returns the value of a name. what says of what kind, for the error.
func (l List) Parse(what, name string) (int, error) {
	i := slices.Index(l, name)
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q (%s)", what, name, strings.Join(l, ", "))
	}
	return i, nil
}

// Name returns the name of a value, or what(value) where it has none.
func (l List) Name(what string, value int) string {
	if value < 0 || value >= len(l) {
		return fmt.Sprintf("%s(%d)", what, value)
	}
	return l[value]
}

// ParseSet reads names separated by commas, in any order and with spaces around
// them; the empty string is the empty set.
func (l List) ParseSet(what, names string) (set uint32, err error) {
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		i, err := l.Parse(what, name)
		if err != nil {
			return 0, err
		}
		set |= 1 << i
	}
	return set, nil
}

// Set lists the names of a set, separated by commas. Bits without a name are left
// out.
func (l List) Set(set uint32) string {
	var in []string
	for i, name := range l {
		if set>>i&1 != 0 {
			in = append(in, name)
		}
	}
	return strings.Join(in, ",")
}
