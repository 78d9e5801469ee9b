package tensor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Files lists the files that [OpenSafetensors] would read for a path, as far as they can be told: the file itself, an index
// and its shards, or those of a directory. It reads an index but reports no errors.
func Files(path string) []string {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		dir := path
		path = filepath.Join(dir, "model.safetensors.index.json")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(dir, "model.safetensors")
		}
	}
	files := []string{path}
	if !strings.HasSuffix(path, ".index.json") {
		return files
	}
	var index struct {
		WeightMap map[string]string `json:"weight_map"`
	}
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &index) != nil {
		return files
	}
	seen := map[string]bool{}
	for _, shard := range index.WeightMap {
		if !seen[shard] {
			seen[shard] = true
			files = append(files, filepath.Join(filepath.Dir(path), shard))
		}
	}
	sort.Strings(files[1:])
	return files
}
