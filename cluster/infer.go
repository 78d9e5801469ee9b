package cluster

import (
	"fmt"
	"math"

	"vcsim/cluster/collective"
)

// Inference is a model served by a pipeline of devices, one stage each.
type Inference struct {
	Model     Model
	GPU       GPU
	Eff       Efficiency
	Net       collective.Network
	Precision Precision // of the products
	Devices   int       // pipeline stages
	Batch     int       // sequences served together
	Context   int       // tokens per sequence when the cache is full
	Prompt    int       // tokens of the prompt; 0 means Context

	BitsWeights, BitsKV, BitsAct float64 // a value; 16 uncompressed

	// Codec gives the rates: weights and cache that are stored compressed are
	// decoded each time they are read, activations are encoded and decoded at
	// each link. Its Bits are not used.
	Codec    Codec
	MemBytes float64 // capacity of a device; 0 means the GPU's
}

// prefillChunk is the number of tokens that go through a stage together in
// prefill; it bounds the activations held.
const prefillChunk = 512

// InferMemory is what the fullest device holds, in bytes.
type InferMemory struct{ Weights, KV, Activations float64 }

// Total is the sum in bytes.
func (m *InferMemory) Total() float64 { return m.Weights + m.KV + m.Activations }

// InferStep is what an inference job does, in seconds unless said otherwise.
type InferStep struct {
	Memory   InferMemory // of the fullest device
	Capacity float64     // bytes
	Fits     bool

	FirstToken float64 // prefill of the prompt until the first token is out
	Token      float64 // between two tokens of a sequence, cache full
	TokensPerS float64 // of all sequences

	// Parts of Token, summed over the devices a token passes.
	Compute float64 // arithmetic
	Read    float64 // memory traffic beyond the arithmetic
	Decode  float64 // decoding of weights and cache beyond both
	Comm    float64 // links

	Chunk      float64 // one link passing a chunk of the prompt
	ChunkPlain float64 // the same if activations were not compressed

	// DecodeInstances is the number of decoders per device with which the
	// codec would no longer hold up the memory traffic.
	DecodeInstances float64

	EnergyJPerToken float64 // while decoding, all devices
}

// Validate reports the first field outside its range.
func (j *Inference) Validate() error {
	for _, v := range []interface{ Validate() error }{&j.Model, &j.GPU, &j.Eff, &j.Net, &j.Codec} {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	const most = 1 << 30
	for _, d := range []struct {
		name  string
		value int
	}{{"devices", j.Devices}, {"batch", j.Batch}, {"context", j.Context}} {
		if d.value < 1 || d.value > most {
			return fmt.Errorf("%s is %d, want 1 to %d", d.name, d.value, most)
		}
	}
	if j.Prompt < 0 || j.Prompt > j.Context {
		return fmt.Errorf("prompt is %d tokens, want at most the context of %d", j.Prompt, j.Context)
	}
	if j.Devices > j.Model.Layers {
		return fmt.Errorf("%d devices for %d layers: a stage needs a layer", j.Devices, j.Model.Layers)
	}
	for _, d := range []struct {
		name  string
		value float64
	}{{"weights", j.BitsWeights}, {"KV cache", j.BitsKV}, {"activations", j.BitsAct}} {
		if !(d.value >= 0.01 && d.value <= 16) {
			return fmt.Errorf("%v bits a value for %s, want 0.01 to 16", d.value, d.name)
		}
	}
	if !(j.MemBytes >= 0) || math.IsInf(j.MemBytes, 0) {
		return fmt.Errorf("memory of %v bytes", j.MemBytes)
	}
	return nil
}

// KVValues is the number of key and value elements a token adds to the cache
// of the whole model.
func (m *Model) KVValues() float64 { return 2 * float64(m.Layers) * float64(m.kvWidth()) }

// Infer evaluates an inference job. memoryPJPerBit is the energy of a bit read
// from the device's memory, 0 if it is not known.
func Infer(j *Inference, p *Power, memoryPJPerBit float64) (InferStep, error) {
	var st InferStep
	if err := j.Validate(); err != nil {
		return st, err
	}
	s, err := NewSystem(Job{Model: j.Model, GPU: j.GPU, Eff: j.Eff, Net: j.Net, Seq: j.Context, GlobalBatch: j.Batch, Codec: j.Codec, Precision: j.Precision})
	if err != nil {
		return st, err
	}
	m := &j.Model
	n, b, ctx := float64(j.Devices), float64(j.Batch), float64(j.Context)
	prompt := float64(j.Prompt)
	if j.Prompt == 0 {
		prompt = ctx
	}
	h := float64(m.Hidden)

	// Memory: weights and cache spread evenly over the devices, as the paper
	// counts them; activations of one chunk.
	chunk := math.Min(prefillChunk, prompt)
	_, _, active := m.ffnWeights()
	inner := active / h // about the widest activation of a block
	st.Memory = InferMemory{
		Weights:     m.Params() * j.BitsWeights / 8 / n,
		KV:          m.KVValues() * ctx * b * j.BitsKV / 8 / n,
		Activations: 2 * chunk * (2*h + math.Min(inner, 4*float64(m.FFN))),
	}
	st.Capacity = j.MemBytes
	if st.Capacity == 0 {
		st.Capacity = j.GPU.MemGB * 1e9
	}
	st.Fits = st.Memory.Total() <= st.Capacity

	// One pass of a micro-batch of sequences through one device, a token each,
	// with the cache full: arithmetic, memory traffic and decoding overlap; the
	// slowest of them counts.
	weights := float64(m.Layers)*(m.attentionWeights()+active) + m.EmbeddingParams() // read per token
	encode, decode := j.Codec.Rates()
	micro := math.Min(b, n)
	seqs := b / micro
	bandwidth := j.GPU.MemGBPerS * 1e9 * j.Eff.MemoryFraction
	rate := 2 / s.perGEMM[s.width] // FLOP/s of the products
	kvPerPass := m.KVValues() * ctx * seqs
	flops := 2*weights*seqs + 4*float64(m.Layers)*float64(m.qWidth())*ctx*seqs
	compute := flops / rate / n
	memory := (weights*j.BitsWeights + kvPerPass*j.BitsKV) / 8 / bandwidth / n
	var coded float64 // payload bits a pass decodes
	if j.BitsWeights < PayloadBits {
		coded += weights * PayloadBits
	}
	if j.BitsKV < PayloadBits {
		coded += kvPerPass * PayloadBits
	}
	decoding := coded / decode / n
	busy := math.Max(compute, math.Max(memory, decoding))
	st.Compute = n * compute
	st.Read = n * math.Max(0, memory-compute)
	st.Decode = n * math.Max(0, decoding-math.Max(compute, memory))
	if decoding > 0 {
		one := coded / n / (decode / float64(max(1, j.Codec.Instances)))
		st.DecodeInstances = math.Ceil(one / math.Max(compute, memory))
	}

	// Links: the hidden state of each sequence, then the token back.
	ch := collective.Channel{Ratio: PayloadBits / j.BitsAct, Encode: encode / 8, Decode: decode / 8, Serial: j.Codec.Serial, Force: j.Codec.Bypass == BypassNever}
	ch.Compress = ch.Ratio != 1 && j.Codec.Bypass != BypassAlways
	g := collective.Group{N: j.Devices, Stride: 1}
	var coder, plain collective.Plan
	s.fabric.Plan(&coder, collective.SendRecv, g, &ch)
	s.fabric.Plan(&plain, collective.SendRecv, g, &collective.Plain)
	hop, sent := coder.Message(2 * h * seqs)
	st.Comm = (n - 1) * hop
	latency := n*busy + st.Comm
	st.Token = math.Max(latency, micro*(busy+hop))
	st.TokensPerS = b / st.Token

	// Prefill: chunks of the prompt flow through the devices.
	chunks := math.Ceil(prompt / chunk)
	chunkFLOPs := 2*weights*chunk*b + 2*float64(m.Layers)*float64(m.qWidth())*prompt*chunk*b
	chunkTime := chunkFLOPs / rate / n
	chunkMemory := (weights*j.BitsWeights + m.KVValues()*prompt/2*b*j.BitsKV) / 8 / bandwidth / n
	chunkDecode := 0.0
	if coded > 0 {
		chunkDecode = (weights + m.KVValues()*prompt/2*b) * PayloadBits / decode / n
	}
	link := coder.Time(2 * h * chunk * b)
	st.Chunk = link
	st.ChunkPlain = plain.Time(2 * h * chunk * b)
	pace := math.Max(math.Max(chunkTime, chunkMemory), math.Max(chunkDecode, link))
	st.FirstToken = chunks*pace + (n-1)*(math.Max(chunkTime, math.Max(chunkMemory, chunkDecode))+link)

	// Energy of a decoded token.
	perFLOP := p.ComputePJPerFLOP
	if perFLOP == 0 {
		perFLOP = j.GPU.ComputePJ()
	}
	const pJ = 1e-12
	wire := (n - 1) * PayloadBits * h
	codec := coded / seqs * j.Codec.DecodePJPerBit
	net := wire
	if sent.Coded > 0 {
		net = wire / ch.Ratio
		codec += wire * (j.Codec.EncodePJPerBit + j.Codec.DecodePJPerBit)
	}
	bits := weights/seqs*j.BitsWeights + m.KVValues()*ctx*j.BitsKV
	st.EnergyJPerToken = (flops/seqs*perFLOP + bits*memoryPJPerBit + net*p.NetworkPJPerBit() + codec) * pJ
	return st, nil
}
