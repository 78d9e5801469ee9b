package t264

import (
	"fmt"
	"io"

	"vcsim/internal/bitio"
)

// A Picture is one decoded picture: Height rows of Width samples, without
// padding. Pix belongs to the caller.
type Picture struct {
	Width, Height int
	Pix           []byte
	Prediction    []byte // intra prediction before the residual; nil without KeepPrediction
}

// A Decoder decodes the pictures of an Annex B stream in decoding order. It
// is not safe for concurrent use; see SplitFrames for parallel decoding.
type Decoder struct {
	rest  []byte // not yet read
	total int
	spss  [32]*SPS
	ppss  [256]*PPS

	nal    []byte // pending unit, the first of the next picture
	offset int    // of nal in the stream
	rbsp   []byte // scratch
	m      mbDecoder
	stats  Stats
	sps    *SPS // of the last picture
	pps    *PPS
}

// NewDecoder returns a Decoder of the stream, which it does not copy. It fails
// when the stream holds no NAL unit.
func NewDecoder(stream []byte) (*Decoder, error) {
	d := &Decoder{rest: stream, total: len(stream)}
	if !d.advance() {
		return nil, FormatError("no NAL unit: not an Annex B byte stream")
	}
	return d, nil
}

// Stats returns the counts of all pictures decoded so far.
func (d *Decoder) Stats() Stats { return d.stats }

// ParameterSets returns those of the last picture, nil before the first.
func (d *Decoder) ParameterSets() (*SPS, *PPS) { return d.sps, d.pps }

// KeepPrediction makes Next return the intra prediction of the pictures, too.
func (d *Decoder) KeepPrediction() { d.m.keepPrediction = true }

// advance moves to the next NAL unit of at least a header.
func (d *Decoder) advance() bool {
	for {
		nal, start, end := bitio.NextNAL(d.rest)
		if nal == nil {
			d.nal = nil
			return false
		}
		d.offset = d.total - len(d.rest) + start
		d.rest = d.rest[end:]
		if len(nal) >= 2 {
			d.nal = nal
			return true
		}
	}
}

// Next decodes the next picture. It returns io.EOF at the end of the stream.
// Other errors are a FormatError or an UnsupportedError, wrapped with the
// position.
func (d *Decoder) Next() (Picture, error) {
	pic, err := d.next()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("t264: byte %d: %w", d.offset, err)
		d.rest, d.nal = nil, nil
	}
	return pic, err
}

func (d *Decoder) next() (Picture, error) {
	var sps *SPS // of the picture under way, nil before its first slice
	for ; d.nal != nil; d.advance() {
		typ, refIDC := int(d.nal[0]&31), int(d.nal[0]>>5&3)
		vcl := typ == nalSlice || typ == nalIDR
		// first_mb_in_slice is zero, the code 1, in the first slice only:
		// slices are in order in this subset.
		if sps != nil && (vcl && d.nal[1]&0x80 != 0 || typ >= nalSEI && typ <= nalAUD) {
			break
		}
		switch {
		case typ >= nalPartitionA && typ <= nalPartitionC:
			return Picture{}, unsupported("nal_unit_type", typ)
		case typ == nalSPS, typ == nalPPS, vcl:
		default:
			continue
		}
		d.rbsp = bitio.AppendUnescaped(d.rbsp[:0], d.nal[1:])
		switch typ {
		case nalSPS:
			s, err := parseSPS(d.rbsp)
			if err != nil {
				return Picture{}, err
			}
			d.spss[s.ID] = s
			continue
		case nalPPS:
			p, err := parsePPS(d.rbsp)
			if err != nil {
				return Picture{}, err
			}
			d.ppss[p.ID] = p
			continue
		}
		h, s, p, size, err := parseSlice(d.rbsp, typ, refIDC, &d.spss, &d.ppss)
		if err != nil {
			return Picture{}, err
		}
		if sps == nil {
			d.m.startPicture(s)
			d.stats.Pictures++
			d.sps, d.pps = s, p
			sps = s
		} else if s != sps {
			return Picture{}, FormatError("slices of one picture with different parameter sets")
		}
		d.m.stats = &d.stats
		d.m.residual.stats = &d.stats
		d.stats.Slices++
		if err := d.m.slice(d.rbsp[size:], s, p, &h); err != nil {
			return Picture{}, err
		}
	}
	if sps == nil {
		return Picture{}, io.EOF
	}
	if want := len(d.m.f.mb); d.m.next != want {
		return Picture{}, FormatError(fmt.Sprintf("picture ends after %d of %d macroblocks", d.m.next, want))
	}
	return d.m.picture(sps), nil
}

// picture copies the cropping rectangle out of the frame.
func (m *mbDecoder) picture(s *SPS) Picture {
	p := Picture{Width: s.Width - s.CropLeft - s.CropRight, Height: s.Height - s.CropTop - s.CropBottom}
	p.Pix = make([]byte, p.Width*p.Height)
	for y := range p.Height {
		copy(p.Pix[y*p.Width:][:p.Width], m.f.pix[(y+s.CropTop)*m.f.stride+s.CropLeft:])
	}
	if m.keepPrediction {
		p.Prediction = make([]byte, p.Width*p.Height)
		for y := range p.Height {
			copy(p.Prediction[y*p.Width:][:p.Width], m.prediction[(y+s.CropTop)*m.f.stride+s.CropLeft:])
		}
	}
	return p
}

// SplitFrames cuts an Annex B stream into streams of one picture each, every
// one led by the parameter sets before it, so that they can be decoded
// independently. It checks no more than the NAL unit headers.
func SplitFrames(stream []byte) ([][]byte, error) {
	var sets, cur []byte // parameter sets so far; current picture
	var frames [][]byte
	inPicture := false
	for rest := stream; ; {
		nal, _, end := bitio.NextNAL(rest)
		if nal == nil {
			break
		}
		rest = rest[end:]
		if len(nal) < 2 {
			continue
		}
		typ := int(nal[0] & 31)
		vcl := typ >= nalSlice && typ <= nalIDR
		if inPicture && (vcl && nal[1]&0x80 != 0 || typ >= nalSEI && typ <= nalAUD) {
			frames = append(frames, cur)
			inPicture, cur = false, nil
		}
		switch {
		case vcl:
			if !inPicture {
				cur = append(cur, sets...)
				inPicture = true
			}
			cur = append(append(cur, 0, 0, 1), nal...)
		case typ == nalSPS, typ == nalPPS:
			sets = append(append(sets, 0, 0, 1), nal...)
		}
	}
	if inPicture {
		frames = append(frames, cur)
	}
	if len(frames) == 0 {
		return nil, FormatError("no picture in the stream")
	}
	return frames, nil
}
