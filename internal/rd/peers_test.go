package rd

import "testing"

func TestSEIBytes(t *testing.T) {
	for i, tt := range []struct {
		stream []byte
		want   int
	}{
		{nil, 0},
		{[]byte{0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 6, 9, 9, 0, 0, 0, 1, 0x65, 1}, 6},
		{[]byte{0, 0, 1, 6, 5, 5}, 6},
		{[]byte{0, 0, 1, 0x26, 5, 0, 0, 1, 0x65}, 5},
		{[]byte{0, 0, 1, 0x65, 0, 0, 1}, 0},
	} {
		if got := seiBytes(tt.stream); got != tt.want {
			t.Errorf("stream %d: got %d, want %d", i, got, tt.want)
		}
	}
}
