package t264

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
}

// A Decoder decodes the pictures of an Annex B stream in decoding order. It
// is not safe for concurrent use; see SplitFrames for parallel decoding.
type Decoder struct {
	units bitio.Units // the current one is the first of the next picture
	sets  parameterSets

	rbsp  []byte // scratch
	m     mbDecoder
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

// ParameterSets returns those of the last picture, nil before the first.
func (d *Decoder) ParameterSets() (*SPS, *PPS) { return d.sps, d.pps }

// Next decodes the next picture. It returns io.EOF at the end of the stream.
// Other errors are a FormatError or an UnsupportedError, wrapped with the
// position.
func (d *Decoder) Next() (Picture, error) {
	pic, err := d.next()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("t264: byte %d: %w", d.units.Offset, err)
		d.units = bitio.Units{}
	}
	return pic, err
}

func (d *Decoder) next() (Picture, error) {
	var sps *SPS // of the picture under way, nil before its first slice
	for ; d.units.NAL != nil; d.units.Next() {
		nal := d.units.NAL
		r := role(nal)
		if sps != nil && r.Ends() {
			break
		}
		if r == bitio.RoleNone || r == bitio.RoleDelimiter {
			continue
		}
		d.rbsp = bitio.AppendUnescaped(d.rbsp[:0], nal[1:])
		if r == bitio.RoleParameters {
			if err := d.sets.read(nal, d.rbsp); err != nil {
				return Picture{}, err
			}
			continue
		}
		h, s, p, size, err := parseSlice(d.rbsp, nal, &d.sets)
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
	raster.Copy(p.Pix, p.Width, m.f.pix[s.CropTop*m.f.stride+s.CropLeft:], m.f.stride, p.Width, p.Height)
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

// role tells where a unit stands: slices are in order in this subset, so that
// first_mb_in_slice is zero, the code 1, in the first slice only.
func role(nal []byte) bitio.Role {
	switch typ := int(nal[0] & 31); {
	case typ >= nalSlice && typ <= nalIDR && nal[1]&0x80 != 0:
		return bitio.RoleFirstSlice
	case typ >= nalSlice && typ <= nalIDR:
		return bitio.RoleSlice
	case typ == nalSPS || typ == nalPPS:
		return bitio.RoleParameters
	case typ >= nalSEI && typ <= nalAUD:
		return bitio.RoleDelimiter
	}
	return bitio.RoleNone
}
