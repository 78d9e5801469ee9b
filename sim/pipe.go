package sim

// RTL: rtl/common/vc_pipe.v

// A Pipe is one register between two streams: latency 1, one word a cycle.
// The ready of its input depends combinationally on that of its output.
type Pipe[T any] struct {
	In, Out *Stream[T]

	valid bool
	data  T
}

func (p *Pipe[T]) Eval() {
	p.Out.Valid, p.Out.Data = p.valid, p.data
	p.In.Ready = !p.valid || p.Out.Ready
}

func (p *Pipe[T]) Clock() {
	if p.In.Ready {
		p.valid = p.In.Valid
		if p.In.Valid {
			p.data = p.In.Data
		}
	}
}

// Reset clears the valid bit.
func (p *Pipe[T]) Reset() { p.valid = false }
