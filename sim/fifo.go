package sim

// RTL: rtl/common/vc_fifo.v

// A FIFO holds up to its depth of words: a memory of depth-1 words behind an
// output register. Latency 1, one word a cycle; the ready of its input depends
// on its registers alone.
type FIFO[T any] struct {
	In, Out *Stream[T]

	mem       []T
	head, len int // of the words in mem
	tail      int
	valid     bool
	data      T
}

// NewFIFO returns a FIFO of depth words, at least 2.
func NewFIFO[T any](in, out *Stream[T], depth int) *FIFO[T] {
	if depth < 2 {
		panic("sim: the depth of a FIFO is at least 2")
	}
	return &FIFO[T]{In: in, Out: out, mem: make([]T, depth-1)}
}

func (f *FIFO[T]) Eval() {
	f.Out.Valid, f.Out.Data = f.valid, f.data
	f.In.Ready = f.len < len(f.mem)
}

func (f *FIFO[T]) Clock() {
	take := f.In.Valid && f.In.Ready
	load := !f.valid || f.Out.Ready
	switch {
	case load && f.len == 0:
		f.valid = take
		if take {
			f.data = f.In.Data
		}
		return
	case load:
		f.data, f.valid = f.mem[f.head], true
		f.head = f.next(f.head)
		f.len--
	}
	if take {
		f.mem[f.tail] = f.In.Data
		f.tail = f.next(f.tail)
		f.len++
	}
}

func (f *FIFO[T]) next(i int) int {
	if i == len(f.mem)-1 {
		return 0
	}
	return i + 1
}

// Len returns the number of words held.
func (f *FIFO[T]) Len() int {
	if f.valid {
		return f.len + 1
	}
	return f.len
}

// Reset empties the FIFO.
func (f *FIFO[T]) Reset() { f.head, f.tail, f.len, f.valid = 0, 0, 0, false }
