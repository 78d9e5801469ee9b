// Package t264 is a tensor codec over ITU-T H.264 (edition 08/2021): High
// profile, monochrome, 8 bit, all intra, CABAC, no deblocking; High 4:4:4
// Predictive profile for lossless coding.
package t264
