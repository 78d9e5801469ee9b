package presets

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/baseline"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
)

// What a GPU runs without a codec of its own, beside the number formats: quantised collectives and a lossless coder on the host.
const (
	zeroPP   = "zeropp"
	lossless = "lmc"
)

// The lossless snapshot coder of this project on BF16 values: ratios by class of traffic on real tensors (docs/lmc.md for weights; for the
// others the tensors of the corpus rounded to BF16 and packed by `vcsim snapshot pack`), and the speed of one core (docs/lmc.md, weights).
const (
	losslessWeights, losslessGrads, losslessActs, losslessActGrads = 1.507, 1.429, 1.490, 1.469
	losslessEncode, losslessDecode                                 = 2.24e9, 4.21e9 // bytes a second
	losslessCores                                                  = 8              // a GPU, of its host's
)

// equalError is the bits a value that a codec's tier hw needs for a format's error, by class: means over the real tensors of a model of 4.9 M
// parameters, 14 weight gradients (of which one scale a tensor lets 10 to 12 reach a format of 4 bits), 2 boundaries of a pipeline and their gradients, 42 weights, by
//
//	vcsim compare FILE --codec t265,t264 --tiers hw --rates 3 --peers none --csv --table formats
//
// A class that no tensor reaches is left out: then nothing is said.
var equalError = map[string]cluster.Bits{
	"t265@nvfp4": {cluster.Grad: 3.22, cluster.Act: 3.79, cluster.ActGrad: 3.74, cluster.Param: 3.86},
	"t264@nvfp4": {cluster.Grad: 3.36, cluster.Act: 3.83, cluster.ActGrad: 3.72, cluster.Param: 3.82},
	"t265@mxfp4": {cluster.Grad: 2.75, cluster.Act: 3.27, cluster.ActGrad: 3.39, cluster.Param: 3.55},
	"t264@mxfp4": {cluster.Grad: 2.81, cluster.Act: 3.30, cluster.ActGrad: 3.37, cluster.Param: 3.51},
	"t265@mxfp8": {cluster.Grad: 5.71, cluster.Act: 5.86, cluster.ActGrad: 6.10, cluster.Param: 6.16},
	"t264@mxfp8": {cluster.Grad: 5.92, cluster.Act: 6.00, cluster.ActGrad: 6.27, cluster.Param: 6.07},
}

// CodecNames are the names that [CodecOptions.Codec] takes: codecs, number formats, quantised collectives, a lossless coder, and codecs at the error of a
// format (@) or at its bits (=).
func CodecNames() []string {
	return slices.Concat(codecpoint.Names(), baseline.Names(), []string{zeroPP, lossless, "t264@nvfp4", "t264=nvfp4"})
}

// Alternatives are the rows that a comparison of training has by default beside the codecs.
func Alternatives() []string {
	return []string{"nvfp4", "t264@nvfp4", "mxfp4", "mxfp8", "fp8-block", zeroPP, lossless}
}

// alternative builds what is no codec of its own. ok is false for other names.
func (o *CodecOptions) alternative(name string) (c Codec, ok bool, err error) {
	if at := strings.IndexAny(name, "@="); at > 0 {
		c, err = o.like(name, name[:at], name[at+1:], name[at] == '@')
		return c, true, err
	}
	format, err := baseline.Lookup(name)
	var unknown baseline.UnknownError
	isFormat := !errors.As(err, &unknown)
	if !isFormat && name != zeroPP && name != lossless {
		return c, false, nil
	}
	if isFormat && err != nil {
		return c, true, err
	}
	if o.GPU == nil || o.Eff == nil {
		return c, true, fmt.Errorf("codec %s is of training: its kernels run on the job's GPU", name)
	}
	switch {
	case isFormat:
		bits := format.Nominal()
		reads := float64(format.Passes())
		c.Codec = cluster.Kernel(name, cluster.UniformBits(cluster.PayloadBits/bits), reads, o.GPU, o.Eff)
		c.Source = fmt.Sprintf("%.4g bits with scales; GPU kernels read values %s and convert them before and after each message", bits, times(format.Passes()))
	case name == zeroPP:
		c.Codec = cluster.ZeROPlusPlus(o.GPU, o.Eff)
		c.Source = "ZeRO++ (arXiv 2306.10209): 8-bit weights, 4-bit gradients, a copy of the weights a node; with ZeRO 3 alone it does all three"
	default:
		c.Codec = cluster.Codec{Name: name, EncodeBPS: losslessEncode * 8, DecodeBPS: losslessDecode * 8, Instances: losslessCores, ChunkBytes: 1 << 20,
			Bits: cluster.Bits{cluster.Grad: 16 / losslessGrads, cluster.Act: 16 / losslessActs, cluster.ActGrad: 16 / losslessActGrads, cluster.Param: 16 / losslessWeights}}
		c.Source = fmt.Sprintf("LMC on %d cores of the host a GPU, %.2f/%.2f GB/s each; ratios measured on BF16 tensors (docs/lmc.md)", losslessCores, losslessEncode/1e9, losslessDecode/1e9)
	}
	c.Bypass = o.Bypass
	return c, true, c.Validate()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return "twice"
}

// paper ends the names of tensor codecs whose hardware is the paper's.
const paper = "-paper"

// like is a codec at the error or at the bits of a format.
func (o *CodecOptions) like(name, codec, format string, sameError bool) (Codec, error) {
	f, err := baseline.Lookup(format)
	if err != nil {
		return Codec{}, fmt.Errorf("codec %s: %w%s", name, err, config.DidYouMean(format, baseline.Names()))
	}
	with := *o
	how := fmt.Sprintf("the bits of %s", format)
	with.Bits = cluster.UniformBits(cluster.PayloadBits / f.Nominal())
	if sameError {
		var ok bool
		if with.Bits, ok = equalError[strings.TrimSuffix(codec, paper)+"@"+format]; !ok {
			return Codec{}, fmt.Errorf("codec %s: the bits that %s needs for the error of %s were not measured (vcsim compare does); known are t264 and t265-paper at nvfp4, mxfp4 and mxfp8", name, codec, format)
		}
		how = fmt.Sprintf("the error of %s", format)
	}
	with.Serve(o.Point.Demand.LinkBPS)
	c, err := with.Codec(codec)
	if err != nil {
		return c, err
	}
	if c.Bits != with.Bits {
		return c, fmt.Errorf("codec %s: %s sets its bits itself", name, codec)
	}
	c.Name, c.Basis, c.Source = name, how, "at "+how+"; "+c.Source
	return c, nil
}

// accuracies say what is known of a scheme's accuracy, by name or beginning of a name. What is the paper's is the paper's claim.
var accuracies = []struct{ name, known string }{
	{"none", "exact"},
	{lossless, "exact"},
	{"nvfp4", "12 B parameters over 10 T tokens within 1.5 % of FP8's loss with NVFP4 products (arXiv 2509.25149); as traffic not published"},
	{"mxfp4", "weights of MXFP4 with activations of MXFP6 train close to FP32 (arXiv 2310.10537); as traffic not published"},
	{"mxfp8", "trains as BF16 with MXFP8 products, 8 B over 15 T tokens (arXiv 2506.08027); as traffic not published"},
	{"fp8-block", "loss within 0.25 % of BF16's with products of 1x128 tiles, 671 B (arXiv 2412.19437)"},
	{"fp8", "8-bit gradients with one scale a tensor train as BF16, 7 to 175 B (arXiv 2310.18313)"},
	{zeroPP, "loss as ZeRO-3's, 350 M and 13 B (arXiv 2306.10209)"},
	{"1bit-", "BERT converges as with Adam after the warm-up (arXiv 2102.02888); other models not known"},
	{"rtn-", "not published for training traffic"},
	{"ideal", "none of its own: a ratio"},
	{"", "the paper claims no loss at 2.6 bits for gradients and 3.5 for activations (arXiv 2407.00467); not measured here"},
}

// Accuracy says what is known of the accuracy that training keeps with a codec of a name.
func Accuracy(name string) string {
	if at := strings.IndexAny(name, "@="); at > 0 {
		if name[at] == '@' {
			return "error as " + name[at+1:] + " on the tensors compared; training not measured"
		}
		name = name[:at]
	}
	for _, a := range accuracies {
		if strings.HasPrefix(name, a.name) {
			return a.known
		}
	}
	return ""
}
