// Package lmc stores safetensors checkpoints without loss: byte planes with Huffman codes, and differences between
// snapshots ("Lossless Compression for LLM Tensor Incremental Snapshots", arXiv 2505.09810, is where the idea comes from).
//
// A tensor is cut into blocks of [BlockValues] values, a block into one plane per byte of a value. A plane is stored raw,
// as one byte, as four Huffman streams that are decoded together, by tANS, or as its commonest byte with the exceptions; rows that
// repeat and values that are zero are taken out of a block beforehand where that pays. Differences of floating-point values
// are coded as steps, whose tables the exponent of the base selects. docs/lmc.md gives the format and measurements.
package lmc
