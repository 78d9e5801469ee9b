package presets

import (
	"fmt"
	"math"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
)

// ReferenceSNR is the signal-to-noise ratio in dB at which measured bits stand beside those of a job that names none.
const ReferenceSNR = 20

// A Traffic is a class of traffic with its bits a value: those of the job, those of the paper, and those that were measured.
type Traffic struct {
	Class string   `json:"class"`                // of traffic
	Bits  float64  `json:"job_bits_per_value"`   // of the job; 16: not compressed
	From  string   `json:"bits_from"`            // the paper, a flag, or what was measured
	Paper *float64 `json:"paper_bits_per_value"` // with which the paper trains; null where it does not compress the class

	// What the software codecs (tier hw) measured on planes of the class: the error at the job's bits, and the bits at a stated error.
	T264DB   *float64 `json:"t264_nmse_db"`        // error of T.264 at the job's bits; null beyond what was measured
	T265DB   *float64 `json:"t265_nmse_db"`        // error of T.265 at the job's bits; null beyond what was measured
	T264Bits *float64 `json:"t264_bits_per_value"` // that T.264 needs for the stated error; null beyond what was measured
	T265Bits *float64 `json:"t265_bits_per_value"` // that T.265 needs for the stated error; null beyond what was measured
	Stated   float64  `json:"nmse_db"`             // the stated error: --snr, else -20 dB
	Planes   []string `json:"planes"`              // on which these were measured
	File     string   `json:"file"`                // of the repository that has what was measured
	Command  string   `json:"command"`             // that renews the file
}

// trafficClasses are the classes of traffic: the class of planes, the flag of their bits, and the bits with which the paper trains (section V).
var trafficClasses = [codecpoint.MaxClasses]struct {
	name, planes, flag string
	paper              float64
}{
	cluster.Grad:    {"weight gradients", "gradients", "bits-grad", 2.6},
	cluster.Act:     {"activations", "activations", "bits-act", 3.5},
	cluster.ActGrad: {"activation gradients", codecpoint.ActivationGradients, "bits-actgrad", 10.1},
	cluster.Param:   {"gathered parameters", "weights", "bits-param", 0},
}

// BitsAtSNR are the bits a value that a codec (t264 or t265, tier hw) needs for a signal-to-noise ratio in dB, measured on planes of each class. Gathered
// parameters keep those that they have.
func BitsAtSNR(codec string, snr float64, b cluster.Bits) (cluster.Bits, error) {
	for class, c := range trafficClasses {
		if class == int(cluster.Param) {
			continue
		}
		m, err := codecpoint.BitsAt(codec, c.planes, -snr)
		if err != nil {
			return b, fmt.Errorf("%s: %w", c.name, err)
		}
		b[class] = m.Value
	}
	return b, nil
}

// ClassBits is what a codec needs on a class of planes (weights, gradients, activations, caches) for a signal-to-noise ratio in dB.
func ClassBits(codec, class string, snr float64) (float64, error) {
	m, err := codecpoint.BitsAt(codec, class, -snr)
	return m.Value, err
}

// MeasuredCodec is the codec whose measured bits a codec of a name takes: T.265 for codecs of H.265, T.264 for all others that take the job's.
func MeasuredCodec(name string) string {
	if strings.Contains(name, "265") || name == "nvenc" {
		return "t265"
	}
	return "t264"
}

// TrafficBits sets out the bits of a job by class of traffic. Snr is the signal-to-noise ratio in dB that the user asks for, 0 for none; changed tells which
// flags the user gave.
func TrafficBits(b cluster.Bits, snr float64, ratio bool, changed func(flag string) bool) (list []Traffic, err error) {
	stated := snr
	if stated == 0 {
		stated = ReferenceSNR
	}
	for class, c := range trafficClasses {
		t := Traffic{Class: c.name, Bits: b[class], From: "the paper", Stated: -stated, File: codecpoint.CodingsFile, Command: codecpoint.CodingsCommand}
		if c.paper > 0 {
			t.Paper = &c.paper
		}
		switch {
		case ratio:
			t.From = "--ratio"
		case changed(c.flag):
			t.From = "--" + c.flag
		case snr > 0 && class != int(cluster.Param):
			t.From = fmt.Sprintf("measured at %.4g dB", -snr)
		case b[class] >= cluster.PayloadBits:
			t.From = "not compressed"
		}
		for _, codec := range []struct {
			name     string
			db, bits **float64
		}{{"t264", &t.T264DB, &t.T264Bits}, {"t265", &t.T265DB, &t.T265Bits}} {
			at, ok, err := codecpoint.ErrorAt(codec.name, c.planes, b[class])
			if err != nil {
				return nil, err
			}
			if ok && !math.IsInf(at.Value, 0) {
				*codec.db = &at.Value
			}
			if bits, err := codecpoint.BitsAt(codec.name, c.planes, -stated); err == nil {
				*codec.bits, t.Planes = &bits.Value, bits.Planes
			} else if t.Planes == nil {
				t.Planes = at.Planes
			}
		}
		if t.Planes == nil {
			t.Planes = []string{}
		}
		list = append(list, t)
	}
	return list, nil
}
