package tensorcodec

import (
	"fmt"
	"sort"
	"strings"
)

var codecs = map[string]Codec{}

// Lookup returns the codec with a name.
func Lookup(name string) (Codec, error) {
	if c, ok := codecs[name]; ok {
		return c, nil
	}
	var names []string
	for n := range codecs {
		names = append(names, n)
	}
	sort.Strings(names)
	return nil, UnsupportedError(fmt.Sprintf("codec %q: there is %s", name, strings.Join(names, ", ")))
}
