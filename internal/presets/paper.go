package presets

import (
	"errors"
	"fmt"

	"vcsim/internal/config"
)

// Stated is the paper's numbers by the names of the paper presets. The first unknown name is kept in Err.
type Stated struct {
	values map[string]*float64
	Err    error
}

// Paper reads them.
func Paper() (*Stated, error) {
	type row struct {
		Value *float64 `yaml:"value"`
		Unit  string   `yaml:"unit"`
	}
	rows, err := config.Presets[row]("paper")
	if err != nil {
		return nil, err
	}
	s := &Stated{values: map[string]*float64{}}
	for _, r := range rows {
		s.values[r.Name] = r.Value.Value
	}
	return s, nil
}

// Get is the number of a name.
func (s *Stated) Get(name string) float64 {
	v := s.values[name]
	if v == nil {
		s.Err = errors.Join(s.Err, fmt.Errorf("paper presets: no number %q", name))
		return 0
	}
	return *v
}
