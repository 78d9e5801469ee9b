// Package jobtest makes the job that tests of studies work on: LLaMA-2-7B on A100s, a global batch of 64 sequences of 4096 tokens.
package jobtest

import (
	"testing"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// Parts are what a job consists of, as the presets have them.
type Parts struct {
	Model     config.Row[cluster.Model]
	GPU       config.Row[cluster.GPU]
	Constants presets.Constants
	Power     cluster.Power
}

// Llama returns the parts.
func Llama(t testing.TB) (p Parts) {
	t.Helper()
	var err error
	if p.Model, err = presets.Model("llama2-7b"); err != nil {
		t.Fatal(err)
	}
	if p.GPU, err = presets.GPU("a100-80g"); err != nil {
		t.Fatal(err)
	}
	if p.Constants, err = presets.Efficiency("a100-80g", "megatron-lm"); err != nil {
		t.Fatal(err)
	}
	if p.Power, err = presets.Power(&p.GPU.Value, codecpoint.PerValue); err != nil {
		t.Fatal(err)
	}
	return p
}

// Job is the job on a network.
func (p Parts) Job(net collective.Network) cluster.Job {
	return cluster.Job{Model: p.Model.Value, GPU: p.GPU.Value, Eff: p.Constants.Values, Net: net, Seq: 4096, GlobalBatch: 64}
}

// Codecs are the codecs with these names at 5 bits a value, as many engines as the table has.
func Codecs(t testing.TB, names ...string) (list []presets.Codec) {
	t.Helper()
	table, err := presets.Engines()
	if err != nil {
		t.Fatal(err)
	}
	o := presets.CodecOptions{Bits: cluster.UniformBits(5), Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances}}
	for _, name := range names {
		c, err := o.Codec(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}
