package t265

import (
	"bytes"
	"fmt"
	"testing"
)

// TestSplitFramesMemory: repeated parameter sets are kept once, and many
// different ones cannot multiply a small stream.
func TestSplitFramesMemory(t *testing.T) {
	nal := func(typ int, body []byte) []byte {
		return append([]byte{0, 0, 1, byte(typ << 1), 1}, body...)
	}
	slice := nal(nalIDRNLP, []byte{0x80, 1, 2, 3})
	set := nal(nalPPS, bytes.Repeat([]byte{7}, 50))
	frames, err := SplitFrames(bytes.Repeat(append(append([]byte{}, set...), slice...), 100))
	if err != nil || len(frames) != 100 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	for i, f := range frames {
		if got, want := len(f), len(set)+len(slice); got != want {
			t.Fatalf("frame %d has %d bytes, want %d", i, got, want)
		}
	}

	// A, B, A: the last one to arrive is the last one in the part.
	second := nal(nalPPS, bytes.Repeat([]byte{8}, 50))
	frames, err = SplitFrames(bytes.Join([][]byte{set, second, set, slice}, nil))
	if err != nil || len(frames) != 1 || !bytes.Equal(frames[0], bytes.Join([][]byte{second, set, slice}, nil)) {
		t.Errorf("%d frames, %v", len(frames), err)
	}

	var b []byte
	for i := range 500 {
		b = append(b, nal(nalPPS, []byte(fmt.Sprintf("%0100d", i+1)))...)
	}
	b = append(b, bytes.Repeat(slice, 5000)...)
	if frames, err := SplitFrames(b); err == nil {
		t.Errorf("%d bytes become %d frames", len(b), len(frames))
	}
}
