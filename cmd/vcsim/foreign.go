package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// Flags whose values other flags may be reserved for.
const (
	flagWorkload = "workload"
	flagUnit     = "unit"
)

// reserveFlags notes that flags make sense with one value of a choosing flag only.
func reserveFlags(fs *pflag.FlagSet, choice, value string, names ...string) {
	for _, name := range names {
		if err := fs.SetAnnotation(name, choice, []string{value}); err != nil {
			panic(err) // the flag is not defined
		}
	}
}

// foreignFlag is the first flag given that is reserved for another value of the choosing flag, or nothing.
func foreignFlag(fs *pflag.FlagSet, choice, value string) (name string) {
	fs.Visit(func(f *pflag.Flag) {
		if reserved := f.Annotations[choice]; name == "" && len(reserved) > 0 && !slices.Contains(reserved, value) {
			name = f.Name
		}
	})
	return name
}
