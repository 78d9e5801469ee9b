package main

import (
	"encoding/json"
	"testing"

	"vcsim/internal/peertest"
)

func TestReproduceLMC(t *testing.T) {
	peertest.Tool(t, "bzip2")
	stdout, stderr, code := execute(t, "reproduce", "lmc", lmcData+"step0200.safetensors", "--json")
	var j struct {
		Schema      string
		Compressors []struct {
			Compressor string
			Ratio      float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || j.Schema != "vcsim.reproduce.lmc/1" || len(j.Compressors) != 11 {
		t.Fatalf("exit %d, %q, %v, %d rows", code, stderr, err, len(j.Compressors))
	}
	for _, c := range j.Compressors[1:] {
		if ours := j.Compressors[0].Ratio; c.Ratio >= ours {
			t.Errorf("%s reaches %.4f, the snapshot %.4f", c.Compressor, c.Ratio, ours)
		}
	}
}
