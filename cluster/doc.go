// Package cluster is an analytical model of distributed training: given a
// transformer, an accelerator, a network, a parallel layout and a tensor codec
// it predicts the time, the memory and the energy of one optimizer step.
//
// The model is a sum of explicit terms. Matrix multiplications run at a
// size-dependent fraction of the peak ([Efficiency]); element-wise work is
// bound by memory traffic; kernels cost a launch. Tensor parallelism adds
// collectives to every layer, pipeline parallelism a bubble and point-to-point
// messages (1F1B, plain or interleaved), data parallelism a gradient reduction
// (ZeRO stages 0 to 3). A codec shortens the wire time of a message and is a
// resource of its own beside compute and wire ([Codec]).
//
// Units: seconds, bytes, bits, values. A value is one tensor element; payload
// is the uncompressed 16-bit tensor; wire is what the link carries. Rates of
// links are bytes of wire, rates of codecs bits of payload, per second, per GPU
// and per direction.
//
// Sources of the formulas: Narayanan et al., SC21 (arXiv 2104.04473) for the
// pipeline schedules and the FLOP count; Korthikanti et al. 2022 (arXiv
// 2205.05198) for the activation memory, sequence parallelism and selective
// recomputation; Rajbhandari et al. 2020 (arXiv 1910.02054) for ZeRO; Thakur
// et al. 2005 for the collectives; Tang et al. 2021 (arXiv 2102.02888) for the
// gather-style compressed all-reduce.
package cluster
