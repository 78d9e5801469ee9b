package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// A Role is a file that a run reads or writes, and what it is called in messages: "-o", "the input".
type Role struct {
	Name, Path string
}

// An OverlapError reports an output that is also something else.
type OverlapError struct{ Output, Other Role }

func (e *OverlapError) Error() string {
	if e.Other.Path == e.Output.Path {
		return fmt.Sprintf("%s %s is also %s: it would be overwritten", e.Output.Name, e.Output.Path, e.Other.Name)
	}
	return fmt.Sprintf("%s %s is the same file as %s %s: it would be overwritten", e.Output.Name, e.Output.Path, e.Other.Name, e.Other.Path)
}

// Apart returns an error if an output is the same file as an input or as another output, by whatever spelling or link, also
// where neither exists yet. Outputs that exist and are no regular files, such as devices and pipes, are not compared.
// Nothing is opened.
func Apart(inputs, outputs []Role) error {
	for i, out := range outputs {
		if st, err := os.Stat(out.Path); err == nil && !st.Mode().IsRegular() {
			continue
		}
		for _, others := range [][]Role{inputs, outputs[:i]} {
			for _, other := range others {
				if Same(out.Path, other.Path) {
					return &OverlapError{out, other}
				}
			}
		}
	}
	return nil
}

// Same reports whether two paths lead to one file, or would if it existed.
func Same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y)
	}
	if (errA == nil) != (errB == nil) {
		return false
	}
	dirA, baseA := place(a)
	dirB, baseB := place(b)
	if dirA == dirB && baseA == baseB {
		return true
	}
	x, errA = os.Stat(dirA)
	y, errB = os.Stat(dirB)
	return baseA == baseB && errA == nil && errB == nil && os.SameFile(x, y)
}

// maxLinks bounds a chain of symbolic links, as Linux does.
const maxLinks = 40

// place returns the directory that exists, free of links, and what follows below it, of a path that does not exist. A
// symbolic link without a target is followed.
func place(path string) (dir, rest string) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", path
	}
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	dir, rest = filepath.Dir(path), filepath.Base(path)
	for {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return real, rest
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir, rest
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}
