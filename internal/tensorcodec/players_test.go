package tensorcodec

import (
	"path/filepath"
	"testing"

	"vcsim/internal/peertest"
	"vcsim/internal/tensor"
)

// TestPlayersOnSharedTensors decodes the stream of every tensor of the data folder in ffmpeg, and T.265's in libde265: they
// must see what our decoder sees, whose codes the container's checksum holds to the encoder's.
func TestPlayersOnSharedTensors(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/tensors/*.safetensors")
	if len(files) == 0 {
		t.Skip("no ../shared/tensors beside the checkout")
	}
	for codec, format := range map[string]string{"t264": peertest.H264, "t265": peertest.H265} {
		for _, f := range files {
			t.Run(codec+"/"+filepath.Base(f), func(t *testing.T) {
				src, err := tensor.OpenSafetensors(f)
				if err != nil {
					t.Fatal(err)
				}
				defer src.Close()
				o := codecOptions(t, codec, "hw", Target{TargetQP, 24})
				_, b := pack(t, src, Selection{}, o, 0)
				c, _, err := unpack(b) // checks the codes
				if err != nil {
					t.Fatal(err)
				}
				for _, st := range c.Tensors {
					if st.Raw {
						continue
					}
					stream, err := c.Stream(st)
					if err != nil {
						t.Fatal(err)
					}
					width, _, want, err := DecodeStream(o.Codec, stream, 0)
					if err != nil {
						t.Fatal(err)
					}
					peertest.Check(t, st.Name, format, width, stream, want)
				}
			})
		}
	}
}
