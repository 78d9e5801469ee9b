package tensorcodec

import "fmt"

var codecs = map[string]Codec{}

// Lookup returns the codec with a name.
func Lookup(name string) (Codec, error) {
	if c, ok := codecs[name]; ok {
		return c, nil
	}
	return nil, UnsupportedError(fmt.Sprintf("codec %q", name))
}
