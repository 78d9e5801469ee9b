package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/atomicfile"
	"vcsim/internal/tensor"
)

// writes is the annotation of flags that name a file to write.
const writes = "vcsim_writes"

// markOutputs says that flags name files to write.
func markOutputs(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, writes, nil); err != nil {
			panic(err) // the flag is defined by the caller
		}
	}
}

// claim notes which files the command line reads and writes, and refuses outputs that are an input or another output. It
// runs before the command does, and again when a file has set more flags. What names an existing file, in an argument or a flag that is no output, counts as read.
func (a *app) claim(cmd *cobra.Command, args []string) (err error) {
	a.outputs = nil
	for _, arg := range args {
		a.read("the input", arg)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		list, isList := f.Value.(pflag.SliceValue)
		if isList {
			values = list.GetSlice()
		}
		name := "--" + f.Name
		if f.Name == "output" || f.Shorthand == "o" {
			name = "-o"
		}
		_, out := f.Annotations[writes]
		for _, v := range values {
			switch {
			case v == "":
			case out:
				if e := writable(name, v); e != nil && err == nil && !(f.Name == "manifest" && makesFolders(cmd)) {
					err = e
				}
				a.outputs = append(a.outputs, atomicfile.Role{Name: name, Path: v})
			case f.Value.Type() == "string" || isList:
				a.read(name, v)
			}
		}
	})
	if apart := a.apart(); apart != nil {
		return apart
	}
	return err
}

// makesFolders reports whether a command makes the folders that it writes to.
func makesFolders(cmd *cobra.Command) bool {
	out := cmd.Flags().Lookup("out")
	return out != nil && out.Shorthand == "" || cmd.Name() == "docs" || cmd.Name() == "samples"
}

// writable refuses a file to write, named by a flag, that cannot become one: before the work, not after it.
func writable(flag, path string) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s %s: that is a folder", flag, path)
	}
	folder := filepath.Dir(path)
	switch st, err := os.Stat(folder); {
	case err != nil:
		return fmt.Errorf("%s %s: there is no folder %s", flag, path, folder)
	case !st.IsDir():
		return fmt.Errorf("%s %s: %s is no folder", flag, path, folder)
	}
	return nil
}

// read notes what a run reads under a name, if it exists.
func (a *app) read(name, path string) {
	if _, err := os.Stat(path); err != nil {
		return
	}
	for _, file := range tensor.Files(path) {
		role := atomicfile.Role{Name: name, Path: file}
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && !slices.Contains(a.inputs, role) {
			a.inputs = append(a.inputs, role)
		}
	}
}

// apart refuses outputs that are something else too.
func (a *app) apart() error { return atomicfile.Apart(a.inputs, a.outputs) }

// alsoReads notes files that only the work has shown to be inputs, before an output is opened.
func (a *app) alsoReads(name string, paths ...string) error {
	for _, p := range paths {
		a.read(name, p)
	}
	return a.apart()
}

// alsoWrites notes files that a command writes under names of its own.
func (a *app) alsoWrites(paths ...string) error {
	for _, p := range paths {
		a.outputs = append(a.outputs, atomicfile.Role{Name: "the output", Path: p})
	}
	return a.apart()
}
