package energy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	blanks   = regexp.MustCompile(`\s+`)
)

// RTLHash returns 16 digits for the Verilog of a codec and what the codecs share, below the folder of the repository: comments and white space
// do not count. The rows of the package are of the Verilog whose hash Provenance gives.
func RTLHash(root, codec string) (string, error) {
	h := sha256.New()
	for _, pattern := range []string{"rtl/common/*.v", "rtl/common/gen/*.v", "rtl/" + codec + "/*.v", "rtl/" + codec + "/gen/*.v", "rtl/" + codec + "/gen/*.vh"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return "", err
		}
		slices.Sort(files)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			words := strings.TrimSpace(blanks.ReplaceAllString(comments.ReplaceAllString(string(text), " "), " "))
			fmt.Fprintf(h, "%s\n%s\n", filepath.Base(name), words)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
