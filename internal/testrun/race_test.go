package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"vcsim/internal/peertest"
)

// parallelTests are those of what runs in parallel, by package.
var parallelTests = []struct{ pkg, run string }{
	{"internal/tensor", "SumChunks|CompareChunks"},                                        // chunks of a comparison
	{"internal/tensorcodec", "PlaneRoundTrip|FrameError|DecodeStream|ContainerRoundTrip"}, // frames of a plane, tensors of a container
	{"internal/lmc", "Ordered|Chain$|BlockRoundTrip|EveryType|Stats$"},                    // blocks of a snapshot
	{"internal/rd", "."},         // points of a comparison
	{"internal/simrun", "Sweep"}, // clocked models
}

// TestRaces runs what is parallel under the race detector.
func TestRaces(t *testing.T) {
	if os.Getenv("VCSIM_LONG") == "" {
		t.Skip("set VCSIM_LONG=1 to run what is parallel under the race detector")
	}
	cc, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	peertest.Tool(t, strings.Fields(string(cc))[0])
	for _, p := range parallelTests {
		t.Run(p.pkg, func(t *testing.T) {
			cmd := exec.Command("go", "test", "-race", "-count=1", "-v", "-run", p.run, "./"+p.pkg)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "VCSIM_LONG=")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "--- PASS: Test") {
				t.Errorf("no test of %s is named %s", p.pkg, p.run)
			}
		})
	}
}
