package t265

import (
	"fmt"
	"io"

	"vcsim/internal/bitio"
	"vcsim/internal/raster"
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
	units bitio.Units // the current one is the first of the next picture
	sets  parameterSets

	rbsp  []byte // scratch
	c     ctuDecoder
	stats Stats
	sps   *SPS // of the last picture
	pps   *PPS
}

// NewDecoder returns a Decoder of the stream, which it does not copy. It fails
// when the stream holds no NAL unit.
func NewDecoder(stream []byte) (*Decoder, error) {
	d := &Decoder{units: bitio.NewUnits(stream)}
	if !d.units.Next() {
		return nil, FormatError("no NAL unit: not an Annex B byte stream")
	}
	return d, nil
}

// Stats returns the counts of all pictures decoded so far.
func (d *Decoder) Stats() Stats { return d.stats }

// KeepPrediction makes Next return the intra prediction of the pictures, too.
func (d *Decoder) KeepPrediction() { d.c.keepPrediction = true }

// ParameterSets returns those of the last picture, nil before the first.
func (d *Decoder) ParameterSets() (*SPS, *PPS) { return d.sps, d.pps }

// Next decodes the next picture. It returns io.EOF at the end of the stream.
// Other errors are a FormatError or an UnsupportedError, wrapped with the
// position.
func (d *Decoder) Next() (Picture, error) {
	pic, err := d.next()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("t265: byte %d: %w", d.units.Offset, err)
		d.units = bitio.Units{}
	}
	return pic, err
}

func (d *Decoder) next() (Picture, error) {
	var prev *sliceHeader
	var sps *SPS
	for ; d.units.NAL != nil; d.units.Next() {
		nal := d.units.NAL
		r := role(nal)
		if prev != nil && r.Ends() {
			break
		}
		if r == bitio.RoleNone || r == bitio.RoleDelimiter {
			continue
		}
		d.rbsp = bitio.AppendUnescaped(d.rbsp[:0], nal[2:])
		if r == bitio.RoleParameters {
			if err := d.sets.read(nal, d.rbsp); err != nil {
				return Picture{}, err
			}
			continue
		}
		h, s, p, size, err := parseSlice(d.rbsp, nalType(nal), &d.sets, prev)
		if err != nil {
			return Picture{}, err
		}
		if h.first {
			d.c.startPicture(s)
			d.stats.Pictures++
			d.sps, d.pps = s, p
			sps = s
		} else if s != sps {
			return Picture{}, FormatError("slices of one picture with different parameter sets")
		}
		d.c.stats = &d.stats
		d.c.residual.stats = &d.stats
		d.stats.Slices++
		if err := d.c.slice(d.rbsp[size:], s, p, &h); err != nil {
			return Picture{}, err
		}
		prev = &h
	}
	if prev == nil {
		return Picture{}, io.EOF
	}
	if want := sps.ctbWidth * sps.ctbHeight; d.c.next != want {
		return Picture{}, FormatError(fmt.Sprintf("picture ends after %d of %d CTUs", d.c.next, want))
	}
	return d.c.picture(sps), nil
}

// picture copies the conformance window out of the frame.
func (c *ctuDecoder) picture(s *SPS) Picture {
	p := Picture{Width: s.Width - s.CropLeft - s.CropRight, Height: s.Height - s.CropTop - s.CropBottom}
	at := s.CropTop*c.f.stride + s.CropLeft
	crop := func(pix []byte) []byte {
		out := make([]byte, p.Width*p.Height)
		raster.Copy(out, p.Width, pix[at:], c.f.stride, p.Width, p.Height)
		return out
	}
	p.Pix = crop(c.f.pix)
	if c.keepPrediction {
		p.Prediction = crop(c.prediction)
	}
	return p
}

// SplitFrames cuts an Annex B stream into streams of one picture each, every
// one led by the parameter sets before it, so that they can be decoded
// independently. It checks no more than the NAL unit headers, and that the
// copies of parameter sets do not outgrow the stream.
func SplitFrames(stream []byte) ([][]byte, error) {
	frames, err := bitio.SplitPictures(stream, role)
	if err != nil {
		return nil, FormatError(err.Error())
	}
	return frames, nil
}

// role tells where a unit stands (clause 7.4.2.4.4); the first bit of a slice is
// first_slice_segment_in_pic_flag. Other layers are dropped (clause 8.1), and so
// are reserved types of slices (clause 7.4.2.2).
func role(nal []byte) bitio.Role {
	if layer := int(nal[0]&1)<<5 | int(nal[1]>>3); layer != 0 {
		return bitio.RoleNone
	}
	switch typ := nalType(nal); {
	case typ <= nalRaslR || typ >= nalBLAWLP && typ <= nalCRA:
		if len(nal) > 2 && nal[2]&0x80 == 0 {
			return bitio.RoleSlice
		}
		return bitio.RoleFirstSlice
	case typ >= nalVPS && typ <= nalPPS:
		return bitio.RoleParameters
	case typ < nalVPS, typ == nalFillerData, typ == nalSuffixSEI, typ >= 45 && typ <= 47, typ >= 56:
		return bitio.RoleNone // may stand between the slices of a picture
	}
	return bitio.RoleDelimiter
}
