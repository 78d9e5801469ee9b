package tensorcodec

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// standin is a small codec for the tests of everything above the codecs: it rounds codes to multiples of a step that
// grows with QP as in video codecs, mixes two steps by rows, and packs them with flate.
type standin struct{}

func init() { codecs["standin"] = standin{} }

func (standin) Name() string { return "standin" }
func (standin) MaxQP() int   { return 51 }

type standinEncoder struct {
	cfg   Config
	recon []byte
	bins  Bins
	w     *flate.Writer // its tables are larger than most frames
}

func (standin) NewEncoder(c Config) (Encoder, error) {
	if c.Tier != "hw" {
		return nil, fmt.Errorf("standin: tier %q", c.Tier)
	}
	return &standinEncoder{cfg: c, recon: make([]byte, c.Width*c.Height)}, nil
}

func (e *standinEncoder) AppendHeader(dst []byte) []byte {
	dst = append(dst, "SIN!"...)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.cfg.Width))
	return binary.BigEndian.AppendUint16(dst, uint16(e.cfg.Height))
}

func standinStep(qp int) float64 { return math.Exp2(float64(qp-4) / 6) }

func (e *standinEncoder) AppendFrame(dst, pix []byte, stride int, qp QP, index int) ([]byte, error) {
	if pix[0] == 99 && pix[1] == 98 && pix[2] == 97 {
		return nil, errors.New("standin: asked to fail")
	}
	if qp.Frac() != 0 && !e.cfg.FineQP {
		return nil, errors.New("standin: fraction without FineQP")
	}
	var b bytes.Buffer
	if e.w == nil {
		e.w, _ = flate.NewWriter(&b, 6)
	}
	w := e.w
	w.Reset(&b)
	row := make([]byte, e.cfg.Width)
	for y := range e.cfg.Height {
		q := qp.At(y)
		step := standinStep(q)
		if e.cfg.Lossless {
			step, q = 1, 4
		}
		for x := range row {
			k := math.Round((float64(pix[y*stride+x]) - 128) / step)
			row[x] = byte(int8(max(-128, min(127, k))))
			e.recon[y*e.cfg.Width+x] = standinValue(row[x], step)
		}
		w.Write([]byte{byte(q)})
		w.Write(row)
		if e.cfg.OnRow != nil {
			e.cfg.OnRow(1)
		}
	}
	w.Close()
	e.bins.Regular = int64(len(row))
	dst = binary.BigEndian.AppendUint32(dst, uint32(b.Len()))
	return append(dst, b.Bytes()...), nil
}

func standinValue(k byte, step float64) byte {
	return byte(max(0, min(255, math.Round(float64(int8(k))*step)+128)))
}

func (e *standinEncoder) Recon() []byte { return e.recon }
func (e *standinEncoder) Bins() Bins    { return e.bins }

func (standin) SplitFrames(stream []byte) ([][]byte, error) {
	if len(stream) < 8 || string(stream[:4]) != "SIN!" {
		return nil, FormatError("standin: no header")
	}
	head, rest := stream[:8:8], stream[8:]
	var parts [][]byte
	for len(rest) > 0 {
		if len(rest) < 4 || int64(len(rest)-4) < int64(binary.BigEndian.Uint32(rest)) {
			return nil, FormatError("standin: truncated")
		}
		n := 4 + int(binary.BigEndian.Uint32(rest))
		parts = append(parts, append(head, rest[4:n]...))
		rest = rest[n:]
	}
	return parts, nil
}

func (standin) DecodeFrame(part []byte) (Picture, error) {
	w, h := int(binary.BigEndian.Uint16(part[4:])), int(binary.BigEndian.Uint16(part[6:]))
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(part[8:])))
	if err != nil {
		return Picture{}, FormatError("standin: " + err.Error())
	}
	if len(raw) != (w+1)*h {
		return Picture{}, FormatError("standin: wrong size")
	}
	p := Picture{Width: w, Height: h, Stride: w + 3, Pix: make([]byte, (w+3)*h)}
	for y := range h {
		step := standinStep(int(raw[y*(w+1)]))
		for x := range w {
			p.Pix[y*p.Stride+x] = standinValue(raw[y*(w+1)+1+x], step)
		}
	}
	return p, nil
}
