package bitio

import (
	"bytes"
	"errors"
	"slices"
)

// A Role is what a NAL unit means for where a picture begins and ends.
type Role int

const (
	RoleNone       Role = iota // of no picture, or of none that matters
	RoleDelimiter              // ends a picture, and belongs to none
	RoleParameters             // ends a picture; decoding the later ones may need it
	RoleFirstSlice             // begins a picture
	RoleSlice                  // goes on with the picture
)

// Ends reports whether a picture under way is complete before such a unit.
func (r Role) Ends() bool { return r != RoleNone && r != RoleSlice }

// maxParameters bounds the different parameter sets of a stream. H.264 has 32
// and 256 in force at a time, H.265 16, 16 and 64; some may change on the way.
const maxParameters = 1024

var (
	errNoPicture  = errors.New("no picture in the stream")
	errParameters = errors.New("too many parameter sets")
)

// SplitPictures cuts an Annex B stream into streams of one picture each, every
// one led by the parameter sets before it, so that they can be decoded
// independently. role tells what a unit, of two bytes at least, is. It fails
// where there is no picture, and where the copies of the parameter sets outgrow
// the stream by far.
func SplitPictures(stream []byte, role func(nal []byte) Role) ([][]byte, error) {
	var sets [][]byte // so far, the latest last
	var cur []byte    // the picture under way, nil for none
	var pictures [][]byte
	room := 32*len(stream) + 1<<20
	for u := NewUnits(stream); u.Next(); {
		r := role(u.NAL)
		if cur != nil && r.Ends() {
			pictures, cur = append(pictures, cur), nil
		}
		switch r {
		case RoleFirstSlice, RoleSlice:
			if cur == nil {
				for _, set := range sets {
					cur = append(append(cur, startCode...), set...)
				}
				if room -= len(cur); room < 0 {
					return nil, errParameters
				}
			}
			cur = append(append(cur, startCode...), u.NAL...)
		case RoleParameters:
			sets = slices.DeleteFunc(sets, func(old []byte) bool { return bytes.Equal(old, u.NAL) })
			if sets = append(sets, u.NAL); len(sets) > maxParameters {
				return nil, errParameters
			}
		}
	}
	if cur != nil {
		pictures = append(pictures, cur)
	}
	if len(pictures) == 0 {
		return nil, errNoPicture
	}
	return pictures, nil
}
