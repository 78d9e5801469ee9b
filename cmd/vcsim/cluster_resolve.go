package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// A clusterRun is a command line resolved into what the model takes.
type clusterRun struct {
	flags   *clusterFlags
	model   config.Row[cluster.Model]
	gpu     config.Row[cluster.GPU]
	effFrom string // which constant set serves
	job     cluster.Job
	space   cluster.Space
	power   cluster.Power
	codecs  []presets.Codec
	skipped []string // codecs left out, with the reason
}

// resolve checks every flag and looks up the presets.
func (f *clusterFlags) resolve(changed func(flag string) bool) (*clusterRun, error) {
	r := &clusterRun{flags: f}
	var err error
	if r.model, err = presets.Model(f.model); err != nil {
		return nil, err
	}
	if r.gpu, err = presets.GPU(f.gpu); err != nil {
		return nil, err
	}
	if f.stack == "" {
		if f.stack, err = presets.DefaultStack(f.gpu, f.precision); err != nil {
			return nil, err
		}
	}
	switch f.precision {
	case "", "bf16":
	case "fp8":
		if r.gpu.Value.FP8TFLOPS == nil {
			return nil, fmt.Errorf("--precision fp8: no FP8 rate is known of %s", f.gpu)
		}
		r.gpu.Value.PeakTFLOPS = *r.gpu.Value.FP8TFLOPS
	default:
		return nil, fmt.Errorf("--precision %q, want bf16 or fp8", f.precision)
	}
	var eff cluster.Efficiency
	if eff, r.effFrom, err = presets.Efficiency(f.gpu, f.stack); err != nil {
		return nil, err
	}
	if f.flash {
		eff.Flash = true
	}
	if err := setOverlap(&eff, f.overlap); err != nil {
		return nil, err
	}
	if f.latency > 0 {
		eff.InterUS = float64(f.latency) * 1e6
	}
	const mostGPUs = 1 << 20
	for _, v := range []struct {
		flag     string
		value, n int
	}{{"gpus", f.gpus, mostGPUs}, {"gpus-per-node", f.perNode, 1 << 10}, {"batch", f.batch, 1 << 24}, {"instances", f.instances, 1 << 16}} {
		if v.value < 1 || v.value > v.n {
			return nil, fmt.Errorf("--%s is %d, want 1 to %d", v.flag, v.value, v.n)
		}
	}
	for _, v := range []struct {
		flag       string
		value, max float64
	}{{"bits-grad", f.bitsGrad, 16}, {"bits-act", f.bitsAct, 16}, {"bits-actgrad", f.bitsActGrad, 16}, {"bits-param", f.bitsParam, 16}} {
		if !(v.value >= 0.01 && v.value <= v.max) {
			return nil, fmt.Errorf("--%s is %v, want 0.01 to %v bits a value", v.flag, v.value, v.max)
		}
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"warmup", f.warmup}, {"idle-fraction", f.idle}} {
		if !(v.value >= 0 && v.value <= 1) {
			return nil, fmt.Errorf("--%s is %v, want 0 to 1", v.flag, v.value)
		}
	}
	bits := cluster.Bits{cluster.Grad: f.bitsGrad, cluster.Act: f.bitsAct, cluster.ActGrad: f.bitsActGrad, cluster.Param: f.bitsParam}
	if changed("ratio") {
		if !(f.ratio >= 1 && f.ratio <= 1000) {
			return nil, fmt.Errorf("--ratio is %v, want 1 to 1000", f.ratio)
		}
		for _, b := range []string{"bits-grad", "bits-act", "bits-actgrad", "bits-param", "bits-weights", "bits-kv"} {
			if changed(b) {
				return nil, fmt.Errorf("give --ratio or --%s, not both", b)
			}
		}
		bits = cluster.UniformBits(f.ratio)
	}
	if r.space, err = parseLayout(f.layout); err != nil {
		return nil, err
	}
	r.space.GPUs = f.gpus

	seq := int(f.seq)
	if seq == 0 {
		seq = r.model.Value.Seq
	}
	inter := float64(f.bw) / 8
	net := cluster.FlatNetwork(inter)
	if f.perNode > 1 {
		intra := float64(f.intraBW) / 8
		if intra == 0 {
			intra = max(r.gpu.Value.NVLinkGBPerS, r.gpu.Value.PCIeGBPerS) * 1e9
		}
		net = cluster.NodeNetwork(f.perNode, intra, inter)
	} else if f.intraBW != 0 {
		return nil, errors.New("--intra-bw needs --gpus-per-node above 1")
	}
	// The user's rate is what the link gives: the sets' fraction of a nominal
	// rate is not taken off again.
	eff.InterFraction, eff.InterCapGB = 1, 0
	r.job = cluster.Job{Model: r.model.Value, GPU: r.gpu.Value, Eff: eff, Net: net, Seq: seq, GlobalBatch: f.batch}
	if f.ckptSteps != 0 {
		if f.ckptSteps < 0 || f.ckptSteps > 1e9 {
			return nil, fmt.Errorf("--ckpt-steps is %d, want 1 to 1000000000", f.ckptSteps)
		}
		if f.ckptBW == 0 {
			return nil, errors.New("--ckpt-steps needs --ckpt-bw, as in 5GB/s")
		}
		ratio, err := checkpointRatio(f.ckptRatio)
		if err != nil {
			return nil, err
		}
		r.job.Checkpoint = cluster.Checkpoint{Steps: f.ckptSteps, BytesPerSecond: float64(f.ckptBW) / 8, Ratio: ratio}
	} else if changed("ckpt-bw") || changed("ckpt-ratio") {
		return nil, errors.New("--ckpt-bw and --ckpt-ratio need --ckpt-steps")
	}

	reading := codecpoint.PerValue
	if f.paper {
		reading = codecpoint.PerBit
	}
	if r.power, err = presets.Power(&r.gpu.Value, reading); err != nil {
		return nil, err
	}
	r.power.IdleFraction = f.idle
	table, err := presets.Engines()
	if err != nil {
		return nil, err
	}
	o := presets.CodecOptions{Bits: bits, Serial: f.serial, Warmup: f.warmup, Point: codecpoint.Options{Table: table, Instances: f.instances, Reading: reading, Video: presets.Video(f.gpu, &r.gpu.Value)}}
	o.Point.Video.Force = f.forceNVENC
	if err := o.Bypass.UnmarshalText([]byte(f.bypass)); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	switch f.nvencReading {
	case "pixels":
	case "fp16":
		o.Point.Video.Pixel = codecpoint.PixelFP16
	default:
		return nil, fmt.Errorf("--nvenc-reading %q, want pixels or fp16", f.nvencReading)
	}
	names := f.codecs
	if len(names) == 0 {
		names = codecpoint.Defaults(r.gpu.Value.NVENC > 0, f.workload != "infer")
		if r.gpu.Value.NVENC == 0 {
			r.skipped = append(r.skipped, "nvenc is left out: "+f.gpu+" has no video encoder (--force-nvenc --codec nvenc for a hypothetical one).")
		}
	}
	for _, n := range names {
		p, err := o.Codec(n)
		if err != nil {
			return nil, err
		}
		r.codecs = append(r.codecs, p)
	}
	return r, nil
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

// clusterCodecs are the codecs as the cluster model takes them.
func clusterCodecs(list []presets.Codec) []cluster.Codec {
	var codecs []cluster.Codec
	for i := range list {
		codecs = append(codecs, list[i].Codec)
	}
	return codecs
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
