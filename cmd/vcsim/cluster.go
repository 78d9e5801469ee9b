package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// clusterFlags is the command line of `vcsim cluster`.
type clusterFlags struct {
	file              string
	precision         string
	model, gpu, stack string
	bw, intraBW       config.BitsPerSecond
	gpus, perNode     int
	batch             int
	seq               config.Tokens
	layout            string
	flash             bool

	workload            string
	context, prompt     config.Tokens
	mem                 config.Bytes
	bitsWeights, bitsKV float64

	overlap []string
	latency config.Seconds

	ckptSteps int
	ckptBW    config.BitsPerSecond
	ckptRatio string

	codecs                                    []string
	instances                                 int
	ratio                                     float64
	bitsGrad, bitsAct, bitsActGrad, bitsParam float64
	warmup                                    float64
	serial                                    bool
	bypass                                    string
	nvencReading                              string
	forceNVENC                                bool

	paper   bool
	idle    float64
	explain bool
	points  bool
}

func newClusterCommand(a *app) *cobra.Command {
	var f clusterFlags
	cmd := &cobra.Command{
		Use:   "cluster {--model MODEL --bw RATE | -f FILE}",
		Short: "What a tensor codec buys for training a model on a cluster",
		Long: "cluster --workload train (the default) searches the fastest layout (DP, PP, TP, micro-batch, interleave, recomputation, ZeRO) that fits in memory,\n" +
			"prints where the time of a step goes, and for each codec the speedup (at its own best layout and at that of the\n" +
			"uncompressed job), the energy, the area, and the link rates between which it pays.\n\n" +
			"--workload infer serves the model from a pipeline of devices, weights, KV cache and activations each compressed.",
		Example: "  vcsim cluster --model llama2-7b --bw 10Gbps\n" +
			"  vcsim cluster --model llama3-70b --gpu h100-sxm --gpus 512 --gpus-per-node 8 --bw 100Gbps --codec t265,ideal --ratio 5 --json\n" +
			"  vcsim cluster --model llama2-7b --bw 1Gbps --layout dp4,pp8 --codec t264 --paper --explain\n" +
			"  vcsim cluster --workload infer --model llama3-70b --context 128k --gpus 4 --mem 8GiB --bits-weights 2.88 --bits-kv 2.9 --bits-act 3.5 --bw 10Gbps",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.file != "" {
				if err := setFromFile(cmd, f.file); err != nil {
					return err
				}
				if err := a.claim(cmd, nil); err != nil {
					return err
				}
			}
			for _, name := range []string{"model", "bw"} {
				if !cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is needed, as in: vcsim cluster --model llama2-7b --bw 10Gbps", name)
				}
			}
			switch f.workload {
			case "train":
				if err := refuseFlags(cmd, "infer: "); err != nil {
					return err
				}
				return interruptible(cmd.Context(), func() error { return a.cluster(cmd, &f) })
			case "infer":
				return interruptible(cmd.Context(), func() error { return a.infer(cmd, &f) })
			}
			return fmt.Errorf("--workload %q, want train or infer", f.workload)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVarP(&f.file, "file", "f", "", "YAML file of flags by their long names (vcsim init writes one); the command line wins")
	fs.StringVar(&f.model, "model", "", "model preset (vcsim list models), a Hugging Face config.json, or a YAML file with a preset's fields")
	fs.Var(&f.bw, "bw", "link rate per GPU and per direction, as in 10Gbps")
	fs.StringVar(&f.gpu, "gpu", "rtx3090", "GPU preset (vcsim list gpus)")
	fs.StringVar(&f.precision, "precision", "bf16", "of matrix products: bf16 (or fp16), or fp8 where the GPU's rate is known; traffic stays 16 bits a value")
	fs.IntVar(&f.gpus, "gpus", 32, "number of GPUs")
	fs.IntVar(&f.perNode, "gpus-per-node", 1, "GPUs joined inside a node by faster links")
	fs.Var(&f.intraBW, "intra-bw", "rate of those links, per GPU and per direction (default: the GPU's NVLink, else PCIe)")
	fs.IntVar(&f.batch, "batch", 64, "sequences per optimizer step, all GPUs together")
	fs.Var(&f.seq, "seq", "tokens per sequence (default: the model's)")
	fs.StringVar(&f.workload, "workload", "train", "train, or infer: serve the model from a pipeline of --gpus devices")
	fs.Var(&f.context, "context", "infer: tokens per sequence when the cache is full; 128k = 131072 (default: the model's)")
	fs.Var(&f.prompt, "prompt", "infer: tokens of the prompt (default: the context)")
	fs.Var(&f.mem, "mem", "infer: memory of a device, as in 8GiB (default: the GPU's)")
	fs.Float64Var(&f.bitsWeights, "bits-weights", 2.88, "infer: bits a value of weights (paper: 2.88)")
	fs.Float64Var(&f.bitsKV, "bits-kv", 2.9, "infer: bits a value of the KV cache (paper: 2.9)")
	fs.StringVar(&f.stack, "stack", "", "software stack whose measured efficiency is used (vcsim list stacks; default megatron-core, megatron-bridge for fp8, where the GPU has it, else megatron-lm)")
	fs.BoolVar(&f.flash, "flash", false, "fused attention even where the stack's measurements had none: the score matrix is not kept")
	fs.StringSliceVar(&f.overlap, "overlap", nil, "part of a kind of traffic that may hide under compute, as in dp=0.5,tp=0,pp=0,param=0.3 (default: the stack's)")
	fs.Var(&f.latency, "latency", "latency of a hop between GPUs on the --bw link, as in 5us (default: the stack's)")
	fs.IntVar(&f.ckptSteps, "ckpt-steps", 0, "write a checkpoint every so many steps, while training waits (default: never)")
	fs.Var(&f.ckptBW, "ckpt-bw", "rate of the storage it goes to, for the whole job, as in 5GB/s")
	fs.StringVar(&f.ckptRatio, "ckpt-ratio", "1", "its lossless compression ratio, or a packed snapshot that has it")
	fs.StringVar(&f.layout, "layout", "", "hold parts of the layout: any of dpN,ppN,tpN,cpN,mbN,vN,none|selective|full,sp|nosp,zeroN; cp is 1 unless given")
	fs.StringSliceVar(&f.codecs, "codec", nil, "codecs to compare: "+strings.Join(codecpoint.Names(), ", ")+" (rtn-K for K bits)")
	fs.IntVar(&f.instances, "instances", codecpoint.TableInstances, "encoder and decoder instances per GPU of the paper's codecs; 13 make 100 Gbps of payload")
	fs.Float64Var(&f.bitsGrad, "bits-grad", 2.6, "bits a value of weight gradients (paper: 2.6)")
	fs.Float64Var(&f.bitsAct, "bits-act", 3.5, "bits a value of activations (paper: 3.5)")
	fs.Float64Var(&f.bitsActGrad, "bits-actgrad", 10.1, "bits a value of activation gradients (paper: 10.1)")
	fs.Float64Var(&f.bitsParam, "bits-param", 16, "bits a value of gathered parameters (ZeRO)")
	fs.Float64Var(&f.ratio, "ratio", 0, "one compression ratio for all traffic, instead of bits")
	fs.Float64Var(&f.warmup, "warmup", 0, "fraction of the steps that run uncompressed, for codecs and ideal")
	fs.BoolVar(&f.serial, "serial", false, "encode, send and decode one after the other instead of in chunks side by side")
	fs.StringVar(&f.bypass, "bypass", "auto", "when messages go around the codec: auto (where that is faster), always, never")
	fs.StringVar(&f.nvencReading, "nvenc-reading", "pixels", "what NVENC's 900 MB/s are: pixels (8 bit, one value each: 14.4 Gbps) or fp16 (payload bytes: 7.2 Gbps)")
	fs.BoolVar(&f.forceNVENC, "force-nvenc", false, "allow nvenc on a GPU that has no video encoder")
	fs.BoolVar(&f.paper, "paper", false, "take the paper's energy constants as printed (Table II: 5120 for the network, 97.8 + 63.5 for T.264, ...)")
	fs.Float64Var(&f.idle, "idle-fraction", 0, "share of the board power that a waiting GPU draws, 0 to 1")
	fs.BoolVar(&f.explain, "explain", false, "print each formula with its numbers and each constant's source")
	fs.BoolVar(&f.points, "points", false, "print every layout searched, and why the infeasible ones are")
	for flag, kind := range map[string]string{"model": "models", "gpu": "gpus"} {
		if err := cmd.RegisterFlagCompletionFunc(flag, completePresets(kind)); err != nil {
			panic(err) // the flag is defined above
		}
	}
	complete := func(names []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	}
	for flag, names := range map[string][]string{"codec": codecpoint.Names(), "bypass": {"auto", "always", "never"}, "workload": {"train", "infer"}, "precision": {"bf16", "fp8"}, "nvenc-reading": {"pixels", "fp16"}} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete(names)); err != nil {
			panic(err)
		}
	}
	return cmd
}

// refuseFlags reports a flag that was given and whose usage begins with the name of the other workload.
func refuseFlags(cmd *cobra.Command, other string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && strings.HasPrefix(f.Usage, other) {
			err = fmt.Errorf("--%s is of --workload %s", f.Name, strings.TrimSuffix(other, ": "))
		}
	})
	return err
}

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

func (a *app) cluster(cmd *cobra.Command, f *clusterFlags) error {
	r, err := f.resolve(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	var points []searchPoint
	var visit func(*cluster.Step, error)
	if f.points {
		visit = func(st *cluster.Step, reason error) { points = append(points, searchPoint{*st, reason}) }
	}
	study, err := cluster.Compare(r.job, &r.space, clusterCodecs(r.codecs), &r.power, visit)
	if err != nil {
		var infeasible *cluster.InfeasibleError
		if errors.As(err, &infeasible) {
			return &exitError{exitMismatch, fmt.Errorf("%s on %d x %s: %w", f.model, f.gpus, f.gpu, err)}
		}
		return err
	}
	steps, err := presets.MeasuredSteps()
	if err != nil {
		return err
	}
	return a.print(r.result(study, cluster.Nearest(&r.job, &study.Base, steps), points))
}

type searchPoint struct {
	step   cluster.Step
	reason error
}
