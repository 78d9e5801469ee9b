package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A program is vcsim, built once for all charts.
type program struct {
	dir string // holds the executable, and what runs write
}

// build makes the program from the module around the working directory.
func build() (*program, error) {
	dir, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	p := &program{dir}
	if out, err := exec.Command("go", "build", "-o", p.path("vcsim"), "vcsim/cmd/vcsim").CombinedOutput(); err != nil {
		p.close()
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return p, nil
}

func (p *program) path(file string) string { return filepath.Join(p.dir, file) }

func (p *program) close() { os.RemoveAll(p.dir) }

// chart writes a chart that a run of the program draws. OUT in an argument stands for the folder of
// its files, of which it takes one.
func (p *program) chart(w io.Writer, file string, args []string) error {
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "OUT", p.dir)
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	cmd := exec.Command(p.path("vcsim"), args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("vcsim %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	svg, err := os.ReadFile(p.path(file))
	if err != nil {
		return err
	}
	b, err := inTheDark(svg)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// moduleRoot is the folder of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	return filepath.Dir(strings.TrimSpace(string(out))), err
}

// darkChart stands for the colours of a chart where the reader's page is dark: paper, ink, grid, and the
// two darkest hues of report's palette, which are too dark there.
const darkChart = `<style>@media (prefers-color-scheme:dark){
[style*="fill:#FFFFFF"]{fill:#0d1117!important}
text{fill:#e6edf3}
[style*="fill:#000000"]{fill:#e6edf3!important}
[style*="stroke:#000000"]{stroke:#e6edf3!important}
[style*="stroke:#E1E1E1"]{stroke:#30363d!important}
[style*="fill:#0072B2"]{fill:#4aa8e8!important}
[style*="stroke:#0072B2"]{stroke:#4aa8e8!important}
}</style>
`

// inTheDark adds darkChart to a chart, and a family of fonts to those that its reader may not have.
func inTheDark(svg []byte) ([]byte, error) {
	// The declaration and the comment before the element say nothing that a reader needs.
	if at := bytes.Index(svg, []byte("<svg ")); at > 0 {
		svg = svg[at:]
	}
	group := []byte("\n<g ")
	if !bytes.Contains(svg, group) {
		return nil, fmt.Errorf("a chart without a group: %.60s", svg)
	}
	svg = bytes.Replace(svg, group, []byte("\n"+darkChart+"<g "), 1)
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;"), []byte("font-family:Arial,Helvetica,'Liberation Sans',sans-serif;"))
	// A tenth of a pixel is enough, and does not follow the last digit of the run's results.
	return tag.ReplaceAllFunc(svg, func(t []byte) []byte {
		return fraction.ReplaceAllFunc(t, func(number []byte) []byte {
			v, err := strconv.ParseFloat(string(number), 64)
			if err != nil {
				return number
			}
			return strconv.AppendFloat(nil, math.Round(10*v)/10, 'f', -1, 64)
		})
	}), nil
}

// tag is an element's name and attributes; words between tags stay as they are.
var tag = regexp.MustCompile(`<[^>]*>`)

// fraction is a number with digits behind its point.
var fraction = regexp.MustCompile(`-?\d+\.\d+`)
