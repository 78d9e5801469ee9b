package cluster

import "testing"

// TestCompareInference: the plain step is the one of 16 bits, each codec's is its own, and the link is faster only where
// activations are compressed.
func TestCompareInference(t *testing.T) {
	j := inference()
	st, err := CompareInference(&j, []Codec{{Name: "free"}, t265(1)}, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	plain := j
	plain.BitsWeights, plain.BitsKV, plain.BitsAct = 16, 16, 16
	want, err := Infer(&plain, &Power{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if st.Plain != want {
		t.Errorf("plain: got %+v, want %+v", st.Plain, want)
	}
	for i, c := range []Codec{{Name: "free"}, t265(1)} {
		job := j
		job.Codec = c
		want, err := Infer(&job, &Power{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		o := &st.Outcomes[i]
		if o.Step != want || o.CommSpeedup != want.ChunkPlain/want.Chunk || o.CommSpeedup <= 1 {
			t.Errorf("%s: got %+v, want %+v", c.Name, o, want)
		}
	}
	if st.Compressed().Memory != st.Outcomes[1].Step.Memory {
		t.Errorf("memory %+v, with another codec %+v", st.Compressed().Memory, st.Outcomes[1].Step.Memory)
	}
	if st, err = CompareInference(&j, nil, &Power{}, 0); err != nil || *st.Compressed() != st.Plain {
		t.Errorf("no codec: %+v, %v", st, err)
	}
	j.Devices = 1
	if st, err = CompareInference(&j, []Codec{{Name: "free"}}, &Power{}, 0); err != nil || st.Outcomes[0].CommSpeedup != 1 {
		t.Errorf("no link: %+v, %v", st, err)
	}
	j.Devices = 0
	if _, err = CompareInference(&j, nil, &Power{}, 0); err == nil {
		t.Error("no devices: no error")
	}
}
