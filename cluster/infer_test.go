package cluster

import (
	"math"
	"testing"

	"vcsim/cluster/collective"
)

var llama70b = Model{Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, FFN: 28672, Gated: true, Vocab: 128256, Seq: 8192}

func inference() Inference {
	g := GPU{PeakTFLOPS: 71, MemGB: 24, MemGBPerS: 936, TDPW: 350}
	return Inference{Model: llama70b, GPU: g, Eff: plainEff, Net: collective.FlatNetwork(10e9 / 8), Devices: 4, Batch: 1, Context: 131072,
		BitsWeights: 2.88, BitsKV: 2.9, BitsAct: 3.5, MemBytes: 8 << 30}
}

// The paper's inference case: LLaMA-3-70B, 128k tokens, four devices. It
// prints 6.3 GB of weights and 1.8 GB of cache a device and 4.5 times less
// communication; 40 (GiB) is the cache in FP16.
func TestPaperInference(t *testing.T) {
	j := inference()
	st, err := Infer(&j, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := st.Memory.Weights / 1e9; math.Abs(got-6.35) > 0.005 {
		t.Errorf("weights: %.3f GB a device, want 6.35", got)
	}
	if got := st.Memory.KV / 1e9; math.Abs(got-1.95) > 0.005 {
		t.Errorf("cache: %.3f GB a device, want 1.95", got)
	}
	if got := st.Memory.KV * 4 * 16 / 2.9 / (1 << 30); math.Abs(got-40) > 0.01 {
		t.Errorf("cache in FP16: %.3f GiB, want 40", got)
	}
	if !st.Fits {
		t.Errorf("%.2f GB do not fit 8 GiB", st.Memory.Total()/1e9)
	}
	if got := st.ChunkPlain / st.Chunk; got < 4.4 || got > 16/3.5 {
		t.Errorf("communication %.2f times faster, want about 4.5", got)
	}
	j.MemBytes = 8e9
	if st, err = Infer(&j, &Power{}, 0); err != nil || st.Fits {
		t.Errorf("8 GB: fits %v, %v; want too small", st.Fits, err)
	}
	j.BitsWeights, j.BitsKV, j.BitsAct, j.MemBytes = 16, 16, 16, 8<<30
	if st, err = Infer(&j, &Power{}, 0); err != nil || st.Fits {
		t.Errorf("uncompressed: fits %v, %v; want too large", st.Fits, err)
	}
}

// Weights that are stored compressed are decoded for every token: a codec of
// 100 Gbit/s is the bottleneck, and as many decoders as Infer names remove it.
func TestDecodeBound(t *testing.T) {
	j := inference()
	free, err := Infer(&j, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	j.Codec = t265(1)
	slow, err := Infer(&j, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if slow.Token <= free.Token || slow.Decode <= 0 || free.Decode != 0 {
		t.Errorf("token time %v s with a codec (decoding %v), %v without a limit (decoding %v)", slow.Token, slow.Decode, free.Token, free.Decode)
	}
	j.Codec.Instances = int(slow.DecodeInstances)
	enough, err := Infer(&j, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !near(enough.Token, free.Token, 1e-3) {
		t.Errorf("%v decoders: token time %v s, want %v", slow.DecodeInstances, enough.Token, free.Token)
	}
	j.Codec.Instances /= 2
	if half, _ := Infer(&j, &Power{}, 0); half.Token <= enough.Token {
		t.Errorf("half the decoders: token time %v s, not above %v", half.Token, enough.Token)
	}
}

// In memory-bound decoding the token time is the bytes of weights and cache
// over the bandwidth.
func TestDecodeMemoryBound(t *testing.T) {
	j := inference()
	j.Net = collective.FlatNetwork(1e15)
	st, err := Infer(&j, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	read := st.Memory.Weights*4 - llama70b.EmbeddingParams()*2.88/8 + st.Memory.KV*4 // one embedding is looked up, not read
	if want := read / (936e9 * plainEff.MemoryFraction); !near(st.Token, want, 2e-3) {
		t.Errorf("token time %v s, want %v", st.Token, want)
	}
	if st.Compute+st.Read > st.Token*(1+1e-9) || !near(st.TokensPerS, 1/st.Token, 1e-9) {
		t.Errorf("parts %v + %v of %v s, %v tokens/s", st.Compute, st.Read, st.Token, st.TokensPerS)
	}
}

func TestInferRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Inference){
		"no devices":       func(j *Inference) { j.Devices = 0 },
		"too many devices": func(j *Inference) { j.Devices = 81 },
		"no context":       func(j *Inference) { j.Context = 0 },
		"long prompt":      func(j *Inference) { j.Prompt = j.Context + 1 },
		"NaN bits":         func(j *Inference) { j.BitsKV = math.NaN() },
		"zero bits":        func(j *Inference) { j.BitsAct = 0 },
		"17 bits":          func(j *Inference) { j.BitsWeights = 17 },
		"negative memory":  func(j *Inference) { j.MemBytes = -1 },
		"no batch":         func(j *Inference) { j.Batch = 0 },
	} {
		j := inference()
		spoil(&j)
		if _, err := Infer(&j, &Power{}, 0); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
