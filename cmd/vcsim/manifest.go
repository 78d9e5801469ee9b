package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A manifest says what a run was: enough to repeat it and to see whether its
// inputs have changed.
type manifest struct {
	Schema    string            `json:"schema"`
	Version   string            `json:"version"`
	Go        string            `json:"go_version"`
	Revision  string            `json:"revision,omitempty"`
	Command   string            `json:"command"`
	Arguments []string          `json:"arguments"`
	Config    map[string]string `json:"config"` // every flag's value, defaults included
	Inputs    []manifestInput   `json:"inputs"`
	ExitCode  int               `json:"exit_code"`
}

type manifestInput struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// writeManifest writes the manifest of a run of cmd to path, whole or not at
// all.
func (a *app) writeManifest(path string, cmd *cobra.Command, args []string, code int) error {
	m := manifest{Schema: "vcsim.manifest/1", Version: "unknown", Go: runtime.Version(), Command: cmd.CommandPath(), Arguments: args,
		Config: map[string]string{}, Inputs: []manifestInput{}, ExitCode: code}
	if info, ok := debug.ReadBuildInfo(); ok {
		m.Version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				m.Revision = s.Value
			}
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			m.Config[f.Name] = f.Value.String()
		}
	})
	for name, v := range a.resolved {
		m.Config[name] = fmt.Sprint(v)
	}
	for _, in := range a.inputs {
		sum, err := fileSum(in.Path)
		if err != nil {
			return err
		}
		m.Inputs = append(m.Inputs, manifestInput{in.Path, sum})
	}
	data, err := json.MarshalIndent(&m, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, append(data, '\n'))
}

func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
