package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/study"
)

// A clusterRun is a command line resolved into what the model takes.
type clusterRun struct {
	flags     *clusterFlags
	model     config.Row[cluster.Model]
	gpu       config.Row[cluster.GPU]
	constants presets.Constants
	job       cluster.Job
	space     cluster.Space
	power     cluster.Power
	codecs    []presets.Codec
	skipped   []string // codecs left out, with the reason
	batch     string   // where the batch is from; "" where the user says it
	bits      cluster.Bits
	traffic   []presets.Traffic
	measured  []cluster.MeasuredStep
}

// setting is the comparison that the run asks for.
func (r *clusterRun) setting() *study.Setting {
	return &study.Setting{Job: r.job, Space: r.space, Codecs: clusterCodecs(r.codecs), Power: r.power}
}

// resolve checks every flag and looks up the presets.
func (f *clusterFlags) resolve(changed func(flag string) bool) (*clusterRun, error) {
	r := &clusterRun{flags: f}
	if err := r.machine(); err != nil {
		return nil, err
	}
	if changed("instances") && f.instances < 1 {
		return nil, fmt.Errorf("--instances is %d, want 1 to %d", f.instances, maxInstances)
	}
	if err := r.defaults(changed); err != nil {
		return nil, err
	}
	if err := f.checkRanges(); err != nil {
		return nil, err
	}
	var err error
	if r.bits, err = f.bits(changed); err != nil {
		return nil, err
	}
	if r.space, err = parseLayout(f.layout); err != nil {
		return nil, err
	}
	r.space.GPUs = f.gpus
	if err := r.resolveJob(changed); err != nil {
		return nil, err
	}
	if r.power, err = presets.Power(&r.gpu.Value, f.reading()); err != nil {
		return nil, err
	}
	r.power.IdleFraction = f.idle
	if r.traffic, err = presets.TrafficBits(r.bits, float64(f.snr), changed("ratio"), changed); err != nil {
		return nil, err
	}
	return r, r.resolveCodecs(r.bits)
}

// machine looks up the model, and the GPU with the constants of its software.
func (r *clusterRun) machine() (err error) {
	f := r.flags
	if r.model, err = presets.Model(f.model); err != nil {
		return err
	}
	if r.gpu, err = presets.GPU(f.gpu); err != nil {
		return err
	}
	if f.stack == "" {
		if f.stack, err = presets.DefaultStack(f.gpu, f.precision); err != nil {
			return err
		}
	}
	if f.precision != "" {
		if err := r.job.Precision.UnmarshalText([]byte(f.precision)); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	if !r.gpu.Value.Supports(r.job.Precision) {
		return fmt.Errorf("--precision %s: no such rate is known of %s", f.precision, f.gpu)
	}
	if r.constants, err = presets.Efficiency(f.gpu, f.stack); err != nil {
		return err
	}
	eff := &r.constants.Values
	if f.flash {
		eff.Flash = true
	}
	if err := setOverlap(eff, f.overlap); err != nil {
		return err
	}
	links := collective.DefaultLinkConstants()
	if f.latency > 0 {
		if links.RDMAHopUS = float64(f.latency) * 1e6; links.Validate() != nil {
			return fmt.Errorf("--latency is %v, want 0.5us to 100us", f.latency)
		}
	}
	r.job.Links = &links
	return nil
}

// maxInstances is more than any accelerator has of encoders and decoders.
const maxInstances = 1 << 16

// defaults fills in what is that of a real job where the user says nothing.
func (r *clusterRun) defaults(changed func(flag string) bool) error {
	f := r.flags
	if f.gpus < 1 {
		return nil // refused later
	}
	if f.perNode == 0 && !changed("gpus-per-node") {
		f.perNode = presets.Node(&r.gpu.Value, f.gpus)
	}
	if f.batch != 0 || changed("batch") {
		return nil
	}
	seq, err := presets.Sequence(int(f.seq), "seq", f.model, &r.model.Value)
	if err != nil {
		return err
	}
	f.batch, r.batch = presets.Batch(f.model, &r.model.Value, seq, f.gpus)
	return nil
}

// checkRanges refuses numbers outside their range.
func (f *clusterFlags) checkRanges() error {
	const mostGPUs = 1 << 20
	for _, v := range []struct {
		flag        string
		value, most int
	}{{"gpus", f.gpus, mostGPUs}, {"gpus-per-node", f.perNode, 1 << 10}, {"batch", f.batch, 1 << 24}} {
		if v.value < 1 || v.value > v.most {
			return fmt.Errorf("--%s is %d, want 1 to %d", v.flag, v.value, v.most)
		}
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"bits-grad", f.bitsGrad}, {"bits-act", f.bitsAct}, {"bits-actgrad", f.bitsActGrad}, {"bits-param", f.bitsParam}} {
		if !(v.value >= 0.01 && v.value <= cluster.PayloadBits) {
			return fmt.Errorf("--%s is %v, want 0.01 to %v bits a value", v.flag, v.value, cluster.PayloadBits)
		}
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"warmup", f.warmup}, {"idle-fraction", f.idle}} {
		if !(v.value >= 0 && v.value <= 1) {
			return fmt.Errorf("--%s is %v, want 0 to 1", v.flag, v.value)
		}
	}
	if f.instances > maxInstances {
		return fmt.Errorf("--instances is %d, want 1 to %d", f.instances, maxInstances)
	}
	return nil
}

// bits is the width of each class of traffic, by class or by one ratio.
func (f *clusterFlags) bits(changed func(flag string) bool) (b cluster.Bits, err error) {
	if f.snr > 0 {
		return f.measured(changed)
	}
	if !changed("ratio") {
		return cluster.Bits{cluster.Grad: f.bitsGrad, cluster.Act: f.bitsAct, cluster.ActGrad: f.bitsActGrad, cluster.Param: f.bitsParam}, nil
	}
	if !(f.ratio >= 1 && f.ratio <= 1000) {
		return b, fmt.Errorf("--ratio is %v, want 1 to 1000", f.ratio)
	}
	for _, flag := range []string{"bits-grad", "bits-act", "bits-actgrad", "bits-param", "bits-weights", "bits-kv"} {
		if changed(flag) {
			return b, fmt.Errorf("give --ratio or --%s, not both", flag)
		}
	}
	return cluster.UniformBits(f.ratio), nil
}

// measured is the width of each class that T.264 needs for the error of --snr.
func (f *clusterFlags) measured(changed func(flag string) bool) (b cluster.Bits, err error) {
	flags := []string{"ratio", "bits-grad", "bits-act", "bits-actgrad"}
	if f.workload == "infer" {
		flags = []string{"ratio", "bits-weights", "bits-kv", "bits-act"}
	}
	for _, flag := range flags {
		if changed(flag) {
			return b, fmt.Errorf("give --snr or --%s, not both", flag)
		}
	}
	if f.workload == "infer" {
		for class, to := range map[string]*float64{"weights": &f.bitsWeights, "caches": &f.bitsKV, "activations": &f.bitsAct} {
			if *to, err = presets.ClassBits("t264", class, float64(f.snr)); err != nil {
				return b, fmt.Errorf("--snr %v: %w", f.snr, err)
			}
		}
	}
	b = cluster.Bits{cluster.Grad: f.bitsGrad, cluster.Act: f.bitsAct, cluster.ActGrad: f.bitsActGrad, cluster.Param: f.bitsParam}
	if f.workload == "infer" {
		return b, nil
	}
	if b, err = presets.BitsAtSNR("t264", float64(f.snr), b); err != nil {
		return b, fmt.Errorf("--snr %v: %w", f.snr, err)
	}
	return b, nil
}

// atSNR are the options of a codec of a name: with --snr it takes the bits that were measured of it.
func (f *clusterFlags) atSNR(o *presets.CodecOptions, name string) (with presets.CodecOptions, basis string, err error) {
	with = *o
	if f.snr == 0 || f.workload == "infer" {
		return with, "", nil
	}
	codec := presets.MeasuredCodec(name)
	if with.Bits, err = presets.BitsAtSNR(codec, float64(f.snr), o.Bits); err != nil {
		return with, "", fmt.Errorf("--snr %v: %w", f.snr, err)
	}
	with.Serve(float64(f.bw))
	return with, fmt.Sprintf("%.4g dB, measured of %s", -float64(f.snr), codec), nil
}

// resolveJob makes the job of model, GPU, network and checkpoints.
func (r *clusterRun) resolveJob(changed func(flag string) bool) error {
	f := r.flags
	net, err := f.network(&r.gpu.Value)
	if err != nil {
		return err
	}
	if err := f.between.apply(&net); err != nil {
		return err
	}
	// The user's rate is what the link gives: the sets' fraction of a nominal
	// rate is not taken off again.
	eff := r.constants.Values
	eff.InterFraction, eff.InterCapGB = 1, 0
	eff.IntraFraction = min(eff.IntraFraction, 1) // above 1 it corrects the rate that the measurements name
	r.job = cluster.Job{Model: r.model.Value, GPU: r.gpu.Value, Eff: eff, Net: net, GlobalBatch: f.batch, Precision: r.job.Precision, Links: r.job.Links}
	if f.workload != "infer" { // whose length is the context
		if r.job.Seq, err = presets.Sequence(int(f.seq), "seq", f.model, &r.model.Value); err != nil {
			return err
		}
	}
	r.job.Checkpoint, err = f.checkpoint(changed)
	return err
}

// network is flat, or of nodes that a faster one joins inside.
func (f *clusterFlags) network(g *cluster.GPU) (collective.Network, error) {
	inter := collective.BytesPerSecond(f.bw / 8)
	if f.perNode <= 1 {
		if f.intraBW != 0 {
			return collective.Network{}, errors.New("--intra-bw needs --gpus-per-node above 1")
		}
		return collective.FlatNetwork(inter), nil
	}
	intra := collective.BytesPerSecond(f.intraBW / 8)
	if intra == 0 {
		intra = collective.BytesPerSecond(max(g.NVLinkGBPerS, g.PCIeGBPerS) * 1e9)
	}
	net := collective.NodeNetwork(f.perNode, intra, inter)
	net.Tiers[0].Family, _ = collective.FamiliesOf(f.gpu, "", "")
	net.Tiers[1].Effective = true // what the link gives
	return net, nil
}

// checkpoint says how often checkpoints are written, and how fast.
func (f *clusterFlags) checkpoint(changed func(flag string) bool) (c cluster.Checkpoint, err error) {
	if f.ckptSteps == 0 {
		if changed("ckpt-bw") || changed("ckpt-ratio") {
			return c, errors.New("--ckpt-bw and --ckpt-ratio need --ckpt-steps")
		}
		return c, nil
	}
	if f.ckptSteps < 0 || f.ckptSteps > 1e9 {
		return c, fmt.Errorf("--ckpt-steps is %d, want 1 to 1000000000", f.ckptSteps)
	}
	if f.ckptBW == 0 {
		return c, errors.New("--ckpt-steps needs --ckpt-bw, as in 5GB/s")
	}
	ratio, err := checkpointRatio(f.ckptRatio)
	return cluster.Checkpoint{Steps: f.ckptSteps, BytesPerSecond: collective.BytesPerSecond(f.ckptBW / 8), Ratio: ratio}, err
}

// reading is how the paper's printed energies are taken.
func (f *clusterFlags) reading() codecpoint.Reading {
	if f.paper {
		return codecpoint.PerBit
	}
	return codecpoint.PerValue
}

// resolveCodecs builds the codecs to compare.
func (r *clusterRun) resolveCodecs(bits cluster.Bits) error {
	f, gpu := r.flags, &r.gpu.Value
	o := presets.CodecOptions{Bits: bits, Serial: f.serial, Warmup: f.warmup,
		Point: codecpoint.Options{Instances: f.instances, Reading: f.reading(), Video: presets.Video(f.gpu, gpu)}}
	o.Point.Video.Force = f.forceNVENC
	var err error
	if o.Point.Spec, err = f.spec(); err != nil {
		return err
	}
	if o.Serve(float64(f.bw)); f.workload == "infer" {
		o.Point.Demand.Bits = [codecpoint.MaxClasses]float64{f.bitsWeights, f.bitsKV, f.bitsAct}
		o.Point.Demand.Planes = [codecpoint.MaxClasses]string{"weights", "caches", "activations"}
		if f.ratio > 0 {
			o.Point.Demand.Bits = [codecpoint.MaxClasses]float64{o.Bits[cluster.Act], o.Bits[cluster.Act], o.Bits[cluster.Act]}
		}
	}
	if err := o.Bypass.UnmarshalText([]byte(f.bypass)); err != nil {
		return fmt.Errorf("--%w", err)
	}
	switch f.nvencReading {
	case "pixels":
	case "fp16":
		o.Point.Video.Pixel = codecpoint.PixelFP16
	default:
		return fmt.Errorf("--nvenc-reading %q, want pixels or fp16", f.nvencReading)
	}
	if f.workload != "infer" {
		o.GPU, o.Eff = gpu, &r.job.Eff
	}
	if o.Point.Table, err = presets.Engines(); err != nil {
		return err
	}
	names := f.codecs
	if len(names) == 0 {
		video := gpu.NVENC > 0
		names = codecpoint.Defaults(video, f.workload != "infer")
		if f.workload != "infer" && len(f.rates.list) < 2 {
			names = append(names, presets.Alternatives()...)
		}
		if !video {
			r.skipped = append(r.skipped, "nvenc is left out: "+f.gpu+" has no video encoder (--force-nvenc --codec nvenc for a hypothetical one).")
		}
	}
	for _, n := range names {
		with, basis, err := f.atSNR(&o, n)
		if err != nil {
			return err
		}
		c, err := with.Codec(n)
		if err != nil {
			return err
		}
		if c.Basis == "" && c.Bits == with.Bits {
			c.Basis = basis
		}
		r.codecs = append(r.codecs, c)
	}
	return nil
}

// spec is the hardware that the flags choose.
func (f *clusterFlags) spec() (codecpoint.Spec, error) {
	s := codecpoint.DefaultSpec("t264")
	s.Lanes, s.Values, s.Clock = f.lanes, f.values, float64(f.clock)
	switch f.placement {
	case "inline":
	case "memory":
		s.Memory = true
	default:
		return s, fmt.Errorf("--placement %q, want inline or memory", f.placement)
	}
	return s, s.Validate()
}

// clusterCodecs are the codecs as the cluster model takes them.
func clusterCodecs(list []presets.Codec) []cluster.Codec {
	var codecs []cluster.Codec
	for i := range list {
		codecs = append(codecs, list[i].Codec)
	}
	return codecs
}

// setOverlap reads the parts of --overlap.
func setOverlap(e *cluster.Efficiency, parts []string) error {
	kinds := map[string]*float64{"dp": &e.DPOverlap, "tp": &e.TPOverlap, "pp": &e.PPOverlap, "param": &e.ParamOverlap}
	for _, p := range parts {
		kind, value, _ := strings.Cut(p, "=")
		v, err := strconv.ParseFloat(value, 64)
		if kinds[kind] == nil || err != nil || !(v >= 0 && v <= 1) {
			return fmt.Errorf("--overlap: %q, want dp, tp, pp or param = a fraction from 0 to 1", p)
		}
		*kinds[kind] = v
	}
	return nil
}

var layoutPart = regexp.MustCompile(`^(dp|pp|tp|cp|mb|v|zero)(\d{1,7})$`)

// parseLayout reads "dp4,pp2,tp1,mb1,v1,full,sp,zero1", any part of it.
func parseLayout(s string) (cluster.Space, error) {
	var sp cluster.Space
	if s == "" {
		return sp, nil
	}
	seen := map[string]bool{}
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		key := part
		m := layoutPart.FindStringSubmatch(part)
		var n int
		if m != nil {
			key = m[1]
			n, _ = strconv.Atoi(m[2])
			if n < 1 && key != "zero" || key == "zero" && n > 3 {
				return sp, fmt.Errorf("--layout: %s is out of range", part)
			}
		}
		var r cluster.Recompute
		isRecompute := r.UnmarshalText([]byte(part)) == nil
		if isRecompute {
			key = "recompute"
		}
		if key == "nosp" {
			key = "sp"
		}
		if seen[key] {
			return sp, fmt.Errorf("--layout: %s twice", key)
		}
		seen[key] = true
		switch {
		case isRecompute:
			sp.Recompute = &r
		case key == "sp":
			on := part == "sp"
			sp.SequenceParallel = &on
		case m == nil:
			return sp, fmt.Errorf("--layout: %q is none of dpN, ppN, tpN, cpN, mbN, vN, none, selective, full, sp, nosp, zeroN", part)
		case key == "dp":
			sp.DP = n
		case key == "pp":
			sp.PP = n
		case key == "tp":
			sp.TP = n
		case key == "cp":
			sp.CP = n
		case key == "mb":
			sp.Microbatch = n
		case key == "v":
			sp.Interleave = n
		case key == "zero":
			sp.ZeRO = &n
		}
	}
	return sp, nil
}
