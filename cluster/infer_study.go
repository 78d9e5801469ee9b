package cluster

// An InferStudy compares codecs on one inference job.
type InferStudy struct {
	Plain    InferStep      // nothing compressed
	Outcomes []InferOutcome // by codec
}

// An InferOutcome is what one codec does for an inference job.
type InferOutcome struct {
	Step        InferStep
	CommSpeedup float64 // of a chunk of the prompt over one link, against no compression
}

// CompareInference evaluates a job without compression and with each codec.
// memoryPJPerBit is as for Infer.
func CompareInference(j *Inference, codecs []Codec, p *Power, memoryPJPerBit float64) (*InferStudy, error) {
	if err := j.Validate(); err != nil {
		return nil, err
	}
	plain := *j
	plain.Codec = Codec{}
	plain.BitsWeights, plain.BitsKV, plain.BitsAct = PayloadBits, PayloadBits, PayloadBits
	st := &InferStudy{}
	var err error
	if st.Plain, err = Infer(&plain, p, memoryPJPerBit); err != nil {
		return nil, err
	}
	for _, c := range codecs {
		job := *j
		job.Codec = c
		o := InferOutcome{CommSpeedup: 1}
		if o.Step, err = Infer(&job, p, memoryPJPerBit); err != nil {
			return nil, err
		}
		if o.Step.Chunk > 0 {
			o.CommSpeedup = o.Step.ChunkPlain / o.Step.Chunk
		}
		st.Outcomes = append(st.Outcomes, o)
	}
	return st, nil
}

// Compressed is a step with a codec, whose memory is that of every codec, or the
// uncompressed one where there is none.
func (s *InferStudy) Compressed() *InferStep {
	if len(s.Outcomes) == 0 {
		return &s.Plain
	}
	return &s.Outcomes[0].Step
}
