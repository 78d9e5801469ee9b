package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"vcsim/internal/atomicfile"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

type decodeFlags struct {
	out, size, tensor string
	workers           int
}

func newDecodeCommand(a *app) *cobra.Command {
	var f decodeFlags
	c := &cobra.Command{
		Use:   "decode IN -o OUT",
		Short: "Restore what encode compressed, and decode other encoders' streams",
		Long: `decode reads an Annex B stream (.265, .264) or a container that vcsim encode wrote (.safetensors). The ending of OUT
decides what is written:

  .safetensors   all tensors of a container, or the plane of a stream
  .npy, .raw     one tensor (--tensor), or a plane
  .pgm           a plane, or one U8 tensor of at most two dimensions
  .265, .264     the stream of one tensor of a container, not decoded

The pictures of a stream are stacked, the first on top; with --size they are the tiles of a plane of that size, in
row-major order, as encode --frame cut them. The checksums of a container are verified.`,
		Example: "  vcsim decode plane.265 -o plane.pgm\n" +
			"  vcsim decode small.safetensors -o model.safetensors",
		Args: wantArgs(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.decode(args[0], &f) })
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "file to write")
	markOutputs(flags, "output")
	flags.StringVar(&f.size, "size", "", "`WxH` of the plane whose frames the pictures are")
	flags.StringVar(&f.tensor, "tensor", "", "the tensor whose name matches `GLOB`")
	flags.IntVar(&f.workers, "workers", 0, "frames decoded at the same time (default: one per core)")
	return c
}

func (a *app) decode(in string, f *decodeFlags) error {
	if f.out == "" {
		return errNoOutput
	}
	fewerCollections()
	switch filepath.Ext(in) {
	case ".265", ".264":
		return a.decodeStream(in, f)
	case ".safetensors":
		return a.decodeContainer(in, f)
	}
	return fmt.Errorf("%s: unknown kind of file: want .265, .264 or .safetensors", in)
}

// decoded is what decode reports; start is zero where nothing was decoded.
func (a *app) decoded(values, tensors int, start time.Time, notes ...string) error {
	var speed any
	if !start.IsZero() {
		speed = float64(values) / max(time.Since(start).Seconds(), 1e-9) / 1e6
	}
	return a.print(&report.Result{Schema: "vcsim.decode/1", Facts: []report.Fact{
		{Column: report.Column{Key: "tensors"}, Value: tensors},
		{Column: report.Column{Key: "values"}, Value: values},
		{Column: report.Column{Key: "decode_mvalues_per_s", Title: "decode speed", Unit: "Mvalues/s"}, Value: speed},
	}, Notes: notes})
}

func (a *app) decodeStream(in string, f *decodeFlags) error {
	if f.tensor != "" {
		return fmt.Errorf("--tensor is for containers; %s is a stream", in)
	}
	codec, err := tensorcodec.Lookup("t" + filepath.Ext(in)[1:])
	if err != nil {
		return err
	}
	width, height, err := parseSize("size", f.size)
	if err != nil {
		return err
	}
	write, err := tensorWriter(f.out)
	if err != nil {
		return err
	}
	stream, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	start := time.Now()
	var plane []byte
	var notes []string
	if f.size != "" {
		var g tensorcodec.Grid
		plane, g, err = tensorcodec.DecodeGrid(codec, stream, width, height, f.workers)
		if padding := g.Frames()*g.FrameWidth*g.FrameHeight - width*height; err == nil && padding > 0 {
			notes = append(notes, fmt.Sprintf("The pictures, %d of %dx%d, are larger than %dx%d: %d samples at the right and lower edge are cropped.",
				g.Frames(), g.FrameWidth, g.FrameHeight, width, height, padding))
		}
	} else {
		width, height, plane, err = tensorcodec.DecodeStream(codec, stream, f.workers)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	info := tensor.Info{Name: stem(in), DType: tensor.U8, Shape: []int{height, width}}
	if err := write(info, plane, nil); err != nil {
		return err
	}
	return a.decoded(len(plane), 1, start, notes...)
}

// tensorWriter returns what writes one tensor to a file of the kind that the ending names.
func tensorWriter(out string) (func(info tensor.Info, data []byte, meta map[string]string) error, error) {
	switch filepath.Ext(out) {
	case ".raw":
		return func(_ tensor.Info, data []byte, _ map[string]string) error { return writeAll(out, data) }, nil
	case ".pgm":
		return func(info tensor.Info, data []byte, _ map[string]string) error {
			rows, cols, err := tensor.Fold(info.Shape)
			if info.DType != tensor.U8 || len(info.Shape) > 2 || rows == 0 || err != nil {
				return fmt.Errorf("-o %s: a PGM holds 8-bit codes in two dimensions, tensor %q is %s %v", out, info.Name, info.DType, info.Shape)
			}
			return writeAll(out, tensor.AppendPGM(nil, cols, rows), data)
		}, nil
	case ".npy":
		return func(info tensor.Info, data []byte, _ map[string]string) error {
			head, err := tensor.AppendNPY(nil, info)
			if err != nil {
				return fmt.Errorf("-o %s: %w", out, err)
			}
			return writeAll(out, head, data)
		}, nil
	case ".safetensors":
		return func(info tensor.Info, data []byte, meta map[string]string) error {
			head, err := tensor.SafetensorsHeader([]tensor.Info{info}, meta)
			if err != nil {
				return err
			}
			return writeAll(out, head, data)
		}, nil
	case ".265", ".264":
		return nil, fmt.Errorf("-o %s: a stream is taken out of a container (.safetensors)", out)
	}
	return nil, fmt.Errorf("-o %s: unknown kind of file: want .pgm, .raw, .npy or .safetensors", out)
}

func (a *app) decodeContainer(in string, f *decodeFlags) error {
	if f.size != "" {
		return fmt.Errorf("--size is for streams; %s says its own", in)
	}
	s, err := tensor.OpenSafetensors(in)
	if err != nil {
		return err
	}
	defer s.Close()
	if !tensorcodec.IsContainer(s) {
		return fmt.Errorf("%s holds plain tensors: vcsim encode did not write it", in)
	}
	c, err := tensorcodec.OpenContainer(s)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if f.tensor != "" {
		if err := c.Select(f.tensor); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
	}
	start := time.Now()
	ext := filepath.Ext(f.out)
	if ext != ".safetensors" && len(c.Tensors) != 1 {
		return fmt.Errorf("-o %s: it holds one tensor, %s has %d: choose one with --tensor", f.out, in, len(c.Tensors))
	}
	if ext == ".265" || ext == ".264" {
		if "t"+ext[1:] != c.Common.Codec {
			return fmt.Errorf("-o %s: the stream is %s", f.out, c.Common.Codec)
		}
		stream, err := c.Stream(c.Tensors[0])
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		if err := writeAll(f.out, stream); err != nil {
			return err
		}
		n, err := tensor.NumValues(c.Tensors[0].Shape)
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", in, c.Tensors[0].Name, err)
		}
		return a.decoded(n, 1, time.Time{}, "The stream was taken out as it is, not decoded.")
	}
	values := 0
	infos := make([]tensor.Info, len(c.Tensors))
	for i, t := range c.Tensors {
		infos[i] = t.Info
		n, err := tensor.NumValues(t.Shape)
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", in, t.Name, err)
		}
		values += n
	}
	if ext != ".safetensors" {
		write, err := tensorWriter(f.out)
		if err != nil {
			return err
		}
		data, err := c.Decode(c.Tensors[0], f.workers)
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		if err := write(infos[0], data, nil); err != nil {
			return err
		}
		return a.decoded(values, 1, start)
	}
	bar := a.progress("decoding", values)
	err = atomicfile.Write(f.out, func(w io.Writer) error {
		sw, err := tensor.NewSafetensorsWriter(w, infos, c.Meta)
		if err != nil {
			return err
		}
		err = c.DecodeAll(f.workers, func(t tensorcodec.StoredTensor, data []byte) error {
			n, _ := tensor.NumValues(t.Shape) // counted above
			bar.Add(int64(n))
			return sw.Write(data)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		return sw.Close()
	})
	bar.Stop()
	if err != nil {
		return err
	}
	return a.decoded(values, len(infos), start)
}
