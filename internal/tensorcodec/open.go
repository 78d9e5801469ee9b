package tensorcodec

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"vcsim/internal/tensor"
)

// Container is an open file of coded tensors.
type Container struct {
	Common  Common
	Tensors []StoredTensor // in the order of the original file
	Meta    map[string]string
	src     Source
}

// StoredTensor describes one tensor of a container.
type StoredTensor struct {
	tensor.Info // of the original
	Raw         bool
	Grid        Grid // of a coded tensor
	Residual    bool
	Bytes       int // of its arrays

	recipe recipe
	parts  []tensor.Info
}

// IsContainer reports whether a safetensors file claims to be a container.
func IsContainer(src Source) bool {
	_, ok := src.Metadata()[metaKey]
	return ok
}

// OpenContainer reads the recipes of a container and checks that arrays and recipes belong together.
func OpenContainer(src Source) (*Container, error) {
	meta := src.Metadata()
	line, ok := meta[metaKey]
	if !ok {
		return nil, FormatError(fmt.Sprintf("container: no %q in the metadata", metaKey))
	}
	c := &Container{src: src, Meta: map[string]string{}}
	common, rest, err := parseCommon(line)
	if err != nil {
		return nil, err
	}
	c.Common = common
	stored := map[string]*StoredTensor{}
	for k, v := range meta {
		name, ok := strings.CutPrefix(k, metaPrefix)
		if !ok {
			if k != metaKey {
				c.Meta[k] = v
			}
			continue
		}
		r, err := parseRecipe(v)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		stored[name] = &StoredTensor{Info: tensor.Info{Name: name, DType: r.dtype, Shape: r.shape}, Raw: r.raw, Residual: r.residual, recipe: r}
	}
	if got := metaSum(c.Meta); got != rest["meta"] {
		return nil, FormatError(fmt.Sprintf("container: metadata has checksum %s, want %s", got, rest["meta"]))
	}
	if rest["tensors"] != strconv.Itoa(len(stored)) {
		return nil, FormatError(fmt.Sprintf("container: %d recipes, want %s", len(stored), rest["tensors"]))
	}
	for _, info := range src.Tensors() {
		var owner *StoredTensor
		for _, s := range suffixes {
			if base, ok := strings.CutSuffix(info.Name, s); ok && owner == nil {
				owner = stored[base]
			}
		}
		if owner == nil {
			return nil, FormatError(fmt.Sprintf("container: no recipe for array %q", info.Name))
		}
		n, err := info.NumBytes()
		if err != nil {
			return nil, err
		}
		owner.Bytes += int(n)
		owner.parts = append(owner.parts, info)
	}
	for _, t := range stored {
		main := slices.IndexFunc(t.parts, func(p tensor.Info) bool { return p.Name == t.Name })
		if main < 0 || !t.Raw && t.parts[main].DType != tensor.U8 {
			return nil, FormatError(fmt.Sprintf("container: no data for tensor %q", t.Name))
		}
		if t.Raw {
			t.Info = t.parts[main]
		} else {
			rows, cols, err := matrixOf(t.Shape, t.recipe.fold)
			if err != nil {
				return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
			}
			if t.Grid, err = NewGrid(cols, rows, t.recipe.frameW, t.recipe.frameH); err != nil {
				return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
			}
		}
		c.Tensors = append(c.Tensors, *t)
	}
	sort.Slice(c.Tensors, func(i, j int) bool {
		a, b := c.Tensors[i], c.Tensors[j]
		return a.recipe.at < b.recipe.at || a.recipe.at == b.recipe.at && a.Name < b.Name
	})
	return c, nil
}

// Select keeps the tensors whose name matches a pattern.
func (c *Container) Select(glob string) error {
	sel := Selection{Globs: []string{glob}}
	var kept []StoredTensor
	for _, t := range c.Tensors {
		ok, err := sel.Matches(t.Name)
		if err != nil {
			return err
		}
		if ok {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("no tensor matches %q", glob)
	}
	c.Tensors = kept
	return nil
}

// load reads the arrays of a tensor and verifies its checksum.
func (c *Container) load(t StoredTensor) (map[string]part, error) {
	var parts []part
	for _, s := range suffixes {
		for _, info := range t.parts {
			if info.Name != t.Name+s {
				continue
			}
			data, err := c.src.Read(info.Name, nil)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{s, info.DType, info.Shape, data})
		}
	}
	if got := checksum(c.Common, t.Name, t.recipe.String(), parts); got != t.recipe.sum {
		return nil, FormatError(fmt.Sprintf("container: checksum is %s, want %s: the file is damaged", got, t.recipe.sum))
	}
	m := map[string]part{}
	for _, p := range parts {
		m[p.suffix] = p
	}
	return m, nil
}

// Stream returns the bitstream of a coded tensor, its checksum verified.
func (c *Container) Stream(t StoredTensor) ([]byte, error) {
	if t.Raw {
		return nil, fmt.Errorf("tensor %q is stored raw: it has no stream", t.Name)
	}
	parts, err := c.load(t)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return parts[""].data, nil
}

// Decode returns the data of one tensor, its checksums verified.
func (c *Container) Decode(t StoredTensor, workers int) ([]byte, error) {
	parts, err := c.load(t)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	if t.Raw {
		return parts[""].data, nil
	}
	codec, err := Lookup(c.Common.Codec)
	if err != nil {
		return nil, err
	}
	raw, err := decodeTensor(codec, c.Common, t.Info, t.recipe, parts, workers)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return raw, nil
}

// DecodeAll decodes every tensor, several at a time, and hands them to write in order.
func (c *Container) DecodeAll(workers int, write func(t StoredTensor, data []byte) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := len(c.Tensors)
	ahead := min(workers, max(1, n))
	inner := (workers + ahead - 1) / ahead
	type result struct {
		data []byte
		err  error
	}
	results := make([]chan result, n)
	for i := range results {
		results[i] = make(chan result, 1)
	}
	stop := make(chan struct{})
	slots := make(chan struct{}, ahead)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i, t := range c.Tensors {
			select {
			case slots <- struct{}{}:
			case <-stop:
				return
			}
			wg.Go(func() {
				data, err := c.Decode(t, inner)
				results[i] <- result{data, err}
			})
		}
	})
	var err error
	for i, t := range c.Tensors {
		r := <-results[i]
		if err = r.err; err == nil {
			err = write(t, r.data)
		}
		if err != nil {
			break
		}
		<-slots
	}
	close(stop)
	wg.Wait()
	return err
}
