// Package presets looks up by name what the cluster model takes: models, GPUs, the constants of software stacks, and the energies of
// links and memories.
package presets

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/config"
)

// Model is a model preset, the config.json of a Hugging Face model, or a
// YAML file with the fields of a preset.
func Model(name string) (config.Row[cluster.Model], error) {
	ext := filepath.Ext(name)
	if ext != ".json" && !isFile(name) {
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			return config.Row[cluster.Model]{}, fmt.Errorf("%s: a model is a preset, a config.json or a .yaml file", name)
		}
		return config.Preset[cluster.Model]("models", name)
	}
	row := config.Row[cluster.Model]{Name: name, Sources: []config.Source{{Key: "file", Text: name}}}
	if ext != ".json" {
		if err := config.Load(name, &row.Value); err != nil {
			return row, err
		}
		if row.Value.KVHeads == 0 {
			row.Value.KVHeads = row.Value.Heads
		}
		if err := row.Value.Validate(); err != nil {
			return row, fmt.Errorf("%s: %w", name, err)
		}
		return row, nil
	}
	const most = 1 << 20
	f, err := os.Open(name)
	if err != nil {
		return row, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return row, err
	}
	if len(data) > most {
		return row, fmt.Errorf("%s: larger than %d bytes, so no model configuration", name, most)
	}
	if row.Value, err = cluster.ParseHuggingFace(data); err != nil {
		return row, fmt.Errorf("%s: %w", name, err)
	}
	return row, nil
}

// isFile reports whether a name is that of a YAML file or a path rather than of a preset.
func isFile(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml" || strings.ContainsRune(name, filepath.Separator)
}

// longestSaid is the longest sequence in tokens that a model file sets without being asked: no measurement that the
// binary carries trains on longer ones, and max_position_embeddings says what a model can take, not what it is trained on.
const longestSaid = 1 << 15

// Sequence is the tokens of a sequence: what the user asked for under a flag, else what the model says. A Hugging Face
// configuration with more positions than jobs use is an error that asks for the flag.
func Sequence(asked int, flag, name string, m *cluster.Model) (int, error) {
	switch {
	case asked != 0:
		return asked, nil
	case filepath.Ext(name) == ".json" && m.Seq > longestSaid:
		return 0, fmt.Errorf("%s: the model takes up to %d positions, which says little of the length of a job's sequences: give --%s", name, m.Seq, flag)
	}
	return m.Seq, nil
}

// GPU is a GPU preset, or a YAML file with the fields of one, and what is known of its source.
func GPU(name string) (config.Row[cluster.GPU], error) {
	if !isFile(name) {
		return config.Preset[cluster.GPU]("gpus", name)
	}
	row := config.Row[cluster.GPU]{Name: name, Sources: []config.Source{{Key: "file", Text: name}}}
	if err := config.Load(name, &row.Value); err != nil {
		return row, err
	}
	if err := row.Value.Validate(); err != nil {
		return row, fmt.Errorf("%s: %w", name, err)
	}
	return row, nil
}

// Constants are the efficiency constants that serve a stack on a GPU.
type Constants struct {
	Values cluster.Efficiency
	Set    string // name of the preset
	For    string // GPU on which nothing was measured, so that the set of another serves; "" where the set is the GPU's own
}

// String says for the reader which set serves.
func (c Constants) String() string {
	if c.For != "" {
		return c.Set + ", transferred: nothing measured on " + c.For
	}
	return c.Set
}

// Efficiency finds the constants of a stack on a GPU. Where none were fitted, a set of the same stack on another GPU serves.
func Efficiency(gpu, stack string) (Constants, error) {
	rows, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		return Constants{}, err
	}
	var stacks []string
	var sameStack *config.Row[cluster.Efficiency]
	for i := range rows {
		r := &rows[i]
		if r.Value.GPU == gpu && r.Value.Stack == stack {
			return Constants{Values: r.Value, Set: r.Name}, nil
		}
		if r.Value.Stack == stack && sameStack == nil {
			sameStack = r
		}
		if !slices.Contains(stacks, r.Value.Stack) {
			stacks = append(stacks, r.Value.Stack)
		}
	}
	if sameStack == nil {
		if at := strings.LastIndexByte(stack, '/'); at >= 0 && slices.Contains(stacks, stack[at+1:]) { // the name of a set
			return Constants{}, fmt.Errorf("no stack is called %q: a set is chosen by GPU and stack; did you mean %s?", stack, stack[at+1:])
		}
		return Constants{}, fmt.Errorf("no constants for the stack %q (known: %s)%s", stack, strings.Join(stacks, ", "), config.DidYouMean(stack, stacks))
	}
	e := sameStack.Value
	arch, err := architecture(gpu)
	if err != nil {
		return Constants{}, err
	}
	if arch != "" && e.Architecture != arch {
		for i := range rows {
			if rows[i].Value.Architecture == arch {
				e = e.Transfer(&rows[i].Value)
				break
			}
		}
	}
	return Constants{Values: e, Set: sameStack.Name, For: gpu}, nil
}

// architecture is the GPU's, whose kernels serve where the GPU itself was not
// measured; "" for a GPU that is no preset.
func architecture(gpu string) (string, error) {
	names, err := config.PresetNames("gpus")
	if err != nil || !slices.Contains(names, gpu) {
		return "", err
	}
	row, err := GPU(gpu)
	return row.Value.Architecture, err
}

// DefaultStack is the stack whose constants serve a GPU where the user names
// none: Megatron-Bridge for 8 and 4 bits and Megatron-Core otherwise, where a
// GPU of the same architecture was measured with it, else the other of the
// two, else Megatron-LM.
func DefaultStack(gpu, precision string) (string, error) {
	want := []string{"megatron-core", "megatron-bridge"}
	if precision != "" && precision != "bf16" && precision != "fp16" {
		slices.Reverse(want)
	}
	rows, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		return "", err
	}
	arch, err := architecture(gpu)
	if err != nil {
		return "", err
	}
	for _, stack := range want {
		for _, r := range rows {
			if r.Value.Stack == stack && (r.Value.GPU == gpu || arch != "" && r.Value.Architecture == arch) {
				return stack, nil
			}
		}
	}
	return "megatron-lm", nil
}

// LinkEnergy is the energy of a wire bit on a part of the network, in pJ.
func LinkEnergy(name string) (float64, error) {
	type link struct {
		PJPerWireBit float64 `yaml:"pj_per_wire_bit"`
		Gbps         float64 `yaml:"gbps"`
		TypicalW     float64 `yaml:"typical_w"`
		MaxW         float64 `yaml:"max_w"`
		DieMinMM2    float64 `yaml:"die_min_mm2"`
		DieMaxMM2    float64 `yaml:"die_max_mm2"`
		SwitchW      float64 `yaml:"switch_w"`
		ClusterW     float64 `yaml:"cluster_w"`
		GPUs         int     `yaml:"gpus"`
	}
	row, err := config.Preset[link]("links", name)
	return row.Value.PJPerWireBit, err
}

// MemoryEnergy is the energy of a bit read from a kind of memory, in pJ, and
// its source; 0 where it is not known.
func MemoryEnergy(kind string) (pj float64, source string) {
	type memory struct {
		PJPerBit float64 `yaml:"pj_per_bit"`
	}
	row, err := config.Preset[memory]("memories", kind)
	if err != nil {
		return 0, "not known for " + kind
	}
	return row.Value.PJPerBit, kind + ": " + SourceList(row.Sources)
}

// SourceList names the sources of a row.
func SourceList(sources []config.Source) string {
	var texts []string
	for _, s := range sources {
		texts = append(texts, s.Text)
	}
	return strings.Join(texts, "; ")
}
