package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/peertest"
)

// TestInputsAreNotOverwritten: whatever a command reads, it does not write, by any spelling; and no two outputs are one file.
func TestInputsAreNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	copyTo := func(name, from string) {
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pgm, _ := gaussianPGM(t, 64, 64)
	copyTo("p.pgm", pgm)
	copyTo("x.safetensors", mixedTensors)
	if err := os.Mkdir(filepath.Join(dir, "model"), 0o777); err != nil {
		t.Fatal(err)
	}
	copyTo("model/shard.safetensors", mixedTensors)
	for name, text := range map[string]string{
		"model/model.safetensors.index.json": `{"weight_map": {"activation": "shard.safetensors"}}`,
		"job.yaml":                           "model: llama2-7b\nbw: 10Gbps\n",
		"named.yaml":                         "model: m.yaml\nbw: 10Gbps\n",
		"m.yaml":                             "hidden: 4096\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(args string) []string {
		words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
		return words
	}
	for _, args := range []string{
		"encode DIR/p.pgm -o DIR/p.265 --qp 30", "encode DIR/x.safetensors -o DIR/c.safetensors --qp 30",
		"snapshot pack DIR/x.safetensors -o DIR/x.lmc", "snapshot pack --base DIR/x.lmc DIR/x.safetensors -o DIR/y.lmc",
	} {
		if _, stderr, code := execute(t, in(args)...); code != 0 {
			t.Fatalf("%s: exit %d: %s", args, code, stderr)
		}
	}
	for _, link := range [][2]string{{"sub", "."}, {"soft.pgm", "p.pgm"}} {
		if err := os.Symlink(link[1], filepath.Join(dir, link[0])); err != nil {
			peertest.Missing(t, "a file system with links: "+err.Error())
		}
	}
	if err := os.Link(filepath.Join(dir, "p.pgm"), filepath.Join(dir, "hard.safetensors")); err != nil {
		peertest.Missing(t, "a file system with links: "+err.Error())
	}
	contents := func() string {
		var b strings.Builder
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				data, _ := os.ReadFile(path)
				b.WriteString(path)
				b.Write(data)
			}
			return err
		})
		return b.String()
	}
	before := contents()
	for _, args := range []string{
		"encode DIR/x.safetensors -o DIR/x.safetensors",
		"encode DIR/x.safetensors -o DIR/./x.safetensors --bits 2",
		"encode DIR/x.safetensors -o DIR/sub/x.safetensors",
		"encode DIR/sub/x.safetensors -o DIR/x.safetensors",
		"encode DIR/p.pgm -o DIR/hard.safetensors",
		"encode DIR/soft.pgm -o DIR/hard.safetensors",
		"encode DIR/model -o DIR/model/shard.safetensors",
		"encode DIR/model/model.safetensors.index.json -o DIR/sub/model/shard.safetensors",
		"encode DIR/x.safetensors -o DIR/o.safetensors --manifest DIR/x.safetensors",
		"encode DIR/x.safetensors -o DIR/o.safetensors --manifest DIR/o.safetensors",
		"encode DIR/x.safetensors -o DIR/o.safetensors --manifest DIR/sub/o.safetensors",
		"decode DIR/c.safetensors -o DIR/c.safetensors",
		"decode DIR/p.265 -o DIR/o.pgm --manifest DIR/p.265",
		"decode DIR/p.265 -o DIR/o.pgm --manifest DIR/sub/../sub/o.pgm",
		"inspect DIR/p.265 --manifest DIR/p.265",
		"compare DIR/p.pgm --peers none --plot DIR/hard.safetensors",
		"compare DIR/p.pgm --peers none --plot DIR/o.svg --manifest DIR/o.svg",
		"sim DIR/p.pgm --trace DIR/p.pgm",
		"sim DIR/p.pgm --vcd DIR/soft.pgm",
		"sim DIR/p.pgm --trace DIR/t --vcd DIR/sub/t",
		"sim DIR/p.pgm -o DIR/o.264 --trace DIR/o.264",
		"sim DIR/p.pgm --manifest DIR/hard.safetensors",
		"cluster -f DIR/job.yaml --manifest DIR/job.yaml",
		"cluster -f DIR/named.yaml --manifest m.yaml",
		"cluster --model DIR/m.yaml --bw 1Gbps --manifest DIR/sub/m.yaml",
		"validate DIR/job.yaml --manifest DIR/job.yaml",
		"snapshot pack DIR/x.safetensors -o DIR/x.safetensors",
		"snapshot pack --base DIR/x.lmc DIR/x.safetensors -o DIR/x.lmc",
		"snapshot pack --base DIR/y.lmc DIR/x.safetensors -o DIR/x.lmc",
		"snapshot unpack DIR/y.lmc -o DIR/x.lmc",
		"snapshot unpack DIR/y.lmc -o DIR/o --manifest DIR/x.lmc",
		"snapshot list DIR/x.lmc --manifest DIR/x.lmc",
		"snapshot verify DIR/x.lmc --manifest DIR/sub/x.lmc",
		"reproduce fig3 --in DIR/x.safetensors --tensor activation --manifest DIR/x.safetensors",
		"reproduce fig3 --out DIR/charts --manifest DIR/charts/fig3.svg",
		"reproduce fig4 --out DIR/charts --manifest DIR/sub/charts/fig4.png",
		"docs DIR/man --manifest DIR/man/man/man1/vcsim-encode.1",
		"init -o DIR/new.yaml --manifest DIR/new.yaml --workload train --model llama2-7b --gpu rtx3090 --gpus 32 --bw 10Gbps --codec t264",
	} {
		cmd := program(t, in(args)...)
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(stderr.String(), "would be overwritten") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", args, code, stderr.String())
		}
		if contents() != before {
			t.Fatalf("%s: the files have changed", args)
		}
	}
	// What is no input may be written again, also through links, and devices may be named twice.
	for _, args := range []string{
		"encode DIR/p.pgm -o DIR/p.265 --qp 31", "encode DIR/model -o DIR/model/small.safetensors --qp 30", "encode DIR/model -o DIR/model/small.safetensors --qp 30",
		"sim DIR/p.pgm --trace /dev/null --vcd /dev/null",
	} {
		if _, stderr, code := execute(t, in(args)...); code != 0 {
			t.Errorf("%s: exit %d: %s", args, code, stderr)
		}
	}
}

// TestOutputFlagsAreMarked: a flag whose name says that it is a file to write is checked as one.
func TestOutputFlagsAreMarked(t *testing.T) {
	marked := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, ok := f.Annotations[writes]
			if ok {
				marked++
			}
			switch f.Name {
			case "output", "trace", "vcd", "manifest", "plot":
			case "out":
				if f.Shorthand == "" { // a folder
					return
				}
			default:
				return
			}
			if !ok {
				t.Errorf("%s --%s is not marked as an output", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRootCommand(&app{stdout: io.Discard, stderr: io.Discard}))
	if marked < 9 {
		t.Errorf("%d outputs are marked", marked)
	}
}
