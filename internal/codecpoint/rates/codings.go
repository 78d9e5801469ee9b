package main

import (
	"fmt"
	"io"
	"math"

	"vcsim/internal/tensorcodec"
)

// quantisers are the QPs of the table of codings: three double the step.
var quantisers = []float64{4, 8, 12, 16, 20, 23, 26, 29, 32, 35, 38, 41, 44, 48}

// gradientPlanes are those of the activations that are their gradients: they are a class of their own in the table of codings.
const gradientPlanes, gradientClass = "actgrad_b2", "activation gradients"

// codings codes every plane in software, tier hw, in the frames of the rates.
func codings(w io.Writer, dir string) error {
	fmt.Fprintf(w, "# software codecs, tier hw, frames of at most %dx%d: bits of the whole stream, mean squared error over the variance of the codes, bins of the arithmetic coder; all a value\n", side, side)
	fmt.Fprintln(w, "codec,class,plane,qp,bits,nmse_db,regular_bins,bypass_bins")
	for _, name := range []string{"t264", "t265"} {
		codec, err := tensorcodec.Lookup(name)
		if err != nil {
			return err
		}
		for _, class := range classes {
			for _, plane := range class.planes {
				data, grid, err := load(dir, plane)
				if err != nil {
					return err
				}
				of := class.name
				if plane == gradientPlanes {
					of = gradientClass
				}
				for _, qp := range quantisers {
					c, err := tensorcodec.EncodePlane(data, grid, tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}})
					if err != nil {
						return fmt.Errorf("%s: %w", plane, err)
					}
					n := float64(len(data))
					fmt.Fprintf(w, "%s,%s,%s,%g,%.3f,%.3f,%.3f,%.3f\n", name, of, plane, qp, 8*float64(len(c.Stream))/n, nmse(data, c.Recon), float64(c.Bins.Regular)/n, float64(c.Bins.Bypass)/n)
				}
			}
		}
	}
	return nil
}

// nmse is the mean squared error over the variance, in dB.
func nmse(plane, recon []byte) float64 {
	mean, variance, errors := 0.0, 0.0, 0.0
	for _, v := range plane {
		mean += float64(v) / float64(len(plane))
	}
	for i, v := range plane {
		d, e := float64(v)-mean, float64(v)-float64(recon[i])
		variance, errors = variance+d*d, errors+e*e
	}
	return 10 * math.Log10(errors/variance)
}
