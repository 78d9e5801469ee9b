//go:build cabacbins

// Bins codes a PGM plane as one picture with the hw tier of a codec and writes
// the codewords of its slices: the number of ops and of bytes, 32 bits each,
// little endian; the ops, each in bytes Kind, Ctx and Bits; the bytes.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"

	"vcsim/internal/cabac"
	"vcsim/internal/tensor"
	"vcsim/t264"
	"vcsim/t265"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: bins t264|t265 QP PLANE.pgm")
		os.Exit(2)
	}
	if err := bins(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "bins:", err)
		os.Exit(1)
	}
}

func bins(codec, qp, name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	w, h, pix, err := tensor.ParsePGM(b, name)
	if err != nil {
		return err
	}
	q, err := strconv.Atoi(qp)
	if err != nil {
		return err
	}
	var enc interface {
		AppendFrame(dst, pix []byte, stride, qp int) ([]byte, error)
	}
	switch codec {
	case "t264":
		enc, err = t264.NewEncoder(t264.Params{Width: w, Height: h})
	case "t265":
		enc, err = t265.NewEncoder(t265.Params{Width: w, Height: h})
	default:
		return fmt.Errorf("unknown codec %q", codec)
	}
	if err != nil {
		return err
	}
	if _, err := enc.AppendFrame(nil, pix, w, q); err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for _, c := range cabac.Codewords {
		binary.Write(out, binary.LittleEndian, [2]uint32{uint32(len(c.Ops)), uint32(len(c.Bytes))})
		for _, op := range c.Ops {
			out.Write([]byte{op.Kind, op.Ctx, op.Bits})
		}
		out.Write(c.Bytes)
	}
	return out.Flush()
}
