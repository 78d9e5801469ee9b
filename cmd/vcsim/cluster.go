package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
	rates             linkRates
	bw, intraBW       config.BitsPerSecond // bw: the rate of rates where there is one
	gpus, perNode     int
	between           networkFlags
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
	lanes, values                             int
	clock                                     config.Hertz
	placement                                 string
	ratio                                     float64
	bitsGrad, bitsAct, bitsActGrad, bitsParam float64
	snr                                       config.Decibels
	warmup                                    float64
	serial                                    bool
	bypass                                    string
	nvencReading                              string
	forceNVENC                                bool

	paper   bool
	idle    float64
	explain bool
	points  bool
	plot    string
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
			"  vcsim cluster --model llama3-70b --gpu h100-sxm --gpus 512 --gpus-per-node 8 --bw 100Gbps --codec t264,ideal --ratio 5 --json\n" +
			"  vcsim cluster --model llama2-7b --bw 1Gbps --layout dp4,pp8 --codec t264 --paper --explain\n" +
			"  vcsim cluster --workload infer --model llama3-70b --context 128k --gpus 4 --mem 8GiB --bits-weights 2.88 --bits-kv 2.9 --bits-act 3.5 --bw 10Gbps",
		Args: wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.file != "" {
				if err := setFromFile(cmd, f.file); err != nil {
					return err
				}
				if err := a.claim(cmd, nil); err != nil {
					return err
				}
			}
			if len(f.rates.list) > 0 {
				f.bw = config.BitsPerSecond(f.rates.list[0])
			}
			for _, name := range []string{"model", "bw"} {
				if !cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is needed, as in: vcsim cluster --model llama2-7b --bw 10Gbps", name)
				}
			}
			switch f.workload {
			case "train":
				if name, _ := foreignFlag(cmd.Flags(), flagWorkload, f.workload); name != "" {
					return fmt.Errorf("--%s is of --workload infer", name)
				}
				return interruptible(cmd.Context(), func() error { return a.cluster(cmd, &f) })
			case "infer":
				if name, _ := foreignFlag(cmd.Flags(), flagWorkload, f.workload); name != "" {
					return fmt.Errorf("--%s is of training, not of --workload infer", name)
				}
				return interruptible(cmd.Context(), func() error { return a.infer(cmd, &f) })
			}
			return fmt.Errorf("--workload %q, want train or infer", f.workload)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVarP(&f.file, "file", "f", "", "YAML file of flags by their long names (vcsim init writes one); the command line wins")
	fs.StringVar(&f.model, "model", "", "model preset (vcsim list models), a Hugging Face config.json, or a YAML file with a preset's fields")
	fs.Var(&f.rates, "bw", "link rate per GPU and per direction, as in 10Gbps; several, as in 1Gbps,10Gbps or 1Gbps:400Gbps:log10 (10 rates, evenly spaced by ratio; linN: by difference), give a table and a chart")
	fs.StringVar(&f.gpu, "gpu", "rtx3090", "GPU preset (vcsim list gpus), or a YAML file with a preset's fields")
	fs.StringVar(&f.precision, "precision", "bf16", "of the linear layers' products: bf16 (or fp16), fp8, mxfp8 or nvfp4 where the GPU has them; attention, head and traffic stay 16 bits a value")
	fs.IntVar(&f.gpus, "gpus", 32, "number of GPUs")
	fs.IntVar(&f.perNode, "gpus-per-node", 0, "GPUs joined inside a node by faster links (default: as many as the GPU's usual machine has; 1 for --workload infer)")
	fs.Var(&f.intraBW, "intra-bw", "rate of those links, per GPU and per direction (default: the GPU's NVLink, else PCIe)")
	f.between.add(fs)
	fs.IntVar(&f.batch, "batch", 0, "sequences per optimizer step, all GPUs together (default: the tokens a step with which the model was trained, 4 M where that is not published; 1 for --workload infer)")
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
	fs.StringVar(&f.layout, "layout", "", "hold parts of the layout: any of dpN, ppN, tpN, cpN, mbN, vN, none or selective or full, sp or nosp, zeroN, as in dp4,pp8; cp is 1 unless given")
	fs.StringSliceVar(&f.codecs, "codec", nil, "codecs to compare: "+strings.Join(presets.CodecNames(), ", ")+" (rtn-K for K bits, rtn-K-gN with a scale for N values; CODEC@FORMAT at the error of a format, CODEC=FORMAT at its bits), or a YAML file of one's own")
	fs.IntVar(&f.instances, "instances", 0, "encoder and decoder instances per GPU (default: of t264 the fewest that carry the link without slowing it, of the paper's codecs the 13 that make 100 Gbps of payload)")
	fs.IntVar(&f.lanes, "lanes", codecpoint.DefaultSpec("t264").Lanes, "CABAC lanes of a t264 encoder, 1 to 48")
	fs.IntVar(&f.values, "values", codecpoint.DefaultSpec("t264").Values, "values a cycle of its pixel path, 4 or 8")
	fs.Var(&f.clock, "clock", "its clock and that of the decoder, as in 1GHz (default: what timing allows, less an allowance for layout)")
	fs.StringVar(&f.placement, "placement", "inline", "where t264 stands: inline, or memory (to memory: the stream is written and read again, at the energy of HBM)")
	fs.Float64Var(&f.bitsGrad, "bits-grad", 2.6, "bits a value of weight gradients (paper: 2.6)")
	fs.Float64Var(&f.bitsAct, "bits-act", 3.5, "bits a value of activations (paper: 3.5)")
	fs.Float64Var(&f.bitsActGrad, "bits-actgrad", 10.1, "bits a value of activation gradients (paper: 10.1)")
	fs.Float64Var(&f.bitsParam, "bits-param", 16, "bits a value of gathered parameters (ZeRO)")
	fs.Var(&f.snr, "snr", "instead of the paper's bits those that were measured for this signal-to-noise ratio, as in 20dB: of T.264 and T.265 (tier hw) on planes of each class; gathered parameters keep theirs")
	fs.Float64Var(&f.ratio, "ratio", 0, "one compression ratio for all traffic, instead of bits")
	fs.Float64Var(&f.warmup, "warmup", 0, "fraction of the steps that run uncompressed, for codecs and ideal")
	fs.BoolVar(&f.serial, "serial", false, "encode, send and decode one after the other instead of in chunks side by side")
	fs.StringVar(&f.bypass, "bypass", "auto", "when messages go around the codec: auto (where that is faster), always, never")
	fs.StringVar(&f.nvencReading, "nvenc-reading", "pixels", "what NVENC's 900 MB/s are: pixels (8 bit, one value each: 14.4 Gbps) or fp16 (payload bytes: 7.2 Gbps)")
	fs.BoolVar(&f.forceNVENC, "force-nvenc", false, "allow nvenc on a GPU that has no video encoder")
	fs.BoolVar(&f.paper, "paper", false, "take the paper's energy constants as printed (Table II: 5120 for the network, 97.8 + 63.5 for T.264, ...)")
	fs.Float64Var(&f.idle, "idle-fraction", 0, "share of the board power that a waiting GPU draws, 0 to 1")
	fs.BoolVar(&f.explain, "explain", false, "print each formula with its numbers and each constant's source")
	fs.StringVar(&f.plot, "plot", "", "with several --bw: draw the speedups over the rates to this .png or .svg")
	markOutputs(fs, "plot")
	fs.BoolVar(&f.points, "points", false, "print every layout searched, and why the infeasible ones are")
	reserveFlags(fs, flagWorkload, "infer", "context", "prompt", "mem", "bits-weights", "bits-kv")
	reserveFlags(fs, flagWorkload, "train", "layout", "bits-grad", "bits-actgrad", "bits-param", "warmup", "points", "explain", "overlap", "plot")
	for flag, kind := range map[string]string{"model": "models", "gpu": "gpus"} {
		if err := cmd.RegisterFlagCompletionFunc(flag, completePresets(kind)); err != nil {
			panic(err) // the flag is defined above
		}
	}
	complete := func(names []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	}
	for flag, names := range map[string][]string{"codec": presets.CodecNames(), "bypass": {"auto", "always", "never"}, "workload": {"train", "infer"}, "precision": {"bf16", "fp8", "mxfp8", "nvfp4"}, "nvenc-reading": {"pixels", "fp16"}} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete(names)); err != nil {
			panic(err)
		}
	}
	if err := f.between.complete(cmd); err != nil {
		panic(err)
	}
	return cmd
}

func (a *app) cluster(cmd *cobra.Command, f *clusterFlags) error {
	r, err := f.resolve(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	if len(f.rates.list) > 1 {
		return r.infeasible(a.sweep(cmd.Context(), r))
	}
	if f.plot != "" {
		return errors.New("--plot draws speedups over link rates: give several, as in --bw 1Gbps:400Gbps:log10")
	}
	var points []searchPoint
	var visit func(*cluster.Step, error)
	if f.points {
		visit = func(st *cluster.Step, reason error) { points = append(points, searchPoint{*st, reason}) }
	}
	found, err := r.setting().Compare(visit)
	if err != nil {
		return r.infeasible(err)
	}
	if r.measured, err = presets.MeasuredSteps(); err != nil {
		return err
	}
	a.resolve("seq", r.job.Seq)
	a.resolve("layout", found.Base.Layout)
	return a.print(r.result(found, points))
}

// infeasible makes an exit of a job that fits nowhere.
func (r *clusterRun) infeasible(err error) error {
	var infeasible *cluster.InfeasibleError
	if errors.As(err, &infeasible) {
		return &exitError{exitMismatch, fmt.Errorf("%s on %d x %s: %w", r.flags.model, r.flags.gpus, r.flags.gpu, err)}
	}
	return err
}

type searchPoint struct {
	step   cluster.Step
	reason error
}
