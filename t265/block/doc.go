// Package block is the arithmetic of one block of ITU-T H.265 (v4, 12/2016) as
// package t265 uses it: 4:0:0, 8 bit, intra. Its functions compute samples,
// coefficients, levels, contexts and rates from arguments alone. They keep no
// state between calls and read or write no stream; scratch belongs to the
// caller.
//
// In the order of the encoder's dataflow:
//
//	geometry.go           where a block lies, which neighbours precede it
//	ref.go, intra.go      reference samples, prediction
//	open.go, mpm.go       decisions on source samples in tier hw, coding of the mode
//	dct.go                residual, forward transforms
//	scan.go, levels.go    order of coefficients, levels in coding order
//	quant.go, cost.go     quantiser of tier hw, costs for its decisions
//	dequant.go, idct.go   scaling, inverse transforms
//	recon.go              prediction plus residual
//	context.go            context variables
//	residual.go           binarisation of residual_coding
//	odds.go, rate.go      estimates of rates in tier rdo
//	trellis.go            quantiser of tier rdo
//	difference.go         differences of samples
//	block4.go             4x4 blocks in one array
//
// A raster of n by n samples or coefficients has n values to a row unless a
// stride is given. "s16" is a signed value of 16 bits.
package block
